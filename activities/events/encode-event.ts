import { type Event, type Json, member, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { pivotedAttributes, storedAttributes } from '../../sql/schema/columns.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { compileLimits } from './limits.ts'
import type { Pivots } from './pivots.ts'
import { readMember } from './places.ts'
import { type EncodeValue, encoders, expected, shown } from './values.ts'

/** Writes an event as the one line that the log keeps and ClickHouse reads. Throws a Refusal that lists every bad member. */
export type EncodeEvent = (event: Event, pk: string, seq: number) => string

type Column = {
  readonly name: string
  readonly key: string
  readonly type: keyof typeof encoders
  readonly encode: EncodeValue
}

/** Members that the service itself writes; a client's own are dropped. */
const ours = new Set(['_pk', '_v'])

/** Compiles a stream's encoder: questions about its attributes that can be decided once are decided here. */
export function compileEncoder(schema: Schema, stream: Stream, pivots: Pivots): EncodeEvent {
  const columns = storedAttributes(stream).map(
    ({ name, type }): Column => ({
      name,
      type,
      key: `,${JSON.stringify(name)}:`,
      encode: encoders[type],
    }),
  )
  const plain = columns.filter(({ name }) => !name.includes('.'))
  const fields = columns
    .filter(({ name }) => name.includes('.'))
    .map((column) => ({ ...column, read: readMember(column.name) }))
  const objects = stream.attributes
    .filter(({ type, isOpen }) => type === 'OBJECT' && !isOpen)
    .map(({ name }) => ({ name, read: readMember(name) }))
  const declared = new Set(plain.map(({ name }) => name))
  const pivoted = pivotedAttributes(schema, stream)
  const checkLimits = compileLimits(stream)

  return (event, pk, seq) => {
    let line = `{"_pk":${pk},"_seq":${seq}`
    let problems: string[] | undefined
    let rest: Event | undefined
    let held = '_pk' in event ? 1 : 0

    for (const { name, key, type, encode } of plain) {
      const value = member(event, name)
      if (value === undefined) continue
      const text = value === null ? undefined : encode(value)
      if (text !== undefined) {
        line += key + text
        held++
      } else if (value !== null) problems = [...(problems ?? []), wrong(name, type, value)]
    }
    for (const { name, read } of objects) {
      const value = read(event)
      if (value === undefined || value === null || typeof value === 'object') continue
      problems = [...(problems ?? []), wrong(name, 'OBJECT', value)]
    }
    for (const { name, key, type, encode, read } of fields) {
      const value = read(event)
      if (value === undefined || value === null) continue
      const text = encode(value)
      if (text !== undefined) line += key + text
      else problems = [...(problems ?? []), wrong(name, type, value)]
    }
    if (checkLimits) {
      const outside = checkLimits(event)
      if (outside.length > 0) problems = [...(problems ?? []), ...outside]
    }
    if (problems) throw new Refusal(problems)

    const names = Object.keys(event)
    if (names.length > held) {
      for (const name of names) {
        if (ours.has(name) || (declared.has(name) && event[name] !== null)) continue
        rest ??= Object.create(null) as Event
        rest[name] = event[name] ?? null
      }
      if (rest) line += `,"_rest":${JSON.stringify(restText(rest))}`
    }
    if (pivoted.length > 0) line += pivots.suffix(event, pk)
    return `${line}}\n`
  }
}

const wrong = (name: string, type: keyof typeof expected, value: Json): string =>
  `${name}: expected ${expected[type]}, got ${shown(value)}`

function restText(rest: Event): string {
  try {
    return writeJson(rest)
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('the event is nested too deep')
    throw error
  }
}
