import type { Event } from '../../../base/json.ts'
import { inputsOf } from '../../../sql/schema/check/computed-order.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import type { Compute } from '../computed/compile.ts'
import type { Pivots } from '../pivots.ts'
import { encoders } from '../values.ts'
import type { LineBuffer } from './line-buffer.ts'
import { compilePlainMembers } from './plain-members.ts'

/** The bytes of a line beside its members: the names `_pk` and `_seq`, and a number of 16 digits for each. */
const frameBytes = 64

const opening = Buffer.from('{"_pk":')
const beforeSeq = Buffer.from(',"_seq":')
const ending = Buffer.from('}\n')
const comma = 0x2c

export type PlainEventsDeps = {
  readonly stream: Stream
  readonly pivots: Pivots
  readonly compute?: Compute
  readonly keyOf?: (event: Event, seq: number) => string
  /** The attributes that `keyOf` reads. */
  readonly keyNames: readonly string[]
}

/** Reads plain events and writes their lines. The members behind `read` are about the event that it found last. */
export type PlainEvents = {
  /** Whether the UTF-8 bytes from `start` to `end` are one plain event. */
  read(bytes: Buffer, start: number, end: number): boolean
  write(seq: number, lines: LineBuffer): void
  /** The event's own `_pk`. */
  time(): number | undefined
  /** After `write`, of streams whose events have one. */
  key(seq: number): string
  /** Lets go of the bytes that were read last: each stream would keep a body. */
  release(): void
}

/** The `_pk` of a line, its event's own or its place. */
export const pkOf = (line: Buffer): string => line.toString('latin1', opening.length, line.indexOf(comma))

/**
 * The quick way of events. Most are flat, have declared members alone, and texts and numbers as their lines have them: no
 * need to parse them to values and to print those. Each token is read by JSON's grammar and its attribute's type before it
 * is copied; names, and all between the tokens, are ours. An event that is not plain in some way, or wrong, is left to
 * `compileEncoder`, which says what is wrong with it. Undefined for streams whose events need more than that.
 */
export function compilePlainEvents(deps: PlainEventsDeps): PlainEvents | undefined {
  const { stream, pivots, compute, keyOf, keyNames } = deps
  if (compute?.kind === 'together') return undefined
  const computed = new Set(stream.computed.map(({ name }) => name))
  const plain = compilePlainMembers(stream, computed)
  if (plain === undefined) return undefined
  const { members, placeOf, pkPlace, columns, keysLength, results, reader } = plain
  const readNames = new Set([...stream.computed.flatMap(inputsOf), ...computed, ...keyNames])
  const wanted = members
    .map(({ name }, place) => ({ name, place }))
    .filter(({ name, place }) => place !== pkPlace && readNames.has(name))
  const pivoted = pivots.members.map((pivot) => {
    const place = placeOf(pivot.name)
    return { pivot, place, isComputed: computed.has(pivot.name) }
  })
  const needsEvent = compute !== undefined || keyOf !== undefined
  let source: Buffer = opening
  let length = 0
  /** The members of the event that its encoding and its key read. */
  let event: Event = {}

  function makeEvent(seq: number): void {
    event = { _pk: reader.isThere(pkPlace) ? reader.numberOf(pkPlace) : seq }
    for (const { name, place } of wanted) if (reader.isThere(place)) event[name] = reader.valueOf(place)
  }

  function pivotedValue(place: number, name: string, isComputed: boolean, seq: number): number | undefined {
    if (isComputed) return typeof event[name] === 'bigint' ? Number(event[name]) : (event[name] as number | undefined)
    if (reader.isThere(place)) return reader.numberOf(place)
    return place === pkPlace ? seq : undefined
  }

  return {
    read(bytes, start, end) {
      source = bytes
      length = end - start
      return plain.read(bytes, start, end)
    },

    write(seq, lines) {
      if (needsEvent) makeEvent(seq)
      if (compute) compute.compute(event)
      lines.reserve(frameBytes + keysLength + length)
      lines.put(opening)
      if (reader.isThere(pkPlace)) lines.copy(source, reader.startOf(pkPlace), reader.endOf(pkPlace))
      else lines.digits(seq)
      lines.put(beforeSeq)
      lines.digits(seq)
      for (const { place, key } of columns) {
        if (!reader.isThere(place)) continue
        lines.put(key)
        lines.copy(source, reader.startOf(place), reader.endOf(place))
      }
      for (const { name, type } of results) {
        const value = event[name]
        if (value !== undefined) lines.text(`,"${name}":${encoders[type](value)}`)
      }
      for (const { pivot, place, isComputed } of pivoted) {
        const member = pivot.bytes(pivotedValue(place, pivot.name, isComputed, seq))
        lines.reserve(member.length)
        lines.put(member)
      }
      lines.reserve(ending.length)
      lines.put(ending)
    },

    time: () => (reader.isThere(pkPlace) ? reader.numberOf(pkPlace) : undefined),

    key: (seq) => keyOf?.(event, seq) ?? '',

    release() {
      source = opening
      event = {}
      reader.release()
    },
  }
}
