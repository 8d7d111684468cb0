/** The tables of deleted things that are kept for a while: renamed into a database of their own, as they were. */
import { identifier, qualified } from './identifier.ts'
import { literal } from './literal.ts'
import { graphRecords } from './schema/ddl/gone.ts'
import { graphDatabase, propertyTable, tripleTable } from './schema/names.ts'
import type { SqlStatement } from './statement.ts'

export const keptDatabase = (id: string): string => `weir_kept_${id}`

export const createKeptDatabase = (id: string): string =>
  `CREATE DATABASE IF NOT EXISTS ${identifier(keptDatabase(id))}`
export const dropKeptDatabase = (id: string): string => `DROP DATABASE IF EXISTS ${identifier(keptDatabase(id))} SYNC`

/** Columns `name`, `engine`: what a database has. On a cluster the table `T` that holds rows is there as `T___local`. */
export const compileTables = (database: string): SqlStatement => ({
  text: 'SELECT name, engine FROM system.tables WHERE database = {database:String} ORDER BY name',
  params: { database },
})

export type Place = { readonly database: string; readonly table: string }

export const moveTable = (from: Place, to: Place): string =>
  `RENAME TABLE ${qualified(from.database, from.table)} TO ${qualified(to.database, to.table)}`

/** The tables of a graph, and their names among those of a schema: no table of a stream has three underscores. */
export const graphPlaces = (graph: string, id: string): readonly { readonly place: Place; readonly kept: Place }[] =>
  [
    [propertyTable(graph), 'graph___properties'],
    [tripleTable(graph), 'graph___triples'],
  ].map(([table = '', name = '']) => ({
    place: { database: graphDatabase, table },
    kept: { database: keptDatabase(id), table: name },
  }))

/** The name under which the rows about a graph stand that are kept beside its tables. No graph's name has a colon. */
export const keptGraph = (id: string): string => `kept:${id}`

/** Gives the rows about a graph to another name; safe to repeat. An insert that was made before is made again all the same. */
export const renameGraphRows = (from: string, to: string): string[] =>
  graphRecords.flatMap((table) => [
    [
      `INSERT INTO ${table} SELECT * REPLACE (${literal(to, 'String')} AS graph)`,
      `FROM ${table} FINAL WHERE graph = ${literal(from, 'String')} SETTINGS insert_deduplicate = 0`,
    ].join(' '),
    `DELETE FROM ${table} WHERE graph = ${literal(from, 'String')}`,
  ])
