/**
 * Nodes that a client has taken out of a schema's graph, by DELETE or as the secondary of a MERGE. No table that is made
 * anew from events brings back the properties and triples that events up to then brought of them.
 */
import { literal } from '../../literal.ts'
import { schemaGraph } from '../names.ts'
import type { Schema } from '../schema.ts'
import type { GraphFeed } from './graph/feed.ts'

export const goneTable = '`weir`.`graph_gone`'

/** The tables with rows about graphs, beside the tables of each. */
export const graphRecords: readonly string[] = [goneTable, '`weir`.`geo_indexes`', '`weir`.`graph_merges`']

/** Forgets the rows about a graph that are kept beside its tables. */
export const forgetGraph = (graph: string): string[] =>
  graphRecords.map((table) => `DELETE FROM ${table} WHERE graph = ${literal(graph, 'String')}`)

/** Rows `_at`, `_seq`: events in `from` that bring something of a node that has gone since. */
export function touchedEvents(schema: Schema, feed: GraphFeed, from: string, within: 'query' | 'mutation'): string {
  const graph = literal(schemaGraph(schema.name), 'String')
  return [
    'SELECT _at, _seq FROM',
    `(${feed.ends(from)}) AS triple`,
    `${within === 'query' ? 'GLOBAL ' : ''}INNER JOIN`,
    `(SELECT label, name, max(until) AS until FROM ${goneTable} WHERE graph = ${graph} GROUP BY label, name) AS gone`,
    'ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until',
  ].join(' ')
}

/** The other events in `from`. */
export const untouchedEvents = (schema: Schema, feed: GraphFeed, from: string): string =>
  `(SELECT * FROM ${from} WHERE (_pk, _seq) GLOBAL NOT IN (${touchedEvents(schema, feed, from, 'query')}))`
