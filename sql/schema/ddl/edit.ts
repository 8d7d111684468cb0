import { identifier, qualified } from '../../identifier.ts'
import { columnType, restValue, storedAttributes } from '../columns.ts'
import { feedView, graphDatabase, inputTable, nextTable, rejectedTable } from '../names.ts'
import type { Attribute, Filter, Relation, Schema, Stream } from '../schema.ts'
import { type Measure, statistics } from '../statistics.ts'
import { type Aggregate, type AggregateSource, createAggregateTable, selectStates, ttlPace } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { expiry, expirySettings } from './events.ts'
import { insertMatches } from './filters.ts'
import { intervalColumn } from './intervals.ts'
import { dropPast, fillFromPast, keepPast, nameOf, pastRows } from './past.ts'
import { forgetRelation, graphFeeds } from './relations.ts'
import { createSchema, derivedTables, hasUsage } from './schema.ts'

/** The statements of an edit, each list in its order. */
export type Edit = {
  /** Run while no event comes in: what hangs off the Null tables goes, columns change, all is made anew, the past is kept. */
  readonly still: readonly string[]
  /** Run afterwards, while events come in again: the past is brought into what is new. */
  readonly fill: readonly string[]
  readonly clean: readonly string[]
}

/** The schema without the aggregates of one stream: an edit from it to the whole makes them anew. */
export const withoutAggregates = (schema: Schema, stream: string): Schema => ({
  ...schema,
  streams: schema.streams.map((each) =>
    each.name === stream
      ? { ...each, attributes: each.attributes.map(withoutStatistic), groupBys: [], entities: [], relations: [] }
      : each,
  ),
})

const withoutStatistic = ({ statistic: _, ...attribute }: Attribute): Attribute => attribute

/** An input stream that an edit brings may have taken events already when it is done again: they are its past. */
const withNewInputs = (from: Schema, to: Schema): Schema => ({
  ...from,
  streams: [
    ...from.streams,
    ...to.streams
      .filter(({ name, kind }) => kind === 'input' && !streamOf(from, name))
      .map((stream) => ({
        ...stream,
        attributes: stream.attributes.map(withoutStatistic),
        groupBys: [],
        entities: [],
        relations: [],
        filters: [],
      })),
  ],
})

/** Whatever was done of an edit when a crash came, doing it again from the start gives the same. */
export function planEdit(before: Schema, to: Schema): Edit {
  const from = withNewInputs(before, to)
  const sources = freshSources(from, to)
  const fills = [
    ...sources
      .filter(({ stream }) => streamOf(from, stream))
      .map((source) => ({ stream: source.stream, text: fillFromPast(to, source) })),
    ...freshRelations(from, to),
    ...freshFilters(from, to),
  ]
  const pasts = [...new Set(fills.map(({ stream }) => stream))]
  return {
    still: [
      ...dropFeeds(from),
      ...dropFeeds(to),
      ...from.streams.flatMap((stream) => dropGone(from, to, stream)),
      ...to.streams.flatMap((stream) => alterEvents(from, to, stream)),
      ...alterAggregates(from, to, sources),
      ...createSchema(to),
      ...forgetTriples(from, to),
      ...pasts.flatMap((stream) => keepPast(to, stream)),
    ],
    fill: fills.map(({ text }) => text),
    clean: pasts.map((stream) => dropPast(to.name, stream)),
  }
}

const streamOf = (schema: Schema, name: string): Stream | undefined => schema.streams.find((each) => each.name === name)
const allDerived = (schema: Schema): DerivedTable[] => schema.streams.flatMap((stream) => derivedTables(schema, stream))
const dropView = (schema: string, view: string): string => `DROP VIEW IF EXISTS ${qualified(schema, view)} SYNC`
const dropTable = (schema: string, table: string): string => `DROP TABLE IF EXISTS ${qualified(schema, table)} SYNC`

/** Every view of a schema, and the Null tables: they hold no data. */
function dropFeeds(schema: Schema): string[] {
  const { name, streams } = schema
  const events = streams.filter(({ kind }) => kind !== 'entity')
  return [
    ...events.map((stream) => dropView(name, feedView(stream.name, stream.name))),
    ...allDerived(schema).flatMap(({ aggregate, sources, view }) => [
      ...sources.map(({ stream, number }) => dropView(name, feedView(aggregate.table, stream, number))),
      dropView(name, view.name),
    ]),
    ...events.flatMap((stream) => graphFeeds(schema, stream).map(({ view }) => dropView(name, view))),
    ...events.filter(hasUsage).map((stream) => dropView(name, feedView('weir_usage', stream.name))),
    ...events.flatMap((stream) =>
      stream.filters.map(({ target }, number) => dropView(name, feedView(inputTable(target), stream.name, number))),
    ),
    ...events.map((stream) => dropTable(name, inputTable(stream.name))),
  ]
}

/** Tables of a stream that the edited schema does not have. */
function dropGone(from: Schema, to: Schema, stream: Stream): string[] {
  if (streamOf(to, stream.name)) return []
  return [
    ...derivedTables(from, stream).map(({ aggregate }) => dropTable(from.name, aggregate.table)),
    ...(stream.kind === 'entity'
      ? []
      : [stream.name, rejectedTable(stream.name)].map((table) => dropTable(from.name, table))),
  ]
}

/** New attributes read what events brought under their name while it was not declared. */
function alterEvents(from: Schema, to: Schema, stream: Stream): string[] {
  const before = streamOf(from, stream.name)
  if (stream.kind === 'entity') return []
  if (!before) return [dropTable(to.name, stream.name)]
  const known = new Set(storedAttributes(before).map(({ name }) => name))
  const table = `ALTER TABLE ${qualified(to.name, stream.name)}`
  const added = storedAttributes(stream)
    .filter(({ name }) => !known.has(name))
    .map(
      ({ name, type }) =>
        `${table} ADD COLUMN IF NOT EXISTS ${identifier(name)} ${columnType(type)} DEFAULT ${restValue({ name, type })}`,
    )
  if (before.window === stream.window) return added
  const [ttl] = expiry(stream.window)
  // The partitions stay those of the window that the table was made with: rows of another one expire one by one.
  const settings = stream.window === 0 ? [] : ['ttl_only_drop_parts = 0', ...expirySettings(stream.window).slice(1)]
  return [
    ...added,
    `${table} MODIFY ${ttl ?? never('_pk')}`,
    ...(settings.length > 0 ? [`${table} MODIFY SETTING ${settings.join(', ')}`] : []),
  ]
}

const sameKeys = (a: DerivedTable, b: DerivedTable): boolean =>
  JSON.stringify(a.aggregate.keys.map(({ name, type }) => [name, type])) ===
  JSON.stringify(b.aggregate.keys.map(({ name, type }) => [name, type]))

/** What a source brings into one measure, as text: two that differ are two statistics. */
const meaning = (source: AggregateSource, measure: Measure): string =>
  selectStates({ ...source, measures: [measure] }, 'rows')

/** The measures that the schema did not keep before, with the sources that bring them. */
function freshSources(from: Schema, to: Schema): AggregateSource[] {
  const old = new Map(allDerived(from).map((derived) => [derived.aggregate.table, derived]))
  return allDerived(to).flatMap((derived) => {
    const before = old.get(derived.aggregate.table)
    const kept = before && sameKeys(before, derived) ? before : undefined
    const known = new Set(kept?.sources.flatMap((source) => source.measures.map((measure) => meaning(source, measure))))
    return derived.sources
      .map((source) => ({
        ...source,
        measures: source.measures.filter((measure) => !known.has(meaning(source, measure))),
      }))
      .filter(({ measures }) => measures.length > 0)
  })
}

/** A table that gains measures is made anew and takes over the ones that stay. */
function alterAggregates(from: Schema, to: Schema, fresh: readonly AggregateSource[]): string[] {
  const old = new Map(allDerived(from).map((derived) => [derived.aggregate.table, derived]))
  return allDerived(to).flatMap((derived) => {
    const { table, keys, measures } = derived.aggregate
    const before = old.get(table)
    if (!before || !sameKeys(before, derived)) return [dropTable(to.name, table)]
    const gained = fresh.filter(({ aggregate }) => aggregate.table === table).flatMap((source) => source.measures)
    if (gained.length === 0) return alterExpiry(before.aggregate, derived.aggregate)
    const results = new Set(gained.map(({ result }) => result))
    const kept = measures.filter(({ result }) => !results.has(result))
    const columns = [
      ...keys.map(({ name }) => identifier(name)),
      ...kept.flatMap((measure) => statistics[measure.kind].columns(measure).map(nameOf)),
    ].join(', ')
    const next = nextTable(table)
    return [
      dropTable(to.name, next),
      createAggregateTable({ ...derived.aggregate, table: next }),
      `INSERT INTO ${qualified(to.name, next)} (${columns}) SELECT ${columns} FROM ${qualified(to.name, table)}`,
      `EXCHANGE TABLES ${qualified(to.name, table)} AND ${qualified(to.name, next)}`,
      dropTable(to.name, next),
    ]
  })
}

/** A TTL that ends nothing. To remove one cannot be repeated, and one without a column is refused. */
const never = (column: string): string => `TTL toDateTime(greatest(4294967295, least(${column}, 1)))`

function alterExpiry(from: Aggregate, { database, table, ttl, window }: Aggregate): string[] {
  if (from.ttl === ttl) return []
  const alter = `ALTER TABLE ${qualified(database, table)}`
  if (ttl === undefined || window === undefined) return [`${alter} MODIFY ${never(intervalColumn)}`]
  return [`${alter} MODIFY TTL ${ttl}`, `${alter} MODIFY SETTING ${ttlPace(window)}`]
}

/** What a cut-off attempt may have brought of a relation that is new. */
const forgetTriples = (from: Schema, to: Schema): string[] =>
  to.streams.flatMap((stream) => {
    const known = new Set(streamOf(from, stream.name)?.relations.map(ends))
    const fresh = stream.relations.filter((relation) => !known.has(ends(relation)))
    return fresh.map((relation) => forgetRelation(to, stream, relation))
  })

/** Relations that give the same triples, whatever properties they bring. */
const ends = ({ subject, relation, object, subjectLabel, objectLabel }: Relation): string =>
  JSON.stringify([subject, relation, object, subjectLabel, objectLabel])

function freshRelations(from: Schema, to: Schema): { stream: string; text: string }[] {
  return to.streams.flatMap((stream) => {
    const before = streamOf(from, stream.name)
    if (!before) return []
    const known = new Set(before.relations.map(ends))
    const knownNodes = new Set(graphFeeds(from, before).map(({ select }) => select('rows')))
    return graphFeeds(to, stream)
      .filter(({ relation, brings, select }) =>
        brings === 'triples' ? !known.has(ends(relation)) : !knownNodes.has(select('rows')),
      )
      .map(({ table, select }) => ({
        stream: stream.name,
        text: `INSERT INTO ${qualified(graphDatabase, table)}\n${select(pastRows(to, stream))}`,
      }))
  })
}

/** A new filter gets the events of before through the Null table of its target, and so do all aggregates there. */
function freshFilters(from: Schema, to: Schema): { stream: string; text: string }[] {
  return to.streams.flatMap((stream) => {
    const before = streamOf(from, stream.name)
    if (!before) return []
    const known = new Set(before.filters.map(({ target, name }) => `${name} ${target}`))
    const copies = new Set(before.filters.map(copied))
    return stream.filters
      .filter((filter) => !known.has(`${filter.name} ${filter.target}`) && !copies.has(copied(filter)))
      .map((filter) => ({ stream: stream.name, text: insertMatches(to, stream, filter, pastRows(to, stream)) }))
  })
}

/** What a filter copies, whatever its name. */
const copied = ({ condition, attributes, target }: Filter): string => JSON.stringify([condition, attributes, target])
