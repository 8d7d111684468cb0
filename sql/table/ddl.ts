import { identifier, qualified } from '../identifier.ts'
import { commented } from '../schema/ddl/comments.ts'
import { synced } from '../synced.ts'
import { firstNumber, indexNumbers } from './entries.ts'
import { mainRows, orderKey } from './records.ts'
import { keyType, storageOf, type Table } from './table.ts'
import { wordIndex, wordIndexDefinition } from './words.ts'

/**
 * A point read reads one granule. An insert is on disk when it is answered. Inserts wait while parts are many, so
 * their number stays bounded. A row that is deleted goes for good in a merge of the whole table, after a day without writes.
 */
const storageSettings = [
  'index_granularity = 256',
  synced,
  'parts_to_delay_insert = 100',
  'parts_to_throw_insert = 1000',
  'allow_experimental_replacing_merge_with_cleanup = 1',
  'enable_replacing_merge_with_cleanup_for_min_age_to_force_merge = 1',
  'min_age_to_force_merge_on_partition_only = 1',
  'min_age_to_force_merge_seconds = 86400',
].join(', ')

const createStorage = (table: Table): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${storageOf(table)} (`,
    '_index UInt32, _text String, _number Float64,',
    `_pk ${keyType(table)}, _seq UInt64, doc String, _v UInt64, _version UInt64, _deleted UInt8`,
    table.words.length > 0 ? `, ${wordIndexDefinition(table)}` : '',
    `) ENGINE = ReplacingMergeTree(_version, _deleted) ORDER BY (${orderKey}) SETTINGS ${storageSettings}`,
  ].join(' ')

const isNumber = ({ kind }: Table): boolean => kind === 'PRIMITIVE_INT' || kind === 'PRIMITIVE_LONG'

const createView = (table: Table): string => {
  const columns = [
    `_pk ${keyType(table)} ${commented('Key of the record')}`,
    isNumber(table)
      ? `doc Int64 ${commented('Value of the record')}`
      : `doc String ${commented('Document of the record; of JSON doc::JSON reads the members')}`,
    `_v UInt64 ${commented('Version of the record')}`,
  ]
  return [
    `CREATE OR REPLACE VIEW ${qualified(table.database, table.name)} (${columns.join(', ')}) AS`,
    `SELECT _pk, ${isNumber(table) ? 'toInt64(doc) AS doc' : 'doc'}, _v FROM ${storageOf(table)} FINAL WHERE ${mainRows}`,
    commented(`Records of table ${table.database}.${table.name}`),
  ].join(' ')
}

export const createTable = (table: Table): string[] => [
  `CREATE DATABASE IF NOT EXISTS ${identifier(table.database)}`,
  createStorage(table),
  createView(table),
]

export const dropView = (table: Table): string => `DROP VIEW IF EXISTS ${qualified(table.database, table.name)} SYNC`
export const dropStorage = (table: Table): string => `DROP TABLE IF EXISTS ${storageOf(table)} SYNC`
export const dropTable = (table: Table): string[] => [dropView(table), dropStorage(table)]

export const dropDatabase = (database: string): string => `DROP DATABASE IF EXISTS ${identifier(database)} SYNC`

/** The index serves records that are there already once ClickHouse has built it, which takes its time. */
export const addWordIndex = (table: Table): string[] => [
  `ALTER TABLE ${storageOf(table)} ADD ${wordIndexDefinition(table).replace('INDEX', 'INDEX IF NOT EXISTS')}`,
  `ALTER TABLE ${storageOf(table)} MATERIALIZE INDEX ${wordIndex} SETTINGS mutations_sync = 0`,
]

/** Whether an index was dropped, whose rows may still be there. */
export const hadIndexes = ({ indexes, nextIndex }: Table): boolean => indexes.length < nextIndex - 1

/** Frees the space of indexes that are not used any more; their numbers are not given again. */
export function clearIndexes(table: Table): string {
  const used = table.indexes.flatMap(indexNumbers)
  const given = `_index >= ${firstNumber} AND _index < ${firstNumber * table.nextIndex}`
  const unused = used.length > 0 ? `${given} AND _index NOT IN (${used.join(', ')})` : given
  return `ALTER TABLE ${storageOf(table)} DELETE WHERE ${unused} SETTINGS mutations_sync = 0`
}
