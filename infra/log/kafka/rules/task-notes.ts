import { z } from 'zod'
import type { RuleUsage, TurnPlace } from '../../rule-tasks.ts'
import type { NotedOffset, Offsets } from '../topics.ts'

/**
 * A task's note beside the offset that it has committed: where the last lines are that it has written of each queue, and
 * how much its rules remember. So a query
 * that waits for an event which took its turn finds the rows that it made.
 */
const note = z.object({
  /** By queue: the partition, and the offset of the last line. */
  made: z.record(z.string(), z.tuple([z.number(), z.number()])),
  /** By stream. */
  usage: z.record(z.string(), z.tuple([z.number(), z.number()])).default({}),
  /** Lines of the message at the offset that are taken already. */
  lines: z.number().default(0),
})

type Note = z.infer<typeof note>

/** Brokers take 4,096 bytes. */
const maxNoteBytes = 3_900

export function noteText(
  made: ReadonlyMap<string, readonly [number, number]>,
  usage: ReadonlyMap<string, RuleUsage>,
  lines: number,
): string {
  const own = { made: Object.fromEntries(made), ...(lines > 0 && { lines }) }
  const full = {
    ...own,
    usage: Object.fromEntries([...usage].map(([stream, { bytes, dropped }]) => [stream, [bytes, dropped]])),
  }
  const text = JSON.stringify(full)
  return Buffer.byteLength(text) <= maxNoteBytes ? text : JSON.stringify(own)
}

function readNote(text: string): Note | undefined {
  if (text === '') return undefined
  const read = note.safeParse(JSON.parse(text))
  return read.success ? read.data : undefined
}

/** The place that a task has committed in a partition, by the offset of the group and the note beside it. */
export function notedPlace(offsets: readonly NotedOffset[], partition: number): TurnPlace | undefined {
  const found = offsets.find((each) => each.partition === partition)
  return found && { offset: found.offset, lines: readNote(found.note)?.lines ?? 0 }
}

const none: Offsets = new Map()

/** The places that tasks are known to have reached, in whatever process. */
export function createTaskNotes() {
  const made = new Map<string, Map<number, number>>()
  const usages = new Map<string, Map<number, Note['usage']>>()

  function noteMade(queue: string, partition: number, offset: number): void {
    const known = made.get(queue) ?? new Map<number, number>()
    made.set(queue, known)
    if (offset > (known.get(partition) ?? -1)) known.set(partition, offset)
  }

  return {
    noteMade,
    /** Takes the notes of the tasks of a queue of turns. */
    take(queue: string, offsets: readonly NotedOffset[]): void {
      const usage = usages.get(queue) ?? new Map<number, Note['usage']>()
      usages.set(queue, usage)
      for (const { partition, note } of offsets) {
        const read = readNote(note)
        if (!read) continue
        for (const [of, [at, offset]] of Object.entries(read.made)) noteMade(of, at, offset)
        usage.set(partition, read.usage)
      }
    },
    /** The last lines of a queue that tasks have written. */
    made: (queue: string): Offsets => made.get(queue) ?? none,
    /** By stream, of all tasks of a queue of turns. */
    usage(queue: string): Map<string, RuleUsage> {
      const all = new Map<string, { bytes: number; dropped: number }>()
      for (const each of usages.get(queue)?.values() ?? []) {
        for (const [stream, [bytes, dropped]] of Object.entries(each)) {
          const sum = all.get(stream) ?? { bytes: 0, dropped: 0 }
          all.set(stream, { bytes: sum.bytes + bytes, dropped: sum.dropped + dropped })
        }
      }
      return all
    },
    forget(queue: string): void {
      made.delete(queue)
      usages.delete(queue)
    },
  }
}

export type TaskNotes = ReturnType<typeof createTaskNotes>
