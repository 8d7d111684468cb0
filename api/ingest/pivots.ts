import { pivotedAttributes } from '../../sql/schema/columns.ts'
import { pivotColumn } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { type Event, memberAt } from './json.ts'

/**
 * The pivots of a stream's moments: for each attribute its first value, fixed once. Every row carries them, and the
 * aggregates keep sums about different pivots apart, so a pivot that was lost in a crash costs a row, never accuracy.
 */
export function createPivots(
  schema: Schema,
  stream: Stream,
  known: ReadonlyMap<string, number>,
  fixed: (attribute: string, value: number) => void,
) {
  const attributes = pivotedAttributes(schema, stream).map((name) => ({ name, path: name.split('.') }))
  const values = new Map(attributes.flatMap(({ name }) => (known.has(name) ? [[name, known.get(name) ?? 0]] : [])))
  let open = attributes.filter(({ name }) => !values.has(name))
  let text = write()

  function write(): string {
    return [...values].map(([name, value]) => `,${JSON.stringify(pivotColumn(name))}:${value}`).join('')
  }

  function fix(event: Event): void {
    const found = open.filter(({ name, path }) => {
      const value = memberAt(event, path)
      if (typeof value !== 'number' && typeof value !== 'bigint') return false
      values.set(name, Number(value))
      fixed(name, Number(value))
      return true
    })
    if (found.length === 0) return
    open = open.filter((attribute) => !found.includes(attribute))
    text = write()
  }

  return {
    /** The members of a row that carry the pivots, with a comma in front. */
    suffix(event: Event): string {
      if (open.length > 0) fix(event)
      return text
    },
  }
}

export type Pivots = ReturnType<typeof createPivots>
