import { move, type States } from '../../../../base/states.ts'
import type { KafkaTopics } from '../topics.ts'

/**
 * The states of a queue's consumer as this process has it; ClickHouse says beside that whether it takes something.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | foreign | The consumer is another process's, an earlier one's, or there is none. | The process makes one of its own, or drops it. | What is there goes on, where ClickHouse runs apart. |
 * | making | A new group has the offsets from which it goes on, the catalogue knows it, its table may be there. | The table and its feed make it attached; a fault leaves it, and the next attempt makes it anew under another group. | A group without a table, or both: the next start makes another group, from what is stored. |
 * | attached | The table consumes. | Made anew where ClickHouse has lost it; dropped at rest, for an edit, or with its stream. | The table, in a ClickHouse that runs apart. |
 * | detached | The table is dropped, and the last block that it had begun is in all tables. | The process makes one again. | The group's offsets. |
 */
const consumerStates: States<'foreign' | 'making' | 'attached' | 'detached'> = {
  foreign: ['making', 'detached'],
  making: ['making', 'attached', 'detached'],
  attached: ['making', 'detached'],
  detached: ['making', 'detached'],
}
type OwnConsumer = { state: keyof typeof consumerStates; since_ms: number }

/** The consumers that this process has to do with, by queue. */
export function createOwnConsumers() {
  const own = new Map<string, OwnConsumer>()
  return {
    enter(queue: string, state: OwnConsumer['state']): void {
      const consumer = own.get(queue) ?? { state: 'foreign', since_ms: 0 }
      move(consumerStates, consumer, state, `the consumer of ${queue}`)
      consumer.since_ms = performance.now()
      own.set(queue, consumer)
    },

    isAttached: (queue: string): boolean => own.get(queue)?.state === 'attached',

    /** The queues whose consumers this process has made, and when. */
    made: (): ReadonlyMap<string, number> =>
      new Map([...own].flatMap(([queue, { state, since_ms }]) => (state === 'attached' ? [[queue, since_ms]] : []))),

    forget: (queue: string): unknown => own.delete(queue),
  }
}

/** The members of a group that was left have not gone before its broker misses them. */
const removeAgain_ms = 60_000

/** Consumer groups that were left: Kafka lets them go once their last member has gone. */
export function createLeftGroups(topics: Pick<KafkaTopics, 'removeGroup'>) {
  const left = new Set<string>()
  let isRemoving = false
  let isClosed = false

  async function removeAll(): Promise<void> {
    for (const group of left) {
      if (isClosed) return
      const isGone = await topics.removeGroup(group).then(
        () => true,
        () => false,
      )
      if (isGone) left.delete(group)
    }
  }

  function remove(): void {
    if (isRemoving) return
    isRemoving = true
    void removeAll().finally(() => {
      isRemoving = false
      if (left.size > 0 && !isClosed) setTimeout(remove, removeAgain_ms).unref()
    })
  }

  return {
    add: (group: string): unknown => left.add(group),
    /** Begins to remove them, again and again until all are gone. */
    remove,
    close(): void {
      isClosed = true
    },
  }
}
