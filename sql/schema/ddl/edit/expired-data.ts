import { identifier, qualified } from '../../../identifier.ts'
import { compileOldest } from '../../../query/compile/intervals.ts'
import type { SqlStatement } from '../../../statement.ts'
import { rowAlias, valueOf } from '../../columns.ts'
import { graphDatabase, rebuildDatabase, schemaGraph, stateColumn, tripleTable } from '../../names.ts'
import type { Schema, StatisticKind, Stream } from '../../schema.ts'
import type { AggregateSource } from '../aggregate.ts'
import type { DerivedTable } from '../derived.ts'
import { isTripleOf } from '../graph/relations.ts'
import { intervalColumn } from '../intervals.ts'
import { derivedTables } from '../schema.ts'
import { createRebuildDatabase } from './rebuild.ts'
import { freshTables } from './schema-diff.ts'

/**
 * A stream's feeds into entities over all time: those have no time, so only their counts show whether events have gone
 * since. Their windows have it.
 */
export const entitySources = (schema: Schema, stream: Stream): AggregateSource[] =>
  schema.streams
    .filter(({ kind }) => kind === 'entity')
    .flatMap((entity) => derivedTables(schema, entity))
    .filter(({ aggregate }) => aggregate.keys.every(({ name }) => name !== intervalColumn))
    .flatMap(({ sources }) => sources.filter((source) => source.stream === stream.name))

const copy = (token: string, name: string): string => qualified(rebuildDatabase(token), name)

/** The same, with those measures alone that an edit makes anew under the name that they have: from the events still there. */
export function changedEntitySources(from: Schema, to: Schema, stream: Stream): AggregateSource[] {
  const fresh = new Map(freshTables({ from, to }).map((each) => [each.derived.aggregate.table, each]))
  return entitySources(from, stream).flatMap((source) => {
    const made = fresh.get(source.aggregate.table)
    const kept = new Set(made?.kept?.flatMap(({ result, isUncounted }) => (isUncounted ? [] : [result])))
    const names = new Set(made?.derived.aggregate.measures.map(({ result }) => result))
    const measures = source.measures.filter(({ result }) => names.has(result) && !kept.has(result))
    return measures.length === 0 ? [] : [{ ...source, measures }]
  })
}

/** The stream whose events may be lost, and the entities that would lose them: `sources` are some of its `entitySources`. */
export type EntityLoss = {
  readonly schema: Schema
  readonly stream: Stream
  readonly sources: readonly AggregateSource[]
  /** How many values of erased events the entities still count, by `<table>.<measure>`. */
  readonly erased?: Readonly<Record<string, number>> | undefined
  readonly token: string
}

/** Copies of a stream's events and of its entities, at one moment and at no cost: run while no event is on its way. */
export const copyForLoss = ({ schema, stream, sources, token }: EntityLoss): string[] => [
  createRebuildDatabase(schema, stream, token),
  `CREATE TABLE ${copy(token, 'past')} CLONE AS ${qualified(schema.name, stream.name)}`,
  ...sources.map(
    ({ aggregate: { database, table } }, index) =>
      `CREATE TABLE ${copy(token, `t${index}_present`)} CLONE AS ${qualified(database, table)}`,
  ),
]

/**
 * One row each, `lost`: whether the entities of a source have counted more values than the events since `cutoff_us` hold,
 * without those of erased events.
 */
export const compileEntityLosses = (
  { sources, erased = {}, token }: Pick<EntityLoss, 'sources' | 'erased' | 'token'>,
  cutoff_us: number,
): SqlStatement[] =>
  sources.map((source, index) => {
    const held = source.measures.map(({ result }) => {
      const gone = Math.floor(erased[`${source.aggregate.table}.${result}`] ?? 0)
      return `toInt64(sum(${identifier(stateColumn(result, 'cnt'))}))${gone === 0 ? '' : ` - ${gone}`}`
    })
    const there = source.measures.map(({ input }) => `toInt64(count(${valueOf(input)}))`)
    const conditions = [`${rowAlias}._pk >= {cutoff:Int64}`, ...(source.condition ? [source.condition] : [])]
    return {
      text: [
        `SELECT (SELECT tuple(${held.join(', ')}) FROM ${copy(token, `t${index}_present`)}) AS held,`,
        `(SELECT tuple(${there.join(', ')}) FROM ${copy(token, 'past')} AS ${rowAlias} WHERE ${conditions.join(' AND ')}) AS there,`,
        `${held.map((_, place) => `held.${place + 1} > there.${place + 1}`).join(' OR ')} AS lost`,
      ].join(' '),
      params: { cutoff: cutoff_us },
    }
  })

/** A row each where a stream's aggregate by time, or the graph, holds values of an event older than `cutoff_us`. */
export const compileOld = (schema: Schema, stream: Stream, cutoff_us: number): SqlStatement[] => [
  ...derivedTables(schema, stream).map(({ aggregate }) =>
    compileOldest(qualified(aggregate.database, aggregate.table), cutoff_us),
  ),
  ...(stream.relations.length === 0 ? [] : [compileOldTriple(schema, stream, cutoff_us)]),
]

/** The same, for aggregates by time that an edit of the schema gives another statistic or another granularity. */
export function compileOldChanged(from: Schema, to: Schema, name: string, cutoff_us: number): SqlStatement[] {
  const after = new Map(tablesOf(to, name).flatMap(measuresOf))
  return tablesOf(from, name)
    .filter((each) => measuresOf(each).some(([measure, place]) => isCountedAnew(place, after.get(measure) ?? place)))
    .map(({ aggregate }) => compileOldest(qualified(aggregate.database, aggregate.table), cutoff_us))
}

const tablesOf = (schema: Schema, name: string): DerivedTable[] =>
  schema.streams.filter((each) => each.name === name).flatMap((stream) => derivedTables(schema, stream))

type MeasurePlace = { readonly table: string; readonly kinds: readonly StatisticKind[] }

/** Whether the values of a measure are counted from the events that are there: as `freshTables` has it. */
const isCountedAnew = (before: MeasurePlace, after: MeasurePlace): boolean =>
  before.table !== after.table ||
  after.kinds.every((kind) => !before.kinds.includes(kind)) ||
  (after.kinds.includes('RSTAT') && !before.kinds.includes('RSTAT'))

/** The measures of a table with their keys, and the place and kinds of each. */
const measuresOf = ({ aggregate: { table, keys, measures } }: DerivedTable) =>
  measures.map(({ result, statistics: { kinds } }): [measure: string, place: MeasurePlace] => [
    [...keys.map(({ name }) => name), result].join(':'),
    { table, kinds },
  ])

const compileOldTriple = (schema: Schema, stream: Stream, cutoff_us: number): SqlStatement => ({
  text: [
    `SELECT 1 AS older FROM ${qualified(graphDatabase, tripleTable(schemaGraph(schema.name)))}`,
    `WHERE _at < {cutoff:Int64} AND (${stream.relations.map((each) => `(${isTripleOf(schema, stream, each)})`).join(' OR ')})`,
    'LIMIT 1',
  ].join(' '),
  params: { cutoff: cutoff_us },
})
