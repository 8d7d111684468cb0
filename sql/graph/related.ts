/** The parts of a graph that algorithms read: its nodes, and how many relations go from one to the other. */
import { qualified } from '../identifier.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'

/** The part of a graph: nodes of these labels, and the relations of these names between them; all where absent. */
export type Part = {
  readonly labels?: readonly string[] | undefined
  readonly relations?: readonly string[] | undefined
}

const among = (column: string, texts: readonly string[] | undefined, params: Params): string[] =>
  texts === undefined ? [] : [`${column} IN (${texts.map((text) => params.add(text, 'String')).join(', ')})`]

const nodesOf = (graph: string, { labels }: Part, params: Params): string =>
  `FROM ${qualified(graphDatabase, propertyTable(graph))} WHERE ${["property = ''", ...among('label', labels, params)].join(' AND ')} GROUP BY label, name`

const pairsOf = (graph: string, { labels, relations }: Part, params: Params): string => {
  const conditions = [
    ...among('relation', relations, params),
    ...['subject_label', 'object_label'].flatMap((column) => among(column, labels, params)),
  ]
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return `FROM ${qualified(graphDatabase, tripleTable(graph))}${where} GROUP BY subject_label, subject, object_label, object`
}

/** One row `{l, n}` a node, in order. */
export function compileNodes(graph: string, part: Part, max: number): SqlStatement {
  const params = createParams()
  const text = `SELECT label AS l, name AS n ${nodesOf(graph, part, params)} ORDER BY label, name LIMIT ${max}`
  return { text, params: params.params }
}

/** One row `{sl, s, ol, o, c}` a subject and object that are related, in order; `c` counts their relations. */
export function compilePairs(graph: string, part: Part, max: number): SqlStatement {
  const params = createParams()
  const columns = 'subject_label AS sl, subject AS s, object_label AS ol, object AS o, toUInt32(count()) AS c'
  const text = `SELECT ${columns} ${pairsOf(graph, part, params)} ORDER BY subject_label, subject, object_label, object LIMIT ${max}`
  return { text, params: params.params }
}

/** One row, `nodes` and `pairs`: how many there are, counted no further than `max` says. */
export function compilePartSize(graph: string, part: Part, max: { nodes: number; pairs: number }): SqlStatement {
  const params = createParams()
  const counted = (rows: string, limit: number): string => `(SELECT count() FROM (SELECT 1 ${rows} LIMIT ${limit}))`
  const [nodes, pairs] = [nodesOf(graph, part, params), pairsOf(graph, part, params)]
  return {
    text: `SELECT toUInt32(${counted(nodes, max.nodes)}) AS nodes, toUInt32(${counted(pairs, max.pairs)}) AS pairs`,
    params: params.params,
  }
}
