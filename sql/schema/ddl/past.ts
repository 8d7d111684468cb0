import { identifier, qualified } from '../../identifier.ts'
import { attributeOf, pivotedAttributes } from '../columns.ts'
import { pastTable, pivotColumn } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { statistics } from '../statistics.ts'
import { type AggregateSource, selectStates } from './aggregate.ts'

/** Keeps a stream's events as they are now, at no cost: the parts are shared. */
export const keepPast = ({ name }: Schema, stream: string): string[] => [
  dropPast(name, stream),
  `CREATE TABLE ${qualified(name, pastTable(stream))} CLONE AS ${qualified(name, stream)}`,
]

export const dropPast = (schema: string, stream: string): string =>
  `DROP TABLE IF EXISTS ${qualified(schema, pastTable(stream))} SYNC`

/** The events that were kept, as rows of the Null table: a pivot is the mean of what is there. */
export function pastRows(schema: Schema, stream: Stream): string {
  const past = qualified(schema.name, pastTable(stream.name))
  const pivots = pivotedAttributes(schema, stream).map((name) => {
    const value = identifier(attributeOf(stream, name)?.name ?? name)
    return `ifNull((SELECT avg(toFloat64(${value})) FROM ${past}), 0.) AS ${identifier(pivotColumn(name))}`
  })
  return `(SELECT ${['*', ...pivots].join(', ')} FROM ${past})`
}

/** Brings the kept events of a source's stream into its aggregate, under `table` where that is not the aggregate's own. */
export function fillFromPast(schema: Schema, source: AggregateSource, table = source.aggregate.table): string {
  const stream = schema.streams.find(({ name }) => name === source.stream)
  if (!stream) throw new Error(`no stream ${source.stream}`)
  const columns = [
    ...source.keys.map(({ name }) => identifier(name)),
    ...source.measures.flatMap((measure) => statistics[measure.kind].columns(measure).map(nameOf)),
  ]
  return [
    `INSERT INTO ${qualified(source.aggregate.database, table)} (${columns.join(', ')})`,
    selectStates(source, pastRows(schema, stream)),
  ].join('\n')
}

/** The name in a column's `name type`. */
export const nameOf = (column: string): string => column.slice(0, column.indexOf('` ') + 1)
