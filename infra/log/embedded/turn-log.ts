import type { StateChange } from '../../memory/state.ts'
import type { Changes } from '../../memory/store.ts'
import type { TurnLog } from '../port.ts'
import type { Append } from '../shared/commit.ts'

export type TurnLogDeps = {
  /** Throws for changes of which no bytes can be made. */
  readonly encode: (changes: readonly StateChange[]) => Changes
  /** Throws where lines of that length, or so many keys, have no room. */
  readonly room: (queue: string, length: number, keys?: number) => void
  /** Resolves once the commit of the append is on the disk. */
  readonly enqueue: (append: Append) => Promise<number>
}

/** Turns in the embedded log: lines of all queues, answers and changes of the state are one transaction of LMDB. */
export const createTurnLog = ({ encode, room, enqueue }: TurnLogDeps) =>
  ({
    async commit({ lines, changes, dropped = [], answers = [], settled }): Promise<number> {
      let append: Append
      try {
        const length = lines.reduce((sum, each) => sum + each.lines.length, 0)
        for (const { queue } of lines) room(queue, length, answers.length)
        append = { lines, answers, rules: { changes: encode(changes), dropped, settled } }
      } catch (error) {
        settled?.(false)
        throw error
      }
      return enqueue(append)
    },
    room: (queue, bytes) => room(queue, bytes),
  }) satisfies TurnLog
