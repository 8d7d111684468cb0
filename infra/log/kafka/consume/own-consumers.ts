import { move, type States } from '../../../../base/states.ts'

/**
 * The states of a queue's consumer as this process has it; ClickHouse says beside that whether it takes something.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | foreign | The consumer is another process's, an earlier one's, or there is none. | The process makes one of its own, or drops it. | What is there goes on. |
 * | making | A new group has the offsets from which it goes on, the catalogue knows it, its table may be there. | The table and its feed make it attached; a fault leaves it, and the next attempt makes it anew under another group. | A group without a table, or both: the next start makes another group, from what is stored. |
 * | attached | The table consumes. | Made anew where ClickHouse has lost it; dropped for an edit, or with its stream. | The table. |
 * | detached | The table is dropped, and the last block that it had begun is in all tables. | The process makes one again. | The group's offsets. |
 */
const consumerStates: States<'foreign' | 'making' | 'attached' | 'detached'> = {
  foreign: ['making', 'detached'],
  making: ['making', 'attached', 'detached'],
  attached: ['making', 'detached'],
  detached: ['making', 'detached'],
}
type OwnConsumer = { state: keyof typeof consumerStates }

/** The consumers that this process has to do with, by queue. */
export function createOwnConsumers() {
  const own = new Map<string, OwnConsumer>()
  return {
    enter(queue: string, state: OwnConsumer['state']): void {
      const consumer = own.get(queue) ?? { state: 'foreign' }
      move(consumerStates, consumer, state, `the consumer of ${queue}`)
      own.set(queue, consumer)
    },

    forget: (queue: string): unknown => own.delete(queue),
  }
}
