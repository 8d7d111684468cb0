/**
 * The walks that match a pattern: one row a walk. A relation is read where it leaves the nodes that were reached so far, so
 * that a walk from few nodes reads few relations: a read is restricted by a set that ClickHouse makes first and finds in the
 * order of the table, or of its projection. Rows that several reads need are read once.
 */
import type { NodePattern } from '../../ast.ts'
import { aliasesOf } from '../../check.ts'
import { type AcrossTerm, otherIn } from '../../references.ts'
import type { QueryContext } from '../context.ts'
import { createMembers, type WalkCells } from '../members.ts'
import { type Key, orderOf, windowOf } from '../source.ts'
import type { Cell } from '../values/cell.ts'
import { compileFilter } from '../values/filter.ts'
import { matchingNodes, type NodeSet, nodeKey } from './nodes.ts'
import { isNarrow, planWalk, type Step, sideOf } from './plan.ts'
import { type NodeRows, type Wanted, where } from './properties.ts'
import { radiusRelations } from './radius.ts'
import { readRelations, relationCell, relationKey, short } from './relations.ts'

/** The columns that a statement reads of the nodes and relations of a walk. */
export type Needs = {
  /** A node that is absent needs no properties. */
  readonly nodes: ReadonlyMap<number, Wanted>
  /** Nodes of which it reads the label or the name. */
  readonly names: ReadonlySet<number>
  /** The columns that it reads of relations: properties and `rel`. */
  readonly links: ReadonlyMap<number, Wanted>
  /** Whether it has to tell walks, or relations, apart. */
  readonly keys: boolean
}

export type Walk = WalkCells & {
  /** Map(String, String) of a node's properties, where all are needed. */
  readonly nodeMap: (index: number) => string
  readonly linkMap: (index: number) => string
  /** The columns that name the walk and order it. */
  readonly key: Key
}

const readsValues = (wanted: Wanted): boolean => wanted === 'all' || wanted.some((name) => name !== 'rel')

export function compileWalk(context: QueryContext, needs: Needs): Walk {
  const { params, query, window } = context
  const plan = planWalk(query.pattern, context.sizes)
  const at = (index: number): NodePattern => query.pattern.nodes[index] ?? { at: { offset: 0, line: 1, column: 1 } }
  /** The nodes that were reached, where they are few. */
  const reached = new Map<number, NodeSet>()
  const narrow = new Set(isNarrow(at(plan.start)) ? [plan.start] : [])
  const named: string[] = []
  const joins: string[] = []
  const nodeSources = new Map<number, NodeRows>()
  /** The first step that touches a node. */
  const stepTo = new Map<number, Step>()

  const stepsFrom = (index: number): number => plan.steps.filter(({ near }) => near === index).length
  const isRead = (index: number): boolean => at(index).filter !== undefined || needs.nodes.has(index)

  /** A subquery by its name where it is used more than once, else as it is. */
  function source(name: string, sql: string, isShared: boolean): string {
    if (!isShared) return `(${sql})`
    named.push(`${name} AS${context.isCluster ? '' : ' MATERIALIZED'} (${sql})`)
    return name
  }

  const nodesAt = (index: number, wanted: Wanted, within?: NodeSet, mayLack = false): NodeRows =>
    matchingNodes(context, at(index), wanted, { within, mayLack })

  function nodeColumns(index: number): { readonly label: string; readonly name: string } {
    const step = stepTo.get(index)
    if (step === undefined) return { label: `n${index}.label`, name: `n${index}.name` }
    const side = short[sideOf(step, index)]
    return { label: `e${step.index}.${side.label}`, name: `e${step.index}.${side.name}` }
  }

  /** Brings in a node's filter and properties; its filtered keys restrict the reads from there on. */
  function joinNode(index: number, within: NodeSet | undefined): void {
    if (!isRead(index)) return
    const { filter } = at(index)
    const rows = nodesAt(index, needs.nodes.get(index) ?? [], within, filter === undefined)
    const from = source(`n${index}`, rows.sql, filter !== undefined && stepsFrom(index) > 0)
    nodeSources.set(index, rows)
    if (filter) reached.set(index, { label: 'label', name: 'name', from })
    const { label, name } = nodeColumns(index)
    joins.push(
      `${filter ? 'INNER' : 'LEFT'} JOIN ${from} AS n${index} ON n${index}.label = ${label} AND n${index}.name = ${name}`,
    )
  }

  /** Where a walk starts, its filter is a set that the first relations are read by; no join has to say it again. */
  function begin(): void {
    const index = plan.start
    const { filter } = at(index)
    const wanted = needs.nodes.get(index)
    if (plan.steps.length === 0) {
      const rows = nodesAt(index, wanted ?? [], firstNodes(index))
      nodeSources.set(index, rows)
      joins.push(`(${rows.sql}) AS n${index}`)
    } else if (filter) {
      const rows = nodesAt(index, wanted ?? [])
      const from = source(`n${index}`, rows.sql, stepsFrom(index) + (wanted ? 1 : 0) > 1)
      reached.set(index, { label: 'label', name: 'name', from })
      if (wanted) nodeSources.set(index, rows)
    }
  }

  /** The nodes within the window, where the walk may begin at any. */
  function firstNodes(index: number): NodeSet | undefined {
    if (window === undefined || at(index).filter) return undefined
    const key = nodeKey('')
    return { label: 'label', name: 'name', from: `(${windowOf(nodesAt(index, []).sql, key, window, params)})` }
  }

  function take(step: Step): void {
    const { near, far, index } = step
    const farFilter = at(far).filter
    // A filter that is tested behind the relations would leave fewer than the window.
    const inWindow = window !== undefined && !step.link.edge.call && !(narrow.has(near) && farFilter)
    const isFew = narrow.has(near) || inWindow
    // From many nodes towards a filter, the filter restricts the reads.
    if (!narrow.has(near) && farFilter)
      reached.set(far, { label: 'label', name: 'name', from: `(${nodesAt(far, []).sql})` })
    const isRadius = step.link.edge.call?.kind === 'radius'
    const rows = isRadius
      ? radiusRelations(context, step, reached, nodesAt)
      : readRelations(context, step, reached, { values: readsValues(needs.links.get(index) ?? []), keys: needs.keys })
    const first = inWindow ? windowOf(rows, relationKey(query.pattern, step, '', false), window, params) : rows
    const isShared = isFew && (stepsFrom(far) > 0 || isRead(far) || (inWindow && isRead(near)))
    const from = source(`e${index}`, first, isShared)
    const alias = `e${index}`
    if (joins.length === 0) joins.push(`${from} AS ${alias}`)
    else {
      const side = short[sideOf(step, near)]
      const { label, name } = nodeColumns(near)
      joins.push(
        `INNER JOIN ${from} AS ${alias} ON ${alias}.${side.label} = ${label} AND ${alias}.${side.name} = ${name}`,
      )
    }
    if (!stepTo.has(near)) stepTo.set(near, step)
    stepTo.set(far, step)
    if (joins.length === 1) joinStart(inWindow ? { ...side(step, near), from } : undefined)
    const ends = { ...side(step, far), from }
    if (isFew) reached.set(far, ends)
    if (isFew || farFilter) narrow.add(far)
    joinNode(far, isFew ? ends : reached.get(far))
  }

  const side = (step: Step, node: number) => short[sideOf(step, node)]

  /** The properties of the node at which the walk starts: its own name or filter says which nodes these are. */
  function joinStart(within: NodeSet | undefined): void {
    const index = plan.start
    const wanted = needs.nodes.get(index)
    if (wanted === undefined) return
    const filtered = nodeSources.get(index)
    const rows = filtered ?? nodesAt(index, wanted, within, true)
    nodeSources.set(index, rows)
    const { label, name } = nodeColumns(index)
    const from = filtered ? `n${index}` : `(${rows.sql}) AS n${index}`
    joins.push(`${filtered ? 'INNER' : 'LEFT'} JOIN ${from} ON n${index}.label = ${label} AND n${index}.name = ${name}`)
  }

  begin()
  for (const step of plan.steps) take(step)

  const keyOf = (step: Step): Key => relationKey(query.pattern, step, `e${step.index}.`, step !== plan.steps[0])

  const cells: Omit<WalkCells, 'select' | 'linkKey'> = {
    node: (index) => {
      const { label, name } = nodeColumns(index)
      return { label: { kind: 'text', sql: label }, name: { kind: 'text', sql: name } }
    },
    nodeProperty: (index, name) => nodeSources.get(index)?.property(name, `n${index}`) ?? { kind: 'json', sql: "''" },
    relation: (index) => ({ kind: 'text', sql: `e${index}.r` }),
    linkProperty: (index, name) => {
      const e = `e${index}.`
      return relationCell({ values: `${e}p`, at: `${e}at`, source: `${e}source` }, name, params)
    },
  }
  const tested = testedAcross(context, cells)

  return {
    ...cells,
    select: (columns, tail = '') =>
      `${named.length > 0 ? `WITH ${named.join(', ')} ` : ''}SELECT ${columns} FROM ${joins.join(' ')}${where(tested)}${tail}`,
    nodeMap: (index) => `n${index}.p`,
    linkMap: (index) => {
      const values = `CAST(e${index}.p, 'Map(String, String)')`
      return `if(e${index}.source = '', ${values}, mapUpdate(${values}, map('evpk', toString(e${index}.at))))`
    },
    key: plan.steps.length === 0 ? nodeKey(`n${plan.start}.`) : plan.steps.flatMap(keyOf),
    linkKey: (index) => {
      const step = plan.steps.find((each) => each.index === index)
      return step === undefined
        ? "''"
        : `toString((${orderOf(relationKey(query.pattern, step, `e${step.index}.`, false))}))`
    },
  }
}

/** The terms of filters that read another node or relation: only a whole walk can be tested by them. */
function testedAcross(
  { query, across, now_us, params }: QueryContext,
  cells: Omit<WalkCells, 'select' | 'linkKey'>,
): readonly string[] {
  if (across.length === 0) return []
  const aliases = aliasesOf(query.pattern)
  const { cellOf } = createMembers(aliases, cells)
  const isAlias = (alias: string): boolean => aliases.has(alias)
  const own = ({ kind, index }: AcrossTerm['place'], name: string): Cell => {
    if (kind === 'link') return cells.linkProperty(index, name)
    return name === 'name' ? cells.node(index).name : cells.nodeProperty(index, name)
  }
  return across.map(({ place, term }) => {
    const cell = (name: string): Cell => {
      const [other] = term.left.kind === 'formula' ? otherIn(name, isAlias) : []
      return other ? cellOf(other) : own(place, name)
    }
    return compileFilter([term], { cell, other: cellOf, now_us, params })
  })
}
