/** The steps of a search for paths: the nodes where it begins or ends, and the relations that leave a set of nodes. */
import { qualified } from '../../../identifier.ts'
import { createParams, type Params } from '../../../query/compile/condition.ts'
import { graphDatabase, tripleTable } from '../../../schema/names.ts'
import type { SqlStatement } from '../../../statement.ts'
import type { EdgePattern, NodeKey, NodePattern, Weight } from '../../ast.ts'
import type { GraphContext } from '../context.ts'
import { amountOf, numberOf } from '../values/cell.ts'
import { compileFilter } from '../values/filter.ts'
import { keyConditions, matchingNodes } from './nodes.ts'
import { nodeRows } from './properties.ts'
import { distanceSql } from './radius.ts'
import { relationCell, stored } from './relations.ts'

/** Columns `label` and `name` of the nodes that match, `max` of them. */
export function compileMatching(node: NodePattern, context: GraphContext, max: number): SqlStatement {
  const params = createParams()
  const { sql } = matchingNodes({ ...context, params }, node, [])
  return { text: `SELECT label, name FROM (${sql}) ORDER BY label, name LIMIT ${max}`, params: params.params }
}

/** Label by label, so that an index finds the names. */
function isOneOf(nodes: readonly NodeKey[], end: 'subject' | 'object', params: Params): string {
  const labels = new Map<string, string[]>()
  for (const { label, name } of nodes) {
    const names = labels.get(label) ?? []
    labels.set(label, names)
    names.push(params.add(name, 'String'))
  }
  const either = [...labels].map(
    ([label, names]) => `(${end}_label = ${params.add(label, 'String')} AND ${end} IN (${names.join(', ')}))`,
  )
  return `(${either.join(' OR ')})`
}

export type Expansion = {
  readonly nodes: readonly NodeKey[]
  /** `out` follows relations from their subjects, `in` against the arrow. */
  readonly direction: 'out' | 'in'
  readonly edge: EdgePattern
  readonly weight?: Weight
  /** Relations at most. */
  readonly max: number
}

/**
 * Columns `sl`, `s`, `r`, `ol`, `o` of the relations that leave the nodes, in an order that stays, and `w` where they are
 * weighed: a relation that weighs less than nothing, or has no weight, is left out.
 */
export function compileExpansion(context: GraphContext, expansion: Expansion): SqlStatement {
  const params = createParams()
  const { nodes, direction, edge, weight, max } = expansion
  const { graph, now_us } = context
  const near = direction === 'out' ? 'subject' : 'object'
  const cell = (name: string) => relationCell(stored, name, params)
  const conditions = [
    isOneOf(nodes, near, params),
    ...(edge.relation === undefined ? [] : [`relation = ${params.add(edge.relation, 'String')}`]),
    ...(edge.filter ? [compileFilter(edge.filter, { cell, now_us, params })] : []),
  ].join(' AND ')
  const columns = 'subject_label AS sl, subject AS s, relation AS r, object_label AS ol, object AS o, _at, _seq'
  const weighed = weight?.kind === 'property' ? `, ${numberOf(cell(weight.name))} AS w` : ''
  const relations = `SELECT ${columns}${weighed} FROM ${qualified(graphDatabase, tripleTable(graph))} WHERE ${conditions}`
  const order = `ORDER BY sl, s, r, ol, o, _at, _seq LIMIT ${max}`
  const settings = "SETTINGS distributed_product_mode = 'global', optimize_read_in_order = 0"
  if (weight === undefined)
    return { text: `SELECT sl, s, r, ol, o FROM (${relations}) ${order} ${settings}`, params: params.params }
  if (weight.kind === 'property') {
    return {
      text: `SELECT sl, s, r, ol, o, w FROM (${relations}) WHERE w >= 0 ${order} ${settings}`,
      params: params.params,
    }
  }
  const ends = `(SELECT arrayJoin([(sl, s), (ol, o)]) FROM (${relations}))`
  const rows = nodeRows({ ...context, params }, [`(label, name) IN ${ends}`], [weight.latitude, weight.longitude])
  const place = (property: string): string => amountOf(rows.property(property, 'q'))
  const places = `SELECT q.label AS label, q.name AS name, ${place(weight.latitude)} AS lat, ${place(weight.longitude)} AS lon FROM (${rows.sql}) AS q`
  const distance = distanceSql('a.lat', 'a.lon', 'b.lat', 'b.lon')
  return {
    text: [
      `SELECT e.sl AS sl, e.s AS s, e.r AS r, e.ol AS ol, e.o AS o, ${distance} AS w FROM (${relations}) AS e`,
      `INNER JOIN (${places}) AS a ON a.label = e.sl AND a.name = e.s`,
      `INNER JOIN (${places}) AS b ON b.label = e.ol AND b.name = e.o`,
      `WHERE w >= 0 ORDER BY e.sl, e.s, e.r, e.ol, e.o, e._at, e._seq LIMIT ${max} ${settings}`,
    ].join(' '),
    params: params.params,
  }
}

/** Columns `place` and `size`: how many relations begin or end at each of some nodes. */
export function compileSizes(
  graph: string,
  nodes: readonly { readonly place: number; readonly node: NodePattern }[],
): SqlStatement {
  const params = createParams()
  const table = qualified(graphDatabase, tripleTable(graph))
  const count = (node: NodePattern, side: 'subject' | 'object'): string => {
    const own = keyConditions(node, { label: `${side}_label`, name: side }, params)
    return `(SELECT count() FROM ${table} WHERE ${own.join(' AND ')})`
  }
  return {
    text: nodes
      .map(
        ({ place, node }) =>
          `SELECT ${place} AS place, toFloat64(${count(node, 'subject')} + ${count(node, 'object')}) AS size`,
      )
      .join(' UNION ALL '),
    params: params.params,
  }
}
