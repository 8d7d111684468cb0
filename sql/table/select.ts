import type { Condition } from '../query/ast.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import type { SqlStatement } from '../statement.ts'
import { narrowByWords, type Scope } from './narrow.ts'
import { orderKey } from './records.ts'
import { keyType, recordsDatabase, storageOf, type Table } from './table.ts'
import { compileWhere } from './where.ts'

/** The last record of the page before; without `seq` every record of that key has been seen. */
export type RecordPosition = { readonly key: string; readonly seq?: string }

export type RecordsRequest = {
  readonly where?: Condition
  readonly limit: number
  readonly after?: RecordPosition
  /** Records of which the hash is below this, the text of a UInt64. */
  readonly below?: string
  /** The answer ends with the block of rows in which it exceeds this. */
  readonly pageBytes: number
  readonly blockRows: number
}

/** A statement over one of the scopes that could answer it. */
export type Scoped = { readonly scope: Scope; readonly params: Params }

/**
 * Columns `k` (`_pk`), `s` (`_seq`), `n` (`_v`) and `d` (the document), all text, in the order of keys. One stream reads
 * little ahead, which is right where a page is soon full.
 */
export function compileRecords(table: Table, { scope, params }: Scoped, request: RecordsRequest): SqlStatement {
  const conditions = [
    ...matching(table, scope, request.where, params),
    ...behind(table, request.after, params),
    ...(request.below === undefined ? [] : [`${hashOfRecord} < ${params.add(request.below, 'UInt64')}`]),
  ]
  return {
    text: [
      'SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d',
      `FROM ${storageOf(table)} FINAL WHERE ${conditions.join(' AND ')}`,
      `ORDER BY ${scope.inOrder ? orderKey : '_pk, _seq'} LIMIT ${request.limit}`,
      `SETTINGS ${scope.maxMatch ? 'max_threads = 1, ' : ''}max_block_size = ${request.blockRows},`,
      `max_result_bytes = ${request.pageBytes}, result_overflow_mode = 'break'`,
    ].join(' '),
    params: params.params,
  }
}

/** The same record has the same hash each time. */
const hashOfRecord = 'sipHash64(_pk, _seq)'

/** One row, `below`: the hash behind the `count` least ones of the records that match; no row where there are no more. */
export function compileRecordSampleBound(
  table: Table,
  { scope, params }: Scoped,
  { where, count }: { readonly where?: Condition; readonly count: number },
): SqlStatement<{ below: string }> {
  return {
    text: `SELECT toString(_hash) AS below FROM (SELECT ${hashOfRecord} AS _hash FROM ${storageOf(table)} FINAL WHERE ${matching(table, scope, where, params).join(' AND ')}) ORDER BY _hash LIMIT 1 OFFSET ${count}`,
    params: params.params,
  }
}

export function compileRecordCount(table: Table, { scope, params }: Scoped, where?: Condition): SqlStatement {
  return {
    text: `SELECT count() AS count FROM ${storageOf(table)} FINAL WHERE ${matching(table, scope, where, params).join(' AND ')}`,
    params: params.params,
  }
}

/** Column `bytes`: the bytes of a row on average, before compression. */
export const compileRowBytes = (table: Table): SqlStatement => ({
  text: [
    'SELECT toFloat64(sum(data_uncompressed_bytes)) / greatest(sum(rows), 1) AS bytes FROM system.parts',
    'WHERE active AND database = {database:String} AND table = {storage:String}',
  ].join(' '),
  params: { database: recordsDatabase, storage: table.storage },
})

/** How many rows a scope holds at most, from the sparse index alone: column `rows`. */
export const compileEstimate = (table: Table, { scope, params }: Scoped): SqlStatement => ({
  text: `EXPLAIN ESTIMATE SELECT _pk FROM ${storageOf(table)} WHERE ${scope.sql}`,
  params: params.params,
})

/** The rows that `compileByKeys` asks for. */
export type VersionRow = {
  readonly k: string
  readonly s: string
  readonly n: string
  readonly d: string
  /** `_version` and `_deleted`. */
  readonly version: string
  readonly deleted: number
}

/**
 * Every version that is left of the records of some keys; `d` is empty where documents are not wanted. Reading them plainly
 * and choosing the latest costs half as much as FINAL.
 */
export function compileByKeys(table: Table, keys: readonly string[], withDocuments: boolean): SqlStatement {
  const params = createParams()
  const list = keys.map((key) => params.add(key, keyType(table)))
  return {
    text: [
      `SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, ${withDocuments ? 'doc' : "''"} AS d,`,
      `toString(_version) AS version, _deleted AS deleted FROM ${storageOf(table)}`,
      `PREWHERE _pk ${list.length === 1 ? `= ${list[0]}` : `IN (${list.join(', ')})`} WHERE _index = 0 SETTINGS max_threads = 1`,
    ].join(' '),
    params: params.params,
  }
}

/** The records of each key as they are now, newest first. */
export function latestRecords(rows: readonly VersionRow[]): Map<string, VersionRow[]> {
  const latest = new Map<string, VersionRow>()
  for (const row of rows) {
    const place = `${row.s}:${row.k}`
    const known = latest.get(place)
    if (!known || Number(known.version) < Number(row.version)) latest.set(place, row)
  }
  const records = new Map<string, VersionRow[]>()
  for (const row of latest.values()) {
    if (row.deleted === 1) continue
    const known = records.get(row.k)
    if (known) known.push(row)
    else records.set(row.k, [row])
  }
  for (const each of records.values()) each.sort((a, b) => Number(a.s) - Number(b.s))
  return records
}

/** The conditions under which a record of the scope is asked for. */
export function matching(table: Table, scope: Scope, where: Condition | undefined, params: Params): string[] {
  if (!where) return [scope.sql]
  const words = narrowByWords(table, where)
  return [
    scope.sql,
    ...(words === undefined ? [] : [`_pk IN (SELECT _pk FROM ${storageOf(table)} WHERE _index = 0 AND ${words})`]),
    compileWhere(table, where, params),
  ]
}

function behind(table: Table, after: RecordPosition | undefined, params: Params): string[] {
  if (!after) return []
  const key = params.add(after.key, keyType(table))
  if (after.seq === undefined) return [`_pk > ${key}`]
  return [`_pk >= ${key} AND (_pk > ${key} OR _seq > ${params.add(after.seq, 'UInt64')})`]
}
