import { literal } from '../literal.ts'
import type { SqlStatement } from '../statement.ts'
import { mainRows } from './records.ts'
import { recordsDatabase, storageOf, type Table } from './table.ts'

/** Columns `table`, `files`, `bytes`, `rows` of the tables of a database. */
export const compileParts = (database: string, tables: readonly string[]): SqlStatement => ({
  text: [
    'SELECT table, groupArray(name) AS files, toUInt64(sum(bytes_on_disk)) AS bytes, toUInt64(sum(rows)) AS rows',
    'FROM (SELECT table, name, bytes_on_disk, rows FROM system.parts WHERE active',
    `AND database = ${literal(database, 'String')}`,
    `AND table IN (${tables.map((table) => literal(table, 'String')).join(', ')}) ORDER BY name) GROUP BY table`,
  ].join(' '),
  params: {},
})

export const compileRecordParts = (tables: readonly Table[]): SqlStatement =>
  compileParts(
    recordsDatabase,
    tables.map(({ storage }) => storage),
  )

/** Column `count`: the tables and views of a database, or those of one name. */
export const compileTableCount = (database: string, name?: string): SqlStatement => ({
  text: [
    'SELECT count() AS count FROM system.tables WHERE database = {database:String}',
    ...(name === undefined ? [] : ['AND name = {name:String}']),
  ].join(' '),
  params: { database, ...(name !== undefined && { name }) },
})

/** Columns `storage` and `records`: how many records each table has. */
export const compileRecordCounts = (tables: readonly Table[]): SqlStatement => ({
  text: tables
    .map((table) => {
      const name = literal(table.storage, 'String')
      return `SELECT ${name} AS storage, count() AS records FROM ${storageOf(table)} FINAL WHERE ${mainRows}`
    })
    .join(' UNION ALL '),
  params: {},
})

/** A key that was revoked leaves its row. */
export const keyTable = '_api_key_tbl'

/** Buckets are in the object store. */
export const bucketTable = '_bucket_info_tbl'

/** Tables that Weir keeps about itself and shows among the tables of every database, as tables of `weir`, there or not yet. */
export const systemTables: ReadonlyMap<string, readonly string[]> = new Map([
  [keyTable, ['api_keys']],
  ['_catalogue_tbl', ['tables', 'schemas', 'stream_states', 'graphs']],
  ['_notification_tbl', ['notification_templates', 'notification_log', 'notification_matches']],
  ['_training_request_tbl', ['training_requests', 'models']],
  [bucketTable, []],
])

export const systemDatabase = 'weir'

/** Names that no table of a client may have: a query by that name asks for something of the service. */
export const isSystemName = (name: string): boolean =>
  systemTables.has(name) || name === 'reg_notif' || name === 'notif'
