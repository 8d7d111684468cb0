import type { Exclusively } from '../../base/mutex.ts'
import type { Logger } from '../logger.ts'
import type { RunRecord, RunRecords } from './run-records.ts'

/** The processes that may run a workflow. */
export type RunOwners = {
  /** The id of this process. A process that starts under the id of an ended one has its runs. */
  readonly id: string
  /** The others that are alive. */
  living(): Promise<ReadonlySet<string>>
  /** Runs are begun and taken over by one process at a time. */
  readonly changeRuns: Exclusively
}

export type Ended = { readonly record: RunRecord; readonly error?: unknown }

/** A run in this process. `lost`: another process has it. */
export type Running = {
  readonly record: RunRecord
  readonly ended: Promise<Ended>
  progress: string | undefined
  pulse: unknown
  /** The run has ended, and its outcome is being written to the catalogue. */
  isEnding: boolean
  readonly cancel: AbortController
  readonly lost: AbortController
}

export type OrphansDeps = {
  readonly records: RunRecords
  readonly owners: RunOwners
  readonly running: ReadonlyMap<string, Running>
  /** Runs that this process has launched and whose end is not written down: it did not die amid them. */
  readonly launched: ReadonlySet<string>
  readonly isKnown: (workflow: string) => boolean
  readonly launch: (record: RunRecord) => Running
  readonly stop: AbortSignal
  readonly logger: Logger
  /** Milliseconds between two looks. */
  readonly look_ms?: number | undefined
}

export const isElsewhere = async (owners: RunOwners, record: RunRecord | undefined): Promise<boolean> =>
  record?.state === 'running' && record.process !== owners.id && (await owners.living()).has(record.process)

/** Takes over the runs of processes that are gone, and gives up runs that another process has taken. */
export function createOrphans(deps: OrphansDeps) {
  const { records, owners, running, launched, isKnown, launch, stop, logger, look_ms = 5_000 } = deps

  async function takeOver(id: string): Promise<void> {
    if (await isElsewhere(owners, await records.find(id))) return
    await owners.changeRuns(async () => {
      const record = await records.find(id)
      if (record?.state !== 'running' || running.has(id) || stop.aborted || (await isElsewhere(owners, record))) return
      logger.info(
        { workflow: id, before: record.process },
        'workflow of a process that is gone was under way, beginning anew',
      )
      // A start is counted before the run begins, so that a run that crashes its process is known by its count.
      const hasDied = record.process !== '' && !(record.process === owners.id && launched.has(id))
      const deaths = record.deaths + (hasDied ? 1 : 0)
      const taken = { ...record, process: owners.id, deaths }
      await records.begin(taken)
      launch(taken)
    })
  }

  async function look(): Promise<void> {
    const mine = [...running]
    const unfinished = await records.unfinished()
    for (const [id, run] of mine) {
      if (
        run.isEnding ||
        running.get(id) !== run ||
        unfinished.some((record) => record.id === id && record.process === owners.id)
      )
        continue
      logger.warn({ workflow: id }, 'workflow was taken over by another process while this one was silent')
      run.lost.abort()
    }
    for (const { id, workflow } of unfinished) if (isKnown(workflow) && !running.has(id)) await takeOver(id)
  }

  let timer: NodeJS.Timeout | undefined
  stop.addEventListener('abort', () => clearTimeout(timer))
  function lookAgain(): void {
    timer = setTimeout(async () => {
      await look().catch((error: unknown) =>
        logger.warn({ err: error }, 'workflows of other processes not read, retrying'),
      )
      if (!stop.aborted) lookAgain()
    }, look_ms).unref()
  }

  return {
    async watch(): Promise<void> {
      await look()
      lookAgain()
    },
  }
}
