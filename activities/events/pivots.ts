import type { Event } from '../../base/json.ts'
import { pivotedAttributes } from '../../sql/schema/columns.ts'
import { pivotColumn } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import { createPivot, type Pivot } from './pivot.ts'
import { readScalar } from './places.ts'

/**
 * The pivots of a stream's moments. A row carries those of its values that lie far from zero, and the aggregates keep sums
 * about different pivots apart, so one that was lost in a crash costs some room, never accuracy.
 */
export function createPivots(
  schema: Schema,
  stream: Stream,
  known: ReadonlyMap<string, number>,
  chosen: (attribute: string, value: number) => void,
) {
  const members = pivotedAttributes(schema, stream).map((name) => {
    const pivot = createPivot(known.get(name), (value) => chosen(name, value))
    return { name, read: readScalar(stream, name), ...pivotMember(pivotColumn(name), pivot) }
  })

  return {
    /** By attribute: the member of a row that carries its pivot, with a comma in front; none where that is 0. */
    members,
    /** All of them. `pk` is the event's, its own or not. */
    suffix(event: Event, pk: string): string {
      let text = ''
      for (const { name, read, text: member } of members) {
        const value = name === '_pk' ? Number(pk) : read(event)
        const isNumber = typeof value === 'number' || typeof value === 'bigint'
        text += member(isNumber ? Number(value) : undefined)
      }
      return text
    },
  }
}

/** Printed when it changes: most rows have the pivot of the row before. */
function pivotMember(column: string, pivot: Pivot) {
  const key = `,${JSON.stringify(column)}:`
  let printed = Number.NaN
  let text = ''
  let bytes = Buffer.alloc(0)

  function print(value: number | undefined): void {
    const wanted = value === undefined ? 0 : pivot.of(value)
    if (wanted === printed) return
    printed = wanted
    text = wanted === 0 ? '' : key + wanted
    bytes = Buffer.from(text)
  }

  return {
    /** The pivot, as text, of a row with this value, or with none. */
    text(value: number | undefined): string {
      print(value)
      return text
    },
    bytes(value: number | undefined): Buffer {
      print(value)
      return bytes
    },
  }
}

export type Pivots = ReturnType<typeof createPivots>
