import { type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import { jsonScalar, type Scalar } from '../../events/values.ts'
import { placeOf } from './read.ts'
import type { Taken } from './taken.ts'

/**
 * A remembered event: the values of the attributes that a rule needs later, null where one is missing. An
 * OBJECT is its JSON text, which keeps integers of any size. A `_pk` that no double holds stands as text behind them.
 */
export type Kept = readonly (Scalar | null)[]

/** Compiles what is remembered of a stream's events: the attributes of these names, each once. */
export function compileKept(stream: Stream, names: Iterable<string>) {
  const attributes = [...new Set(names)].map((name) => ({ name, place: placeOf(stream, name) }))
  const places = new Map(attributes.map(({ name, place }, index) => [name, { index, kind: place.kind }]))
  const placeIn = (name: string) => {
    const found = places.get(name)
    if (found === undefined) throw new Error(`${stream.name}.${name} is not remembered`)
    return found
  }
  const readers = attributes.map(({ place }): ((taken: Taken) => Scalar | null) => {
    if (place.kind === 'column') {
      const { read } = place
      return (taken) => read(taken) ?? null
    }
    const { read } = place
    return (taken) => {
      const value = read(taken)
      return value === undefined ? null : writeJson(value)
    }
  })

  return {
    attributes: stream.attributes,

    keep(taken: Taken): Kept {
      const kept = readers.map((read) => read(taken))
      if (!Number.isSafeInteger(taken.time)) kept.push(taken.pk)
      return kept
    },

    /** Reads a scalar of a remembered event. */
    scalar(name: string): (kept: Kept) => Scalar | undefined {
      const { index, kind } = placeIn(name)
      if (kind === 'column') return (kept) => kept[index] ?? undefined
      return (kept) => jsonScalar(parsed(kept[index]))
    },

    /** Reads a value of a remembered event as its own, which may be changed. */
    json(name: string): (kept: Kept) => Json | undefined {
      const { index, kind } = placeIn(name)
      return kind === 'column' ? (kept) => kept[index] ?? undefined : (kept) => parsed(kept[index])
    },

    /** The remembered event's `_pk`. */
    time: (kept: Kept, pk: number): number | bigint => {
      const exact = kept[attributes.length]
      return typeof exact === 'string' ? BigInt(exact) : pk
    },
  }
}

export type Keeping = ReturnType<typeof compileKept>

const parsed = (text: Scalar | null | undefined): Json | undefined =>
  typeof text === 'string' ? parseJson(text, 'a remembered value') : undefined
