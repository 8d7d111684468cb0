import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import type { Doubt, Feeder, LogSource } from '../port.ts'
import { createInsertPlaces } from '../shared/insert-places.ts'
import { nextBatch } from './feeder-batch.ts'
import { createBatchFeeding } from './feeder-batches.ts'
import type { Feed } from './feeder-insert.ts'
import {
  createBacklog,
  createHolds,
  createQueueState,
  followTo,
  markWell,
  moveFeeding,
  pause,
  type QueueState,
  settle,
  waitFor,
} from './queue-state.ts'

export type FeederDeps = {
  readonly source: LogSource
  readonly feed: Feed
  /** The clock of the log: places of lines are its values, which may be ahead of the computer's time. */
  readonly clock: Pick<Clock, 'last'>
  readonly logger: Logger
  readonly metrics: Metrics
  /**
   * Whether other processes feed the same tables: then this one does not know how many tokens the tables have seen
   * meanwhile.
   */
  readonly isShared?: boolean
}

const isAwaited = ({ waiters }: QueueState): boolean => waiters.count() > 0

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
/**
 * Takes lines out of the log into ClickHouse, exactly once: a batch's bounds are written down before its insert and are
 * its deduplication token, so a batch that a crash leaves half-done is repeated with the same text under the same
 * token.
 *
 * A pause between batches grows with what the last one cost, so that load makes batches larger, not more; a query that
 * waits for its own writes ends the pause, and so do rows enough for a good batch. The reasons are in
 * docs/adr/0003-a-batch-is-named-by-its-bounds.md.
 */
export function createFeeder({ source, feed, clock, logger, metrics, isShared = false }: FeederDeps) {
  const states = new Map<string, QueueState>()
  const inserts = createInsertPlaces(insertsAtOnce, isAwaited)
  const attempts = createInsertPlaces(attemptsAtOnce, isAwaited)
  const holds = createHolds()
  let closed = false
  const backlog = createBacklog(source.wellBytes)
  const batches = createBatchFeeding({ source, feed, logger, metrics, isShared, backlog })

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
        await holds.ended(state.queue)
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
    if (holds.isHeld(state.queue)) return { isFull: true, cost_ms: 0 }
    const end = source.end(state.queue)
    const next = nextBatch(source, state.queue)
    state.waiting = 0
    if (next) {
      moveFeeding(state, 'feeding')
      return { isFull: next.isFull, cost_ms: await holds.run(state.queue, () => batches.feed(state, next)) }
    }
    markWell(state, source)
    settle(state, end)
    return undefined
  }

  async function restAfter(state: QueueState, cost_ms: number): Promise<void> {
    if (state.waiters.count() > 0 || state.waiting >= rowsEnough || backlog.isBehind() || isStopped(state) || closed)
      return
    moveFeeding(state, 'resting')
    await pause(state, Math.min(longestPause_ms, Math.max(shortestPause_ms, pausePerCost * cost_ms)))
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
      if (found) batches.onDoubt(found)
      return source.doubts()
    },
    settle: (doubt: Doubt): Promise<void> => source.settle(doubt),
    leftBehind: batches.leftBehind,
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
    hold: holds.hold,
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
    lag_ms(): number {
      let oldest = Number.POSITIVE_INFINITY
      for (const [queue, state] of states) {
        if (state.fed < source.end(queue)) oldest = Math.min(oldest, source.oldest(queue) ?? oldest)
      }
      return Math.max(0, Math.max(Date.now() * 1000, clock.last()) - oldest) / 1000
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
