import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { type Next, type Recurring, savedQueue } from './recurring.ts'
import { pauses } from './workflow.ts'

const wake = defineSignal('wake')

const options = {
  taskQueue: savedQueue,
  heartbeatTimeout: '10 seconds',
  // Work that is due may wait for ClickHouse to be back.
  startToCloseTimeout: '365 days',
  retry: {
    initialInterval: pauses.first_ms,
    backoffCoefficient: pauses.factor,
    maximumInterval: pauses.longest_ms,
  },
} as const

/** A recurring workflow as Temporal runs it, in the sandbox of its bundle. */
export function recurringOnTemporal<Request>({ step, line }: Recurring<Request>): (request: Request) => Promise<void> {
  return async (request) => {
    let isWoken = false
    setHandler(wake, () => {
      isWoken = true
    })
    const activities = proxyActivities<Record<string, (request: Request) => Promise<Next>>>(options)
    for (;;) {
      isWoken = false
      const next = await activities[step]?.executeWithOptions({ ...options, summary: line(request) }, [request])
      if (!next && !isWoken) return
      if (next) setCurrentDetails(next.says)
      // A run's history is read as a whole by each worker that takes it up.
      if (workflowInfo().continueAsNewSuggested) await continueAsNew(request)
      if (next) await condition(() => isWoken, next.wait_ms)
    }
  }
}
