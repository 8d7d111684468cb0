/**
 * The triples of one relation, as ClickHouse SQL: the statement of the streams' route until activities/graphs answers it,
 * as it answers every query by `compile/`.
 */

import { Refusal } from '../../base/refusal.ts'
import { qualified } from '../identifier.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import { graphDatabase, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { GraphQuery, Link, NodePattern, Pattern } from './ast.ts'

type End = 'subject' | 'object'

/**
 * Columns `sub`, `pred`, `obj` of every triple that matches, as often as it was written. They come in the order of the
 * table, or of its projection where the object says more about the triples than the subject: neither reads much more
 * than it answers. An answer, or a sort for it, of more than `maxBytes` is ClickHouse's error 396.
 */
export function compileTriples(graph: string, query: GraphQuery, maxBytes: number): SqlStatement {
  const { pattern, returning, modifier } = query
  const isPlain = [...pattern.nodes, ...pattern.links.map(({ edge }) => edge)].every(
    ({ filter }) => filter === undefined,
  )
  if (returning || modifier || !isPlain || pattern.links[0]?.edge.call) {
    throw new Refusal('this query is more than the triples of one relation')
  }
  const params = createParams()
  const [link] = pattern.links
  if (link === undefined || pattern.links.length > 1) throw new Refusal('one relation between two nodes, no more')
  const { subject, object } = ends(pattern, link)
  const { relation } = link.edge
  const conditions = [
    ...nodeConditions('subject', subject, params),
    ...(relation === undefined ? [] : [`relation = ${params.add(relation, 'String')}`]),
    ...nodeConditions('object', object, params),
  ]
  const order: readonly End[] = said(object) > said(subject) ? ['object', 'subject'] : ['subject', 'object']
  const [first, second] = order.map((end) => `${end}_label, ${end}`)
  return {
    text: [
      "SELECT concat(subject_label, ':', subject) AS sub, relation AS pred, concat(object_label, ':', object) AS obj",
      `FROM ${qualified(graphDatabase, tripleTable(graph))}`,
      ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
      `ORDER BY ${first}, relation, ${second}`,
      `SETTINGS output_format_json_escape_forward_slashes = 0, max_bytes_to_sort = ${maxBytes}, sort_overflow_mode = 'throw',`,
      `max_result_bytes = ${maxBytes}, result_overflow_mode = 'throw', optimize_read_in_order = 0`,
    ].join(' '),
    params: params.params,
  }
}

function ends({ nodes }: Pattern, { edge, from, to }: Link): Readonly<Record<End, NodePattern>> {
  const [left, right] = [nodes[from], nodes[to]]
  if (left === undefined || right === undefined) throw new Refusal('a relation is between two nodes')
  return edge.direction === 'out' ? { subject: left, object: right } : { subject: right, object: left }
}

function nodeConditions(end: End, { label, name }: NodePattern, params: Params): string[] {
  const conditions: string[] = []
  if (label !== undefined) conditions.push(`${end}_label = ${params.add(label, 'String')}`)
  if (name?.kind === 'is') conditions.push(`${end} = ${params.add(name.text, 'String')}`)
  if (name?.kind === 'starts') conditions.push(`startsWith(${end}, ${params.add(name.text, 'String')})`)
  return conditions
}

/** How much a node's pattern says: a name more than a label. */
const said = ({ label, name }: NodePattern): number =>
  (name?.kind === 'is' ? 4 : name?.kind === 'starts' ? 2 : 0) + (label === undefined ? 0 : 1)
