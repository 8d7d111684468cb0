import { identifier } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { isStored } from '../../schema/columns.ts'
import type { Schema, Stream } from '../../schema/schema.ts'
import type { Comparison, Like } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { columnPlace, type Place, type Resolve } from './condition.ts'

/** The stream that a query is compiled against. */
export type StreamSource = {
  readonly schema: Schema
  readonly stream: Stream
  readonly columns: EventColumns
  readonly now_us: number
}

/** The columns that an events table has beyond the columns of its schema: traces of earlier edits. */
export type EventColumns = {
  /** Every column with its type. */
  readonly all: ReadonlyMap<string, string>
  /** Columns that were added to a table with events: values that those brought under the name stand in `_rest` too. */
  readonly late: ReadonlySet<string>
}

export const noColumns: EventColumns = { all: new Map(), late: new Set() }

export type TableColumn = {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly default_kind: string
}

/** Groups columns by their table. */
export function eventColumns(columns: readonly TableColumn[]): Map<string, EventColumns> {
  const tables = new Map<string, { all: Map<string, string>; late: Set<string> }>()
  for (const { table, name, type, default_kind } of columns) {
    const known = tables.get(table) ?? { all: new Map<string, string>(), late: new Set<string>() }
    if (!name.startsWith('_')) known.all.set(name, type)
    if (default_kind === 'DEFAULT') known.late.add(name)
    tables.set(table, known)
  }
  return tables
}

const bounds: ReadonlyMap<string, readonly string[]> = new Map([
  ['st', ['>=', '>']],
  ['et', ['<=', '<']],
])

/** Words that are no attributes. */
export const boundWords: readonly string[] = [...bounds.keys()]

const pk = { kind: 'column', sql: '_pk', type: 'LONG' } as const satisfies Place
/** For queries, in which a text may stand for the value. */
const time: Place = { ...pk, isTime: true }
const version: Place = { kind: 'column', sql: 'toInt64(1)', type: 'LONG' }

/**
 * Paths in a query over the events table: the bounds `st` and `et` in any case, unless an attribute has that very name,
 * else the paths that a filter knows.
 */
export function eventPlaces(stream: Stream, columns: EventColumns): Resolve {
  const members = memberPlaces(stream)
  const places: Resolve = (path, comparison) => {
    const place = members(path, comparison)
    return place.kind === 'json' && columns.all.has(path) ? droppedPlace(path, columns) : place
  }
  const isBound = (path: string): boolean =>
    bounds.has(path.toLowerCase()) && stream.attributes.every(({ name }) => name !== path)
  return (path, comparison) => {
    if (path === '_pk') return time
    return isBound(path) ? boundPlace(path, comparison) : places(path, comparison)
  }
}

/** Paths in a filter over a stream's events: `_pk`, attributes, else a path into the rest. */
export function memberPlaces(stream: Stream): Resolve {
  const places = new Map(stream.attributes.filter(isStored).map(({ name, type }) => [name, columnPlace(name, type)]))
  return (path) => {
    if (path === '_pk') return pk
    if (path === '_v') return version
    return places.get(path) ?? { kind: 'json', column: '_rest', path: path.split('.') }
  }
}

/**
 * A member that was an attribute: events from before it was dropped have it in its column, later ones in `_rest`, where it
 * may be of any type. A field of an OBJECT always stands in `_rest`.
 */
function droppedPlace(name: string, { all }: EventColumns): Place {
  if (name.includes('.')) return { kind: 'json', column: '_rest', path: name.split('.') }
  const [column, member] = [identifier(name), literal(name, 'String')]
  const text = all.get(name)?.includes('String') ? `toJSONString(${column})` : `toString(${column})`
  const kept = `concat('{', toJSONString(${member}), ':', ${text}, '}')`
  return { kind: 'json', column: `if(isNull(${column}) OR JSONHas(_rest, ${member}), _rest, ${kept})`, path: [name] }
}

function boundPlace(path: string, comparison: Comparison | Like): Place {
  const operators = bounds.get(path.toLowerCase()) ?? []
  if (comparison.kind === 'compare' && operators.includes(comparison.operator)) return time
  throw new PlacedRefusal(
    comparison.at,
    `${path} bounds the time of events: write ${path} ${operators[0]} <microseconds> or "2026-11-01T00:00:00Z"`,
  )
}

/** Events older than the stream's window are gone, whether or not their space is freed yet. */
export const windowCondition = ({ stream, now_us }: StreamSource): string =>
  stream.window === 0 ? 'true' : `_pk >= ${Math.max(0, now_us - stream.window * 1_000_000)}`
