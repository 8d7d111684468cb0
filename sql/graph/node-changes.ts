/**
 * Statements that merge a node into another one, or delete it: all its rows up to a moment, `until`, and none that come
 * later. The `_seq` of relations says when they came, so whatever else is written meanwhile, each is moved, or stays.
 * Each statement does the work that is left: all of them may be run again, after a crash between two or at any later time.
 */
import { qualified } from '../identifier.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import { firstWrite } from '../schema/ddl/graph/graph.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { NodeKey } from './ast.ts'

/** `secondary` is merged into `primary`, or deleted where there is none. */
export type NodeChange = {
  readonly graph: string
  readonly primary: NodeKey | undefined
  readonly secondary: NodeKey
  /** By the clock of the process that has begun it: microseconds since 1970, as `_seq`. */
  readonly until: number
}

const nodes = (graph: string): string => qualified(graphDatabase, propertyTable(graph))
const triples = (graph: string): string => qualified(graphDatabase, tripleTable(graph))

const isNode = ({ label, name }: NodeKey, params: Params, columns: readonly [string, string] = ['label', 'name']) =>
  `(${columns[0]} = ${params.add(label, 'String')} AND ${columns[1]} = ${params.add(name, 'String')})`
const begins = (node: NodeKey, params: Params) => isNode(node, params, ['subject_label', 'subject'])
const ends = (node: NodeKey, params: Params) => isNode(node, params, ['object_label', 'object'])
const touches = (node: NodeKey, params: Params) => `(${begins(node, params)} OR ${ends(node, params)})`

/** First writes keep their `seq` negative. */
const cameUntil = (until: number): string => `abs(tupleElement(written, 'seq')) <= ${until}`

const statement = (write: (params: Params) => string): SqlStatement => {
  const params = createParams()
  return { text: write(params), params: params.params }
}

/** A row `{place}` for each of the nodes that is there. One that only relations know of is there, too. */
export const compilePresent = (graph: string, among: readonly NodeKey[]): SqlStatement =>
  statement((params) =>
    among
      .map((node, place) => {
        const found = [
          `SELECT 1 FROM ${nodes(graph)} WHERE ${isNode(node, params)} AND property = '' LIMIT 1`,
          `SELECT 1 FROM ${triples(graph)} WHERE ${begins(node, params)} LIMIT 1`,
          `SELECT 1 FROM ${triples(graph)} WHERE ${ends(node, params)} LIMIT 1`,
        ]
        return `SELECT ${place} AS place WHERE ${found.map((rows) => `(SELECT count() FROM (${rows})) > 0`).join(' OR ')}`
      })
      .join(' UNION ALL '),
  )

/** Column `size`: the relations that a change has to move, or to take away. */
export const compileTouched = ({ graph, secondary, until }: NodeChange): SqlStatement =>
  statement((params) => {
    const count = (is: string): string => `(SELECT count() FROM ${triples(graph)} WHERE ${is} AND _seq <= ${until})`
    return `SELECT toFloat64(${count(begins(secondary, params))} + ${count(ends(secondary, params))}) AS size`
  })

const others = ['relation', '_at', '_seq', '_source']

/** A relation of the secondary as it is once it is moved: the values of `identity`. */
function moved(primary: NodeKey, secondary: NodeKey, params: Params): string[] {
  const [label, name] = [params.add(primary.label, 'String'), params.add(primary.name, 'String')]
  const end = (side: 'subject' | 'object', is: string): string[] => [
    `if(${is}, ${label}, ${side}_label)`,
    `if(${is}, ${name}, ${side})`,
  ]
  return [...end('subject', begins(secondary, params)), ...end('object', ends(secondary, params)), ...others]
}

const identity = ['subject_label', 'subject', 'object_label', 'object', ...others]

/** The relations of the primary that were perhaps moved to it, by all columns in which two relations may differ. */
function movedAlready({ graph, secondary, until }: NodeChange, primary: NodeKey, params: Params): string {
  const came = `SELECT _seq FROM ${triples(graph)} WHERE ${touches(secondary, params)} AND _seq <= ${until}`
  return `(SELECT ${identity.join(', ')} FROM ${triples(graph)} WHERE ${touches(primary, params)} AND _seq GLOBAL IN (${came}))`
}

const moveProperties = ({ graph, secondary, until }: NodeChange, primary: NodeKey): SqlStatement =>
  statement((params) =>
    [
      `INSERT INTO ${nodes(graph)} (label, name, property, written)`,
      `SELECT ${params.add(primary.label, 'String')}, ${params.add(primary.name, 'String')}, property, written`,
      `FROM ${nodes(graph)} WHERE ${isNode(secondary, params)} AND ${cameUntil(until)}`,
      `AND property NOT IN (SELECT property FROM ${nodes(graph)} WHERE ${isNode(primary, params)})`,
      "SETTINGS max_insert_threads = 1, distributed_product_mode = 'global'",
    ].join(' '),
  )

function copyRelations(change: NodeChange, primary: NodeKey, carried: readonly string[]): SqlStatement {
  const { graph, secondary, until } = change
  return statement((params) => {
    const own = moved(primary, secondary, params)
    return [
      `INSERT INTO ${triples(graph)} (${[...identity, 'properties', ...carried].join(', ')})`,
      `SELECT ${[...own, 'properties', ...carried].join(', ')} FROM ${triples(graph)}`,
      `WHERE ${touches(secondary, params)} AND _seq <= ${until}`,
      `AND (${own.join(', ')}) NOT IN ${movedAlready(change, primary, params)}`,
      "SETTINGS max_insert_threads = 1, distributed_product_mode = 'global'",
    ].join(' ')
  })
}

/**
 * No lightweight DELETE: reads by the projection would go on to see the rows until the next merge (measured, ClickHouse
 * 26.7, in any `lightweight_mutation_projection_mode` that keeps projections). A relation of a merged node is deleted
 * only where the primary has its copy: one that came into the table since the others were copied stays, and is copied by
 * the next turn.
 */
const dropRelations = (change: NodeChange): SqlStatement =>
  statement((params) => {
    const { graph, primary, secondary, until } = change
    const isMoved = primary
      ? ` AND (${moved(primary, secondary, params).join(', ')}) IN ${movedAlready(change, primary, params)}`
      : ''
    return [
      `ALTER TABLE ${triples(graph)} DELETE WHERE ${touches(secondary, params)} AND _seq <= ${until}${isMoved}`,
      'SETTINGS mutations_sync = 2, allow_nondeterministic_mutations = 1',
    ].join(' ')
  })

/** `carried`: columns of relations beside those of every graph. */
export const compileMoveRelations = (change: NodeChange, carried: readonly string[] = []): SqlStatement[] => [
  ...(change.primary ? [copyRelations(change, change.primary, carried)] : []),
  dropRelations(change),
]

export const compileMoveNode = (change: NodeChange): SqlStatement[] => {
  const { graph, primary, secondary, until } = change
  return [
    ...(primary ? [moveProperties(change, primary)] : []),
    statement((params) => `DELETE FROM ${nodes(graph)} WHERE ${isNode(secondary, params)} AND ${cameUntil(until)}`),
  ]
}

/** A node of which relations are there, and it is not, is there again. */
export const compileReturn = ({ graph, secondary: node }: NodeChange): SqlStatement =>
  statement((params) =>
    [
      `INSERT INTO ${nodes(graph)} (label, name, property, written)`,
      `SELECT ${params.add(node.label, 'String')}, ${params.add(node.name, 'String')}, '', ${firstWrite("''", 'min(_seq)')}`,
      `FROM ${triples(graph)} WHERE ${touches(node, params)}`,
      `HAVING count() > 0 AND (SELECT count() FROM ${nodes(graph)} WHERE ${isNode(node, params)} AND property = '') = 0`,
    ].join(' '),
  )

/**
 * Changes that are not over: `begun` ones, whose statements may have run or not, and `moved` ones, which are answered, and
 * may have left relations without their node.
 */
export function compileOpenChanges(graph?: string): SqlStatement {
  const params = createParams()
  const columns =
    'graph, primary_label, primary_name, secondary_label, secondary_name, state, toString(version) AS version'
  const ofGraph = graph === undefined ? '' : `graph = ${params.add(graph, 'String')} AND `
  return {
    text: `SELECT ${columns} FROM weir.graph_merges FINAL WHERE ${ofGraph}state != 'done' ORDER BY version`,
    params: params.params,
  }
}
