import { type Event, memberAt } from '../../infra/json.ts'
import { pivotedAttributes } from '../../sql/schema/columns.ts'
import { pivotColumn } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { createPivot } from './pivot.ts'

/**
 * The pivots of a stream's moments. Every row carries them, and the aggregates keep sums about different pivots apart,
 * so one that was lost in a crash costs some rows, never accuracy.
 */
export function createPivots(
  schema: Schema,
  stream: Stream,
  known: ReadonlyMap<string, number>,
  chosen: (attribute: string, value: number) => void,
) {
  const attributes = pivotedAttributes(schema, stream).map((name) => ({
    path: name.split('.'),
    key: `,${JSON.stringify(pivotColumn(name))}:`,
    pivot: createPivot(known.get(name), (value) => chosen(name, value)),
  }))

  return {
    /** The members of a row that carry the pivots, with a comma in front. `pk` is the event's, its own or not. */
    suffix(event: Event, pk: string): string {
      let text = ''
      for (const { path, key, pivot } of attributes) {
        const value = path[0] === '_pk' ? Number(pk) : memberAt(event, path)
        const isNumber = typeof value === 'number' || typeof value === 'bigint'
        text += key + (isNumber ? pivot.of(Number(value)) : pivot.resting())
      }
      return text
    },
  }
}

export type Pivots = ReturnType<typeof createPivots>
