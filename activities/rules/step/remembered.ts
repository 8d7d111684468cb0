import { type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import { jsonScalar, type Scalar } from '../../events/values.ts'
import type { CurrentEvent } from './current-event.ts'
import { placeOf } from './read.ts'

/**
 * A remembered event: the values of the attributes that a rule needs later, null where one is missing. An
 * OBJECT is its JSON text, which keeps integers of any size. A `_pk` that no double holds stands as text behind them.
 */
export type RememberedEvent = readonly (Scalar | null)[]

/** Writes and reads the remembered events of a stream: the attributes of these names, each once. */
export function compileCodec(stream: Stream, names: Iterable<string>) {
  const attributes = [...new Set(names)].map((name) => ({ name, place: placeOf(stream, name) }))
  const places = new Map(attributes.map(({ name, place }, index) => [name, { index, kind: place.kind }]))
  const placeIn = (name: string) => {
    const found = places.get(name)
    if (found === undefined) throw new Error(`${stream.name}.${name} is not remembered`)
    return found
  }
  const readers = attributes.map(({ place }): ((current: CurrentEvent) => Scalar | null) => {
    if (place.kind === 'column') {
      const { read } = place
      return (current) => read(current) ?? null
    }
    const { read } = place
    return (current) => {
      const value = read(current)
      return value === undefined ? null : writeJson(value)
    }
  })

  return {
    attributes: stream.attributes,

    encode(current: CurrentEvent): RememberedEvent {
      const remembered = readers.map((read) => read(current))
      if (!Number.isSafeInteger(current.time)) remembered.push(current.pk)
      return remembered
    },

    /** Reads a scalar of a remembered event. */
    scalar(name: string): (remembered: RememberedEvent) => Scalar | undefined {
      const { index, kind } = placeIn(name)
      if (kind === 'column') return (remembered) => remembered[index] ?? undefined
      return (remembered) => jsonScalar(parsed(remembered[index]))
    },

    /** Reads a value of a remembered event as its own, which may be changed. */
    json(name: string): (remembered: RememberedEvent) => Json | undefined {
      const { index, kind } = placeIn(name)
      return kind === 'column'
        ? (remembered) => remembered[index] ?? undefined
        : (remembered) => parsed(remembered[index])
    },

    /** The remembered event's `_pk`. */
    time: (remembered: RememberedEvent, pk: number): number | bigint => {
      const exact = remembered[attributes.length]
      return typeof exact === 'string' ? BigInt(exact) : pk
    },
  }
}

export type EventCodec = ReturnType<typeof compileCodec>

const parsed = (text: Scalar | null | undefined): Json | undefined =>
  typeof text === 'string' ? parseJson(text, 'a remembered value') : undefined
