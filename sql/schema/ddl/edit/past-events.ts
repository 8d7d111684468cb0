import { identifier, qualified } from '../../../identifier.ts'
import type { SqlStatement } from '../../../statement.ts'
import { attributeOf, pivotedAttributes } from '../../columns.ts'
import { pastTable, pivotColumn } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import { columnsOf, type Measure } from '../../statistics.ts'
import { type Aggregate, type AggregateSource, selectStates } from '../aggregate.ts'
import { nearestPivot } from '../pivots.ts'

/** Keeps a stream's events as they are now, at no cost: the parts are shared. */
export const keepPast = ({ name }: Schema, stream: string): string[] => [
  dropPast(name, stream),
  `CREATE TABLE ${qualified(name, pastTable(stream))} CLONE AS ${qualified(name, stream)}`,
]

export const dropPast = (schema: string, stream: string): string =>
  `DROP TABLE IF EXISTS ${qualified(schema, pastTable(stream))} SYNC`

/** The events that were kept in `past` (quoted), as rows of the Null table. */
export function pastRows(
  schema: Schema,
  stream: Stream,
  past = qualified(schema.name, pastTable(stream.name)),
): string {
  const pivots = pivotedAttributes(schema, stream).map((name) => {
    const value = identifier(attributeOf(stream, name)?.name ?? name)
    return `${nearestPivot(value, past)} AS ${identifier(pivotColumn(name))}`
  })
  return `(SELECT ${['*', ...pivots].join(', ')} FROM ${past})`
}

/** The columns that a source's states go into, in the order in which they are selected. */
export const statesColumns = ({
  aggregate,
  keys,
  measures,
}: Pick<AggregateSource, 'aggregate' | 'keys' | 'measures'>): string[] => [
  ...keys.map(({ name }) => identifier(name)),
  ...measures.flatMap((measure) => columnsOf(measure).map(nameOf)),
  ...(aggregate.redelivered ? ['_applied'] : []),
]

/** Takes over the states of some measures of an aggregate from one table into another (both quoted). */
export function takeOver(aggregate: Aggregate, measures: readonly Measure[], from: string, into: string): string[] {
  if (measures.length === 0) return []
  const columns = statesColumns({ aggregate, keys: aggregate.keys, measures }).join(', ')
  return [`INSERT INTO ${into} (${columns}) SELECT ${columns} FROM ${from}`]
}

/** Brings the kept events of a source's stream into its aggregate, or into a table (quoted) like it. */
export function fillFromPast(
  schema: Schema,
  source: AggregateSource,
  table = qualified(source.aggregate.database, source.aggregate.table),
  past?: string,
): string {
  const stream = schema.streams.find(({ name }) => name === source.stream)
  if (!stream) throw new Error(`no stream ${source.stream}`)
  return [
    `INSERT INTO ${table} (${statesColumns(source).join(', ')})`,
    selectStates(source, pastRows(schema, stream, past)),
  ].join('\n')
}

/** Rows and bytes of the kept events. */
export const compilePastSize = (schema: string, stream: string): SqlStatement => ({
  text: 'SELECT total_rows AS rows, total_bytes_uncompressed AS bytes FROM system.tables WHERE database = {schema:String} AND name = {table:String}',
  params: { schema, table: pastTable(stream) },
})

/** The name in a column's `name type`. */
const nameOf = (column: string): string => column.slice(0, column.indexOf('` ') + 1)
