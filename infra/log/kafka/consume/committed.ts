import type { Time } from '../../../../base/time.ts'
import type { Logger } from '../../../logger.ts'
import type { Offsets } from '../topics.ts'
import { type ConsumerState, noteCommitted } from './consumer-state.ts'
import type { KafkaConsumers } from './consuming.ts'

export type CommittedDeps = {
  /** Where the group of a queue is. */
  readonly committed: (group: string, queue: string) => Promise<Offsets>
  readonly consumers: Pick<KafkaConsumers, 'groupOf' | 'refresh' | 'hurry'>
  readonly time: Time
  readonly logger: Logger
}

/** Between two questions for a query that waits, and for one that has waited for a second. */
const [poll_ms, slowPoll_ms] = [15, 100]
const patience_ms = 1_000
const refresh_ms = 500
/** A Kafka that is away is not waited for. */
const longestClose_ms = 1_000

/**
 * Asks for the offsets that consumers have committed, Kafka or a reader of this process: one question at a time for each
 * queue, however many callers wait.
 */
export function createCommitted({ committed, consumers, time, logger }: CommittedDeps) {
  const asking = new Map<ConsumerState, Promise<void>>()
  const following = new Map<ConsumerState, Promise<void>>()
  let isClosed = false

  async function learn(state: ConsumerState): Promise<void> {
    if (consumers.groupOf(state.queue) === undefined) await consumers.refresh()
    const group = consumers.groupOf(state.queue)
    if (group === undefined) return
    const asked_ms = time.now()
    noteCommitted(state, await committed(group, state.queue), time.now())
    state.learned_ms = asked_ms
    if (state.hurried > 0) consumers.hurry?.(state.queue)
  }

  function ask(state: ConsumerState): Promise<void> {
    const known = asking.get(state)
    if (known) return known
    state.asked_ms = time.now()
    const mine = learn(state)
      .catch((error: unknown) => logger.debug({ err: error, queue: state.queue }, 'committed offsets not known'))
      .finally(() => {
        asking.delete(state)
        state.asked_ms = undefined
      })
    asking.set(state, mine)
    return mine
  }

  async function askWhileAwaited(state: ConsumerState): Promise<void> {
    const began_ms = time.now()
    let refreshed_ms = began_ms
    while (state.waiters.count() > 0 && !isClosed) {
      const now_ms = time.now()
      // Another process may have made the consumer anew, under another name.
      if (now_ms - refreshed_ms > refresh_ms) {
        await consumers.refresh().catch(() => {})
        refreshed_ms = time.now()
      }
      await ask(state)
      if (state.waiters.count() > 0) await time.sleep(now_ms - began_ms < patience_ms ? poll_ms : slowPoll_ms)
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
      await Promise.race([ended, time.sleep(longestClose_ms)])
    },
  }
}

export type Committed = ReturnType<typeof createCommitted>
