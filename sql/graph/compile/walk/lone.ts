/**
 * Walks of one relation whose nodes are known by their labels and names, read straight from its table: ClickHouse plans a
 * statement without subqueries in two thirds of the time, which is most of the time of a walk from one node.
 */
import type { QueryContext } from '../context.ts'
import type { WalkCells } from '../members.ts'
import { type Key, orderOf } from '../source.ts'
import { matchingNodes, type NodeSet } from './nodes.ts'
import { planWalk, sideOf } from './plan.ts'
import { endColumns, relationCell, relationKey, relationsWithin, stored } from './relations.ts'
import type { Needs } from './walk.ts'

export type LoneWalk = Omit<WalkCells, 'select'> & {
  readonly from: string
  readonly conditions: readonly string[]
  readonly key: Key
  readonly settings: Readonly<Record<string, number>>
}

/** The relations of one node are read sooner than threads, and a step for conditions, are made ready for them. */
const fromOne = { max_threads: 1, optimize_move_to_prewhere: 0 }

/** Undefined where a walk reads more than its relation. */
export function compileLone(context: QueryContext, needs: Needs): LoneWalk | undefined {
  const { params, query, across, sizes, isPlaced } = context
  const { pattern, modifier } = query
  const plan = planWalk(pattern, sizes)
  const [step, ...others] = plan.steps
  if (step === undefined || others.length > 0 || step.link.edge.call || needs.nodes.size > 0 || across.length > 0)
    return undefined
  if (modifier?.kind === 'UNIQUE' || modifier?.kind === 'UNIQUE_IN_CONTEXT') return undefined
  const [near, far] = [pattern.nodes[step.near], pattern.nodes[step.far]]
  if (near === undefined || far?.filter) return undefined

  const reached = new Map<number, NodeSet>()
  if (near.filter) {
    const { sql } = matchingNodes(context, near, [])
    reached.set(step.near, { label: 'label', name: 'name', from: `(${sql})` })
  }
  const { table, conditions } = relationsWithin(context, step, reached)
  const key = relationKey(pattern, step, '', false, stored)
  const tellsMore = [...needs.links.values()].some(
    (wanted) => wanted === 'all' || wanted.some((name) => name !== 'rel'),
  )
  const ofText = key.filter(({ sql }) => sql !== stored.at && sql !== stored.seq && sql !== stored.source)
  return {
    from: table,
    settings: near.label !== undefined && near.name?.kind === 'is' ? fromOne : {},
    conditions,
    // Rows that only such columns tell apart are equal.
    key: isPlaced || tellsMore || ofText.length === 0 ? key : ofText,
    node: (index) => {
      const { label, name } = endColumns[sideOf(step, index)]
      return { label: { kind: 'text', sql: label }, name: { kind: 'text', sql: name } }
    },
    nodeProperty: () => ({ kind: 'json', sql: "''" }),
    relation: () => ({ kind: 'text', sql: stored.relation }),
    linkProperty: (_, name) => relationCell(stored, name, params),
    linkKey: () => `toString((${orderOf(key)}))`,
  }
}
