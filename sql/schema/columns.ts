import { identifier } from '../identifier.ts'
import type { Attribute, AttributeType, Schema, Statistics, Stream } from './schema.ts'

/** The column of an attribute. An OBJECT has none: it stands in `_rest`, its declared fields have columns of their own. */
const columnTypes: Readonly<Record<Exclude<AttributeType, 'OBJECT'>, string>> = {
  STRING: 'Nullable(String)',
  LONG: 'Nullable(Int64)',
  DOUBLE: 'Nullable(Float64)',
  BOOL: 'Nullable(Bool)',
}

export type StoredAttribute = Attribute & { readonly type: Exclude<AttributeType, 'OBJECT'> }

export const isStored = (attribute: Attribute): attribute is StoredAttribute =>
  attribute.type !== 'OBJECT' && attribute.name !== '_pk'

/** The attributes that have a column, in declared order. */
export const storedAttributes = (stream: Stream): StoredAttribute[] => stream.attributes.filter(isStored)

export const columnType = (type: AttributeType): string => columnTypes[type === 'OBJECT' ? 'STRING' : type]

/** The attribute type that has such a column; the column's own where none has. */
export const typeOfColumn = (column: string): string =>
  Object.entries(columnTypes).find(([, each]) => each === column)?.[0] ?? column

/** The type of an attribute's values without its Nullable. */
export const valueType = (type: AttributeType): string => columnType(type).slice('Nullable('.length, -1)

/** The path of an OBJECT's field or a member, as the arguments of ClickHouse's JSON functions. */
export const pathArguments = (name: string): string =>
  name
    .split('.')
    .map((part) => `'${identifier(`_${part}`).slice(2, -1)}'`)
    .join(', ')

/** The answers of `JSONType` for values that a column of the type takes. */
const jsonTypes: Readonly<Record<StoredAttribute['type'], string>> = {
  STRING: "'String'",
  LONG: "'Int64'",
  DOUBLE: "'Int64', 'UInt64', 'Double'",
  BOOL: "'Bool'",
}

/** The value that a member of that name has in `_rest`; NULL where it is missing or of another type. */
export function restValue({ name, type }: Pick<StoredAttribute, 'name' | 'type'>): string {
  const path = pathArguments(name)
  return `if(JSONType(_rest, ${path}) IN (${jsonTypes[type]}), JSONExtract(_rest, ${path}, '${columnType(type)}'), NULL)`
}

/**
 * Microseconds since 1970 as a time. ClickHouse knows this sum to grow with its column, so a condition on it reads a part of a
 * table that is ordered by the column; `fromUnixTimestamp64Micro` gives the same, and such a condition reads all.
 */
export const timeOf = (column: string): string => `toDateTime64(0, 6) + toIntervalMicrosecond(${column})`

/** How statements call the rows that they read from a Null table or an events table; no attribute has such a name. */
export const rowAlias = '_row'

/**
 * An attribute's value in a row; NULL where it is missing. It is qualified, since a bare name would mean an alias of
 * that name where there is one.
 */
export function valueOf(attribute: Pick<Attribute, 'name' | 'type'>): string {
  if (attribute.name === '_pk') return `toNullable(${rowAlias}._pk)` // States are of Nullable values.
  // Of rows that a join or a pattern made.
  if (attribute.name === '_jpk1') return `JSONExtract(${rowAlias}._rest, '_jpk1', 'Nullable(Int64)')`
  if (attribute.type !== 'OBJECT') return `${rowAlias}.${identifier(attribute.name)}`
  return `nullIf(nullIf(JSONExtractRaw(${rowAlias}._rest, ${pathArguments(attribute.name)}), ''), 'null')`
}

export const attributeOf = (stream: Stream, name: string): Attribute | undefined =>
  stream.attributes.find((attribute) => attribute.name === name)

/** Streams that a stream's events are copied to by filters, of whatever kind, itself first. */
export function downstream(schema: Schema, stream: Stream): Stream[] {
  const found = new Map([[stream.name, stream]])
  for (const each of found.values()) {
    for (const { target } of [...each.filters, ...each.movingFilters]) {
      const next = schema.streams.find(({ name }) => name === target)
      if (next) found.set(next.name, next)
    }
  }
  return [...found.values()]
}

const hasMoments = ({ statistics }: { readonly statistics?: Statistics }): boolean =>
  statistics?.kinds.includes('RSTAT') ?? false

/** Attributes over which this very stream keeps an RSTAT: of its own, in a group-by or in an entity. */
const momentsOf = (stream: Stream): string[] => [
  ...stream.attributes.filter(hasMoments).map(({ name }) => name),
  ...stream.groupBys.filter(hasMoments).map(({ input }) => input),
  ...stream.entities.filter(hasMoments).flatMap(({ inputs }) => inputs),
]

/** Attributes that need a pivot in this stream's rows: for its own moments and for those of the streams it feeds. */
export function pivotedAttributes(schema: Schema, stream: Stream): string[] {
  const wanted = new Set(downstream(schema, stream).flatMap(momentsOf))
  const stored = storedAttributes(stream)
    .filter(({ name, type }) => wanted.has(name) && (type === 'LONG' || type === 'DOUBLE'))
    .map(({ name }) => name)
  return wanted.has('_pk') ? ['_pk', ...stored] : stored
}
