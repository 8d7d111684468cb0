import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import type { Logger } from '../logger.ts'
import { isFinal } from './orchestrator.ts'
import { type Activities, type AnyRuntime, type Pulse, pauses } from './workflow.ts'

/** Thrown into a workflow that was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/** Why a run that ended its processes is not begun again: its activities are not called but to clean up. */
export class GivenUp extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'GivenUp'
  }
}

export type RuntimeDeps = {
  readonly activities: Activities
  readonly attempts: number
  /** The reason why it is not begun. */
  readonly givenUp: string | undefined
  /** Ends the workflow by way of its own cleaning up. */
  readonly cancelled: AbortSignal
  /** Ends it where it stands: no call returns any more, the next start takes it up. */
  readonly stopped: AbortSignal
  readonly logger: Logger
  readonly report: (progress: unknown) => void
  readonly pulse: Pulse
}

const never = new Promise<never>(() => {})

/** A workflow's runtime in this process, by the rules of Temporal's. */
export function createRuntime(deps: RuntimeDeps): AnyRuntime {
  const { activities, attempts, givenUp, cancelled, stopped, logger, report, pulse } = deps
  let isCleaning = false

  async function call(name: string, activity: Activities[string], request: never): Promise<unknown> {
    if (givenUp !== undefined && !isCleaning) throw new GivenUp(givenUp)
    const signal = isCleaning ? stopped : AbortSignal.any([cancelled, stopped])
    let pause_ms: number = pauses.first_ms
    for (let attempt = 1; ; attempt++) {
      if (stopped.aborted) return never
      if (signal.aborted) throw new Cancelled()
      try {
        const result = await activity(asPayload(request), signal, pulse)
        if (!signal.aborted) return asPayload(result)
      } catch (error) {
        if (!signal.aborted && (isForGood(error) || attempt >= attempts)) throw error
        if (!signal.aborted) logger.warn({ err: error, activity: name, attempt }, 'activity failed, retrying')
      }
      await sleep(pause_ms, undefined, { signal }).catch(() => {})
      pause_ms = Math.min(pauses.longest_ms, pauses.factor * pause_ms)
    }
  }

  return {
    activities: Object.fromEntries(
      Object.entries(activities).map(([name, activity]) => [name, (request: never) => call(name, activity, request)]),
    ),
    report,
    wasCancelled: (error) => error instanceof Cancelled,
    wasGivenUp: (error) => error instanceof GivenUp,
    async cleanUp(work) {
      isCleaning = true
      try {
        await work()
      } finally {
        isCleaning = false
      }
    },
  }
}

/** Whether a repeat would fail the same way. Unforeseen errors are tried again, as on Temporal. */
export const isForGood = (error: unknown): error is Fault => error instanceof Fault && isFinal(error.kind)

/** As on Temporal, values pass between a workflow and an activity as copies. */
const asPayload = <Value>(value: Value): Value => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
