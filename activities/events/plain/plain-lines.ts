import type { Event } from '../../../base/json.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import type { Pivots } from '../pivots.ts'
import { encoders } from '../values.ts'
import { LineBuffer } from './line-buffer.ts'
import { compilePlainMembers } from './plain-members.ts'

/** An event that was read, with the bytes of its members as its line has them. */
export type PlainLine = {
  readonly event: Event
  readonly held: LineBuffer
  readonly start: number
  readonly end: number
}

export type PlainLinesDeps = {
  readonly stream: Stream
  readonly pivots: Pivots
  /** The attributes that are set on an event after it was read. */
  readonly overwritten: ReadonlySet<string>
}

/** Members of some events are held in one piece, which goes with the last of them. */
const heldBytes = 256 * 1024
/** The bytes of a line beside its members: the names `_pk` and `_seq`, and a number of 16 digits for each. */
const frameBytes = 64
const opening = Buffer.from('{"_pk":')
const beforeSeq = Buffer.from(',"_seq":')
const ending = Buffer.from('}\n')

/**
 * The quick way of events that are looked at as a whole before their lines are written, and in between may get values of
 * ours: their members are read, and kept as they came, without a parser. Events that are not plain are left to
 * `compileEncoder`. Undefined for streams whose events need more than that.
 */
export function compilePlainLines({ stream, pivots, overwritten }: PlainLinesDeps) {
  const plain = compilePlainMembers(stream, overwritten)
  if (plain === undefined) return undefined
  const { members, columns, keysLength, results, reader } = plain
  let held = new LineBuffer(0)

  function eventOf(): Event {
    const event: Event = {}
    for (let place = 0; place < members.length; place++) {
      const member = members[place]
      if (member && reader.isThere(place)) event[member.name] = reader.valueOf(place)
    }
    return event
  }

  /** The members whose values are ours. */
  function ownMembers(event: Event): string | undefined {
    let own = ''
    for (const { name, type } of results) {
      const value = event[name]
      if (value === undefined || value === null) continue
      const text = encoders[type](value)
      if (text === undefined) return undefined
      own += `,"${name}":${text}`
    }
    return own
  }

  return {
    /** The event of these UTF-8 bytes; undefined where it is not plain. A batch has `more` behind it. */
    read(bytes: Buffer, start: number, end: number, more = true): PlainLine | undefined {
      if (!plain.read(bytes, start, end)) return undefined
      const length = keysLength + end - start
      if (held.length + length > held.bytes.length) held = new LineBuffer(Math.max(more ? heldBytes : 0, length))
      const from = held.length
      for (const { place, key } of columns) {
        if (!reader.isThere(place)) continue
        held.put(key)
        held.copy(bytes, reader.startOf(place), reader.endOf(place))
      }
      return { event: eventOf(), held, start: from, end: held.length }
    },

    /** Lets go of the bytes that were read last. */
    release(): void {
      reader.release()
      held = new LineBuffer(0)
    },

    /**
     * Writes the line of an event that was read; `event` is the same with the values that are ours. False where one of those
     * has no place in its column: the encoder says what is wrong.
     */
    write({ held, start, end }: PlainLine, event: Event, pk: string, seq: number, lines: LineBuffer): boolean {
      const own = results.length > 0 ? ownMembers(event) : ''
      if (own === undefined) return false
      lines.reserve(frameBytes + end - start)
      lines.put(opening)
      if (typeof event._pk === 'number') lines.digits(event._pk)
      else lines.text(pk)
      lines.put(beforeSeq)
      lines.digits(seq)
      lines.copy(held.bytes, start, end)
      if (own !== '') lines.text(own)
      if (pivots.members.length > 0) lines.text(pivots.suffix(event, pk))
      lines.reserve(ending.length)
      lines.put(ending)
      return true
    },
  }
}

export type PlainLines = NonNullable<ReturnType<typeof compilePlainLines>>
