import { ClickHouseError } from './clickhouse/clickhouse.ts'
import { fault } from './faults.ts'
import { isRefusedByData } from './feeder-errors.ts'
import type { Batch, LogSource } from './log/event-log.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** Where batches go. Both calls change nothing when they are repeated under the same token. */
export type Feed = {
  insert(queue: string, lines: Buffer, token: string): Promise<void>
  /** Keeps a line that ClickHouse will never take, with the reason. */
  reject(queue: string, line: Buffer, reason: string, token: string): Promise<void>
}

export type FeederDeps = {
  readonly source: LogSource
  readonly feed: Feed
  readonly logger: Logger
  readonly metrics: Metrics
}

type Waiter = { readonly position: number; resolve(): void }
type Lane = {
  readonly queue: string
  /** Everything up to here is in ClickHouse. */
  fed: number
  /** Rows that came since the last batch was taken. */
  waiting: number
  waiters: Waiter[]
  running: Promise<void> | undefined
  /** Ends the pause before the next batch. */
  hurry: (() => void) | undefined
  stopped: boolean
  failure: string | undefined
}

/** One block in ClickHouse, far below the size at which an insert is cut in two. */
const batchBytes = 8 * 1024 * 1024
const batchRows = 100_000
/** Inserts at a time: one per core of the smallest machine. */
const lanesAtOnce = 2
/** A batch costs ClickHouse about the same whether it has a hundred rows or some thousands: a pause gathers them. */
const pausePerCost = 4
const shortestPause_ms = 20
const longestPause_ms = 400
/** How much may wait before who brings more is slowed down: what is fed in this time, these bytes at the least. */
const backlog_ms = 400
const smallBacklog = 2 * 1024 * 1024
const longestHold_ms = 2_000
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
  const line: (() => void)[] = []
  let free = lanesAtOnce
  /** Bytes that inserts took in a millisecond, of late. */
  let rate = 10_000
  const held: (() => void)[] = []
  let closed = false

  const laneOf = (queue: string): Lane => {
    const known = lanes.get(queue)
    if (known) return known
    const lane: Lane = {
      queue,
      fed: 0,
      waiting: 0,
      waiters: [],
      running: undefined,
      hurry: undefined,
      stopped: false,
      failure: undefined,
    }
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
      await takePlace()
      let cost_ms: number
      let isFull: boolean
      try {
        const end = source.end(lane.queue)
        const next = nextBatch(lane.queue)
        lane.waiting = 0
        if (!next) {
          settle(lane, end)
          return
        }
        isFull = next.isFull
        cost_ms = await feedBatch(lane, next.batch, next.lines, next.rows)
      } finally {
        givePlace()
      }
      if (!isFull) await pause(lane, Math.min(longestPause_ms, Math.max(shortestPause_ms, pausePerCost * cost_ms)))
    }
  }

  const takePlace = async (): Promise<void> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => line.push(resolve))
  }
  const givePlace = (): void => {
    const next = line.shift()
    if (next) next()
    else free++
  }

  const pause = (lane: Lane, length_ms: number): Promise<void> => {
    if (lane.waiters.length > 0 || lane.waiting >= rowsEnough || isBehind() || lane.stopped || closed) {
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

  /** The batch that was begun, else as much as one takes; `isFull` where that is not all. */
  function nextBatch(queue: string): { batch: Batch; lines: Buffer; rows: number; isFull: boolean } | undefined {
    const begun = source.begun(queue)
    const parts: Buffer[] = []
    let isFull = false
    let bytes = 0
    let rows = 0
    let first = 0
    let last = 0
    for (const chunk of source.chunks(queue, begun?.last)) {
      isFull = parts.length > 0 && (bytes + chunk.lines.length > batchBytes || rows + chunk.rows > batchRows)
      if (isFull && !begun) break
      if (parts.length === 0) first = chunk.position
      parts.push(chunk.lines)
      bytes += chunk.lines.length
      rows += chunk.rows
      last = chunk.position
    }
    return parts.length === 0 ? undefined : { batch: { first, last }, lines: Buffer.concat(parts), rows, isFull }
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
    rate = 0.7 * rate + (0.3 * lines.length) / Math.max(1, cost_ms)
    for (const release of held.splice(0)) release()
    lane.failure = undefined
    settle(lane, batch.last)
    return cost_ms
  }

  /** A queue that ClickHouse refuses holds nobody up: what it keeps does not count as a backlog. */
  const isBehind = (): boolean =>
    source.bytes() > Math.max(smallBacklog, backlog_ms * rate) &&
    [...lanes.values()].every(({ failure }) => failure === undefined)

  async function hold(): Promise<void> {
    const end = performance.now() + longestHold_ms
    while (isBehind() && performance.now() < end) {
      await new Promise<void>((resolve) => {
        held.push(resolve)
        setTimeout(resolve, 200)
      })
    }
  }

  /** Everything up to `position` is in ClickHouse. */
  function settle(lane: Lane, position: number): void {
    lane.fed = Math.max(lane.fed, position)
    lane.waiters = lane.waiters.filter((waiter) => {
      if (waiter.position > lane.fed) return true
      waiter.resolve()
      return false
    })
  }

  /** Cuts lines that ClickHouse refuses in halves until the bad ones stand alone; the cuts are the same at each repeat. */
  async function insert(queue: string, lines: Buffer, token: string): Promise<void> {
    try {
      await feed.insert(queue, lines, token)
    } catch (error) {
      if (!(error instanceof ClickHouseError) || !isRefusedByData(error.code)) throw error
      const middle = lines.lastIndexOf(10, lines.length / 2) + 1 || lines.indexOf(10) + 1
      if (middle === 0 || middle >= lines.length) {
        logger.warn({ queue, reason: error.message }, 'event rejected by ClickHouse')
        metrics.eventsRejected.inc({ stream: queue })
        return feed.reject(queue, lines, error.message, token)
      }
      await insert(queue, lines.subarray(0, middle), `${token}.0`)
      await insert(queue, lines.subarray(middle), `${token}.1`)
    }
  }

  source.onAppend((queue, rows) => {
    const lane = laneOf(queue)
    lane.waiting += rows
    if (lane.waiting >= rowsEnough || isBehind()) lane.hurry?.()
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
      await Promise.all(queues.map((queue) => waitFor(laneOf(queue), source.end(queue), timeout_ms)))
    },
    /** Holds who brings events faster than they can be fed, two seconds at most; undefined where there is room. */
    pace(): Promise<void> | undefined {
      return isBehind() ? hold() : undefined
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

  function waitFor(lane: Lane, position: number, timeout_ms: number): Promise<void> {
    if (lane.fed >= position) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        position,
        resolve() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        lane.waiters = lane.waiters.filter((other) => other !== waiter)
        const why = lane.failure === undefined ? '' : `: ${lane.failure}`
        reject(fault('late', `the events of ${lane.queue} are not in ClickHouse after ${timeout_ms} ms${why}`))
      }, timeout_ms)
      lane.waiters.push(waiter)
      lane.hurry?.()
      start(lane.queue)
    })
  }
}

export type Feeder = ReturnType<typeof createFeeder>
