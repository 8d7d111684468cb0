import { identifier, qualified } from '../../identifier.ts'
import { selectCounts, selectTops } from '../../query/compile/tops.ts'
import { synced } from '../../synced.ts'
import { rowAlias } from '../columns.ts'
import { feedView, inputTable, stateColumn, topTable } from '../names.ts'
import {
  columnsOf,
  feedOf,
  hasTop,
  type Measure,
  mergedTotal,
  mergeOf,
  type ReadableColumn,
  readableOf,
  shownStatesOf,
} from '../statistics.ts'
import { commented } from './comments.ts'
import { appliedBy, appliedColumn, appliedProjection, appliedSettings, laneOf, unseen } from './watermark.ts'

/** A key column of an aggregate table, and the expression over a row that gives it. */
export type AggregateKey = { readonly name: string; readonly type: string; readonly value: string }

/** A table of states keyed by some columns. */
export type Aggregate = {
  readonly database: string
  readonly table: string
  readonly keys: readonly AggregateKey[]
  readonly measures: readonly Measure[]
  readonly ttl?: string
  /** Seconds until `ttl` ends a row. */
  readonly window?: number
  readonly indexes?: readonly string[]
  /** When a row came last, which `ttl` reads. */
  readonly arrival?: string
  /** There may be as many keys as events. */
  readonly manyKeys?: boolean
  /**
   * Of a table of values: how many values of the other keys a block of events brings at most. Where it has more, those
   * stay that came more often than the next one, and how often that one came is what any other may have more.
   */
  readonly maxValues?: number
  /** Its feeds may be given an event again. */
  readonly redelivered?: true | undefined
}

/** The feed of an aggregate from one stream: the keys and measures that this stream's rows have. */
export type AggregateSource = {
  readonly stream: string
  /** The number that tells feeds of one table apart that come from one stream. */
  readonly number?: number
  readonly aggregate: Aggregate
  readonly keys: readonly AggregateKey[]
  readonly measures: readonly Measure[]
  /** Rows that count; all if absent. */
  readonly condition?: string
}

/** A view that analysts read, with its columns in their order. */
export type View = {
  readonly name: string
  readonly statement: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly comment: string }[]
}

/** Every target of a feed remembers this many inserts, so that a repeated batch changes nothing. */
const deduplication = 'non_replicated_deduplication_window = 1000'

/** The settings of every table that a feed fills: the log forgets a batch once it is inserted. */
export const fed = `${deduplication}, ${synced}`

/** Parts are merged when this many of about a size are there: by ClickHouse's own 5 merging rows takes more than making them. */
const seldomMerged = 'merge_selector_base = 12'

/** How often ClickHouse looks for rows that have expired. */
export const ttlPace = (window: number): string =>
  `merge_with_ttl_timeout = ${Math.min(3600, Math.max(5, Math.ceil(window / 8)))}`

const lines = (items: readonly string[]): string => items.map((item) => `  ${item}`).join(',\n')

export function createAggregateTable({
  database,
  table,
  keys,
  measures,
  ttl,
  window,
  indexes = [],
  arrival,
  manyKeys = false,
  redelivered,
}: Aggregate): string {
  const columns = [
    ...keys.map(({ name, type }) => `${identifier(name)} ${type}`),
    ...measures.flatMap(columnsOf),
    ...(arrival === undefined ? [] : [`${arrival} SimpleAggregateFunction(max, DateTime) DEFAULT now()`]),
    ...indexes,
    ...(redelivered ? [appliedColumn, appliedProjection] : []),
  ]
  const settings = [
    fed,
    ...(redelivered ? [appliedSettings] : []),
    ...(window === undefined ? [] : [ttlPace(window)]),
    ...(manyKeys ? [seldomMerged] : []),
  ]
  const sortingKey = keys.map(({ name }) => identifier(name))
  return [
    `CREATE TABLE IF NOT EXISTS ${qualified(database, table)} (`,
    lines(columns),
    ') ENGINE = AggregatingMergeTree',
    `ORDER BY (${sortingKey.join(', ')})`,
    ...(ttl === undefined ? [] : [`TTL ${ttl}`]),
    `SETTINGS ${settings.join(', ')}`,
  ].join('\n')
}

/** The states of a source's rows, out of `from`: its Null table, or a table of its events. */
export const selectStates = (source: AggregateSource, from: string): string =>
  source.aggregate.maxValues === undefined
    ? selectAll(source, from)
    : selectMost(source, selectAll(source, from), source.aggregate.maxValues)

/** The most frequent values of each key, the last of the source's keys, out of the counts of all. */
function selectMost({ aggregate, keys, measures }: AggregateSource, counts: string, maxValues: number): string {
  const names = keys.map(({ name }) => identifier(name))
  const [groups, value] = [names.slice(0, -1), names.at(-1)]
  const [cnt, left] = measures.flatMap(({ result }) =>
    [stateColumn(result, 'cnt'), stateColumn(result, 'left')].map(identifier),
  )
  const next = `_all[${maxValues + 1}]`
  const [applied, each] = aggregate.redelivered ? ['maxMap(_applied) AS _applied', '_applied'] : []
  const selected = [
    ...groups,
    `_one.2 AS ${value}`,
    `toUInt64(-_one.1) AS ${cnt}`,
    `if(_place = 1, _next, 0) AS ${left}`,
  ]
  const merged = [
    ...groups,
    `groupArraySorted(${maxValues + 1})((-toInt64(${cnt}), ${value})) AS _all`,
    `toUInt64(-${next}.1) AS _next`,
  ]
  return [
    `SELECT\n${lines([...selected, ...(each ? [each] : [])])}`,
    `FROM (SELECT\n${lines([...merged, ...(applied ? [applied] : [])])}`,
    `FROM (${counts})`,
    `GROUP BY ${groups.join(', ')})`,
    'ARRAY JOIN _all AS _one, arrayEnumerate(_all) AS _place',
    `WHERE toUInt64(-_one.1) > _next OR _place = 1`,
  ].join('\n')
}

function selectAll(source: AggregateSource, from: string): string {
  const { aggregate, keys, measures, condition } = source
  const selected = [
    ...keys.map(({ name, value }) => `${value} AS ${identifier(name)}`),
    ...measures.flatMap(feedOf),
    ...(aggregate.redelivered ? [appliedBy(viewOf(source), `${rowAlias}.`)] : []),
  ]
  return [
    `SELECT\n${lines(selected)}`,
    `FROM ${from} AS ${rowAlias}`,
    ...(condition === undefined ? [] : [`WHERE ${condition}`]),
    `GROUP BY ${keys.map(({ name }) => identifier(name)).join(', ')}`,
  ].join('\n')
}

const viewOf = ({ aggregate, stream, number }: AggregateSource): string => feedView(aggregate.table, stream, number)

/**
 * `table`: the table that is fed, where that is another one than the aggregate's own; `input`: the rows of the Null table
 * that may pass.
 */
export function createAggregateFeed(
  source: AggregateSource,
  table = source.aggregate.table,
  input = qualified(source.aggregate.database, inputTable(source.stream)),
): string {
  const { database, redelivered } = source.aggregate
  const target = qualified(database, table)
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(database, feedView(table, source.stream, source.number))}`,
    `TO ${target} AS`,
    selectStates(source, redelivered ? unseen(input, target, laneOf(viewOf(source))) : input),
  ].join('\n')
}

/** A key of a view, selected as given. */
export type ReadableKey = {
  readonly name: string
  readonly value: string
  readonly type: string
  readonly comment: string
}

export type ReadableView = {
  readonly name: string
  /** Said of the view itself. */
  readonly comment: string
  readonly keys: readonly ReadableKey[]
  /** Whether rows that have counted no value are left out, as they are in the answers to queries. */
  readonly countedAlone: boolean
  /** Rows whose measures are merged already, in place of those of the table. */
  readonly from?: string
}

/** A column of a view: the measure and the suffix that it is of, and what its name became. */
export type ViewColumn = ReadableColumn & { readonly name: string; readonly measure: Measure; readonly part: string }

/** The columns that analysts see of measures, over the aliases of `merge`. */
export function viewColumns(
  measures: readonly Measure[],
  columnsOfView: (measure: Measure) => Readonly<Record<string, ReadableColumn>>,
): readonly ViewColumn[] {
  const named = new Map<string, ViewColumn>()
  for (const measure of measures) {
    for (const [part, each] of Object.entries(columnsOfView(measure))) {
      const name = freeName(`${measure.shown ?? measure.result}_${part}`, named)
      named.set(name, { ...each, name, measure, part })
    }
  }
  return [...named.values()]
}

/** The columns of a view, by their readable names. */
export const readableOfAll = (measures: readonly Measure[]): ReadonlyMap<string, ReadableColumn> =>
  new Map(viewColumns(measures, readableOf).map((column) => [column.name, column]))

/** The view for analysts: states merged, columns by their readable names. */
export function createReadableView(
  { database, table, measures }: Aggregate,
  { name: view, comment, keys, countedAlone, from }: ReadableView,
): View {
  const merged = measures.flatMap(mergeOf)
  const readable = readableOfAll(measures)
  const columns = [
    ...keys.map((key) => ({ name: key.name, type: key.type, comment: key.comment })),
    ...[...readable].map(([name, { type, about }]) => ({ name, type, comment: about })),
  ]
  const someCount = measures.map(({ result }) => `${mergedTotal(result)} > 0`).join(' OR ')
  const counted = countedAlone ? `\nHAVING ${someCount}` : ''
  const rows = [
    '(SELECT',
    lines([...keys.map(({ name, value }) => `${value} AS ${identifier(name)}`), ...merged]),
    `FROM ${qualified(database, table)}`,
    `GROUP BY ${keys.map(({ name }) => identifier(name)).join(', ')}${counted})`,
  ].join('\n')
  const joined = joinedTops({ database, table, measures }, keys, selectTops)
  const statement = [
    `CREATE OR REPLACE VIEW ${qualified(database, view)} (`,
    lines(columns.map((each) => `${identifier(each.name)} ${each.type} ${commented(each.comment)}`)),
    ') AS SELECT',
    lines([
      ...keys.map(({ name }) => identifier(name)),
      ...[...readable].map(([name, { value }]) => `${value} AS ${identifier(name)}`),
    ]),
    `FROM ${from ?? rows}${joined.length === 0 ? '' : ' AS _states'}`,
    ...joined,
    commented(comment),
  ].join('\n')
  return { name: view, statement, columns }
}

/** The view of states that analysts merge themselves; a readable view has no such columns, as few clients can read them. */
export function createStatesViews(
  { database, table, measures }: Aggregate,
  { name: view, comment, keys }: Omit<ReadableView, 'countedAlone'>,
): View[] {
  const states = viewColumns(measures, shownStatesOf)
  if (states.length === 0) return []
  const columns = [...keys, ...states.map(({ name, type, about }) => ({ name, type, comment: about }))]
  const joined = joinedTops({ database, table, measures }, keys, selectCounts)
  const ofTable = states.filter(({ isJoined }) => !isJoined)
  const grouped = [
    'WITH',
    lines(measures.filter((measure) => Object.keys(shownStatesOf(measure)).length > 0).flatMap(mergeOf)),
    'SELECT',
    lines([...keys, ...ofTable].map(({ name, value }) => `${value} AS ${identifier(name)}`)),
    `FROM ${qualified(database, table)}`,
    `GROUP BY ${keys.map(({ name }) => identifier(name)).join(', ')}`,
  ]
  const statement = [
    `CREATE OR REPLACE VIEW ${qualified(database, view)} (`,
    lines(columns.map(({ name, type, comment }) => `${identifier(name)} ${type} ${commented(comment)}`)),
    ') AS',
    ...(joined.length === 0
      ? grouped
      : [
          'SELECT',
          lines([
            ...[...keys, ...ofTable].map(({ name }) => identifier(name)),
            ...states.filter(({ isJoined }) => isJoined).map(({ name, value }) => `${value} AS ${identifier(name)}`),
          ]),
          'FROM (',
          ...grouped,
          ') AS _states',
          ...joined,
        ]),
    commented(comment),
  ].join('\n')
  return [{ name: view, statement, columns }]
}

/** The clauses that bring what tables of values hold to the rows of a view with these keys. */
const joinedTops = (
  { database, table, measures }: Pick<Aggregate, 'database' | 'table' | 'measures'>,
  keys: readonly ReadableKey[],
  select: typeof selectTops,
): string[] =>
  measures.filter(hasTop).map((measure) => {
    const names = keys.map(({ name, value }) => ({ name: identifier(name), value }))
    const from = qualified(database, topTable(table, measure.result))
    const alias = identifier(stateColumn(measure.result, 'values'))
    return `ANY LEFT JOIN (${select(measure, names, from)}) AS ${alias} USING (${names.map(({ name }) => name).join(', ')})`
  })

/** Attributes called `delay` and `delay_cnt` may both be measured: the later column gives way. */
const freeName = (name: string, taken: ReadonlyMap<string, unknown>): string =>
  taken.has(name) ? freeName(`${name}_`, taken) : name
