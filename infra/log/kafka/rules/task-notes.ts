import { z } from 'zod'
import { turnsQueue } from '../../../../sql/schema/names.ts'
import type { RuleUsage } from '../../../memory/state.ts'
import type { TurnPlace } from '../../port.ts'
import type { NotedOffset, Offsets } from '../topics.ts'

/**
 * A task's note beside the offset that it has committed: where the last lines are that it has written of each stream, and
 * how much its rules remember. So a query that waits for an event which took its turn finds the rows that it made.
 */
const note = z.object({
  /** By stream, those that were written last: the partition, and the offset of the last line. */
  made: z.record(z.string(), z.tuple([z.number(), z.number()])),
  /** There was no room for all: the last lines of the others are where their topics end. */
  more: z.literal(true).optional(),
  /** By stream: the bytes that rules remember, and events past a bound. */
  usage: z.record(z.string(), z.tuple([z.number(), z.number()])).default({}),
  /** By stream: the number of events that wait for another event, and make a row where it does not come. */
  waiting: z.record(z.string(), z.number()).default({}),
  /** Lines of the message at the offset that are taken already. */
  lines: z.number().default(0),
})

type Note = z.infer<typeof note>

/** Brokers take 4,096 bytes. */
const maxNoteBytes = 3_900
/** A part of that is for what rules remember, however many streams there are. */
const maxUsageBytes = 900

type Pair = readonly [number, number]

/** The first ones that fit. */
function fitting(entries: readonly (readonly [name: string, pair: Pair])[], most: number) {
  const found: Record<string, Pair> = {}
  let bytes = 0
  for (const [name, pair] of entries) {
    const length = Buffer.byteLength(JSON.stringify({ [name]: pair }))
    if (bytes + length > most) continue
    found[name] = pair
    bytes += length
  }
  return { found, bytes }
}

/** `made` has the queues of one schema, those that were written last behind the others. */
export function noteText(
  made: ReadonlyMap<string, Pair>,
  usage: ReadonlyMap<string, RuleUsage>,
  lines: number,
): string {
  const largest = [...usage].sort(([, one], [, other]) => other.bytes - one.bytes)
  const usages = fitting(
    largest.map(([stream, { bytes, dropped }]) => [stream, [bytes, dropped]] as const),
    maxUsageBytes,
  )
  const waiting = largest.flatMap(([stream, { waiting = 0 }]) =>
    waiting > 0 && usages.found[stream] ? [[stream, waiting] as const] : [],
  )
  const latest = [...made].reverse().map(([queue, pair]) => [streamOf(queue), pair] as const)
  const written = fitting(latest, maxNoteBytes - usages.bytes - Buffer.byteLength(JSON.stringify(waiting)))
  return JSON.stringify({
    made: written.found,
    ...(Object.keys(written.found).length < made.size && { more: true }),
    ...(lines > 0 && { lines }),
    usage: usages.found,
    ...(waiting.length > 0 && { waiting: Object.fromEntries(waiting) }),
  })
}

const streamOf = (queue: string): string => queue.slice(queue.indexOf('.') + 1)
const schemaOf = (queue: string): string => queue.slice(0, queue.indexOf('.'))

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
  /** The latest note of each partition, by queue of turns. */
  const latest = new Map<string, Map<number, Note>>()

  let onMade = (_queue: string): void => {}

  function noteMade(queue: string, partition: number, offset: number): void {
    const known = made.get(queue) ?? new Map<number, number>()
    made.set(queue, known)
    if (offset <= (known.get(partition) ?? -1)) return
    known.set(partition, offset)
    onMade(queue)
  }

  return {
    noteMade,
    /** Takes the notes of the tasks of a queue of turns. */
    take(queue: string, offsets: readonly NotedOffset[]): void {
      const schema = schemaOf(queue)
      const notes = latest.get(queue) ?? new Map<number, Note>()
      latest.set(queue, notes)
      for (const { partition, note } of offsets) {
        const read = readNote(note)
        if (!read) continue
        for (const [stream, [at, offset]] of Object.entries(read.made)) noteMade(`${schema}.${stream}`, at, offset)
        notes.set(partition, read)
      }
    },
    /** Whether a task had no room for a queue in its note: its last lines there are older than those of the task's latest commit. */
    leaveOut(queue: string): boolean {
      for (const { made, more } of latest.get(turnsQueue(schemaOf(queue)))?.values() ?? []) {
        if (more && made[streamOf(queue)] === undefined) return true
      }
      return false
    },
    /** Is called with each queue of which tasks are known to have written more. */
    onMade(listener: (queue: string) => void): void {
      onMade = listener
    },
    /** The last lines of a queue that tasks have written. */
    made: (queue: string): Offsets => made.get(queue) ?? none,
    /** By stream, of all tasks of a queue of turns. */
    usage(queue: string): Map<string, RuleUsage> {
      const all = new Map<string, RuleUsage>()
      for (const { usage, waiting } of latest.get(queue)?.values() ?? []) {
        for (const [stream, [bytes, dropped]] of Object.entries(usage)) {
          const sum = all.get(stream) ?? { bytes: 0, dropped: 0 }
          const waits = (sum.waiting ?? 0) + (waiting[stream] ?? 0)
          all.set(stream, {
            ...{ bytes: sum.bytes + bytes, dropped: sum.dropped + dropped },
            ...(waits > 0 && { waiting: waits }),
          })
        }
      }
      return all
    },
    forget(queue: string): void {
      made.delete(queue)
      latest.delete(queue)
    },
  }
}

export type TaskNotes = ReturnType<typeof createTaskNotes>
