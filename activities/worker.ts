import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure, Context } from '@temporalio/activity'
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker'
import type { Logger } from '../infra/logger.ts'
import { taskQueue as queueOfJobs } from '../infra/orchestration/temporal.ts'
import type { TemporalAddress } from '../infra/orchestration/temporal-address.ts'
import { asFailure } from '../infra/orchestration/temporal-failures.ts'
import type { Activities } from '../infra/orchestration/workflow.ts'
import { resume, type Tracing } from '../infra/tracing/tracing.ts'

export type WorkerDeps = TemporalAddress & {
  readonly activities: Activities
  /** The workflows' module, and the path of their bundle once it was built; it is made at the start where there is none. Absent for activities alone. */
  readonly workflowsPath?: string
  readonly bundlePath?: string | undefined
  readonly taskQueue?: string
  /** Activities that are under way at once. */
  readonly maxActivities?: number
  readonly logger: Logger
  readonly tracing?: Tracing | undefined
}

const heartbeat_ms = 3_000
const reconnect_ms = 2_000
/** The max time to close in: a server that is gone does not hold a process up. */
const longestClose_ms = 6_000
/** How long activities that are under way may go on when the worker is closed. */
const grace = '2 seconds'

/**
 * Hosts activities and workflows for a Temporal server. It may be away at the start and later: it is asked again until
 * it is there.
 */
export function createWorker(deps: WorkerDeps) {
  const { address, namespace, tls, apiKey, activities, workflowsPath, bundlePath, logger, tracing } = deps
  const { taskQueue = queueOfJobs, maxActivities } = deps
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve()))

  async function serve(): Promise<void> {
    installRuntime(logger)
    const workflowBundle =
      bundlePath === undefined
        ? workflowsPath && (await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') }))
        : { codePath: bundlePath }
    while (!closing.signal.aborted) {
      try {
        const connection = await NativeConnection.connect({ address, tls, ...(apiKey !== undefined && { apiKey }) })
        try {
          const worker = await Worker.create({
            connection,
            namespace,
            taskQueue,
            ...(workflowBundle && { workflowBundle }),
            ...(maxActivities !== undefined && { maxConcurrentActivityTaskExecutions: maxActivities }),
            activities: hosted(activities, tracing),
            // A cancellation comes with the answer to a heartbeat.
            maxHeartbeatThrottleInterval: heartbeat_ms,
            shutdownGraceTime: grace,
            shutdownForceTime: '4 seconds',
          })
          logger.info({ address, namespace, taskQueue }, 'serving workflows')
          await worker.runUntil(closed)
        } finally {
          await connection.close()
        }
      } catch (error) {
        logger.warn({ err: error, address }, 'Temporal is away, trying again')
        await sleep(reconnect_ms, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  const served = serve().catch((error: unknown) => logger.error({ err: error }, 'no workflows are served'))

  return {
    async close(): Promise<void> {
      closing.abort()
      await Promise.race([served, sleep(longestClose_ms, undefined, { ref: false })])
    },
  }
}

/** Activities with a pulse, so that a worker that is gone is noticed, and with their faults in Temporal's terms. */
const hosted = (activities: Activities, tracing: Tracing | undefined) =>
  Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      async (request: never, trace?: unknown): Promise<unknown> => {
        const context = Context.current()
        let details: unknown
        const pulse = setInterval(() => context.heartbeat(details), heartbeat_ms)
        try {
          const act = () =>
            activity(request, context.cancellationSignal, (latest) => {
              details = latest
            })
          return await (tracing ? resume(trace, act) : act())
        } catch (error) {
          throw context.cancellationSignal.aborted ? await interruption(context) : asFailure(error)
        } finally {
          clearInterval(pulse)
        }
      },
    ]),
  )

/** A step that was cancelled has ended; one whose worker is stopping is for another worker. */
const interruption = (context: Context): Promise<unknown> =>
  context.cancellationDetails?.cancelRequested
    ? context.cancelled.catch((reason: unknown) => reason)
    : Promise.resolve(ApplicationFailure.retryable('the worker is stopping'))

let isInstalled = false

/** The SDK has one runtime a process, which would otherwise take the process' signals. */
function installRuntime(logger: Logger): void {
  if (isInstalled) return
  isInstalled = true
  const quiet = { trace: () => {}, debug: () => {}, info: () => {} }
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) } },
    logger: {
      ...quiet,
      log: (level, message) => {
        if (level === 'WARN' || level === 'ERROR') logger.warn({ temporal: message }, 'from the Temporal SDK')
      },
      warn: (message) => logger.warn({ temporal: message }, 'from the Temporal SDK'),
      error: (message) => logger.error({ temporal: message }, 'from the Temporal SDK'),
    },
  })
}
