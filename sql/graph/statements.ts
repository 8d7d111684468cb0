/** Statements that describe graphs. */
import { qualified } from '../identifier.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'

const nodes = (graph: string): string => qualified(graphDatabase, propertyTable(graph))
const triples = (graph: string): string => qualified(graphDatabase, tripleTable(graph))

/** Column `name`: every graph there is. A graph is there once its view is. */
export const compileGraphs: SqlStatement = {
  text: "SELECT name FROM system.tables WHERE database = {database:String} AND engine = 'View' ORDER BY name",
  params: { database: graphDatabase },
}

export const compileGraphExists = (graph: string): SqlStatement => ({
  text: "SELECT name FROM system.tables WHERE database = {database:String} AND name = {graph:String} AND engine = 'View'",
  params: { database: graphDatabase, graph },
})

/** Column `id`: a graph that is made again under its name has another one; on a cluster it is the same on all nodes. */
export const compileGraphId = (graph: string): SqlStatement => ({
  text: 'SELECT toString(uuid) AS id FROM system.tables WHERE database = {database:String} AND name = {table:String}',
  params: { database: graphDatabase, table: propertyTable(graph) },
})

/** Columns `nodes` and `triples`, as text. */
export const compileCounts = (graph: string): SqlStatement => ({
  text: [
    `SELECT toString((SELECT count() FROM (SELECT label, name FROM ${nodes(graph)} WHERE property = '' GROUP BY label, name))) AS nodes,`,
    `toString((SELECT count() FROM ${triples(graph)})) AS triples`,
  ].join(' '),
  params: {},
})

/** Columns `relations` and `properties`: the rows of the graph's tables, merged or not. */
export const compileStored = (graph: string): SqlStatement => ({
  text: `SELECT toFloat64((SELECT count() FROM ${triples(graph)})) AS relations, toFloat64((SELECT count() FROM ${nodes(graph)})) AS properties`,
  params: {},
})

/** Columns `graph`, `indexes`: the number of geo indexes of each graph that has some. */
export const geoIndexCounts: SqlStatement = {
  text: "SELECT graph, toFloat64(count()) AS indexes FROM weir.geo_indexes FINAL WHERE state = 'there' GROUP BY graph",
  params: {},
}

/** Columns `label`, `latitude`, `longitude` of a graph's geo indexes. */
export const compilePlaces = (graph: string): SqlStatement => ({
  text: "SELECT label, latitude, longitude FROM weir.geo_indexes FINAL WHERE graph = {graph:String} AND state = 'there'",
  params: { graph },
})
