import { setTimeout as after } from 'node:timers/promises'
import type { Logger } from '../../../logger.ts'
import type { KafkaTopics } from '../topics.ts'
import { type ConsumerState, noteCommitted } from './consumer-state.ts'
import type { KafkaConsumers } from './consumers.ts'

export type CommittedDeps = {
  readonly topics: Pick<KafkaTopics, 'committed'>
  readonly consumers: Pick<KafkaConsumers, 'groupOf' | 'refresh'>
  readonly logger: Logger
}

const poll_ms = 15
const refresh_asks = 30
/** A Kafka that is away is not waited for. */
const longestClose_ms = 1_000

/** Asks Kafka what consumers have committed: of each queue one question at a time, however many want to know. */
export function createCommitted({ topics, consumers, logger }: CommittedDeps) {
  const asking = new Map<ConsumerState, Promise<void>>()
  const following = new Map<ConsumerState, Promise<void>>()
  let isClosed = false

  async function learn(state: ConsumerState): Promise<void> {
    if (consumers.groupOf(state.queue) === undefined) await consumers.refresh()
    const group = consumers.groupOf(state.queue)
    if (group === undefined) return
    noteCommitted(state, await topics.committed(group, state.queue), performance.now())
  }

  function ask(state: ConsumerState): Promise<void> {
    const mine =
      asking.get(state) ??
      learn(state)
        .catch((error: unknown) => logger.debug({ err: error, queue: state.queue }, 'committed offsets not known'))
        .finally(() => asking.delete(state))
    asking.set(state, mine)
    return mine
  }

  async function askWhileAwaited(state: ConsumerState): Promise<void> {
    for (let asked = 1; state.waiters.count() > 0 && !isClosed; asked++) {
      // Another process may have made the consumer anew, under another name.
      if (asked % refresh_asks === 0) await consumers.refresh().catch(() => {})
      await ask(state)
      if (state.waiters.count() > 0) await after(poll_ms)
    }
  }

  return {
    ask,
    /** Asks again and again, as long as a query waits for the queue. */
    follow(state: ConsumerState): void {
      if (following.has(state)) return
      following.set(
        state,
        askWhileAwaited(state).finally(() => following.delete(state)),
      )
    },
    async close(): Promise<void> {
      isClosed = true
      const ended = Promise.all([...asking.values(), ...following.values()])
      await Promise.race([ended, after(longestClose_ms)])
    },
  }
}

export type Committed = ReturnType<typeof createCommitted>
