import type { Time } from '../../../../base/time.ts'
import type { Offsets } from '../topics.ts'
import type { Committed } from './committed.ts'
import { type ConsumerState, isBehind, isConsumed, isLate, isStuck, lagOf, noteProduced } from './consumer-state.ts'
import type { KafkaConsumers } from './consuming.ts'

export type LagDeps = {
  readonly states: ReadonlyMap<string, ConsumerState>
  readonly committed: Pick<Committed, 'ask'>
  readonly consumers: Pick<KafkaConsumers, 'refresh' | 'troubleOf'>
  /** The greatest offset by partition that this process was acknowledged. */
  readonly produced: (queue: string) => Offsets
  readonly time: Time
}

/** How often it is looked whether consumers keep up, while no query waits. */
const look_ms = 200
/**
 * Kafka answers for one group at a time (kafkajs has no OffsetFetch of several, KIP-709), at 0.2 ms of this process. So
 * a look asks about no more groups; where more are behind, each has its turn. And no more at once, or the questions for
 * queries that wait would stand behind them.
 */
const asksALook = 60
const asksAtOnce = 8
/** A question without an answer after this time holds up no other. */
const slow_ms = 1_000
/** Min time between two questions to ClickHouse why consumers are late. */
const trouble_ms = 2_000
/** Producers are delayed when the oldest events that are not consumed have waited this long. */
const behind_ms = 800
const longestDelay_ms = 2_000

/** How far consumers lag behind this process's producers, which it delays meanwhile. */
export function createLag({ states, committed, consumers, produced, time }: LagDeps) {
  let isClosed = false
  let asked_ms = Number.NEGATIVE_INFINITY
  let isAsking = false

  /** The consumers whose offsets are to be asked next, in that order. */
  const due = new Set<ConsumerState>()
  let [asking, left] = [0, 0]

  const looking = time.every(look_ms, look)

  function askNext(): void {
    for (const state of due) {
      if (asking >= asksAtOnce || left === 0 || isClosed) return
      due.delete(state)
      if (states.get(state.queue) !== state) continue
      asking++
      left--
      void Promise.race([committed.ask(state), time.sleep(slow_ms, { keeps: false })]).then(() => {
        asking--
        askNext()
      })
    }
  }

  function look(): void {
    const now_ms = time.now()
    for (const state of states.values()) {
      const offsets = new Map(produced(state.queue))
      if (isConsumed(state, offsets)) continue
      noteProduced(state, offsets, now_ms)
      due.add(state)
    }
    left = asksALook
    askNext()
    if ([...states.values()].some((state) => isLate(state, now_ms))) askWhy(now_ms)
  }

  /**
   * One question about all queues. ClickHouse itself may be away: no second question goes while the first has no
   * answer.
   */
  function askWhy(now_ms: number): void {
    if (isAsking || now_ms - asked_ms < trouble_ms) return
    asked_ms = now_ms
    isAsking = true
    const done = (): void => {
      isAsking = false
    }
    consumers.refresh().then(done, done)
  }

  const isOneBehind = (queue: string): boolean => {
    const state = states.get(queue)
    return state !== undefined && isBehind(state, time.now(), behind_ms)
  }

  async function delay(queue: string): Promise<void> {
    const end = time.now() + longestDelay_ms
    while (isOneBehind(queue) && !isClosed && time.now() < end) await time.sleep(look_ms)
  }

  return {
    /** Delays a producer that outpaces its queue's consumer, two seconds at most; undefined where there is room. */
    pace: (queue = ''): Promise<void> | undefined => (isOneBehind(queue) ? delay(queue) : undefined),

    /** For how long the oldest event that is not consumed has waited since it was produced; 0 when all are. */
    lag_ms(): number {
      const now_ms = time.now()
      let lag_ms = 0
      for (const state of states.values()) lag_ms = Math.max(lag_ms, lagOf(state, now_ms))
      return lag_ms
    },

    /** Queues whose consumers stand still though there is something to take. */
    failures: (): { queue: string; reason: string }[] =>
      [...states.values()]
        .filter((state) => isStuck(state, time.now()))
        .map(({ queue }) => ({
          queue,
          reason:
            consumers.troubleOf(queue) ??
            'ClickHouse takes nothing from its topic; where that lasts and Kafka is there, restart the process that runs ClickHouse',
        })),

    close(): void {
      isClosed = true
      looking.stop()
    },
  }
}
