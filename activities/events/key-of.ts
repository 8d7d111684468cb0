import type { Event } from '../../base/json.ts'
import type { Stream } from '../../sql/schema/schema.ts'
import { readScalar } from './places.ts'

/** The attributes that a stream declares with `pk` 1. */
export const keyNames = (stream: Stream): string[] =>
  stream.attributes.filter(({ primaryKey }) => primaryKey).map(({ name }) => name)

/**
 * Compiles the function that gives a stream's events their key: the values of the attributes that it declares with `pk` 1, joined by
 * `:`. Undefined where it declares none.
 */
export function compileKey(stream: Stream): ((event: Event, seq: number) => string) | undefined {
  const readers = keyNames(stream).map((name) => readScalar(stream, name))
  if (readers.length === 0) return undefined
  return (event, seq) => {
    const values = readers.flatMap((read) => read(event) ?? [])
    return values.length === 0 ? String(seq) : values.join(':')
  }
}
