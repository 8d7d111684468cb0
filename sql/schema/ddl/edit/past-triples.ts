/** Triples of kept events, which go before those events bring them again. */
import { qualified } from '../../../identifier.ts'
import { graphDatabase, pastTable, schemaGraph, tripleTable } from '../../names.ts'
import type { Relation, Schema, Stream } from '../../schema.ts'
import { touchedEvents } from '../gone.ts'
import { type GraphFeed, isTripleOf } from '../graph/relations.ts'
import { pastRows } from './kept-events.ts'
import type { FreshFilter } from './schema-diff.ts'

/** Before a relation's past is brought into the graph: what an earlier try brought, or a relation like it that went. */
export const forgetPastTriples = (schema: Schema, stream: Stream, feed: GraphFeed): string =>
  forget(schema, stream, feed.relation, stream, [
    `(_at, _seq) NOT IN (${touchedEvents(schema, feed, pastRows(schema, stream), 'mutation')})`,
  ])

/** Before filters copy kept events into streams that are new: what streams of their names brought that went. */
export const forgetCopiedTriples = (schema: Schema, { stream, reaches }: FreshFilter): string[] =>
  reaches.flatMap((target) => target.relations.map((relation) => forget(schema, target, relation, stream)))

/** Those of events that have expired stay, and so do those that came since the edit stands. */
function forget(
  schema: Schema,
  source: Stream,
  relation: Relation,
  kept: Stream,
  conditions: readonly string[] = [],
): string {
  const past = qualified(schema.name, pastTable(kept.name))
  return [
    `ALTER TABLE ${qualified(graphDatabase, tripleTable(schemaGraph(schema.name)))} DELETE`,
    `WHERE ${isTripleOf(schema, source, relation)}`,
    `AND _at >= (SELECT min(_pk) FROM ${past}) AND _seq <= (SELECT max(_seq) FROM ${past})`,
    ...conditions.map((condition) => `AND ${condition}`),
    // Not by a lightweight DELETE: reads through the projection would still see the rows (measured, ClickHouse 26.7).
    'SETTINGS mutations_sync = 2',
  ].join(' ')
}
