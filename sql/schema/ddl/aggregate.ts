import { identifier, qualified } from '../../identifier.ts'
import { feedView, inputTable } from '../names.ts'
import { type Measure, statistics } from '../statistics.ts'

/** A table of states keyed by some columns, and the view that fills it from a stream's Null table. */
export type Aggregate = {
  readonly database: string
  readonly table: string
  /** Sorting key: each column with its type, and the expression over the Null table that gives it. */
  readonly keys: readonly { readonly name: string; readonly type: string; readonly value: string }[]
  readonly measures: readonly Measure[]
  /** Rows of the Null table that count; all if absent. */
  readonly condition?: string
  readonly ttl?: string
}

/** Every target of a feed remembers this many inserts, so that a repeated batch changes nothing. */
export const deduplication = 'non_replicated_deduplication_window = 1000'

export function createAggregateTable({ database, table, keys, measures, ttl }: Aggregate): string {
  const columns = [
    ...keys.map(({ name, type }) => `${identifier(name)} ${type}`),
    ...measures.flatMap((measure) => statistics[measure.kind].columns(measure)),
  ]
  return [
    `CREATE TABLE IF NOT EXISTS ${qualified(database, table)} (`,
    columns.map((column) => `  ${column}`).join(',\n'),
    ') ENGINE = AggregatingMergeTree',
    `ORDER BY (${sortingKey(keys, measures).join(', ')})`,
    ...(ttl === undefined ? [] : [`TTL ${ttl}`]),
    `SETTINGS ${deduplication}, allow_nullable_key = 1`,
  ].join('\n')
}

const sortingKey = (keys: Aggregate['keys'], measures: readonly Measure[]): string[] => [
  ...keys.map(({ name }) => identifier(name)),
  ...measures.flatMap((measure) => statistics[measure.kind].keys(measure)),
]

export function createAggregateFeed(aggregate: Aggregate, stream: string): string {
  const { database, table, keys, measures, condition } = aggregate
  const selected = [
    ...keys.map(({ name, value }) => `${value} AS ${identifier(name)}`),
    ...measures.flatMap((measure) => statistics[measure.kind].feed(measure)),
  ]
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(database, feedView(table))}`,
    `TO ${qualified(database, table)} AS SELECT`,
    selected.map((column) => `  ${column}`).join(',\n'),
    `FROM ${qualified(database, inputTable(stream))}`,
    ...(condition === undefined ? [] : [`WHERE ${condition}`]),
    `GROUP BY ${sortingKey(keys, measures).join(', ')}`,
  ].join('\n')
}

/** The view for analysts: states merged, columns by their readable names. `keys` are selected as given. */
export function createReadableView(
  { database, table, measures }: Aggregate,
  view: string,
  keys: readonly { readonly name: string; readonly value: string }[],
): string {
  const merged = measures.flatMap(({ kind, result }) => statistics[kind].merge(result))
  const readable = measures.flatMap(({ kind, result }) =>
    Object.entries(statistics[kind].readable(result)).map(
      ([part, value]) => `${value} AS ${identifier(`${result}_${part}`)}`,
    ),
  )
  return [
    `CREATE VIEW IF NOT EXISTS ${qualified(database, view)} AS SELECT`,
    [...keys.map(({ name }) => identifier(name)), ...readable].map((column) => `  ${column}`).join(',\n'),
    'FROM (SELECT',
    [...keys.map(({ name, value }) => `${value} AS ${identifier(name)}`), ...merged]
      .map((column) => `  ${column}`)
      .join(',\n'),
    `FROM ${qualified(database, table)}`,
    `GROUP BY ${keys.map(({ name }) => identifier(name)).join(', ')})`,
  ].join('\n')
}
