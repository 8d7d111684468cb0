import { qualified } from '../../../identifier.ts'
import type { SqlStatement } from '../../../statement.ts'
import { graphDatabase, nextTable, propertyTable } from '../../names.ts'
import type { Schema } from '../../schema.ts'
import { dropView } from '../feeds.ts'
import { hasUsage } from '../schema.ts'
import { dropTopic } from '../topic.ts'
import { createProperties, firstWrite, nodesView, update } from './graph.ts'
import { createGraphFeed, graphFeeds } from './relations.ts'

/**
 * At commit cfd7dc4 a property of a node was two states, the first write and the latest update; now it is one write, the
 * greatest of all. What is old has a column `first`; what the new table took the place of is kept aside until the feeds
 * are there again, so that a crash anywhere is seen by the next start.
 */
const propertiesEnd = propertyTable('')
const asideEnd = nextTable(propertiesEnd)

/** Rows `graph`, `isOld`: graphs whose properties are of the old form, or whose feeds are still to be made anew. */
export const compileOldNodes: SqlStatement = {
  text: [
    'SELECT if(endsWith(table, {aside:String}), substring(table, 1, length(table) - length({aside:String})),',
    '  substring(table, 1, length(table) - length({properties:String}))) AS graph,',
    "countIf(name = 'first' AND endsWith(table, {properties:String})) AS isOld",
    'FROM system.columns WHERE database = {database:String}',
    "AND ((endsWith(table, {properties:String}) AND name = 'first') OR",
    "  (endsWith(table, {aside:String}) AND name IN ('first', 'written')))",
    'GROUP BY graph ORDER BY graph',
  ].join(' '),
  params: { database: graphDatabase, properties: propertiesEnd, aside: asideEnd },
}

const properties = (graph: string): string => qualified(graphDatabase, propertyTable(graph))
const aside = (graph: string): string => qualified(graphDatabase, nextTable(propertyTable(graph)))
const dropAside = (graph: string): string => `DROP TABLE IF EXISTS ${aside(graph)} SYNC`

type NodeFeed = { readonly view: string; readonly create: string }

const nodeFeeds = (schema: Schema): NodeFeed[] =>
  schema.streams.flatMap((stream) =>
    graphFeeds(schema, stream)
      .filter(({ brings }) => brings === 'nodes')
      .map((feed) => ({ view: feed.view, create: createGraphFeed(schema, stream, feed) })),
  )

/** A state's bytes are those of the function that also tells by what it has chosen. */
const chosen = (column: string, of: string): string =>
  `finalizeAggregation(CAST(CAST(${column}, 'String'), 'AggregateFunction(${of})'))`

/** Puts properties of the new form in the place of the old. Nothing may be on its way into the graph until `feedNodes`. */
export const swapNodes = (graph: string, schema: Schema | undefined): string[] => [
  ...(schema?.streams.filter(hasUsage).flatMap(({ name }) => dropTopic(schema.name, name)) ?? []),
  ...(schema ? nodeFeeds(schema).map(({ view }) => dropView(schema.name, view)) : []),
  dropAside(graph),
  createProperties(nextTable(propertyTable(graph))),
  [
    `INSERT INTO ${aside(graph)} (label, name, property, written)`,
    'SELECT label, name, property,',
    `  if(latest.1 != '', ${update('latest.1', 'latest.2.1', 'latest.2.2')}, ${firstWrite('earliest.1', 'earliest.2')})`,
    'FROM (SELECT label, name, property,',
    `  ${chosen('first', 'argAndMin, String, Int64')} AS earliest,`,
    `  ${chosen('updated', 'argAndMax, String, Tuple(Int64, Int64)')} AS latest`,
    `  FROM ${properties(graph)})`,
  ].join('\n'),
  `EXCHANGE TABLES ${properties(graph)} AND ${aside(graph)}`,
]

/** What follows on `swapNodes`, and may be repeated. */
export const feedNodes = (graph: string, schema: Schema | undefined): string[] => [
  `CREATE OR REPLACE VIEW ${nodesView(graph)}`,
  ...(schema ? nodeFeeds(schema).map(({ create }) => create) : []),
  dropAside(graph),
]
