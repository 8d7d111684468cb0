import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import type { Condition } from '../../query/ast.ts'
import { compileCondition, createParams, type Resolve } from '../../query/compile/condition.ts'
import { compileEntityKeys, type EntitySource } from '../../query/compile/entities.ts'
import { eventPlaces, type StreamSource, windowCondition } from '../../query/compile/source.ts'
import type { SqlStatement } from '../../statement.ts'
import { synced } from '../../synced.ts'
import { rowAlias, storedAttributes, valueOf, valueType } from '../columns.ts'
import { filtersInto } from '../made.ts'
import { entityTable, erasureDatabase, queueName, rejectedTable, topTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { hasTop } from '../statistics.ts'
import type { AggregateSource } from './aggregate.ts'

/**
 * An erasure finds its events in a copy of the stream, which shares its parts and is taken while no event is on its way:
 * so events that come later are never among them. Their places, `_pk` and `_seq`, are kept in `matched`, by which the
 * streams that hold copies of them know them. The statements that delete name this table and no client's value, since
 * ClickHouse keeps the text of its latest mutations.
 */
const table = (token: string, name: string): string => qualified(erasureDatabase(token), name)

const matched = (token: string): string => table(token, 'matched')

export const createErasure = (schema: Schema, stream: Stream, token: string): string =>
  `CREATE DATABASE ${identifier(erasureDatabase(token))} COMMENT ${literal(queueName(schema.name, stream.name), 'String')}`

export const dropErasure = (token: string): string =>
  `DROP DATABASE IF EXISTS ${identifier(erasureDatabase(token))} SYNC`

/** Ends mutations that an erasure has left: one that cannot end would hold up all later ones of its table. */
export const killErasure = (token: string): string =>
  `KILL MUTATION WHERE position(command, ${literal(erasureDatabase(token), 'String')}) > 0 SYNC`

/** Erasures that have left something. */
export const compileErasures: SqlStatement<{ readonly token: string }> = {
  text: `SELECT substring(name, ${erasureDatabase('').length + 1}) AS token FROM system.databases WHERE startsWith(name, {prefix:String})`,
  params: { prefix: erasureDatabase('') },
}

/** The events as they are now: run while none is on its way. */
export const keepEvents = (schema: Schema, stream: Stream, token: string): string =>
  `CREATE TABLE ${table(token, 'past')} CLONE AS ${qualified(schema.name, stream.name)}`

export const createMatched = (token: string): string =>
  `CREATE TABLE ${matched(token)} (_pk Int64, _seq Int64, _copy UInt64, _shown UInt8) ENGINE = MergeTree ORDER BY (_pk, _seq) SETTINGS ${synced}`

/** Finds the events that match. Events that have expired are not shown and may still be there: they go as well. */
export function matchEvents(source: StreamSource, where: Condition, token: string): SqlStatement {
  const params = createParams()
  const condition = compileCondition(where, eventPlaces(source.stream, source.columns), params)
  return {
    text: [
      `INSERT INTO ${matched(token)} SELECT _pk, _seq, ${copyOf(source)} AS _copy, ${windowCondition(source)} AS _shown`,
      `FROM ${table(token, 'past')} WHERE ${condition} ${asNew}`,
    ].join(' '),
    params: params.params,
  }
}

const asNew = 'SETTINGS insert_deduplicate = 0'

/** Filters may bring one event into a stream on two ways, with other attributes each: only its values tell the copies apart. */
const isMixed = (schema: Schema, { name }: Stream): boolean => filtersInto(schema, name) > 1

function copyOf({ schema, stream, columns }: Pick<StreamSource, 'schema' | 'stream' | 'columns'>): string {
  if (!isMixed(schema, stream)) return '0'
  const names = new Set([...storedAttributes(stream).map(({ name }) => name), ...columns.all.keys()])
  return `sipHash64(toString(tuple(${['_rest', ...[...names].map(identifier)].join(', ')})))`
}

/** How many events were found, how many of them queries show, the greatest `_pk` and `_seq`. */
type Matched = { readonly found: number; readonly shown: number; readonly until: string; readonly seq: number }

/** One row. */
export const compileMatched = (token: string): SqlStatement<Matched> => ({
  text: [
    'SELECT toFloat64(count()) AS found, toFloat64(countIf(_shown)) AS shown,',
    `toString(max(_pk)) AS until, toFloat64(max(_seq)) AS seq FROM ${matched(token)}`,
  ].join(' '),
  params: {},
})

/** The next places of matched events behind one. */
export const compileMatchedPlaces = (
  token: string,
  after: number,
  limit: number,
): SqlStatement<{ readonly seq: number }> => ({
  text: [
    `SELECT DISTINCT toFloat64(_seq) AS seq FROM ${matched(token)}`,
    `WHERE _seq > {after:Int64} ORDER BY seq LIMIT ${limit}`,
  ].join(' '),
  params: { after },
})

/** Rows `_pk`, `_seq`. */
export const erasedPlaces = (token: string): string => `SELECT _pk, _seq FROM ${matched(token)}`

/** Takes the events out of the stream in which they were found: exactly the rows that matched. */
export function eraseFound(source: Pick<StreamSource, 'schema' | 'stream' | 'columns'>, token: string): string {
  const { schema, stream } = source
  if (!isMixed(schema, stream)) return eraseCopies(schema, stream, token)
  return deleteFrom(
    qualified(schema.name, stream.name),
    `(_pk, _seq, ${copyOf(source)}) IN (SELECT _pk, _seq, _copy FROM ${matched(token)})`,
  )
}

/** Takes every copy of the events out of a stream that filters fill from theirs. */
export const eraseCopies = (schema: Schema, stream: Stream, token: string): string =>
  deleteFrom(qualified(schema.name, stream.name), `(_pk, _seq) IN (${erasedPlaces(token)})`)

/** Not by a lightweight DELETE: rows that it hides stay on the disk until ClickHouse merges their parts. */
const deleteFrom = (from: string, condition: string): string =>
  `ALTER TABLE ${from} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`

/** One row: how many values of the events each measure of an entity has counted. */
export const compileErasedValues = (
  schema: Schema,
  source: AggregateSource,
  token: string,
): SqlStatement<{ readonly counts: readonly number[] }> => ({
  text: [
    `SELECT [${source.measures.map(({ input }) => `toFloat64(count(${valueOf(input)}))`).join(', ')}] AS counts`,
    `FROM ${qualified(schema.name, source.stream)} AS ${rowAlias}`,
    `WHERE (${rowAlias}._pk, ${rowAlias}._seq) GLOBAL IN (${erasedPlaces(token)})`,
    ...(source.condition === undefined ? [] : [`AND ${source.condition}`]),
  ].join(' '),
  params: {},
})

/** How far each partition of a stream's topic has been taken, as its events show. */
export const compilePositions = (
  schema: Schema,
  { name }: Stream,
): SqlStatement<{ readonly lane: string; readonly position: number }> => ({
  text: `SELECT toString(_lane) AS lane, toFloat64(max(_position)) AS position FROM ${qualified(schema.name, name)} GROUP BY _lane`,
  params: {},
})

/** Finds lines that ClickHouse refused and that match, in so far as they are JSON. */
export function matchRejected(schema: Schema, stream: Stream, where: Condition, token: string): SqlStatement {
  const params = createParams()
  const condition = compileCondition(where, rejectedPlaces(stream), params)
  return {
    text: [
      `INSERT INTO ${table(token, 'lines')} SELECT at, sipHash64(line) AS _hash FROM`,
      `(SELECT at, line, JSONExtractString(line, '_rest') AS _rest FROM ${qualified(schema.name, rejectedTable(stream.name))})`,
      `WHERE ${condition} ${asNew}`,
    ].join(' '),
    params: params.params,
  }
}

/** A line has the columns of the Null table; members that are not declared stand in its `_rest`. */
function rejectedPlaces(stream: Stream): Resolve {
  const places = eventPlaces(stream, { all: new Map(), late: new Set() })
  return (path, comparison) => {
    const place = places(path, comparison)
    if (place.kind === 'json') return place
    if (place.sql === '_pk') return { ...place, sql: "JSONExtractInt(line, '_pk')" }
    return path === '_v' ? place : { kind: 'json', column: 'line', path: [path] }
  }
}

export const createLines = (token: string): string =>
  `CREATE TABLE ${table(token, 'lines')} (at DateTime64(6), line UInt64) ENGINE = MergeTree ORDER BY at SETTINGS ${synced}`

export const eraseRejected = (schema: Schema, stream: Stream, token: string): string =>
  deleteFrom(
    qualified(schema.name, rejectedTable(stream.name)),
    `(at, sipHash64(line)) IN (SELECT at, line FROM ${table(token, 'lines')})`,
  )

/** Whether lines of a stream were ever refused: a row where its table is there. */
export const compileHasRejected = (schema: Schema, stream: Stream): SqlStatement<{ readonly one: number }> => ({
  text: 'SELECT 1 AS one FROM system.tables WHERE database = {schema:String} AND name = {table:String}',
  params: { schema: schema.name, table: rejectedTable(stream.name) },
})

const keyNames = ({ keys }: EntitySource): string => keys.map(({ name }) => identifier(name)).join(', ')

export const createFoundKeys = ({ keys }: EntitySource, token: string): string => {
  const columns = keys.map(({ name, type }) => `${identifier(name)} ${valueType(type)}`)
  return `CREATE TABLE ${table(token, 'keys')} (${columns.join(', ')}) ENGINE = MergeTree ORDER BY tuple() SETTINGS ${synced}`
}

/** Finds the keys of an entity stream whose rows match. */
export const matchKeys = (source: EntitySource, where: Condition, token: string, at_us: number): SqlStatement => {
  const { text, params } = compileEntityKeys(source, where, at_us)
  return { text: `INSERT INTO ${table(token, 'keys')} ${text} ${asNew}`, params }
}

/** One row. */
export const compileFoundKeys = (token: string): SqlStatement<{ readonly found: number }> => ({
  text: `SELECT toFloat64(count()) AS found FROM ${table(token, 'keys')}`,
  params: {},
})

/**
 * Takes the rows of the keys out, and those of their windows: run while no event is on its way, since a later event begins a
 * row anew.
 */
export const eraseKeys = (source: EntitySource, token: string): string[] => {
  const names = keyNames(source)
  const entity = entityTable(source.stream)
  const tops = source.measures.filter(hasTop).map(({ result }) => topTable(entity, result))
  const windows = source.windows.map((window) => window.table)
  return [...tops, ...windows, entity].map((each) =>
    deleteFrom(qualified(source.database, each), `(${names}) IN (SELECT ${names} FROM ${table(token, 'keys')})`),
  )
}
