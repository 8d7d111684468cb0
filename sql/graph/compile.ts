/** A graph query as ClickHouse SQL over the triples of its graph. */
import { qualified } from '../identifier.ts'
import { createParams, type Params } from '../query/compile/condition.ts'
import { graphDatabase, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { GraphQuery, NodePattern, WalkPattern } from './ast.ts'

type End = 'subject' | 'object'

/**
 * Columns `sub`, `pred`, `obj` of every triple that matches, as often as it was written. They come in the order of the
 * table, or of its projection where the object says more about the triples than the subject: neither reads much more
 * than it answers. An answer, or what is sorted for it, of more than `mostBytes` is ClickHouse's error 396.
 */
export function compileTriples(graph: string, { pattern }: GraphQuery, mostBytes: number): SqlStatement {
  const params = createParams()
  const { subject, object } = ends(pattern)
  const { relation } = pattern.edge
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
      `SETTINGS output_format_json_escape_forward_slashes = 0, max_bytes_to_sort = ${mostBytes}, sort_overflow_mode = 'throw',`,
      `max_result_bytes = ${mostBytes}, result_overflow_mode = 'throw'`,
    ].join(' '),
    params: params.params,
  }
}

const ends = ({ from, edge, to }: WalkPattern): Readonly<Record<End, NodePattern>> =>
  edge.direction === 'out' ? { subject: from, object: to } : { subject: to, object: from }

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
