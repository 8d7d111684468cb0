import { qualified } from '../../identifier.ts'
import { touchedEvents, untouchedEvents } from '../ddl/gone.ts'
import type { GraphFeed, TripleFeed } from '../ddl/graph/feed.ts'
import { graphFeeds, isTripleOf } from '../ddl/graph/relations.ts'
import { graphDatabase } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
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
} from './check.ts'
import { findPairs, pairKeys } from './pairs.ts'

/** Compares the triples and nodes that a stream has brought into the graph with its events. */
export function graphChecks(schema: Schema, stream: Stream, facts: Facts): Check[] {
  const feeds = graphFeeds(schema, stream)
  const together = new Map<string, TripleFeed[]>()
  for (const feed of feeds.filter((each) => each.brings === 'triples')) {
    const which = isTripleOf(schema, stream, feed.relation)
    together.set(which, [...(together.get(which) ?? []), feed])
  }
  return [
    ...[...together].map(([which, triples]) => triplesCheck(schema, stream, which, triples, facts)),
    ...feeds.flatMap((feed) => (feed.brings === 'nodes' ? [nodesCheck(schema, stream, feed, facts)] : [])),
  ]
}

const eventsWhere = (schema: Schema, stream: Stream, conditions: readonly string[]): string =>
  `(SELECT * FROM ${qualified(schema.name, stream.name)} WHERE ${allOf(conditions)})`

/**
 * A triple is known by its event's `_pk` and `_seq`: an edit may give a relation another lane. One whose event is gone
 * stays, where events may be gone. A triple that touches a node that a client has taken out since is as the client left it.
 */
function triplesCheck(
  schema: Schema,
  stream: Stream,
  which: string,
  feeds: readonly TripleFeed[],
  facts: Facts,
): Check {
  const table = qualified(graphDatabase, feeds[0]?.table ?? '')
  const since = comparedSince(stream, facts)
  const events = eventsWhere(schema, stream, atLeast('_pk', since))
  const isUntouched = (feed: GraphFeed): string =>
    `(_at, _seq) GLOBAL NOT IN (${touchedEvents(schema, feed, events, 'query')})`
  const pairs = {
    held: `SELECT _at AS _k0, _seq AS _k1 FROM ${table} WHERE ${allOf([which, ...atLeast('_at', since), ...feeds.map(isUntouched)])}`,
    there: feeds
      .map((feed) => `SELECT _at AS _k0, _seq AS _k1 FROM (${feed.select(untouchedEvents(schema, feed, events))})`)
      .join(' UNION ALL '),
  }
  const until = erasedUntil([stream], facts)
  // A triple whose event was erased stays.
  const isWrong = until === undefined ? 'sum(_h) != sum(_t)' : `(sum(_t) > 0 OR _k0 > ${until}) AND sum(_h) != sum(_t)`
  return {
    stream: stream.name,
    table: `${feeds[0]?.table ?? ''} (${feeds[0]?.name ?? ''})`,
    reads: [stream.name],
    bringsEvents: false,
    keys: pairKeys,
    count: `SELECT count() AS checked FROM (${pairs.there})`,
    find: (among) =>
      findPairs(pairs, isComplete(stream, facts) ? isWrong : 'sum(_t) > 0 AND sum(_h) != sum(_t)', among),
    repair: (touched, aside) =>
      changeAside(table, aside, [
        deleteRows(aside, allOf([which, isAmong(['_at', '_seq'], touched, 'mutation')])),
        ...feeds.map(
          ({ columns, select }) =>
            `INSERT INTO ${aside} (${columns.join(', ')})\n${select(eventsWhere(schema, stream, [isAmong(['_pk', '_seq'], touched)]))}\n${asNew}`,
        ),
      ]),
  }
}

/** Nodes merge by themselves, however often an event brings them: only those that are missing are looked for. */
function nodesCheck(schema: Schema, stream: Stream, feed: GraphFeed, facts: Facts): Check {
  const table = qualified(graphDatabase, feed.table)
  const events = eventsWhere(schema, stream, atLeast('_pk', comparedSince(stream, facts)))
  const ends = `SELECT DISTINCT _end.1 AS _k0, _end.2 AS _k1 FROM (${feed.ends(untouchedEvents(schema, feed, events))})`
  return {
    stream: stream.name,
    table: `${feed.table} (${feed.name})`,
    reads: [stream.name],
    bringsEvents: false,
    keys: ['String', 'String'],
    count: `SELECT count() AS checked FROM (${ends})`,
    find: (among) =>
      [
        `SELECT _k0, _k1, [toInt64(-1)] AS _difference FROM (${ends})`,
        `WHERE (_k0, _k1) GLOBAL NOT IN (SELECT label, name FROM ${table} WHERE property = '')`,
        ...(among === undefined ? [] : [`AND ${isAmong(['_k0', '_k1'], among)}`]),
        findEnd(),
      ].join(' '),
    repair: (touched) => [
      [
        `INSERT INTO ${table} SELECT * FROM (${feed.select(untouchedEvents(schema, feed, qualified(schema.name, stream.name)))})`,
        `WHERE ${isAmong(['label', 'name'], touched)}`,
        asNew,
      ].join('\n'),
    ],
  }
}
