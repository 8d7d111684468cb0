import { isStored } from '../../schema/columns.ts'
import type { Schema, Stream } from '../../schema/schema.ts'
import type { Comparison, Like } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { columnPlace, type Place, type Resolve } from './condition.ts'

/** What a stream query is compiled against. */
export type StreamSource = { readonly schema: Schema; readonly stream: Stream; readonly now_us: number }

const bounds: Readonly<Record<string, readonly string[]>> = { st: ['>=', '>'], et: ['<=', '<'] }

const pk: Place = { kind: 'column', sql: '_pk', type: 'LONG' }
const version: Place = { kind: 'column', sql: 'toInt64(1)', type: 'LONG' }

/** Paths in a condition over the events table: attributes, `_pk`, the bounds `st` and `et`, else a path into the rest. */
export function eventPlaces(stream: Stream): Resolve {
  const places = new Map(stream.attributes.filter(isStored).map(({ name, type }) => [name, columnPlace(name, type)]))
  return (path, comparison) => {
    if (path === '_pk') return pk
    if (path === '_v') return version
    if (bounds[path]) return boundPlace(path, comparison)
    return places.get(path) ?? { kind: 'json', column: '_rest', path: path.split('.') }
  }
}

function boundPlace(path: string, comparison: Comparison | Like): Place {
  const operators = bounds[path] ?? []
  if (comparison.kind === 'compare' && operators.includes(comparison.operator)) return pk
  throw new PlacedRefusal(
    comparison.at,
    `${path} bounds the time of events: write ${path} ${operators[0]} <microseconds>`,
  )
}

/** Events older than the stream's window are gone, whether or not their space is freed yet. */
export const windowCondition = ({ stream, now_us }: StreamSource): string =>
  stream.window === 0 ? 'true' : `_pk >= ${Math.max(0, now_us - stream.window * 1_000_000)}`
