import { identifier, qualified } from '../../../identifier.ts'
import { literal } from '../../../literal.ts'
import type { SqlStatement } from '../../../statement.ts'
import { graphDatabase, queueName, rebuildDatabase, schemaGraph, tripleTable } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import type { DerivedTable } from '../derived.ts'
import { touchedEvents, untouchedEvents } from '../gone.ts'
import { triplesComment } from '../graph/graph.ts'
import { graphFeeds, isTripleOf } from '../graph/relations.ts'
import { derivedTables } from '../schema.ts'
import { fillFromPast, pastRows, takeOver } from './past-events.ts'
import { swap } from './swap.ts'

/**
 * A rebuild makes a stream's aggregates anew beside the old ones, in a database of its own that bears the stream's name
 * as its comment, while events go on coming in:
 *
 * - `past` are the events as they were when it began; `t0_present` is a table as it was then, where others feed it too;
 * - `t0_live` are the rows that have come into the table since, by the view `t0_feed`;
 * - `t0_fill` are the rows that the past brings: made under a name of the attempt's own, so it is there whole or not at all;
 * - `t0_whole`, the two together, changes places with the table. The token stays as a comment on the table that took its place.
 */
type Place = { readonly token: string; readonly index: number }

/** A table that a rebuild replaces. */
export type RebuildTarget = {
  readonly database: string
  readonly table: string
  /** The table's comment for analysts. */
  readonly about?: string
  /** Whether the rows of other streams are taken over from the table itself. */
  readonly isShared: boolean
  /** Statements that bring all it holds into `into`. */
  fill(into: string, past: string, present: string): string[]
}

const place = ({ token, index }: Place, part: string): string => qualified(rebuildDatabase(token), `t${index}_${part}`)

const pastOf = (token: string): string => qualified(rebuildDatabase(token), 'past')

/** The tables and triples that a rebuild of a stream replaces, always in the same order. */
export const rebuildTargets = (schema: Schema, stream: Stream): RebuildTarget[] => [
  ...derivedTables(schema, stream).map((derived) => aggregateTarget(schema, stream, derived)),
  ...schema.streams
    .filter(({ kind }) => kind === 'entity')
    .flatMap((entity) => derivedTables(schema, entity))
    .filter(({ sources }) => sources.some((source) => source.stream === stream.name))
    .map((derived) => aggregateTarget(schema, stream, derived)),
  ...(stream.relations.length === 0 ? [] : [tripleTarget(schema, stream)]),
]

function aggregateTarget(schema: Schema, stream: Stream, { aggregate, sources }: DerivedTable): RebuildTarget {
  const own = sources.filter((source) => source.stream === stream.name)
  const kept = sources.filter((source) => source.stream !== stream.name).flatMap(({ measures }) => measures)
  return {
    database: aggregate.database,
    table: aggregate.table,
    isShared: kept.length > 0,
    fill: (into, past, present) => [
      ...takeOver(aggregate, kept, present, into),
      ...own.map((source) => fillFromPast(schema, source, into, past)),
    ],
  }
}

function tripleTarget(schema: Schema, stream: Stream): RebuildTarget {
  const feeds = graphFeeds(schema, stream).filter((feed) => feed.brings === 'triples')
  const own = stream.relations.map((relation) => `(${isTripleOf(schema, stream, relation)})`)
  return {
    database: graphDatabase,
    table: tripleTable(schemaGraph(schema.name)),
    about: triplesComment(schemaGraph(schema.name)),
    isShared: true,
    fill: (into, past, present) => [
      `INSERT INTO ${into} SELECT * FROM ${present} WHERE NOT (${own.join(' OR ')})`,
      ...feeds.flatMap((feed) => {
        const rows = pastRows(schema, stream, past)
        const touched = touchedEvents(schema, feed, rows, 'query')
        return [
          `INSERT INTO ${into} SELECT * FROM ${present} WHERE ${isTripleOf(schema, stream, feed.relation)} AND (_at, _seq) GLOBAL IN (${touched})`,
          `INSERT INTO ${into} (${feed.columns.join(', ')})\n${feed.select(untouchedEvents(schema, feed, rows))}`,
        ]
      }),
    ],
  }
}

export const createRebuildDatabase = (schema: Schema, stream: Stream, token: string): string =>
  `CREATE DATABASE ${identifier(rebuildDatabase(token))} COMMENT ${literal(queueName(schema.name, stream.name), 'String')}`

/** Makes the tables that a rebuild needs: run while no event of the schema is on its way. */
export const beginRebuild = (schema: Schema, stream: Stream, token: string): string[] => [
  createRebuildDatabase(schema, stream, token),
  `CREATE TABLE ${pastOf(token)} CLONE AS ${qualified(schema.name, stream.name)}`,
  ...rebuildTargets(schema, stream).flatMap(({ database, table, isShared }, index) => {
    const at = { token, index }
    const present = qualified(database, table)
    return [
      ...(isShared ? [`CREATE TABLE ${place(at, 'present')} CLONE AS ${present}`] : []),
      `CREATE TABLE ${place(at, 'live')} AS ${present}`,
      `CREATE MATERIALIZED VIEW ${place(at, 'feed')} TO ${place(at, 'live')} AS SELECT * FROM ${present}`,
    ]
  }),
]

/** Brings the past into a table under a name of this attempt's own. */
export function fillTarget(target: RebuildTarget, at: Place, attempt: string): string[] {
  const into = place(at, `fill_${attempt}`)
  return [
    `CREATE TABLE ${into} AS ${qualified(target.database, target.table)}`,
    ...target.fill(into, pastOf(at.token), place(at, 'present')),
    `RENAME TABLE ${into} TO ${place(at, 'fill')}`,
  ]
}

/** Fills the nodes of the graph: ClickHouse merges their rows, however often events bring them. */
export const fillNodes = (schema: Schema, stream: Stream, token: string): string[] =>
  graphFeeds(schema, stream)
    .filter(({ brings }) => brings === 'nodes')
    .map((feed) => {
      const rows = pastRows(schema, stream, pastOf(token))
      const from = untouchedEvents(schema, feed, rows)
      return `INSERT INTO ${qualified(graphDatabase, feed.table)}\n${feed.select(from)}`
    })

/** Puts a filled table in its target's place: run while no event of the schema is on its way. */
export const swapTarget = ({ database, table, about }: RebuildTarget, at: Place): string[] => [
  `DROP TABLE IF EXISTS ${place(at, 'whole')} SYNC`,
  `CREATE TABLE ${place(at, 'whole')} CLONE AS ${place(at, 'fill')}`,
  `ALTER TABLE ${place(at, 'whole')} ATTACH PARTITION tuple() FROM ${place(at, 'live')}`,
  ...swap(qualified(database, table), place(at, 'whole'), at.token, about),
]

/** Rows `name`: the tables that a rebuild has. */
export const compileRebuildTables = (token: string): SqlStatement => ({
  text: 'SELECT name FROM system.tables WHERE database = {database:String}',
  params: { database: rebuildDatabase(token) },
})

/** Rows `token`: rebuilds of a stream, or of any stream of a schema, that have left something. */
export const compileRebuilds = (schema: string, stream?: string): SqlStatement => ({
  text: [
    `SELECT substring(name, ${rebuildDatabase('').length + 1}) AS token FROM system.databases`,
    `WHERE startsWith(name, {prefix:String})`,
    stream === undefined ? 'AND startsWith(comment, {of:String})' : 'AND comment = {of:String}',
  ].join(' '),
  params: { prefix: rebuildDatabase(''), of: queueName(schema, stream ?? '') },
})

/** Rows `name`: the views by which a rebuild is fed. They go before the tables that they feed. */
export const compileRebuildFeeds = (token: string): SqlStatement => ({
  text: "SELECT name FROM system.tables WHERE database = {database:String} AND engine = 'MaterializedView'",
  params: { database: rebuildDatabase(token) },
})

export const dropRebuildFeed = (token: string, view: string): string =>
  `DROP VIEW IF EXISTS ${qualified(rebuildDatabase(token), view)} SYNC`

export const dropRebuild = (token: string): string =>
  `DROP DATABASE IF EXISTS ${identifier(rebuildDatabase(token))} SYNC`

/** Ends the statements that a rebuild has under way in ClickHouse. */
export const killRebuild = (token: string): string => {
  const isIts = `position(query, ${literal(rebuildDatabase(token), 'String')}) > 0`
  return `KILL QUERY WHERE ${isIts} AND query NOT LIKE 'KILL%' AND query NOT LIKE 'DROP%' SYNC`
}
