import { type Event, type Json, memberAt } from '../../base/json.ts'
import type { Stream } from '../../sql/schema/schema.ts'

/** The attributes that a stream declares with `pk` 1. */
export const keyNames = (stream: Stream): string[] =>
  stream.attributes.filter(({ primaryKey }) => primaryKey).map(({ name }) => name)

/**
 * Compiles the function that gives a stream's events their key: the values of the attributes that it declares with `pk` 1, joined by
 * `:`. Undefined where it declares none.
 */
export function compileKey(stream: Stream): ((event: Event, seq: number) => string) | undefined {
  const paths = keyNames(stream).map((name) => name.split('.'))
  if (paths.length === 0) return undefined
  return (event, seq) => {
    const values = paths.map((path) => memberAt(event, path)).filter(isPresent)
    return values.length === 0 ? String(seq) : values.join(':')
  }
}

const isPresent = (value: Json | undefined): value is Exclude<Json, null> => value !== undefined && value !== null
