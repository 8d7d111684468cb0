import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import { createPool } from '../../base/pool.ts'
import type { World } from '../../infra/world.ts'
import type { Accept } from '../ingest/accept.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import { bringRows, waitedFor } from './bring.ts'
import { definitionOf, type ImportRecord, isUnderWay, keysOf, type Progress } from './record.ts'
import { createSource } from './source.ts'
import type { ImportStore } from './store.ts'
import { openParquetThreads } from './threads/open-parquet-threads.ts'
import { createToEvent } from './to-event.ts'

export type ImportRunnerDeps = Pick<World, 'sharing' | 'metrics' | 'logger'> & {
  readonly store: ImportStore
  readonly objects: ObjectEngine['objects']
  readonly accept: Accept
  /** The folder whose log remembers the batches of this process. */
  readonly home: string
}

/** Imports that bring rows at once; the others wait for their turn. */
const atOnce = 2
/** Imports of Parquet that have just come to rest may have their threads for a moment more. */
const leaving = 2
export const maxUnderWay = 100
/** An import that was begun so often without getting any further is given up: each time the process may have ended of it. */
const maxTries = 10
const look_ms = 5_000
const [firstPause_ms, longestPause_ms] = [500, 30_000]
const longestClose_ms = 5_000

class Cancelled extends Error {}
/** Another process has taken the import over, while this one was silent. */
class Lost extends Error {}

/**
 * Runs the imports of this process, and goes on with them when it starts again. Takes over the imports that another process
 * left without a batch on its way into that process's log.
 */
export function createImportRunner({ store, objects, accept, home, sharing, metrics, logger }: ImportRunnerDeps) {
  const places = createPool(Array.from({ length: atOnce }, (_, place) => place))
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>()
  const parquet = openParquetThreads(atOnce + leaving)
  const stop = new AbortController()
  let looking: NodeJS.Timeout | undefined

  /** ClickHouse may be away just then: an import whose end is not written would be under way until the next start. */
  async function keepEnd(id: string, last: Progress): Promise<void> {
    for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      try {
        return await store.advance(id, last)
      } catch (error) {
        if (stop.signal.aborted) throw error
        logger.warn({ err: error, import: id }, 'end of an import not written, retrying')
      }
      await sleep(pause_ms, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  async function run({ id, asked, progress }: ImportRecord, signal: AbortSignal): Promise<void> {
    const definition = definitionOf(asked)
    let latest: Progress = { ...progress, home, process: sharing.id }
    const end = async (state: Progress['state'], reason?: string): Promise<void> => {
      latest = { ...latest, state, end_us: Date.now() * 1000, ...(reason !== undefined && { reason }) }
      delete latest.waits
      await keepEnd(id, latest)
    }
    const keep = async (next: Progress): Promise<void> => {
      latest = next
      const record = await store.find(id)
      if (record?.isCancelled) throw new Cancelled()
      if (record?.progress.process !== sharing.id) throw new Lost()
      await store.advance(id, next)
    }
    for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      let place: number | undefined
      const release = (): void => {
        if (place !== undefined) places.release(place)
        place = undefined
      }
      const atRest = async (work: () => Promise<void>): Promise<void> => {
        release()
        await work()
        place = await places.acquire(signal)
      }
      try {
        place = await places.acquire(signal)
        if (latest.tries >= maxTries)
          return await end(
            'failed',
            `it was begun ${latest.tries} times without getting any further; the log of the service tells why`,
          )
        await keep({ ...latest, tries: latest.tries + 1 })
        const source = createSource(objects, parquet, definition)
        const toEvent = createToEvent(definition, asked.types)
        const counted = (outcome: 'accepted' | 'refused', rows: number) => metrics.importedRows.inc({ outcome }, rows)
        latest = await bringRows({
          ...{ keys: keysOf(id, asked), definition, source, toEvent, accept },
          begun: latest,
          keep,
          counted,
          atRest,
          signal,
        })
        release()
        return await keepEnd(id, { ...latest, tries: 0 })
      } catch (error) {
        if (error instanceof Lost) return
        if (stop.signal.aborted) {
          // A stop is no failure.
          await store.advance(id, { ...latest, tries: Math.max(0, latest.tries - 1) })
          return
        }
        if (error instanceof Cancelled || signal.aborted) return await end('cancelled')
        const waits = waitedFor(error)
        if (error instanceof Fault && waits === undefined) {
          logger.warn({ import: id, reason: error.message }, 'import of files failed')
          return await end('failed', error.message)
        }
        logger.warn({ err: error, import: id }, 'import of files was interrupted, going on')
        if (waits !== undefined) latest = { ...latest, tries: 0, waits }
        await store.advance(id, latest).catch(() => {})
      } finally {
        release()
      }
      await sleep(pause_ms, undefined, { signal }).catch(() => {})
    }
  }

  function launch(record: ImportRecord): void {
    const { id } = record
    if (running.has(id) || stop.signal.aborted) return
    const abort = new AbortController()
    const ended = run(record, AbortSignal.any([abort.signal, stop.signal]))
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          logger.error({ err: error, import: id }, 'end of an import not written, it goes on at the next start')
      })
      .finally(() => running.delete(id))
    running.set(id, { abort, ended })
  }

  /** Takes an import over from a process that is gone: one over the same folder, or one that left no batch on its way into its own log. */
  async function takeOver(id: string): Promise<void> {
    await sharing.changeRuns(async () => {
      const record = await store.find(id)
      if (!record || !isUnderWay(record) || running.has(id)) return
      const { home: its, process: before, isAhead } = record.progress
      if ((its !== home && isAhead) || (before !== sharing.id && (await sharing.living()).has(before))) return
      logger.info({ import: id, before }, 'import of a process that is gone was under way, going on')
      const progress = { ...record.progress, home, process: sharing.id }
      await store.advance(id, progress)
      launch({ ...record, progress })
    })
  }

  async function look(): Promise<void> {
    const living = await sharing.living()
    for (const record of await store.running()) {
      const { id, progress } = record
      if (running.has(id) || living.has(progress.process)) continue
      if (progress.process === sharing.id) launch(record)
      else await takeOver(id)
    }
  }

  function lookAgain(): void {
    looking = setTimeout(async () => {
      await look().catch((error: unknown) => logger.warn({ err: error }, 'imports not read, retrying'))
      if (!stop.signal.aborted) lookAgain()
    }, look_ms).unref()
  }

  return {
    launch,

    /** Ends an import that runs here; waits for that for a while. */
    async end(id: string): Promise<void> {
      const here = running.get(id)
      here?.abort.abort()
      await Promise.race([here?.ended, sleep(longestClose_ms, undefined, { ref: false })])
    },

    /** Goes on with the imports that this process had under way when it ended. */
    async open(): Promise<void> {
      await look()
      if (sharing.isShared) lookAgain()
    },

    async close(): Promise<void> {
      clearTimeout(looking)
      stop.abort()
      const all = Promise.all(Array.from(running.values(), ({ ended }) => ended))
      await Promise.race([all, sleep(longestClose_ms, undefined, { ref: false })])
      await parquet.close()
    },
  }
}

export type ImportRunner = ReturnType<typeof createImportRunner>
