import { Fault, fault } from '../faults.ts'
import type { Logger } from '../logger.ts'
import { Cancelled, createRuntime } from './in-process-runtime.ts'
import type { Orchestrator } from './orchestrator.ts'
import type { RunRecord, RunRecords } from './run-records.ts'
import type { Activities, Workflows } from './workflow.ts'

export type InProcessDeps<Of extends Workflows> = {
  readonly workflows: Of
  readonly activities: Activities
  readonly records: RunRecords
  readonly logger: Logger
}

type Ended = { readonly record: RunRecord; readonly error?: unknown }
type Running = { readonly ended: Promise<Ended>; progress: string | undefined; readonly cancel: AbortController }

/** How long `close` waits for activities that are asked to end. */
const patience_ms = 3_000

/**
 * Runs workflows in this process. A run is written down before it begins and when it has ended; one that was under way
 * when the process ended begins anew at `resume`, since each of its activities may be repeated.
 */
export function createInProcess<Of extends Workflows>({ workflows, activities, records, logger }: InProcessDeps<Of>) {
  const running = new Map<string, Running>()
  const calls = new Set<Promise<unknown>>()
  const stop = new AbortController()
  const all: Workflows = workflows

  const watched: Activities = Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      (request: never, signal: AbortSignal) => {
        const result = activity(request, signal)
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

  function launch(record: RunRecord, isWritten: Promise<void>): Running {
    const { id, workflow: name, request } = record
    const { run, attempts } = workflowOf(name)
    const cancel = new AbortController()
    const runtime = createRuntime({
      activities: watched,
      attempts,
      cancelled: cancel.signal,
      stopped: stop.signal,
      logger: logger.child({ workflow: id }),
      report: (progress) => {
        entry.progress = JSON.stringify(progress)
      },
    })
    const ended = isWritten
      .then(() => run(runtime, JSON.parse(request)))
      .then(
        (result): Ended => ({ record: { ...record, state: 'done', outcome: JSON.stringify(result ?? null) } }),
        (error: unknown): Ended => {
          if (error instanceof Cancelled) return { record: { ...record, state: 'cancelled' } }
          logger.error({ err: error, workflow: id }, 'workflow failed')
          const outcome = error instanceof Error ? error.message : String(error)
          return { record: { ...record, state: 'failed', outcome }, error }
        },
      )
      .then(async (end) => {
        await records.put(end.record).catch((error: unknown) => {
          logger.error({ err: error, workflow: id }, 'end of a workflow not kept: it begins anew at the next start')
        })
        running.delete(id)
        return end
      })
    const entry: Running = { ended, progress: undefined, cancel }
    running.set(id, entry)
    return entry
  }

  async function begin(name: string, request: unknown): Promise<Running> {
    if (stop.signal.aborted) throw fault('unavailable', 'the service is stopping')
    const id = workflowOf(name).id(request)
    if (running.has(id)) throw fault('conflict', `${id} is under way already`)
    const record: RunRecord = { id, workflow: name, state: 'running', request: JSON.stringify(request), outcome: '' }
    const written = records.put(record)
    const entry = launch(record, written)
    await written
    return entry
  }

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
      throw fault('unavailable', `${id} ${state === 'cancelled' ? 'was cancelled' : `failed: ${outcome}`}`, {
        cause: error,
      })
    },
    async find(name, key) {
      const id = workflowOf(name).id(key)
      const entry = running.get(id)
      if (entry) {
        return { state: 'running', ...(entry.progress !== undefined && { progress: JSON.parse(entry.progress) }) }
      }
      const record = await records.find(id)
      if (!record) return undefined
      const { state, outcome } = record
      if (state === 'done') return { state, result: JSON.parse(outcome) }
      return state === 'failed' ? { state, reason: outcome } : { state }
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
    },
  }

  return {
    ...orchestrator,
    /** Takes up what an earlier process left under way. */
    async resume(): Promise<void> {
      for (const record of await records.unfinished()) {
        if (!(record.workflow in all)) continue
        logger.info({ workflow: record.id }, 'workflow was under way, beginning anew')
        launch(record, Promise.resolve())
      }
    },
  }
}
