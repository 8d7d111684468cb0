import { z } from 'zod'
import { type Event, isObject, parseJson, writeJson } from '../../../base/json.ts'
import type { LineBuffer } from '../../events/plain/line-buffer.ts'
import type { PlainLine } from '../../events/plain/plain-lines.ts'

/** Where an event goes: `of` tells the version of the schema that it was sent to, `off` the streams that were OFF then, by commas. */
export type TurnHead = { readonly stream: string; readonly of: string; readonly off: string }

const told = z.discriminatedUnion('kind', [
  /** Forget events of a stream that are erased. `goesOn`: the line that follows has more of them, and all are forgotten at once. */
  z.object({
    ...{ kind: z.literal('forget'), stream: z.string(), places: z.array(z.number()).readonly() },
    goesOn: z.literal(true).optional(),
  }),
  /** Fill what references of these streams read anew from ClickHouse. */
  z.object({ kind: z.literal('refill'), streams: z.array(z.string()).readonly() }),
  /** Forget all but these spaces. */
  z.object({ kind: z.literal('keep'), spaces: z.array(z.string()).readonly() }),
])

/** A line that tells all tasks of a schema something, among their events. */
export type Told = Readonly<z.infer<typeof told>>

/** A line among those that wait for their turn: an event as it was sent stands in the bytes from `start` to `end`. */
export type TurnLine =
  | { readonly head: TurnHead; readonly pk: number | bigint; readonly start: number; readonly end: number }
  | { readonly head?: undefined; readonly told: Told }

const opening = Buffer.from('{"_pk":')
const beforeSeq = Buffer.from(',"_seq":')
const beforeEvent = '"_event":'
const ending = Buffer.from('}}\n')
/** The bytes of a line beside its head and its event. */
const frameBytes = 64
const [brace, lineFeed, zero, nine, firstOfPk] = [0x7b, 0x0a, 0x30, 0x39, 0x70]

export const headText = ({ stream, of, off }: TurnHead): string =>
  `,"_st":"${stream}","_of":"${of}","_off":"${off}",${beforeEvent}`

/** An event with its time and place begins like all lines of events, by which a search for its `_seq` finds it. */
export const eventLine = (head: string, event: Event, pk: string, seq: number): string =>
  `{"_pk":${pk},"_seq":${seq}${head}${writeJson(event)}}\n`

/** The same of an event that was read the quick way, as its bytes. */
export function writeEventLine(
  lines: LineBuffer,
  head: Buffer,
  { event, held, start, end }: PlainLine,
  pk: string,
  seq: number,
): void {
  lines.reserve(frameBytes + head.length + end - start)
  lines.put(opening)
  if (typeof event._pk === 'number') lines.digits(event._pk)
  else lines.text(pk)
  lines.put(beforeSeq)
  lines.digits(seq)
  lines.reserve(head.length + end - start + ending.length)
  lines.put(head)
  lines.bytes[lines.length++] = brace
  // The members are held with a comma in front of each.
  lines.copy(held.bytes, start + 1, end)
  lines.put(ending)
}

export const tellLine = (told: Told): string => `${JSON.stringify({ _tell: told })}\n`

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= nine

/** Where the lines of a message begin, and where the last one ends. */
export function startsOfLines(message: Buffer): number[] {
  const starts = [0]
  for (let at = message.indexOf(lineFeed); at >= 0; at = message.indexOf(lineFeed, at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== message.length) starts.push(message.length + 1)
  return starts
}

/** Reads lines of turns: those that follow each other have the same head, as a rule. */
export function createTurnReader() {
  let headBytes = Buffer.alloc(0)
  let head: TurnHead | undefined

  function headAt(message: Buffer, start: number): TurnHead {
    const length = headBytes.length
    if (head && start + length <= message.length && message.compare(headBytes, 0, length, start, start + length) === 0)
      return head
    const found = message.indexOf(beforeEvent, start)
    if (found < 0) throw new Error('a line of turns has an event and its stream')
    const end = found + beforeEvent.length
    const read = parseJson(`{${message.toString('utf8', start + 1, end)}0}`, 'the line')
    if (!isObject(read) || typeof read._st !== 'string') throw new Error('a line of turns has an event and its stream')
    headBytes = Buffer.from(message.subarray(start, end))
    head = { stream: read._st, of: String(read._of), off: String(read._off) }
    return head
  }

  /** The line of a message in the bytes from `start` to `end`, which is where the next one begins. */
  return function read(message: Buffer, start: number, end: number): TurnLine {
    if (message[start + 3] !== firstOfPk) {
      const line = parseJson(message.toString('utf8', start, end), 'the line')
      const read = told.safeParse(isObject(line) ? line._tell : undefined)
      if (!read.success) throw new Error('a line of turns is an event, or tells something')
      return { told: read.data }
    }
    let at = start + opening.length
    let pk = 0
    for (; isDigit(message[at]); at++) pk = pk * 10 + (message[at] ?? zero) - zero
    const exact = Number.isSafeInteger(pk) ? pk : BigInt(message.toString('latin1', start + opening.length, at))
    for (at += beforeSeq.length; isDigit(message[at]); ) at++
    const found = headAt(message, at)
    // Behind the event there are a brace and a line feed.
    return { head: found, pk: exact, start: at + headBytes.length, end: end - 2 }
  }
}

/** The event of a line that is not read the quick way. */
export function readEvent(message: Buffer, start: number, end: number): Event {
  const event = parseJson(message.toString('utf8', start, end), 'the event')
  if (!isObject(event)) throw new Error('a line of turns has an event')
  return event
}
