import { fault } from '../../../base/faults.ts'
import { moveUnlessOver, type States } from '../../../base/states.ts'
import { createWaiters, type Waiters } from '../../../base/waiters.ts'
import type { LogSource } from '../port.ts'

/**
 * The states of a queue's feeding.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | idle | No batch was there when one was looked for. | Lines that come, or a query that waits, make it waiting. | Lines in the log, if any came meanwhile. |
 * | waiting | The queue waits for its place among the inserts, or is held while its schema is edited. | A batch makes it feeding, none makes it idle, a log that cannot be read makes it failing. | The same. |
 * | feeding | The bounds of a batch are written down, or about to be, and its insert is under way. | A full batch makes it waiting, another one resting, a fault failing. | The bounds: the next start repeats the batch under the same token, which changes nothing where the tables have it. |
 * | resting | The last batch was small: the next one gathers lines for some milliseconds. | The time, a query or many lines make it waiting. | Lines in the log. |
 * | failing | The last attempt failed, with `failure` as the reason, and the next one comes after a pause. | The next attempt makes it waiting; `failure` stays until a batch is fed. | The bounds of the batch, as in feeding. |
 * | stopped | The stream was deleted, or the service stops: no further batch is taken, and one that is under way ends. | - | The lines, where they were not dropped. |
 */
export const feedingStates: States<'idle' | 'waiting' | 'feeding' | 'resting' | 'failing' | 'stopped'> = {
  idle: ['waiting', 'stopped'],
  waiting: ['waiting', 'feeding', 'idle', 'failing', 'stopped'],
  feeding: ['waiting', 'resting', 'failing', 'stopped'],
  resting: ['waiting', 'stopped'],
  failing: ['waiting', 'stopped'],
  stopped: [],
}

export type FeedingState = keyof typeof feedingStates

/** Brings a queue into its next state; one that is stopped stays so. */
export const moveFeeding = (queue: QueueState, state: FeedingState): void =>
  moveUnlessOver(feedingStates, queue, state, `the feeding of ${queue.queue}`)

/** How far a queue is fed, and the queries that wait for it. */
export type QueueState = {
  readonly queue: string
  state: FeedingState
  /** Everything up to here is in ClickHouse. */
  fed: number
  /** Rows that came since the last batch was taken. */
  waiting: number
  /** Queries that wait, by position. */
  readonly waiters: Waiters<number>
  /** Readers that follow the queue: they end no pause. By position. */
  readonly followers: Waiters<number>
  running: Promise<void> | undefined
  /** Ends the pause before the next batch, or before the next attempt. */
  wake: (() => void) | undefined
  failure: string | undefined
  /** Attempts in a row that failed for want of memory. */
  starved: number
  /** The first attempt at the batch that is under way: how many inserts had ended, and when that was. */
  attempted: { readonly inserts: number; readonly at_ms: number } | undefined
}

export const createQueueState = (queue: string): QueueState => ({
  queue,
  state: 'idle',
  fed: 0,
  waiting: 0,
  waiters: createWaiters(),
  followers: createWaiters(),
  running: undefined,
  wake: undefined,
  failure: undefined,
  starved: 0,
  attempted: undefined,
})

/** Everything up to `position` is in ClickHouse. */
export function settle(state: QueueState, position: number): void {
  state.fed = Math.max(state.fed, position)
  state.waiters.settle((reached) => reached <= state.fed)
  state.followers.settle((reached) => reached <= state.fed)
}

/** The queue's batch is in ClickHouse, or nothing waits: attempts that failed are forgotten. */
export function markWell(state: QueueState, source: Pick<LogSource, 'fails'>): void {
  state.failure = undefined
  state.starved = 0
  state.attempted = undefined
  source.fails(state.queue, false)
}

/** Resolves after `length_ms`, or when the queue is woken. */
export function pause(state: QueueState, length_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      state.wake = undefined
      resolve()
    }
    const timer = setTimeout(end, length_ms)
    state.wake = end
  })
}

/** Resolves when everything up to `position` is in ClickHouse, fault `late` after `timeout_ms`; undefined where it is. */
export function waitFor(state: QueueState, position: number, timeout_ms: number): Promise<void> | undefined {
  if (state.fed >= position) return undefined
  const waiting = state.waiters.wait(position, timeout_ms, () => notFed(state, timeout_ms))
  // A queue that fails has its own pace: queries that wait for it would only make it fail more often.
  if (state.failure === undefined) state.wake?.()
  return waiting
}

const notFed = ({ queue, failure }: QueueState, timeout_ms: number) =>
  fault(
    'late',
    `the events of ${queue} are not in ClickHouse after ${timeout_ms} ms${failure === undefined ? '' : `: ${failure}`}`,
  )

/** As `waitFor`, for a reader that follows the queue: it leaves the feeder its pace. */
export async function followTo(state: QueueState, position: number, timeout_ms: number): Promise<void> {
  if (state.fed < position) await state.followers.wait(position, timeout_ms, () => notFed(state, timeout_ms))
}

/**
 * The backlog past which producers are delayed: the bytes that are fed in `backlog_ms`, or `smallBacklog` where that is
 * more.
 */
const backlog_ms = 400
const smallBacklog = 2 * 1024 * 1024
const longestDelay_ms = 2_000

/**
 * Delays producers that outpace the feeder. `waitingBytes` leaves out queues that ClickHouse refuses: they delay no
 * producer of another queue.
 */
export function createBacklog(waitingBytes: () => number) {
  /** Bytes that inserts took in a millisecond, of late. */
  let rate = 10_000
  const delayed: (() => void)[] = []

  const isBehind = (): boolean => waitingBytes() > Math.max(smallBacklog, backlog_ms * rate)

  return {
    isBehind,

    /** Notes the bytes and the time of an insert, and lets delayed producers go on. */
    fed(bytes: number, cost_ms: number): void {
      rate = 0.7 * rate + (0.3 * bytes) / Math.max(1, cost_ms)
      for (const release of delayed.splice(0)) release()
    },

    /** Resolves once there is room, or after two seconds. */
    async delay(): Promise<void> {
      const end = performance.now() + longestDelay_ms
      while (isBehind() && performance.now() < end) {
        await new Promise<void>((resolve) => {
          delayed.push(resolve)
          setTimeout(resolve, 200)
        })
      }
    },
  }
}

export type Backlog = ReturnType<typeof createBacklog>

/** Queues from which nothing is taken while some work is done, and the batches that are under way. */
export function createHolds() {
  const held = new Map<string, Promise<unknown>>()
  const underWay = new Map<string, Promise<unknown>>()
  return {
    isHeld: (queue: string): boolean => held.has(queue),

    /** Resolves once nothing holds the queue. */
    async ended(queue: string): Promise<void> {
      while (held.has(queue)) await held.get(queue)
    },

    /** Feeds a batch, for which those wait that hold the queue meanwhile. */
    run<Result>(queue: string, feed: () => Promise<Result>): Promise<Result> {
      const fed = feed()
      underWay.set(queue, fed)
      return fed.finally(() => underWay.delete(queue))
    },

    /** Does `work` while no batch of these queues is under way, one `work` at a time. */
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
  }
}
