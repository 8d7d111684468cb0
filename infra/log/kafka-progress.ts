import { fault } from '../faults.ts'
import type { Feeder } from '../feeder.ts'
import type { Logger } from '../logger.ts'
import type { KafkaConsumers } from './kafka-consumers.ts'
import type { KafkaTopics } from './kafka-topics.ts'

export type KafkaProgressDeps = {
  readonly topics: KafkaTopics
  readonly consumers: KafkaConsumers
  /** The greatest offset by partition that this process was acknowledged. */
  readonly produced: (queue: string) => ReadonlyMap<number, number>
  readonly logger: Logger
}

type Waiter = { readonly offsets: ReadonlyMap<number, number>; resolve(): void; reject(error: unknown): void }
/** What was produced at a time; gone once it is consumed. */
type Mark = { readonly at_ms: number; readonly offsets: ReadonlyMap<number, number> }
type Lane = {
  readonly queue: string
  /** The next offset by partition that no consumer has committed: all before is in every table. */
  consumed: Map<number, number>
  waiters: Set<Waiter>
  marks: Mark[]
  asking: Promise<void> | undefined
  /** When the consumer's committed offsets last moved; 0 before they first did. */
  moved_ms: number
  /** What ClickHouse says of a consumer that stands still. */
  trouble: string | undefined
}

const poll_ms = 15
const reload_asks = 30
/** How often it is looked whether consumers keep up, while nobody waits. */
const look_ms = 200
/** Who brings events is slowed down when the oldest that are not consumed have waited this long. */
const behind_ms = 800
const longestHold_ms = 2_000
/** A consumer that takes nothing for as long, though there is something, is in trouble. */
const stuck_ms = 5_000
/** A consumer that is joining its group gets longer before a query is told that it is late. */
const joining_ms = 10_000

/**
 * How far the consumers of topics are: a query waits here for what this process was acknowledged. ClickHouse commits an
 * offset after its rows have passed every view, so what is committed can be seen.
 */
export function createKafkaProgress({ topics, consumers, produced, logger }: KafkaProgressDeps) {
  const lanes = new Map<string, Lane>()
  let closed = false

  function laneOf(queue: string): Lane {
    const lane = lanes.get(queue) ?? {
      queue,
      consumed: new Map(),
      waiters: new Set(),
      marks: [],
      asking: undefined,
      moved_ms: 0,
      trouble: undefined,
    }
    lanes.set(queue, lane)
    return lane
  }

  const isConsumed = ({ consumed }: Lane, offsets: ReadonlyMap<number, number>): boolean => {
    for (const [partition, offset] of offsets) if ((consumed.get(partition) ?? 0) <= offset) return false
    return true
  }

  async function ask(lane: Lane): Promise<void> {
    const group = consumers.groupOf(lane.queue)
    if (group === undefined) return
    const committed = await topics.committed(group, lane.queue)
    for (const [partition, offset] of committed) {
      if (offset <= (lane.consumed.get(partition) ?? 0)) continue
      lane.consumed.set(partition, offset)
      lane.moved_ms = performance.now()
    }
    lane.marks = lane.marks.filter(({ offsets }) => !isConsumed(lane, offsets))
    for (const waiter of lane.waiters) if (isConsumed(lane, waiter.offsets)) waiter.resolve()
  }

  /** One question at a time a queue, as long as somebody waits. */
  function follow(lane: Lane): void {
    lane.asking ??= (async () => {
      for (let asked = 1; lane.waiters.size > 0 && !closed; asked++) {
        // Another process may have made the consumer anew, under another name.
        if (asked % reload_asks === 0) await consumers.load().catch(() => {})
        await ask(lane).catch((error: unknown) => logger.debug({ err: error, queue: lane.queue }, 'offsets not known'))
        if (lane.waiters.size > 0) await new Promise((resolve) => setTimeout(resolve, poll_ms))
      }
    })().finally(() => {
      lane.asking = undefined
    })
  }

  const looking = setInterval(() => {
    for (const lane of lanes.values()) {
      const offsets = new Map(produced(lane.queue))
      if (isConsumed(lane, offsets)) continue
      const last = lane.marks.at(-1)
      if (!last || [...offsets].some(([partition, offset]) => last.offsets.get(partition) !== offset)) {
        lane.marks.push({ at_ms: Date.now(), offsets })
      }
      if (!lane.asking) ask(lane).catch(() => {})
      if (lag_ms(lane) > stuck_ms) void lookInto(lane)
    }
  }, look_ms)
  looking.unref()

  async function lookInto(lane: Lane): Promise<void> {
    lane.trouble = await consumers.trouble(lane.queue).catch(() => undefined)
  }

  const lag_ms = (lane: Lane): number => Date.now() - (lane.marks[0]?.at_ms ?? Date.now())

  function waitFor(lane: Lane, timeout_ms: number, offsets = new Map(produced(lane.queue))): Promise<void> {
    if (isConsumed(lane, offsets)) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer)
        lane.waiters.delete(waiter)
        end()
      }
      const waiter: Waiter = {
        offsets,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      }
      const timer = setTimeout(
        () => waiter.reject(fault('late', `the events of ${lane.queue} are not in ClickHouse after ${timeout_ms} ms`)),
        timeout_ms,
      )
      lane.waiters.add(waiter)
      follow(lane)
    })
  }

  /** Lanes that lag though their consumers move: they go on by themselves, given time. */
  const isBehind = (): boolean =>
    [...lanes.values()].some((lane) => lag_ms(lane) > behind_ms && performance.now() - lane.moved_ms < stuck_ms)

  async function hold(): Promise<void> {
    const end = performance.now() + longestHold_ms
    while (isBehind() && !closed && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, look_ms))
    }
  }

  return {
    /** From now on it is seen how far the consumer of a queue lags. */
    know: (queue: string): void => void laneOf(queue),

    /** Consumers go on where they stood; nothing of a queue is kept here. */
    async resume(): Promise<void> {},

    /** Resolves when all that this process was acknowledged of these queues can be seen; fault `late` after `timeout_ms`. */
    async caughtUp(queues: readonly string[], timeout_ms = 2_000): Promise<void> {
      const wait = (lane: Lane) => waitFor(lane, lane.moved_ms === 0 ? Math.max(timeout_ms, joining_ms) : timeout_ms)
      await Promise.all(queues.map((queue) => wait(laneOf(queue))))
    },

    /** Resolves when all that is in a topic now, whoever produced it, can be seen. */
    async drained(queue: string, timeout_ms: number): Promise<void> {
      const ends = await topics.ends(queue)
      await waitFor(laneOf(queue), timeout_ms, new Map(ends.map(({ partition, end }) => [partition, end - 1])))
    },

    /** Holds who brings events faster than they are consumed, two seconds at most; undefined where there is room. */
    pace: (): Promise<void> | undefined => (isBehind() ? hold() : undefined),

    async forget(queue: string): Promise<void> {
      const lane = lanes.get(queue)
      lanes.delete(queue)
      for (const waiter of lane?.waiters ?? []) waiter.resolve()
      await consumers.forget(queue)
    },

    /** Microseconds since 1970 when the oldest event was produced that is not consumed; undefined when all are. */
    oldest_us(): number | undefined {
      const oldest = Math.min(...[...lanes.values()].map(({ marks }) => marks[0]?.at_ms ?? Number.POSITIVE_INFINITY))
      return Number.isFinite(oldest) ? oldest * 1000 : undefined
    },

    /** Queues whose consumers stand still though there is something to take. */
    failures: (): { queue: string; reason: string }[] =>
      [...lanes.values()].flatMap((lane) =>
        lag_ms(lane) > stuck_ms && performance.now() - lane.moved_ms > stuck_ms
          ? [{ queue: lane.queue, reason: lane.trouble ?? 'ClickHouse takes nothing from its topic' }]
          : [],
      ),

    async close(): Promise<void> {
      closed = true
      clearInterval(looking)
      for (const lane of lanes.values()) for (const waiter of lane.waiters) waiter.reject(fault('late', 'weir stops'))
      await Promise.all([...lanes.values()].map(({ asking }) => asking))
    },
  } satisfies Feeder & { know(queue: string): void; drained(queue: string, timeout_ms: number): Promise<void> }
}
