import { createBacklog } from './backlog.ts'
import { createPool } from './clickhouse/pool.ts'
import { nextBatch } from './feeder-batch.ts'
import { createInsert, type Feed } from './feeder-insert.ts'
import { createLane, type Lane, settle, waitFor } from './feeder-lane.ts'
import type { Batch, LogSource } from './log/event-log.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

export type FeederDeps = {
  readonly source: LogSource
  readonly feed: Feed
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Inserts at a time: one per core of the smallest machine. */
const lanesAtOnce = 2
/** A batch costs ClickHouse about the same whether it has a hundred rows or some thousands: a pause gathers them. */
const pausePerCost = 4
const shortestPause_ms = 20
const longestPause_ms = 400
/** As many rows as make a pause pointless. */
const rowsEnough = 10_000

/**
 * Takes lines out of the log into ClickHouse, exactly once: a batch's bounds are written down before its insert and are
 * its deduplication token, so whatever a crash leaves half-done is repeated with the same text under the same token.
 *
 * A pause between batches grows with what the last one cost, so that load makes batches larger, not more; a query that
 * waits for its own writes ends the pause, and so do rows enough for a good batch.
 */
export function createFeeder({ source, feed, logger, metrics }: FeederDeps) {
  const lanes = new Map<string, Lane>()
  const places = createPool(Array.from({ length: lanesAtOnce }, (_, place) => place))
  let closed = false
  const isFailing = (): boolean => [...lanes.values()].some(({ failure }) => failure !== undefined)
  const insert = createInsert({ feed, logger, metrics })
  const backlog = createBacklog(() => source.bytes(), isFailing)

  const laneOf = (queue: string): Lane => {
    const known = lanes.get(queue)
    if (known) return known
    const lane = createLane(queue)
    lanes.set(queue, lane)
    return lane
  }

  const start = (queue: string): void => {
    const lane = laneOf(queue)
    if (lane.stopped) return
    lane.running ??= drain(lane)
      .catch(async (error: unknown) => {
        lane.failure = error instanceof Error ? error.message : String(error)
        logger.error({ err: error, queue }, 'queue not fed, trying again')
        if (!lane.stopped && !closed) await new Promise((resolve) => setTimeout(resolve, 1_000))
      })
      .finally(() => {
        lane.running = undefined
        if (!lane.stopped && !closed && lane.fed < source.end(queue)) start(queue)
      })
  }

  async function drain(lane: Lane): Promise<void> {
    while (!lane.stopped) {
      const fed = await places.use(() => feedNext(lane))
      if (!fed) return
      if (!fed.isFull)
        await pause(lane, Math.min(longestPause_ms, Math.max(shortestPause_ms, pausePerCost * fed.cost_ms)))
    }
  }

  /** Undefined where there was nothing to feed. */
  async function feedNext(lane: Lane): Promise<{ isFull: boolean; cost_ms: number } | undefined> {
    const end = source.end(lane.queue)
    const next = nextBatch(source, lane.queue)
    lane.waiting = 0
    if (next) return { isFull: next.isFull, cost_ms: await feedBatch(lane, next.batch, next.lines, next.rows) }
    settle(lane, end)
    return undefined
  }

  const pause = (lane: Lane, length_ms: number): Promise<void> => {
    if (lane.waiters.length > 0 || lane.waiting >= rowsEnough || backlog.isBehind() || lane.stopped || closed) {
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        lane.hurry = undefined
        resolve()
      }
      const timer = setTimeout(end, length_ms)
      lane.hurry = end
    })
  }

  /** Returns the milliseconds that the insert took. */
  async function feedBatch(lane: Lane, batch: Batch, lines: Buffer, rows: number): Promise<number> {
    await source.begin(lane.queue, batch)
    const started = performance.now()
    for (let attempt = 0; ; attempt++) {
      try {
        await insert(lane.queue, lines, `${lane.queue}:${batch.first}-${batch.last}`)
        break
      } catch (error) {
        metrics.feederFailures.inc()
        lane.failure = error instanceof Error ? error.message : String(error)
        logger.error({ err: error, queue: lane.queue, attempt }, 'batch not inserted, trying again')
        if (lane.stopped || closed) throw error
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** attempt)))
      }
    }
    const cost_ms = performance.now() - started
    metrics.batches.observe(cost_ms / 1000)
    metrics.batchRows.observe(rows)
    await source.finish(lane.queue, batch)
    backlog.fed(lines.length, cost_ms)
    lane.failure = undefined
    settle(lane, batch.last)
    return cost_ms
  }

  source.onAppend((queue, rows) => {
    const lane = laneOf(queue)
    lane.waiting += rows
    if (lane.waiting >= rowsEnough || backlog.isBehind()) lane.hurry?.()
    start(queue)
  })

  return {
    /** Goes on with what an earlier process left in the log; forgets queues whose streams are gone. */
    async resume(isKnown: (queue: string) => boolean): Promise<void> {
      for (const queue of [...source.queues()]) {
        if (isKnown(queue)) start(queue)
        else await source.drop(queue)
      }
    },
    /** Resolves when all that the log acknowledged of these queues is in ClickHouse; fault `late` after `timeout_ms`. */
    async caughtUp(queues: readonly string[], timeout_ms = 2_000): Promise<void> {
      await Promise.all(
        queues.map((queue) => {
          const fed = waitFor(laneOf(queue), source.end(queue), timeout_ms)
          if (fed) start(queue)
          return fed
        }),
      )
    },
    /** Holds who brings events faster than they can be fed, two seconds at most; undefined where there is room. */
    pace(): Promise<void> | undefined {
      return backlog.isBehind() ? backlog.hold() : undefined
    },
    /** Ends the feeding of a queue and forgets what it still holds. */
    async forget(queue: string): Promise<void> {
      const lane = laneOf(queue)
      lane.stopped = true
      lane.hurry?.()
      await lane.running?.catch(() => {})
      await source.drop(queue)
      lanes.delete(queue)
      for (const waiter of lane.waiters) waiter.resolve()
    },
    /** Microseconds since 1970 of the oldest line that is not in ClickHouse; undefined when all are. */
    oldest_us(): number | undefined {
      let oldest: number | undefined
      for (const [queue, lane] of lanes) {
        if (lane.fed >= source.end(queue)) continue
        for (const { position } of source.chunks(queue)) {
          if (oldest === undefined || position < oldest) oldest = position
          break
        }
      }
      return oldest
    },
    /** What keeps a queue from being fed at the moment. */
    failures: (): { queue: string; reason: string }[] =>
      [...lanes.values()].flatMap(({ queue, failure }) => (failure === undefined ? [] : [{ queue, reason: failure }])),
    /** Feeds what is there, then stops; gives up after `timeout_ms`: the log keeps the rest. */
    async close(timeout_ms = 5_000): Promise<void> {
      closed = true
      for (const lane of lanes.values()) lane.hurry?.()
      const drained = Promise.all([...lanes.values()].map((lane) => lane.running?.catch(() => {})))
      const expired = new Promise((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([drained, expired])
      for (const lane of lanes.values()) lane.stopped = true
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    },
  }
}

export type Feeder = ReturnType<typeof createFeeder>
