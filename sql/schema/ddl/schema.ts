import { identifier } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import { hasQueue, viewFilters } from '../made.ts'
import { schemaGraph } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { createAggregateFeed, createAggregateTable } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { entityTables } from './entities.ts'
import { createEventsFeed, createEventsTable, createInputTable } from './events.ts'
import { createFilterFeed } from './filters.ts'
import { createGraph } from './graph/graph.ts'
import { createGraphFeed, graphFeeds } from './graph/relations.ts'
import { groupTables } from './groups.ts'
import { intervalTables } from './intervals.ts'
import { createMatchesFeed, matchesOf } from './matches.ts'
import { createNoticeFeed } from './notices.ts'
import { createDelivered } from './topic.ts'
import { createUsageFeed } from './usage.ts'

export const createDatabase = (schema: string): string => `CREATE DATABASE IF NOT EXISTS ${identifier(schema)}`
export const dropDatabase = (schema: string): string => `DROP DATABASE IF EXISTS ${identifier(schema)} SYNC`

export const compileHasDatabase = (schema: string): SqlStatement => ({
  text: 'SELECT 1 AS one FROM system.databases WHERE name = {schema:String}',
  params: { schema },
})

/** Whether events bring anything into a graph. */
export const hasGraph = ({ streams }: Schema): boolean =>
  streams.some(({ relations, nodes }) => relations.length + nodes.length > 0)

/** Posted events count as usage. */
export const hasUsage = ({ kind }: Stream): boolean => kind === 'input'

/** Every aggregate of a stream: of its events, or for an entity stream of those that feed it. */
export const derivedTables = (schema: Schema, stream: Stream): DerivedTable[] =>
  stream.kind === 'entity'
    ? entityTables(schema, stream)
    : [...intervalTables(schema, stream), ...groupTables(schema, stream)]

const eventStreams = ({ streams }: Schema): Stream[] => streams.filter(({ kind }) => kind !== 'entity')

/** Statements that hang on those of the steps before, and on no other of their own step. */
export type Step = readonly string[]

const oneByOne = (statements: readonly string[]): Step[] => statements.map((statement) => [statement])

const tableSteps = (schema: Schema): Step[] => [
  [createDatabase(schema.name)],
  ...(hasGraph(schema) ? oneByOne(createGraph(schemaGraph(schema.name), schema.redelivered)) : []),
  [
    ...eventStreams(schema).map((stream) => createEventsTable(schema, stream)),
    ...schema.streams
      .flatMap((stream) => derivedTables(schema, stream))
      .map(({ aggregate }) => createAggregateTable(aggregate)),
  ],
]

/** The tables that hold data. */
export const createTables = (schema: Schema): string[] => tableSteps(schema).flat()

const none: ReadonlySet<string> = new Set()

/**
 * The Null tables and the views that hang on them. Nothing feeds the filter and entity streams of `off`. `rows`: the schema whose
 * rows pass, where those have more columns than this one asks for.
 */
export const createFeeds = (schema: Schema, off = none, rows = schema): string[] => feedSteps(schema, off, rows).flat()

function feedSteps(schema: Schema, off = none, rows = schema): Step[] {
  const passing = eventStreams(rows)
  return [
    [...passing, ...matchesOf(schema)].map((stream) => createInputTable(rows, stream)),
    [
      ...passing.map((stream) => createEventsFeed(rows, stream)),
      ...schema.streams
        .filter(({ name, kind }) => kind !== 'entity' || !off.has(name))
        .flatMap((stream) => derivedTables(schema, stream))
        .flatMap(({ sources }) => sources.map((source) => createAggregateFeed(source))),
      ...eventStreams(schema).flatMap((stream) => feedsElsewhere(schema, stream, off, rows)),
      ...matchesOf(schema).map(() => createMatchesFeed(schema)),
    ],
    ...oneByOne(
      rows.redelivered
        ? [...passing.filter(hasQueue), ...matchesOf(schema)].flatMap((stream) => createDelivered(rows, stream))
        : [],
    ),
  ]
}

export const createViews = (schema: Schema): string[] =>
  schema.streams
    .flatMap((stream) => derivedTables(schema, stream))
    .flatMap(({ views }) => views.map(({ statement }) => statement))

/** Every statement that makes a schema: targets, Null tables, feeds, views. */
export const createSchemaSteps = (schema: Schema, views = createViews(schema)): Step[] => [
  ...tableSteps(schema),
  ...feedSteps(schema),
  views,
]

/** The same in an order in which they can run. */
export const createSchema = (schema: Schema, views = createViews(schema)): string[] =>
  createSchemaSteps(schema, views).flat()

/** Feeds that leave the stream: into the graph, the usage table, and the streams that its filters feed. */
function feedsElsewhere(schema: Schema, stream: Stream, off: ReadonlySet<string>, rows: Schema): string[] {
  const passing = rows.streams.find(({ name }) => name === stream.name) ?? stream
  return [
    ...graphFeeds(schema, stream).map((feed) => createGraphFeed(schema, stream, feed)),
    ...(hasUsage(stream) ? [createUsageFeed(schema, stream)] : []),
    ...viewFilters(schema, stream).flatMap(({ filter, number }) =>
      off.has(filter.target) ? [] : [createFilterFeed(rows, passing, filter, number)],
    ),
    ...stream.notices.map((notice, number) => createNoticeFeed(rows, passing, notice, number)),
  ]
}
