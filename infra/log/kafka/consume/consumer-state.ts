import type { Time } from '../../../../base/time.ts'
import { createWaiters, type Waiters } from '../../../../base/waiters.ts'
import type { Offsets } from '../topics.ts'

/** The offsets that were produced by a time. */
type Mark = { readonly at_ms: number; readonly offsets: Offsets }

/** How far the consumer of a queue is, and the queries that wait for it. */
export type ConsumerState = {
  readonly queue: string
  /** The first offset by partition that is not committed: all before is in every table. */
  readonly consumed: Map<number, number>
  readonly waiters: Waiters<Offsets>
  /** The number of waiters that are queries: a reader that follows the queue hurries nothing. */
  hurried: number
  /** The marks that are not consumed, oldest first. */
  marks: readonly Mark[]
  /** When the committed offsets last moved; 0 before they first did. */
  moved_ms: number
  /** When the last question that Kafka answered was put; later marks may be consumed. */
  learned_ms: number
  /** Since when a question to Kafka has had no answer. */
  asked_ms: number | undefined
}

/** A consumer that takes nothing for as long, though there is something, is in trouble. */
const stuck_ms = 5_000
/**
 * A Kafka that takes longer to answer counts as silent: the last known offsets are then taken for all that is consumed.
 */
const silent_ms = 1_000
const maxMarks = 64

export const createConsumerState = (queue: string, time?: Pick<Time, 'after'>): ConsumerState => ({
  queue,
  consumed: new Map(),
  waiters: createWaiters(time),
  hurried: 0,
  marks: [],
  moved_ms: 0,
  learned_ms: 0,
  asked_ms: undefined,
})

export function isConsumed({ consumed }: ConsumerState, offsets: Offsets): boolean {
  for (const [partition, offset] of offsets) if ((consumed.get(partition) ?? 0) <= offset) return false
  return true
}

/** Notes the offsets that a consumer has committed. */
export function noteCommitted(state: ConsumerState, committed: Offsets, now_ms: number): void {
  for (const [partition, offset] of committed) {
    if (offset <= (state.consumed.get(partition) ?? 0)) continue
    state.consumed.set(partition, offset)
    state.moved_ms = now_ms
  }
  state.marks = state.marks.filter(({ offsets }) => !isConsumed(state, offsets))
  state.waiters.settle((offsets) => isConsumed(state, offsets))
}

/**
 * Notes the offsets that have been produced. While nothing is consumed marks get sparser, not more, and stay evenly
 * spread.
 */
export function noteProduced(state: ConsumerState, offsets: Offsets, at_ms: number): void {
  const [first, last] = [state.marks[0], state.marks.at(-1)]
  if (last && [...offsets].every(([partition, offset]) => last.offsets.get(partition) === offset)) return
  if (first && last && at_ms - last.at_ms < (at_ms - first.at_ms) / (maxMarks / 2)) return
  const marks = state.marks.length < maxMarks ? state.marks : state.marks.filter((_, index) => index % 2 === 0)
  state.marks = [...marks, { at_ms, offsets }]
}

/** How long the oldest events that are not consumed had waited, as of Kafka's last answer. */
export function lagOf({ marks: [oldest], learned_ms, asked_ms }: ConsumerState, now_ms: number): number {
  if (oldest === undefined) return 0
  const isSilent = asked_ms !== undefined && now_ms - asked_ms > silent_ms
  return Math.max(0, (isSilent ? now_ms : learned_ms) - oldest.at_ms)
}

export const isLate = (state: ConsumerState, now_ms: number): boolean => lagOf(state, now_ms) > stuck_ms

/** Whether a consumer makes no progress though its topic has events for it. */
export const isStuck = (state: ConsumerState, now_ms: number): boolean =>
  isLate(state, now_ms) && now_ms - state.moved_ms > stuck_ms

/** Whether a consumer lags, but makes progress: it will catch up by itself. */
export const isBehind = (state: ConsumerState, now_ms: number, by_ms: number): boolean =>
  lagOf(state, now_ms) > by_ms && now_ms - state.moved_ms < stuck_ms
