import { Fault, fault } from '../../base/faults.ts'
import type { Logger } from '../logger.ts'
import { Cancelled, createRuntime, GivenUp, isForGood } from './in-process-runtime.ts'
import type { Orchestrator } from './orchestrator.ts'
import { createOrphans, type Ended, isElsewhere, type Running, type RunOwners } from './orphans.ts'
import type { RunRecord, RunRecords } from './run-records.ts'
import type { Activities, Workflows } from './workflow.ts'

export type InProcessDeps<Of extends Workflows> = {
  readonly workflows: Of
  readonly activities: Activities
  readonly records: RunRecords
  readonly owners: RunOwners
  readonly logger: Logger
  /** Between two looks for runs that other processes have left. */
  readonly look_ms?: number
}

/** How long `close` waits for activities that are asked to end. */
const patience_ms = 3_000

/**
 * Runs workflows in the process that starts them. A run is written down with its process before it begins and when it
 * has ended. A run whose process has ended begins anew in another, or in the next of the same name, since each of its
 * activities may be repeated. A process that was only silent gives up its run once it notices. A run amid which too
 * many processes ended without a word is given up.
 */
export function createInProcess<Of extends Workflows>(deps: InProcessDeps<Of>) {
  const { workflows, activities, records, owners, logger, look_ms } = deps
  const running = new Map<string, Running>()
  const launched = new Set<string>()
  const calls = new Set<Promise<unknown>>()
  const stop = new AbortController()
  const all: Workflows = workflows

  const watched: Activities = Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      (request: never, signal: AbortSignal, pulse) => {
        const result = activity(request, signal, pulse)
        const call = result.catch(() => {}).finally(() => calls.delete(call))
        calls.add(call)
        return result
      },
    ]),
  )

  const workflowOf = (name: string) => {
    const workflow = all[name]
    if (!workflow) throw new Error(`no workflow ${name}`)
    return workflow
  }

  function launch(record: RunRecord): Running {
    const { id, workflow: name, request, deaths } = record
    const { run, attempts, givesUp } = workflowOf(name)
    const isGivenUp = givesUp !== undefined && deaths > givesUp.deaths
    const cancel = new AbortController()
    const lost = new AbortController()
    const runtime = createRuntime({
      activities: watched,
      attempts,
      givenUp: isGivenUp ? `the service ended ${deaths} times while ${givesUp.what} ran` : undefined,
      cancelled: cancel.signal,
      stopped: AbortSignal.any([stop.signal, lost.signal]),
      logger: logger.child({ workflow: id }),
      report: (progress) => {
        entry.progress = JSON.stringify(progress)
      },
      pulse: (details) => {
        entry.pulse = details
      },
    })
    const taken = new Promise<Ended>((resolve) => {
      lost.signal.addEventListener('abort', () => {
        running.delete(id)
        resolve({ record })
      })
    })
    const own = Promise.resolve()
      .then(() => run(runtime, JSON.parse(request)))
      .then(
        (result): Ended => ({ record: { ...record, state: 'done', outcome: JSON.stringify(result ?? null) } }),
        (error: unknown): Ended => {
          if (error instanceof Cancelled) return { record: { ...record, state: 'cancelled' } }
          // The request cannot be met: its user reads the reason, and an operator has nothing to mend.
          if (isForGood(error) || error instanceof GivenUp)
            logger.warn({ workflow: id, reason: error.message }, 'workflow failed for good')
          else logger.error({ err: error, workflow: id }, 'workflow failed')
          const outcome = error instanceof Error ? error.message : String(error)
          return { record: { ...record, state: 'failed', outcome }, error }
        },
      )
      .then(async (end) => {
        entry.isEnding = true
        const written = records.end(end.record).then(() => launched.delete(id))
        await written.catch((error: unknown) => {
          logger.error(
            { err: error, workflow: id },
            'end of a workflow not written to the catalogue, it will begin anew',
          )
        })
        if (running.get(id) === entry) running.delete(id)
        return end
      })
    const entry: Running = {
      record,
      ended: Promise.race([own, taken]),
      progress: undefined,
      pulse: undefined,
      isEnding: false,
      cancel,
      lost,
    }
    running.set(id, entry)
    launched.add(id)
    return entry
  }

  const begin = (name: string, request: unknown): Promise<Running> =>
    owners.changeRuns(async () => {
      if (stop.signal.aborted) throw fault('unavailable', 'the service is stopping')
      const id = workflowOf(name).id(request)
      if (running.has(id) || (await isElsewhere(owners, await records.find(id))))
        throw fault('conflict', `${id} is under way already`)
      const record: RunRecord = {
        id,
        workflow: name,
        state: 'running',
        request: JSON.stringify(request),
        outcome: '',
        process: owners.id,
        deaths: 0,
      }
      await records.begin(record)
      return launch(record)
    })

  function underWay(id: string) {
    const entry = running.get(id)
    if (entry === undefined) return undefined
    const { progress, pulse } = entry
    return { state: 'running' as const, ...(progress !== undefined && { progress: JSON.parse(progress) }), pulse }
  }

  function ended(record: RunRecord | undefined) {
    if (record === undefined) return undefined
    const { state, outcome } = record
    if (state === 'done') return { state, result: JSON.parse(outcome) }
    return state === 'failed' ? { state, reason: outcome } : { state }
  }

  const orphans = createOrphans({
    records,
    owners,
    running,
    launched,
    isKnown: (workflow) => workflow in all,
    launch,
    stop: stop.signal,
    logger,
    look_ms,
  })

  const orchestrator: Orchestrator<Of> = {
    async start(name, request) {
      await begin(name, request)
    },
    async run(name, request) {
      const { ended } = await begin(name, request)
      const { record, error } = await ended
      const { id, state, outcome } = record
      if (state === 'done') return JSON.parse(outcome)
      if (error instanceof Fault) throw error
      const reason = { cancelled: 'was cancelled', running: 'was taken over by another process' }
      throw fault('unavailable', `${id} ${state === 'failed' ? `failed: ${outcome}` : reason[state]}`, { cause: error })
    },
    async find(name, key) {
      const id = workflowOf(name).id(key)
      return underWay(id) ?? ended(await records.find(id))
    },
    async findAll(name, keys) {
      const ids = keys.map((key) => workflowOf(name).id(key))
      const found = await records.findAll(ids)
      return ids.map((id) => underWay(id) ?? ended(found.get(id)))
    },
    async lastRun(name, key) {
      const id = workflowOf(name).id(key)
      const record = await records.find(id)
      const isRunning = record?.state === 'running' || running.has(id)
      return record && { isRunning, request: JSON.parse(record.request) }
    },
    async cancel(name, key) {
      const entry = running.get(workflowOf(name).id(key))
      entry?.cancel.abort()
      await entry?.ended
    },
    ask: async () => ({ status: 'up', by: 'this process' }),
    async close() {
      stop.abort()
      await Promise.race([Promise.all(calls), new Promise((resolve) => setTimeout(resolve, patience_ms).unref())])
      // Released runs count no death: they did not end this process.
      await Promise.all(
        Array.from(running.values(), ({ record }) =>
          records.release(record).catch((error: unknown) => {
            logger.warn(
              { err: error, workflow: record.id },
              'workflow not left to the next process, it will count an end',
            )
          }),
        ),
      )
    },
  }

  /** `resume` takes up the runs that processes left under way when they ended, now and from now on. */
  return { ...orchestrator, resume: orphans.watch }
}
