import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import type { SqlStatement } from '../../statement.ts'
import { synced } from '../../synced.ts'
import { reconcileDatabase } from '../names.ts'
import type { Check } from './check.ts'

/** A reconciliation keeps the keys that it finds in a database of its own, which bears the schema's name as its comment. */
export const createAside = (schema: string, token: string): string =>
  `CREATE DATABASE ${identifier(reconcileDatabase(token))} COMMENT ${literal(schema, 'String')}`

export const dropAside = (token: string): string =>
  `DROP DATABASE IF EXISTS ${identifier(reconcileDatabase(token))} SYNC`

export const asideTable = (token: string, name: string): string => qualified(reconcileDatabase(token), name)

/** Rows `token`: the databases that reconciliations of a schema have left. */
export const compileAsides = (schema: string): SqlStatement => ({
  text: `SELECT substring(name, ${reconcileDatabase('').length + 1}) AS token FROM system.databases
    WHERE startsWith(name, {prefix:String}) AND comment = {schema:String}`,
  params: { prefix: reconcileDatabase(''), schema },
})

/** Keeps the keys that a check finds. */
export function keepFound(check: Check, found: string, table: string): string[] {
  const columns = [...check.keys.map((type, index) => `_k${index} ${type}`), '_difference Array(Int64)']
  return [
    `DROP TABLE IF EXISTS ${table} SYNC`,
    `CREATE TABLE ${table} (${columns.join(', ')}) ENGINE = MergeTree ORDER BY tuple() SETTINGS ${synced}`,
    `INSERT INTO ${table} ${found}`,
  ]
}

/** One row, `found`. */
export const compileFound = (table: string): SqlStatement => ({
  text: `SELECT count() AS found FROM ${table}`,
  params: {},
})

/**
 * Changes a copy of a table, which shares its parts, and puts it in the table's place: readers see the one or the other,
 * and whatever a crash leaves, the table is whole.
 */
export const changeAside = (table: string, aside: string, changes: readonly string[]): string[] => [
  `DROP TABLE IF EXISTS ${aside} SYNC`,
  `CREATE TABLE ${aside} CLONE AS ${table}`,
  ...changes,
  `EXCHANGE TABLES ${table} AND ${aside}`,
  `DROP TABLE IF EXISTS ${aside} SYNC`,
]

/** Not by a lightweight DELETE: projections would keep the rows. */
export const deleteRows = (table: string, condition: string): string =>
  `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`
