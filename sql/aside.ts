/** The tables of deleted things, set aside for as long as the deletion can be undone: renamed into a database of their own. */
import { identifier, qualified } from './identifier.ts'
import { literal } from './literal.ts'
import { graphRecords } from './schema/ddl/gone.ts'
import { graphDatabase, propertyTable, tripleTable } from './schema/names.ts'
import type { SqlStatement } from './statement.ts'

export const asideDatabase = (id: string): string => `weir_kept_${id}`

export const createAsideDatabase = (id: string): string =>
  `CREATE DATABASE IF NOT EXISTS ${identifier(asideDatabase(id))}`
export const dropAsideDatabase = (id: string): string => `DROP DATABASE IF EXISTS ${identifier(asideDatabase(id))} SYNC`

/** Columns `name`, `engine`: what a database has. On a cluster the table `T` that holds rows is there as `T___local`. */
export const compileTables = (database: string): SqlStatement => ({
  text: 'SELECT name, engine FROM system.tables WHERE database = {database:String} ORDER BY name',
  params: { database },
})

export type Place = { readonly database: string; readonly table: string }

export const moveTable = (from: Place, to: Place): string =>
  `RENAME TABLE ${qualified(from.database, from.table)} TO ${qualified(to.database, to.table)}`

/** The tables of a graph, and their names among those of a schema: no table of a stream has three underscores. */
export const graphPlaces = (graph: string, id: string): readonly { readonly place: Place; readonly aside: Place }[] =>
  [
    [propertyTable(graph), 'graph___properties'],
    [tripleTable(graph), 'graph___triples'],
  ].map(([table = '', name = '']) => ({
    place: { database: graphDatabase, table },
    aside: { database: asideDatabase(id), table: name },
  }))

/** The name that the rows about a graph bear while its tables are set aside. No graph's name has a colon. */
export const asideGraph = (id: string): string => `kept:${id}`

/** Gives the rows about a graph to another name; safe to repeat. An insert that was made before is made again all the same. */
export const renameGraphRows = (from: string, to: string): string[] =>
  graphRecords.flatMap((table) => [
    [
      `INSERT INTO ${table} SELECT * REPLACE (${literal(to, 'String')} AS graph)`,
      `FROM ${table} FINAL WHERE graph = ${literal(from, 'String')} SETTINGS insert_deduplicate = 0`,
    ].join(' '),
    `DELETE FROM ${table} WHERE graph = ${literal(from, 'String')}`,
  ])
