/** Statements that change a graph within ClickHouse, and those that tell of graphs. */
import { qualified } from '../identifier.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import { deletes, namesInDictionary } from '../schema/ddl/graph/graph.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { NodeKey } from './ast.ts'

const nodes = (graph: string): string => qualified(graphDatabase, propertyTable(graph))
const triples = (graph: string): string => qualified(graphDatabase, tripleTable(graph))

const isNode = ({ label, name }: NodeKey, params: Params, columns: readonly [string, string] = ['label', 'name']) =>
  `(${columns[0]} = ${params.add(label, 'String')} AND ${columns[1]} = ${params.add(name, 'String')})`
const begins = (node: NodeKey, params: Params) => isNode(node, params, ['subject_label', 'subject'])
const ends = (node: NodeKey, params: Params) => isNode(node, params, ['object_label', 'object'])
const touches = (node: NodeKey, params: Params) => `(${begins(node, params)} OR ${ends(node, params)})`

const statement = (write: (params: Params) => string): SqlStatement => {
  const params = createParams()
  return { text: write(params), params: params.params }
}

/**
 * The relations of a node go with it. Theirs is no lightweight DELETE: reads by the projection would go on to see them
 * until the next merge (measured, ClickHouse 26.7, in any `lightweight_mutation_projection_mode` that keeps projections).
 */
export const compileDelete = (graph: string, node: NodeKey): SqlStatement[] => [
  statement(
    (params) => `ALTER TABLE ${triples(graph)} DELETE WHERE ${touches(node, params)} SETTINGS mutations_sync = 2`,
  ),
  statement((params) => `DELETE FROM ${nodes(graph)} WHERE ${isNode(node, params)}`),
]

/** What tells a triple from another. */
const identity = '_at, _seq, _source, relation'

/**
 * The primary gains the properties that it lacks and all relations of the secondary, which then goes. Each statement
 * does what is left to do, so that all of them may be run again after a crash between two.
 */
export const compileMerge = (graph: string, primary: NodeKey, secondary: NodeKey): SqlStatement[] => [
  statement((params) =>
    [
      `INSERT INTO ${nodes(graph)} (label, name, property, written)`,
      `SELECT ${params.add(primary.label, 'String')}, ${params.add(primary.name, 'String')}, property, written`,
      `FROM ${nodes(graph)} WHERE ${isNode(secondary, params)}`,
      `AND property NOT IN (SELECT property FROM ${nodes(graph)} WHERE ${isNode(primary, params)})`,
      "SETTINGS max_insert_threads = 1, distributed_product_mode = 'global'",
    ].join(' '),
  ),
  statement((params) => {
    const moved = (end: 'subject' | 'object'): string => {
      const is = end === 'subject' ? begins(secondary, params) : ends(secondary, params)
      const [label, name] = [params.add(primary.label, 'String'), params.add(primary.name, 'String')]
      return `if(${is}, ${label}, ${end}_label), if(${is}, ${name}, ${end})`
    }
    return [
      `INSERT INTO ${triples(graph)} (subject_label, subject, object_label, object, relation, properties, _at, _seq, _source)`,
      `SELECT ${moved('subject')}, ${moved('object')}, relation, properties, _at, _seq, _source FROM ${triples(graph)}`,
      `WHERE ${touches(secondary, params)} AND (${identity}) NOT IN (SELECT ${identity} FROM ${triples(graph)}`,
      `WHERE ${touches(primary, params)} AND NOT ${touches(secondary, params)})`,
      "SETTINGS max_insert_threads = 1, distributed_product_mode = 'global'",
    ].join(' ')
  }),
  ...compileDelete(graph, secondary),
]

/** Column `name`: every graph there is. A graph is there once its view is. */
export const compileGraphs: SqlStatement = {
  text: "SELECT name FROM system.tables WHERE database = {database:String} AND engine = 'View' ORDER BY name",
  params: { database: graphDatabase },
}

/** Column `table`: of the graphs whose upgrade has not come to its end, which is their setting. On a cluster a node has a part. */
export const compileOldGraphs: SqlStatement = {
  text: [
    "SELECT replaceOne(name, '___local', '') AS table FROM system.tables",
    "WHERE database = {database:String} AND match(name, '_rel(___local)?$') AND endsWith(engine, 'MergeTree')",
    "AND position(create_table_query, '_source') > 0",
    'AND (position(create_table_query, {now:String}) = 0 OR position(create_table_query, {before:String}) > 0)',
  ].join(' '),
  params: { database: graphDatabase, now: deletes, before: namesInDictionary },
}

export const compileGraphExists = (graph: string): SqlStatement => ({
  text: "SELECT name FROM system.tables WHERE database = {database:String} AND name = {graph:String} AND engine = 'View'",
  params: { database: graphDatabase, graph },
})

/** Column `id`: a graph that is made again under its name has another one; on a cluster all nodes tell the same. */
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

/** Columns `label`, `latitude`, `longitude` of a graph's geo indexes. */
export const compilePlaces = (graph: string): SqlStatement => ({
  text: "SELECT label, latitude, longitude FROM weir.geo_indexes FINAL WHERE graph = {graph:String} AND state = 'there'",
  params: { graph },
})

/** Merges, and deletions (those have no primary), that were begun and perhaps not ended. */
export const compileBegunChanges: SqlStatement = {
  text: "SELECT graph, primary_label, primary_name, secondary_label, secondary_name FROM weir.graph_merges FINAL WHERE state = 'begun'",
  params: {},
}
