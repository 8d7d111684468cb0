import { setTimeout as after } from 'node:timers/promises'
import type { Offsets } from '../topics.ts'
import type { Committed } from './committed.ts'
import { type ConsumerState, isBehind, isConsumed, isLate, isStuck, noteProduced } from './consumer-state.ts'
import type { KafkaConsumers } from './consumers.ts'

export type LagDeps = {
  readonly states: ReadonlyMap<string, ConsumerState>
  readonly committed: Pick<Committed, 'ask'>
  readonly consumers: Pick<KafkaConsumers, 'refresh' | 'troubleOf'>
  /** The greatest offset by partition that this process was acknowledged. */
  readonly produced: (queue: string) => Offsets
}

/** How often it is looked whether consumers keep up, while no query waits. */
const look_ms = 200
/** How often ClickHouse is asked, at most, why consumers are late. */
const trouble_ms = 2_000
/** Producers are delayed when the oldest events that are not consumed have waited this long. */
const behind_ms = 800
const longestDelay_ms = 2_000

/** How far consumers lag behind this process's producers, which it delays meanwhile. */
export function createLag({ states, committed, consumers, produced }: LagDeps) {
  let isClosed = false
  let asked_ms = Number.NEGATIVE_INFINITY
  let isAsking = false

  const timer = setInterval(look, look_ms)
  timer.unref()

  function look(): void {
    const now_ms = performance.now()
    for (const state of states.values()) {
      const offsets = new Map(produced(state.queue))
      if (isConsumed(state, offsets)) continue
      noteProduced(state, offsets, now_ms)
      void committed.ask(state)
    }
    if ([...states.values()].some((state) => isLate(state, now_ms))) askWhy(now_ms)
  }

  /** One question of all queues. ClickHouse may be what is away: no second one goes while the first has no answer. */
  function askWhy(now_ms: number): void {
    if (isAsking || now_ms - asked_ms < trouble_ms) return
    asked_ms = now_ms
    isAsking = true
    const done = (): void => {
      isAsking = false
    }
    consumers.refresh().then(done, done)
  }

  const isAnyBehind = (): boolean => [...states.values()].some((state) => isBehind(state, performance.now(), behind_ms))

  async function delay(): Promise<void> {
    const end = performance.now() + longestDelay_ms
    while (isAnyBehind() && !isClosed && performance.now() < end) await after(look_ms)
  }

  return {
    /** Delays a producer that outpaces the consumers, two seconds at most; undefined where there is room. */
    pace: (): Promise<void> | undefined => (isAnyBehind() ? delay() : undefined),

    /** Microseconds since 1970 when the oldest event was produced that is not consumed; undefined when all are. */
    oldest_us(): number | undefined {
      const oldest_ms = Math.min(...[...states.values()].flatMap(({ marks: [mark] }) => (mark ? [mark.at_ms] : [])))
      return Number.isFinite(oldest_ms) ? (performance.timeOrigin + oldest_ms) * 1000 : undefined
    },

    /** Queues whose consumers stand still though there is something to take. */
    failures: (): { queue: string; reason: string }[] =>
      [...states.values()]
        .filter((state) => isStuck(state, performance.now()))
        .map(({ queue }) => ({
          queue,
          reason: consumers.troubleOf(queue) ?? 'ClickHouse takes nothing from its topic',
        })),

    close(): void {
      isClosed = true
      clearInterval(timer)
    },
  }
}
