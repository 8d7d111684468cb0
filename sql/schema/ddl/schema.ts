import { identifier } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import { schemaGraph } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { createAggregateFeed, createAggregateTable } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { entityTables } from './entities.ts'
import { createEventsFeed, createEventsTable, createInputTable } from './events.ts'
import { createFilterFeed } from './filters.ts'
import { createGraph } from './graph.ts'
import { groupTables } from './groups.ts'
import { intervalTables } from './intervals.ts'
import { createGraphFeed, graphFeeds } from './relations.ts'
import { createUsageFeed } from './usage.ts'

export const createDatabase = (schema: string): string => `CREATE DATABASE IF NOT EXISTS ${identifier(schema)}`
export const dropDatabase = (schema: string): string => `DROP DATABASE IF EXISTS ${identifier(schema)} SYNC`

export const compileHasDatabase = (schema: string): SqlStatement => ({
  text: 'SELECT 1 AS one FROM system.databases WHERE name = {schema:String}',
  params: { schema },
})

export const hasRelations = ({ streams }: Schema): boolean => streams.some(({ relations }) => relations.length > 0)

/** Posted events count as usage. */
export const hasUsage = ({ kind }: Stream): boolean => kind === 'input'

/** Every aggregate of a stream: of its events, or for an entity stream of those that feed it. */
export const derivedTables = (schema: Schema, stream: Stream): DerivedTable[] =>
  stream.kind === 'entity'
    ? entityTables(schema, stream)
    : [...intervalTables(schema, stream), ...groupTables(schema, stream)]

/** Every statement that makes a schema, in the order in which they have to run: targets, Null tables, feeds, views. */
export function createSchema(schema: Schema): string[] {
  const derived = schema.streams.flatMap((stream) => derivedTables(schema, stream))
  const events = schema.streams.filter(({ kind }) => kind !== 'entity')
  return [
    createDatabase(schema.name),
    ...(hasRelations(schema) ? createGraph(schemaGraph(schema.name)) : []),
    ...events.map((stream) => createEventsTable(schema, stream)),
    ...derived.map(({ aggregate }) => createAggregateTable(aggregate)),
    ...events.map((stream) => createInputTable(schema, stream)),
    ...events.map((stream) => createEventsFeed(schema, stream)),
    ...derived.flatMap(({ sources }) => sources.map(createAggregateFeed)),
    ...events.flatMap((stream) => feedsElsewhere(schema, stream)),
    ...derived.map(({ view }) => view.statement),
  ]
}

/** Feeds that leave the stream: into the graph, the usage table, and the streams that its filters feed. */
const feedsElsewhere = (schema: Schema, stream: Stream): string[] => [
  ...graphFeeds(schema, stream).map((feed) => createGraphFeed(schema, stream, feed)),
  ...(hasUsage(stream) ? [createUsageFeed(schema, stream)] : []),
  ...stream.filters.map((filter, number) => createFilterFeed(schema, stream, filter, number)),
]
