import {
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import { searchKeys } from './search-attributes.ts'
import type { AnyRuntime, AnyWorkflow } from './workflow.ts'
import { pauses } from './workflow.ts'

/** How Temporal's UI, CLI and clients talk with a run. */
const cancel = defineSignal('cancel')
const progress = defineQuery<unknown>('progress')

/** A worker that is gone is noticed after this; a step itself may take a day. */
const heartbeat = '10 seconds'
const longestStep = '1 day'

/** A workflow as Temporal runs it, in the sandbox of its bundle. */
export function onTemporal(workflow: AnyWorkflow): (request: unknown) => Promise<unknown> {
  return async (request) => {
    let reported: unknown
    let isAskedToEnd = false
    const scope = new CancellationScope()
    const mark = createMark()
    setHandler(progress, () => reported)
    setHandler(cancel, () => {
      isAskedToEnd = true
      scope.cancel()
    })
    const runtime: AnyRuntime = {
      activities: callsOf(workflow),
      report: (now) => {
        reported = now
        if (workflow.details !== undefined) setCurrentDetails(workflow.details(now))
        mark(workflow.marks(request, now).state)
      },
      wasCancelled: isCancellation,
      wasGivenUp: () => false,
      cleanUp: (work) => CancellationScope.nonCancellable(work),
    }
    try {
      return await scope.run(() => workflow.run(runtime, request))
    } catch (error) {
      if (!isAskedToEnd || !isCancellation(error)) throw error
      throw ApplicationFailure.create({ type: 'cancelled', message: 'cancelled by signal', nonRetryable: true })
    }
  }
}

/** Marks a run with its state where its start was marked: the server knows the search attributes then. */
function createMark(): (state: number | undefined) => void {
  let last = workflowInfo().typedSearchAttributes.get(searchKeys.state)
  const isMarked = last !== undefined
  return (state) => {
    if (!isMarked || state === undefined || state === last) return
    last = state
    upsertSearchAttributes([{ key: searchKeys.state, value: state }])
  }
}

/** Each activity with the line that its workflow has for it. */
function callsOf({ steps, attempts }: AnyWorkflow): AnyRuntime['activities'] {
  const options = {
    startToCloseTimeout: longestStep,
    heartbeatTimeout: heartbeat,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: {
      initialInterval: pauses.first_ms,
      backoffCoefficient: pauses.factor,
      maximumInterval: pauses.longest_ms,
      maximumAttempts: attempts,
    },
  } as const
  const activities = proxyActivities<Record<string, (request: unknown, trace?: unknown) => Promise<unknown>>>(options)
  // Where the run stands in a trace, for its activities alone.
  const trace = workflowInfo().memo?.trace
  const given = (request: unknown): [unknown, unknown?] => (trace === undefined ? [request] : [request, trace])
  return Object.fromEntries(
    Object.entries(steps).map(([name, summary]) => [
      name,
      async (request: never) =>
        activities[name]?.executeWithOptions({ ...options, summary: summary(request) }, given(request)),
    ]),
  )
}
