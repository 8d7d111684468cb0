/** The relations of one step of a walk. */
import { qualified } from '../../../identifier.ts'
import type { Params } from '../../../query/compile/condition.ts'
import { graphDatabase, tripleTable } from '../../../schema/names.ts'
import type { NodePattern, Pattern } from '../../ast.ts'
import type { QueryContext } from '../context.ts'
import type { Key } from '../source.ts'
import type { Cell } from '../values/cell.ts'
import { compileFilter } from '../values/filter.ts'
import { isAmong, keyConditions, type NodeSet } from './nodes.ts'
import { type Side, type Step, sideOf } from './plan.ts'
import { where } from './properties.ts'

export const short = { subject: { label: 'sl', name: 's' }, object: { label: 'ol', name: 'o' } } as const
/** The columns of a relation's ends in its table. */
export const endColumns = {
  subject: { label: 'subject_label', name: 'subject' },
  object: { label: 'object_label', name: 'object' },
} as const
/** The names of a relation's columns. */
export type RelationColumns = {
  readonly ends: Readonly<Record<Side, { readonly label: string; readonly name: string }>>
  readonly relation: string
  readonly values: string
  readonly at: string
  readonly seq: string
  readonly source: string
}
/** In its table, and where a subquery gives them. */
export const stored: RelationColumns = {
  ends: endColumns,
  relation: 'relation',
  values: '_values',
  at: '_at',
  seq: '_seq',
  source: '_source',
}
const given: RelationColumns = { ends: short, relation: 'r', values: 'p', at: 'at', seq: 'seq', source: 'source' }
const opposite = { subject: 'object', object: 'subject' } as const

const ends = ['subject_label AS sl', 'subject AS s', 'relation AS r', 'object_label AS ol', 'object AS o']
const keys = ['_at AS at', '_seq AS seq', '_source AS source']

/**
 * The columns that tell a step's relation from each other one that the pattern allows, in the order of the table or of its
 * projection; `of` stands before each column.
 */
export function relationKey(
  { nodes }: Pattern,
  step: Step,
  of: string,
  isNearKnown: boolean,
  names: RelationColumns = given,
): Key {
  const end = (node: number): readonly string[] => {
    const { label, name } = names.ends[sideOf(step, node)]
    const pattern = nodes[node]
    return [...(pattern?.label === undefined ? [label] : []), ...(pattern?.name?.kind === 'is' ? [] : [name])]
  }
  const relation = step.link.edge.relation === undefined ? [names.relation] : []
  return [
    ...[...(isNearKnown ? [] : end(step.near)), ...relation, ...end(step.far)].map(
      (column) => ({ sql: of + column, type: 'String' }) as const,
    ),
    ...[names.at, names.seq].map((column) => ({ sql: of + column, type: 'Int64' }) as const),
    { sql: of + names.source, type: 'String' },
  ]
}

/** A relation's property; `evpk` is the `_pk` of the event that made it. */
export function relationCell(
  columns: { readonly values: string; readonly at: string; readonly source: string },
  name: string,
  params: Params,
): Cell {
  const value = `${columns.values}[${params.add(name, 'String')}]`
  return {
    kind: 'json',
    sql: name === 'evpk' ? `if(${columns.source} = '', ${value}, toString(${columns.at}))` : value,
  }
}

/** A step's relations with all columns that tell them apart, under short names. */
export function readRelations(
  context: QueryContext,
  step: Step,
  reached: ReadonlyMap<number, NodeSet>,
  reads: { readonly values: boolean; readonly keys: boolean },
): string {
  const columns = [...ends, ...(reads.values ? ['_values AS p'] : []), ...(reads.keys ? keys : [])]
  return relationRows(context, step, reached, columns)
}

/** `reached`: sets of the nodes that the step comes from and leads to, where they are few. */
export function relationRows(
  context: QueryContext,
  step: Step,
  reached: ReadonlyMap<number, NodeSet>,
  selected: readonly string[],
): string {
  const { table, conditions } = relationsWithin(context, step, reached)
  return `SELECT ${selected.join(', ')} FROM ${table}${where(conditions)}`
}

/** The table of a step's relations, and the conditions on them. */
export function relationsWithin(
  { graph, params, now_us, query: { pattern, modifier } }: QueryContext,
  step: Step,
  reached: ReadonlyMap<number, NodeSet>,
): { readonly table: string; readonly conditions: readonly string[] } {
  const { edge } = step.link
  const table = qualified(graphDatabase, tripleTable(graph))
  const among = (node: number, columns: { readonly label: string; readonly name: string }): string[] => {
    const set = reached.get(node)
    const pattern = nodeAt(node)
    if (pattern === undefined) return []
    const own = keyConditions(pattern, columns, params)
    return set === undefined ? own : [...own, isAmong(pattern, columns, set)]
  }
  const nodeAt = (node: number): NodePattern | undefined => pattern.nodes[node]
  const [near, far] = [sideOf(step, step.near), sideOf(step, step.far)]
  const related = edge.relation === undefined ? [] : [`relation = ${params.add(edge.relation, 'String')}`]
  const conditions = [
    ...among(step.near, endColumns[near]),
    ...related,
    ...among(step.far, endColumns[far]),
    ...(edge.filter
      ? [compileFilter(edge.filter, { cell: (name) => relationCell(stored, name, params), now_us, params })]
      : []),
  ]
  if (modifier?.kind === 'SYMM' || modifier?.kind === 'ASYMM') {
    const back = [
      ...among(step.near, endColumns[opposite[near]]),
      ...related,
      ...among(step.far, endColumns[opposite[far]]),
    ]
    const pairs = `SELECT relation, subject_label, subject, object_label, object FROM ${table}${where(back)}`
    const isIn = modifier.kind === 'SYMM' ? 'IN' : 'NOT IN'
    conditions.push(`(relation, object_label, object, subject_label, subject) ${isIn} (${pairs})`)
  }
  return { table, conditions }
}
