import { identifier, qualified } from '../../identifier.ts'
import { rowAlias, valueOf } from '../columns.ts'
import { type AggregateSource, selectStates } from '../ddl/aggregate.ts'
import type { DerivedTable } from '../ddl/derived.ts'
import { statesColumns } from '../ddl/edit/past-events.ts'
import { intervalColumn } from '../ddl/intervals.ts'
import { nearestPivot } from '../ddl/pivots.ts'
import { pivotColumn } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import type { Measure } from '../statistics.ts'
import { changeAside, deleteRows } from './aside.ts'
import {
  allOf,
  asNew,
  atLeast,
  type Check,
  comparedSince,
  erasedUntil,
  type Facts,
  findEnd,
  isAmong,
  isComplete,
  keptSince,
  keyColumns,
  latestOf,
  tupleOf,
} from './check.ts'
import { differs, type Figure, figuresOf, zeroOf } from './measures.ts'

/** Which way an aggregate may not differ from its events. */
type Wrong = { readonly more: boolean; readonly less: boolean }

/** Compares an aggregate of `stream`, an entity's or its own, with the values that the events give; undefined if nothing can be said. */
export function aggregateCheck(
  schema: Schema,
  stream: Stream,
  { aggregate, sources }: DerivedTable,
  facts: Facts,
): Check | undefined {
  const table = qualified(aggregate.database, aggregate.table)
  const feeding = sources.flatMap((source) => schema.streams.find(({ name }) => name === source.stream) ?? [])
  const isTimed = aggregate.keys.some(({ name }) => name === intervalColumn)
  const wrong = wrongOf(stream, feeding, isTimed, facts)
  const time = aggregate.keys.findIndex(({ name }) => name === intervalColumn)
  const until = isTimed ? erasedUntil(feeding, facts) : undefined
  if (!wrong.more && !wrong.less) return undefined

  const bySource = sources.map(({ measures }) => measures.flatMap(figuresOf))
  const all = bySource.flat()
  const since = latestOf(
    ...(isTimed ? feeding.map((each) => comparedSince(each, facts)) : []),
    keptSince(aggregate.window ?? 0, facts.now_us),
  )
  const keyNames = aggregate.keys.map(({ name }) => identifier(name))
  const inSpan = isTimed ? atLeast(intervalColumn, since) : []
  const recent = !isTimed && facts.since_us !== undefined ? recentKeys(schema, sources, facts.since_us) : undefined

  const held = (among: string | undefined): string =>
    [
      `SELECT ${keyNames.map((name, index) => `${name} AS _k${index}`).join(', ')}, 1 AS _held, 0 AS _there,`,
      all.map((figure, index) => columnsOf(figure, index, 'held')).join(', '),
      `FROM ${table} WHERE ${allOf([...inSpan, ...selection(keyNames, recent, among)])} GROUP BY ${keyNames.join(', ')}`,
    ].join(' ')

  const there = (source: AggregateSource, own: readonly Figure[], among: string | undefined): string => {
    const values = keyValues(source)
    const time = source.keys.findIndex(({ name }) => name === intervalColumn)
    const spans = time < 0 ? [] : [...atLeast(`${rowAlias}._pk`, since), ...atLeast(values[time] ?? '', since)]
    return [
      `SELECT ${values.map((value, index) => `${value} AS _k${index}`).join(', ')}, 0 AS _held, 1 AS _there,`,
      all.map((figure, index) => columnsOf(figure, index, own.includes(figure) ? 'there' : undefined)).join(', '),
      `FROM ${qualified(schema.name, source.stream)} AS ${rowAlias}`,
      `WHERE ${allOf([...conditionOf(source), ...spans, ...selection(values, recent, among)])}`,
      `GROUP BY ${values.map((_, index) => `_k${index}`).join(', ')}`,
    ].join(' ')
  }

  /** A table of values leaves out rare values of keys that have too many. */
  const manyValues = (source: AggregateSource, maxValues: number): string => {
    const values = keyValues(source)
    const [keys, value] = [values.slice(0, -1), values.at(-1)]
    const spans = isTimed ? atLeast(`${rowAlias}._pk`, since) : []
    return [
      `SELECT ${keys.join(', ')} FROM ${qualified(schema.name, source.stream)} AS ${rowAlias}`,
      `WHERE ${allOf([...conditionOf(source), ...spans])}`,
      `GROUP BY ${keys.join(', ')} HAVING length(groupUniqArray(${maxValues + 1})(${value})) > ${maxValues}`,
    ].join(' ')
  }
  const { maxValues } = aggregate
  const exceptLeftOut =
    maxValues === undefined
      ? ''
      : ` AND (sum(_h0) > sum(_t0) OR ${tupleOf(keyColumns({ keys: aggregate.keys.slice(1).map(({ type }) => type) }))} GLOBAL NOT IN (${sources.map((source) => manyValues(source, maxValues)).join(' UNION ALL ')}))`

  const check = { keys: aggregate.keys.map(({ type }) => type) }
  return {
    ...check,
    stream: stream.name,
    table: aggregate.table,
    reads: [...new Set(sources.map((source) => source.stream))],
    bringsEvents: false,
    isOfCounts: true,
    count: `SELECT count() AS checked FROM (SELECT 1 FROM ${table} WHERE ${allOf([...inSpan, ...selection(keyNames, recent)])} GROUP BY ${keyNames.join(', ')})`,
    find: (among) =>
      [
        `SELECT ${keyColumns(check).join(', ')},`,
        `[${all.flatMap(({ by }, index) => (by === 'count' ? [`sum(_h${index}) - sum(_t${index})`] : [])).join(', ')}] AS _difference`,
        `FROM (${[held(among), ...sources.map((source, index) => there(source, bySource[index] ?? [], among))].join(' UNION ALL ')})`,
        `GROUP BY ${keyColumns(check).join(', ')} HAVING ${conditionFrom(all, wrong, `_k${time}`, until)}${exceptLeftOut}`,
        findEnd(),
      ].join(' '),
    repair: (touched, aside) =>
      changeAside(table, aside, [
        deleteRows(aside, isAmong(keyNames, touched, 'mutation')),
        ...sources.map((source) =>
          [
            `INSERT INTO ${aside} (${statesColumns(source).join(', ')})`,
            selectStates(
              { ...source, condition: allOf([...conditionOf(source), isAmong(keyValues(source), touched)]) },
              rowsWithPivots(schema, source),
            ),
            asNew,
          ].join('\n'),
        ),
      ]),
  }
}

/**
 * Entities and streams of a changed window outlive events, and while a stream was OFF nothing reached its entities, nor
 * do rows that were erased from an entity hold what the events show. An aggregate of time alone is compared within the
 * window.
 */
function wrongOf(stream: Stream, feeding: readonly Stream[], isTimed: boolean, facts: Facts): Wrong {
  return {
    more:
      feeding.every((each) => isComplete(each, facts) && (isTimed || each.window === 0)) &&
      (isTimed || erasedUntil(feeding, facts) === undefined),
    less:
      (isTimed && stream.kind !== 'entity') ||
      !(facts.switched_us.has(stream.name) || facts.erased.get(stream.name)?.rows),
  }
}

/** Intervals up to an event that was erased went on counting it: there an aggregate may hold more. */
function conditionFrom(all: readonly Figure[], wrong: Wrong, start: string, until: bigint | undefined): string {
  if (until === undefined || !wrong.more) return conditionOn(all, wrong)
  const early = wrong.less ? ` OR (${start} <= ${until} AND (${conditionOn(all, { ...wrong, more: false })}))` : ''
  return `(${start} > ${until} AND (${conditionOn(all, wrong)}))${early}`
}

function conditionOn(all: readonly Figure[], { more, less }: Wrong): string {
  const counts = all.flatMap(({ by }, index) => (by === 'count' ? [index] : []))
  const anyOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`
  if (more && less) return anyOf(['max(_held) != max(_there)', ...all.map(differs)])
  if (more) return anyOf(counts.map((index) => `sum(_h${index}) > sum(_t${index})`))
  // Where it holds more of one measure, a repair from the events would lose that.
  return allOf([
    anyOf(['max(_held) = 0', ...counts.map((index) => `sum(_h${index}) < sum(_t${index})`)]),
    ...counts.map((index) => `sum(_h${index}) <= sum(_t${index})`),
  ])
}

const keyValues = ({ aggregate, keys }: AggregateSource): string[] =>
  keys.map(({ value }, index) => `CAST(${value}, '${aggregate.keys[index]?.type ?? 'String'}')`)

const conditionOf = ({ condition }: AggregateSource): string[] => (condition === undefined ? [] : [condition])

/** The keys that events since a time have touched. */
const recentKeys = (schema: Schema, sources: readonly AggregateSource[], since_us: number): string =>
  sources
    .map((source) =>
      [
        `SELECT ${keyValues(source).join(', ')} FROM ${qualified(schema.name, source.stream)} AS ${rowAlias}`,
        `WHERE ${allOf([...conditionOf(source), ...atLeast(`${rowAlias}._pk`, since_us)])}`,
      ].join(' '),
    )
    .join(' UNION ALL ')

const selection = (keys: readonly string[], recent: string | undefined, among?: string): string[] => [
  ...(among === undefined ? [] : [isAmong(keys, among)]),
  ...(recent === undefined ? [] : [`${tupleOf(keys)} GLOBAL IN (${recent})`]),
]

function columnsOf(figure: Figure, index: number, side: 'held' | 'there' | undefined): string {
  const zero = zeroOf(figure)
  const size = side === undefined ? 'toFloat64(0)' : (figure.size?.[side] ?? 'toFloat64(0)')
  return [
    `${side === 'held' ? figure.held : zero} AS _h${index}`,
    `${side === 'there' ? figure.there : zero} AS _t${index}`,
    `${size} AS _s${index}`,
  ].join(', ')
}

/** A source's events as rows of its Null table. */
function rowsWithPivots(schema: Schema, { stream, measures }: AggregateSource): string {
  const events = qualified(schema.name, stream)
  const byInput = new Map<string, Measure>()
  for (const measure of measures)
    if (measure.statistics.kinds.includes('RSTAT')) byInput.set(measure.input.name, measure)
  const pivots = [...byInput.values()].map(
    ({ input }) =>
      `${nearestPivot(valueOf(input), `${events} AS ${rowAlias}`)} AS ${identifier(pivotColumn(input.name))}`,
  )
  return `(SELECT ${['*', ...pivots].join(', ')} FROM ${events} AS ${rowAlias})`
}
