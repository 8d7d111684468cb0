import { graphOfQueue } from '../../../sql/schema/names.ts'
import { ClickHouseError } from '../../clickhouse/clickhouse.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import type { Batch, Chunk, Doubt, Feeder, LogSource } from '../port.ts'
import { leftOf } from './chunk.ts'
import { type NextBatch, nextBatch, oldestEvent, piecesOf } from './feeder-batch.ts'
import { createInsert, type Feed, isForMemory } from './feeder-insert.ts'
import { createInsertPlaces } from './insert-places.ts'
import {
  createBacklog,
  createQueueState,
  followTo,
  moveFeeding,
  pause,
  type QueueState,
  settle,
  waitFor,
} from './queue-state.ts'

export type FeederDeps = {
  readonly source: LogSource
  readonly feed: Feed
  readonly logger: Logger
  readonly metrics: Metrics
  /**
   * Whether other processes feed the same tables: then this one does not know how many tokens the tables have seen
   * meanwhile.
   */
  readonly isShared?: boolean
}

/** Inserts at a time: one per core of the smallest machine. */
const insertsAtOnce = 2
/** Queues whose last batch failed share one insert beside the others, so that they delay no queue that is well. */
const attemptsAtOnce = 1
const shortestBackOff_ms = 100
const longestBackOff_ms = 5_000
/** A batch costs ClickHouse about the same whether it has a hundred rows or some thousands: a pause gathers them. */
const pausePerCost = 4
const shortestPause_ms = 20
const longestPause_ms = 400
/** As many rows as make a pause pointless: with a dozen views, a third of them a batch make ClickHouse a fifth slower, most of it in merges. */
const rowsEnough = 30_000
/** A batch for which ClickHouse had no memory this many times is halved, again and again until it fits. */
const starvedEnough = 2
/**
 * Of the 1,000 tokens that a table remembers an insert takes one for each of its partitions, 32 at most. After this
 * many inserts, or after this time where other processes insert as well, a token may be forgotten.
 */
const insertsRemembered = 25
const sharedRemembered_ms = 10_000

/**
 * Takes lines out of the log into ClickHouse, exactly once: a batch's bounds are written down before its insert and are
 * its deduplication token, so a batch that a crash leaves half-done is repeated with the same text under the same
 * token.
 *
 * A pause between batches grows with what the last one cost, so that load makes batches larger, not more; a query that
 * waits for its own writes ends the pause, and so do rows enough for a good batch. The reasons are in
 * docs/adr/0003-a-batch-is-named-by-its-bounds.md.
 */
export function createFeeder({ source, feed, logger, metrics, isShared = false }: FeederDeps) {
  const states = new Map<string, QueueState>()
  const inserts = createInsertPlaces(insertsAtOnce)
  const attempts = createInsertPlaces(attemptsAtOnce)
  /** Queues that nothing is taken from for now, and batches that are under way. */
  const held = new Map<string, Promise<unknown>>()
  const underWay = new Map<string, Promise<unknown>>()
  let closed = false
  /** Inserts that have ended. */
  let ended = 0
  const insert = createInsert({ feed, logger, metrics })
  const backlog = createBacklog(source.wellBytes)
  /** Queues with a batch that an earlier process began. */
  const leftBehind = new Set([...source.queues()].filter((queue) => source.begun(queue)))
  let onDoubt = (): void => {}

  const stateOf = (queue: string): QueueState => {
    const known = states.get(queue)
    if (known) return known
    const state = createQueueState(queue)
    states.set(queue, state)
    return state
  }

  const isStopped = ({ state }: QueueState): boolean => state === 'stopped'

  const start = (queue: string): void => {
    const state = stateOf(queue)
    if (isStopped(state)) return
    state.running ??= drain(state).finally(() => {
      state.running = undefined
      if (!isStopped(state) && !closed && state.fed < source.end(queue)) start(queue)
    })
  }

  /** Feeds batch after batch until nothing is left. A failure is logged, and the batch tried again after a while. */
  async function drain(state: QueueState): Promise<void> {
    for (let failures = 0; !isStopped(state); ) {
      try {
        moveFeeding(state, 'waiting')
        while (held.has(state.queue)) await held.get(state.queue)
        const places = state.failure === undefined ? inserts : attempts
        const fed = await places.use(state, () => feedNext(state))
        failures = 0
        if (!fed) return moveFeeding(state, 'idle')
        if (!fed.isFull) await restAfter(state, fed.cost_ms)
      } catch (error) {
        metrics.feederFailures.inc()
        moveFeeding(state, 'failing')
        state.failure = error instanceof Error ? error.message : String(error)
        source.fails(state.queue, true)
        logger.error({ err: error, queue: state.queue, failures }, 'feeding failed, retrying')
        if (isStopped(state) || closed) return
        await pause(state, Math.min(longestBackOff_ms, shortestBackOff_ms * 2 ** failures))
        failures++
      }
    }
  }

  /** Undefined where there was nothing to feed. */
  async function feedNext(state: QueueState): Promise<{ isFull: boolean; cost_ms: number } | undefined> {
    if (isStopped(state)) return undefined
    if (held.has(state.queue)) return { isFull: true, cost_ms: 0 }
    const end = source.end(state.queue)
    const next = nextBatch(source, state.queue)
    state.waiting = 0
    if (next) {
      moveFeeding(state, 'feeding')
      const fed = feedBatch(state, next)
      underWay.set(state.queue, fed)
      return { isFull: next.isFull, cost_ms: await fed.finally(() => underWay.delete(state.queue)) }
    }
    isWell(state)
    settle(state, end)
    return undefined
  }

  function isWell(state: QueueState): void {
    state.failure = undefined
    state.starved = 0
    state.attempted = undefined
    source.fails(state.queue, false)
  }

  /** Whether some table may have taken a part of the batch twice. */
  function isDoubtful({ queue, attempted }: QueueState, { batch }: NextBatch): boolean {
    if (batch.isDoubtful || (batch.cuts ?? 0) > 0 || (isShared && leftBehind.has(queue))) return true
    if (!attempted) return false
    return (
      ended - attempted.inserts > insertsRemembered ||
      (isShared && performance.now() - attempted.at_ms > sharedRemembered_ms)
    )
  }

  /**
   * Halves a batch that has no memory as a whole. The cuts are written down, so that each repeat cuts it alike. Lines of
   * graphs are never cut: no events are there to compare them with, if a table took some before.
   */
  async function cutStarved(state: QueueState, { batch, rows }: NextBatch, error: unknown): Promise<void> {
    const isStarved = error instanceof ClickHouseError && isForMemory(error.code)
    state.starved = isStarved ? state.starved + 1 : 0
    const cuts = (batch.cuts ?? 0) + 1
    if (state.starved < starvedEnough || 2 ** cuts > 2 * rows || graphOfQueue(state.queue) !== undefined) return
    state.starved = 0
    logger.warn({ queue: state.queue, rows, cuts }, 'ClickHouse has no memory for a batch, halving it')
    await source.begin(state.queue, { ...batch, cuts })
  }

  async function restAfter(state: QueueState, cost_ms: number): Promise<void> {
    if (state.waiters.count() > 0 || state.waiting >= rowsEnough || backlog.isBehind() || isStopped(state) || closed)
      return
    moveFeeding(state, 'resting')
    await pause(state, Math.min(longestPause_ms, Math.max(shortestPause_ms, pausePerCost * cost_ms)))
  }

  /** Keeps all lines of chunks that are not as they were written: to which of them the damage came is not known. */
  async function rejectDamaged(queue: string, damaged: readonly Chunk[], token: string): Promise<void> {
    for (const chunk of damaged) {
      const { position, rows, damage } = chunk
      logger.error({ queue, position, rows, damage }, 'a part of the log is damaged, its events are rejected')
      metrics.eventsRejected.inc({ stream: queue }, rows)
      // No stream has a table for lines of a graph that came from a client.
      if (graphOfQueue(queue) !== undefined) continue
      const reason = `a part of the log with ${rows} events is damaged: ${damage}`
      await feed.reject(queue, leftOf(chunk), reason, `${token}:damaged ${position}`)
    }
  }

  /** Returns the milliseconds that the insert took. */
  async function feedBatch(state: QueueState, next: NextBatch): Promise<number> {
    const { lines, rows } = next
    const { queue } = state
    state.attempted ??= { inserts: ended, at_ms: performance.now() }
    // Written down with the batch: a restart, or a disk that is full at its end, forgets no doubt.
    const batch = isDoubtful(state, next) ? { ...next.batch, isDoubtful: true } : next.batch
    await source.begin(queue, batch)
    const started = performance.now()
    const token = `${queue}:${batch.first}-${batch.last}`
    const { cuts = 0 } = batch
    const graph = graphOfQueue(queue)
    try {
      // No events are there to compare a graph's triples with, so a doubt is settled before the insert.
      const wanted = graph !== undefined && batch.isDoubtful ? await feed.lackingOfGraph(graph, lines) : lines
      for (const [piece, part] of lines.length === 0 ? [] : piecesOf(wanted, cuts).entries()) {
        // Tried before as a part of something larger, under another token.
        if (cuts > 0 && (await feed.isThere(queue, part))) continue
        await insert(queue, part, cuts === 0 ? token : `${token}/${cuts}.${piece}`)
      }
      await rejectDamaged(queue, next.damaged, token)
    } catch (error) {
      await cutStarved(state, { ...next, batch }, error)
      throw error
    } finally {
      ended++
    }
    const cost_ms = performance.now() - started
    const doubtSince_us = isDoubtful(state, { ...next, batch }) ? oldestEvent(lines) : undefined
    isWell(state)
    // The rows can be read: queries need not wait until the log has forgotten them. A doubt is known before they are fed.
    if (doubtSince_us === undefined) settle(state, batch.last)
    metrics.batches.observe(cost_ms / 1000)
    metrics.batchRows.observe(rows)
    await source.finish(queue, batch, doubtSince_us)
    settle(state, batch.last)
    leftBehind.delete(queue)
    if (doubtSince_us !== undefined) onDoubt()
    backlog.fed(lines.length, cost_ms)
    return cost_ms
  }

  function waitingRows(queue: string, through?: number): number {
    let rows = 0
    for (const chunk of source.chunks(queue, through)) rows += chunk.rows
    return rows
  }

  async function dropUnknown(queue: string): Promise<void> {
    const rows = waitingRows(queue)
    if (rows > 0) logger.warn({ queue, rows }, 'the log has events of a stream that no schema knows, forgetting them')
    await source.drop(queue)
  }

  async function forgetBefore(queue: string, since_us: number): Promise<void> {
    const batch = { first: 0, last: since_us - 1 }
    const begun = source.begun(queue)
    const rows = waitingRows(queue, batch.last)
    logger.warn({ queue, since_us, rows }, 'events of a stream that is gone are in the log, forgetting them')
    await source.finish(queue, batch)
    if (begun && begun.last >= since_us) await source.begin(queue, begun)
  }

  source.onAppend((queue, rows) => {
    const state = stateOf(queue)
    state.waiting += rows
    if (state.failure === undefined && (state.waiting >= rowsEnough || backlog.isBehind())) state.wake?.()
    start(queue)
  })

  return {
    async resume(since_us: (queue: string) => number | undefined): Promise<void> {
      for (const queue of [...source.queues()]) {
        const since = since_us(queue)
        if (since === undefined) await dropUnknown(queue)
        else {
          if ((source.oldest(queue) ?? since) < since) await forgetBefore(queue, since)
          start(queue)
        }
      }
    },
    doubts(found?: () => void): Doubt[] {
      if (found) onDoubt = found
      return source.doubts()
    },
    settle: (doubt: Doubt): Promise<void> => source.settle(doubt),
    leftBehind(): readonly string[] {
      const mayBeThere = ({ isDoubtful, cuts = 0 }: Partial<Batch> = {}) => isDoubtful === true || cuts > 0
      return [...leftBehind].filter((queue) => mayBeThere(source.begun(queue)))
    },
    queues: (): Iterable<string> => states.keys(),
    async caughtUp(queues: readonly string[], timeout_ms = 2_000): Promise<void> {
      await Promise.all(
        queues.map((queue) => {
          const end = source.end(queue)
          if (end === 0) return undefined
          const state = stateOf(queue)
          const fed = waitFor(state, end, timeout_ms)
          if (!fed) return undefined
          start(queue)
          inserts.hurry(state)
          return fed
        }),
      )
    },
    mark: (queues: readonly string[]): string => queues.map((queue) => source.end(queue)).join(),
    async followed(queues: readonly string[], timeout_ms: number): Promise<void> {
      await Promise.all(
        queues.map((queue) => {
          const end = source.end(queue)
          if (end === 0) return undefined
          const state = stateOf(queue)
          start(queue)
          return followTo(state, end, timeout_ms)
        }),
      )
    },
    pace(_queue?: string): Promise<void> | undefined {
      return backlog.isBehind() ? backlog.delay() : undefined
    },
    async hold<Result>(queues: readonly string[], work: () => Promise<Result>): Promise<Result> {
      const before = queues.flatMap((queue) => held.get(queue) ?? [])
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const mine = Promise.all([...before, released])
      for (const queue of queues) held.set(queue, mine)
      try {
        await Promise.all(before)
        await Promise.allSettled(queues.map((queue) => underWay.get(queue)))
        return await work()
      } finally {
        for (const queue of queues) if (held.get(queue) === mine) held.delete(queue)
        release()
      }
    },
    async forget(queue: string): Promise<void> {
      const state = stateOf(queue)
      moveFeeding(state, 'stopped')
      state.wake?.()
      await state.running
      await source.drop(queue)
      states.delete(queue)
      state.waiters.settle(() => true)
      state.followers.settle(() => true)
    },
    oldest_us(): number | undefined {
      let oldest: number | undefined
      for (const [queue, state] of states) {
        if (state.fed >= source.end(queue)) continue
        const position = source.oldest(queue)
        if (position !== undefined && (oldest === undefined || position < oldest)) oldest = position
      }
      return oldest
    },
    failures: (): { queue: string; reason: string }[] =>
      [...states.values()].flatMap(({ queue, failure }) => (failure === undefined ? [] : [{ queue, reason: failure }])),
    async close(timeout_ms = 5_000): Promise<void> {
      closed = true
      for (const state of states.values()) state.wake?.()
      const drained = Promise.all([...states.values()].map((state) => state.running))
      const expired = new Promise((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([drained, expired])
      for (const state of states.values()) moveFeeding(state, 'stopped')
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    },
  } satisfies Feeder
}
