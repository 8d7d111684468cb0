import { fault } from '../../../../base/faults.ts'
import type { Logger } from '../../../logger.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import { createCommitted } from './committed.ts'
import { type ConsumerState, createConsumerState, isConsumed } from './consumer-state.ts'
import type { KafkaConsumers } from './consumers.ts'
import { createLag } from './lag.ts'

export type KafkaProgressDeps = {
  readonly topics: Pick<KafkaTopics, 'committed' | 'ends'>
  readonly consumers: Pick<KafkaConsumers, 'groupOf' | 'troubleOf' | 'refresh'>
  /** The greatest offset by partition that this process was acknowledged. */
  readonly produced: (queue: string) => Offsets
  readonly logger: Logger
}

/** A consumer that is joining its group gets longer before a query fails as late. */
const joining_ms = 10_000

/**
 * How far the consumers of topics are: a query waits here for the events that Kafka has acknowledged to this process.
 * ClickHouse commits an offset after its rows have passed every view, so committed rows can be seen.
 */
export function createKafkaProgress({ topics, consumers, produced, logger }: KafkaProgressDeps) {
  const states = new Map<string, ConsumerState>()
  const committed = createCommitted({ topics, consumers, logger })
  const lag = createLag({ states, committed, consumers, produced })

  function stateOf(queue: string): ConsumerState {
    const state = states.get(queue) ?? createConsumerState(queue)
    states.set(queue, state)
    return state
  }

  async function waitFor(state: ConsumerState, offsets: Offsets, timeout_ms: number): Promise<void> {
    if (isConsumed(state, offsets)) return
    const late = () => fault('late', `the events of ${state.queue} are not in ClickHouse after ${timeout_ms} ms`)
    const waiting = state.waiters.wait(offsets, timeout_ms, late)
    committed.follow(state)
    await waiting
  }

  return {
    /** From now on it is seen how far the consumer of a queue lags. */
    know: (queue: string): void => void stateOf(queue),

    /** Consumers go on where they stood; nothing of a queue is kept here. */
    async resume(): Promise<void> {},

    /** Resolves when all that this process was acknowledged of these queues can be seen; fault `late` after `timeout_ms`. */
    async caughtUp(queues: readonly string[], timeout_ms = 2_000): Promise<void> {
      const caughtUp = (state: ConsumerState): Promise<void> => {
        const patience_ms = state.moved_ms === 0 ? Math.max(timeout_ms, joining_ms) : timeout_ms
        return waitFor(state, new Map(produced(state.queue)), patience_ms)
      }
      await Promise.all(queues.map((queue) => caughtUp(stateOf(queue))))
    },

    mark: (queues: readonly string[]): string =>
      JSON.stringify(queues.map((queue) => [...produced(queue)].toSorted(([a], [b]) => a - b))),

    /** Resolves when all events that are in a topic now, of any producer, can be seen. */
    async drained(queue: string, timeout_ms: number): Promise<void> {
      const ends = await topics.ends(queue)
      await waitFor(stateOf(queue), new Map(ends.map(({ partition, end }) => [partition, end - 1])), timeout_ms)
    },

    /** Ends all waits for a queue whose stream is deleted. */
    async forget(queue: string): Promise<void> {
      const state = states.get(queue)
      states.delete(queue)
      state?.waiters.settle(() => true)
    },

    pace: lag.pace,
    oldest_us: lag.oldest_us,
    failures: lag.failures,

    async close(): Promise<void> {
      lag.close()
      for (const { waiters } of states.values()) waiters.reject(fault('late', 'the service stops'))
      await committed.close()
    },
  }
}

export type KafkaProgress = ReturnType<typeof createKafkaProgress>
