/** Triples of kept events, which go before those events bring them again. */
import { qualified } from '../../../identifier.ts'
import { graphDatabase, pastTable, schemaGraph, tripleTable } from '../../names.ts'
import type { Relation, Schema, Stream } from '../../schema.ts'
import { touchedEvents } from '../gone.ts'
import type { TripleFeed } from '../graph/feed.ts'
import { isTripleOf } from '../graph/relations.ts'
import { pastRows } from './past-events.ts'
import { type Change, freshFilters, streamOf } from './schema-diff.ts'

/** Takes out the triples of an earlier try, or of a like relation that went, before a relation's past comes into the graph. */
export const forgetPastTriples = (schema: Schema, stream: Stream, feed: TripleFeed): string =>
  forget(schema, stream, feed.relation, stream, [
    `(_at, _seq) NOT IN (${touchedEvents(schema, feed, pastRows(schema, stream), 'mutation')})`,
  ])

/**
 * Before new filters copy kept events into streams that are new too: takes out the triples of earlier streams of those
 * names. No stream of `off` takes copies.
 */
export const forgetCopiedTriples = (change: Change, off: ReadonlySet<string>): string[] =>
  freshFilters(change).flatMap(({ stream, filter }) =>
    newStreams(change, filter.target, off).flatMap((target) =>
      target.relations.map((relation) => forget(change.to, target, relation, stream)),
    ),
  )

/** The stream of that name, where it is new, and the new ones that filters fill from it. */
function newStreams(change: Change, name: string, off: ReadonlySet<string>): Stream[] {
  const stream = streamOf(change.to, name)
  if (stream === undefined || off.has(name) || streamOf(change.from, name)) return []
  const targets = new Set(stream.filters.map(({ target }) => target))
  return [stream, ...[...targets].flatMap((target) => newStreams(change, target, off))]
}

/** Triples of events that have expired stay, and so do triples that came since the edit stands. */
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
