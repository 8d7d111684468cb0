/**
 * Walks that nothing tells apart, counted instead of made: behind each step stands one row for each combination of the
 * nodes from which the walk goes on and of the values that are asked for, with the number of walks that it stands for.
 */
import type { NodePattern } from '../../ast.ts'
import type { QueryContext } from '../context.ts'
import type { WalkCells } from '../members.ts'
import { isAmong, matchingNodes, type NodeSet, tellingColumns } from './nodes.ts'
import { expectedNodes, isNarrow, isReadByKeys, planWalk, type Step, sideOf } from './plan.ts'
import { endColumns, relationCell, relationRows } from './relations.ts'
import type { Needs } from './walk.ts'

export type CountedWalks = Omit<WalkCells, 'linkKey'> & {
  /** The column that says how many walks a row stands for. */
  readonly weight: string
}

/** A SELECT, and its columns beside `walks`. */
type Rows = { readonly sql: string; readonly columns: readonly string[] }

/** A cluster keeps no rows while a statement runs, and makes rows twice that are read twice. */
export const mayCount = ({ query: { pattern }, across, isCluster }: QueryContext, { keys }: Needs): boolean =>
  !keys &&
  !isCluster &&
  across.length === 0 &&
  pattern.links.length > 0 &&
  pattern.links.every(({ edge }) => edge.call === undefined)

export function compileCounted(context: QueryContext, needs: Needs): CountedWalks {
  const { params, query, sizes, stored } = context
  const plan = planWalk(query.pattern, sizes)
  const at = (index: number): NodePattern => query.pattern.nodes[index] ?? { at: { offset: 0, line: 1, column: 1 } }
  const keysOf = (index: number): readonly string[] => tellingColumns(at(index), own(index))
  const wantedOf = (index: number): readonly string[] => {
    const wanted = needs.nodes.get(index) ?? []
    return wanted === 'all' ? [] : wanted
  }
  const membersOf = (index: number): readonly string[] => {
    const wanted = needs.links.get(index) ?? []
    return wanted === 'all' ? [] : wanted
  }
  /** The nodes of which few are expected. */
  const narrow = new Set(isNarrow(at(plan.start)) ? [plan.start] : [])
  const expected = expectedNodes(query.pattern, plan)
  /** Whether the nodes reached at a place are found by their keys: the rows that restrict the read are then read twice. */
  const isFound = (index: number, table: 'relations' | 'properties'): boolean =>
    narrow.has(index) && isReadByKeys(expected.get(index) ?? 1, table, stored)
  const named: string[] = []
  let left = plan.steps
  let rows: Rows | undefined

  /** The rows under a name, for a statement that reads them twice. */
  function shared({ sql }: Rows): string {
    const name = `w${named.length}`
    named.push(`${name} AS MATERIALIZED (${sql})`)
    return name
  }

  const isNamed = (index: number): boolean => needs.names.has(index) || left.some(({ near }) => near === index)

  /** The columns that are still asked for once a node's properties are there. */
  const without = (columns: readonly string[], index: number): readonly string[] =>
    isNamed(index) ? columns : columns.filter((column) => !keysOf(index).includes(column))

  const counted = (columns: readonly string[], walks: string, from: string): Rows => ({
    columns: columns.map(aliasOf),
    // Without a grouping there would be a row of no walks where there are none.
    sql: `SELECT ${[...columns, `${walks} AS walks`].join(', ')} FROM ${from}${columns.length > 0 ? ` GROUP BY ${columns.map(aliasOf).join(', ')}` : ' HAVING walks > 0'}`,
  })

  function take(step: Step): void {
    const { near, far, index } = step
    left = left.slice(1)
    const isFew = narrow.has(near)
    const before = rows
    const name = before && isFound(near, 'relations') ? shared(before) : undefined
    const sets = new Map<number, NodeSet>()
    const nearSet = before
      ? name
      : isFew && at(near).filter
        ? `(${matchingNodes(context, at(near), []).sql})`
        : undefined
    if (nearSet !== undefined) sets.set(near, before ? { ...own(near), from: nearSet } : { ...plain, from: nearSet })
    if (!isFew && at(far).filter) sets.set(far, { ...plain, from: `(${matchingNodes(context, at(far), []).sql})` })

    const ends = [near, far].flatMap((node) =>
      tellingColumns(at(node), endColumns[sideOf(step, node)]).map((column, i) => `${column} AS ${keysOf(node)[i]}`),
    )
    const members = membersOf(index).map((member, i) => `${memberSql(member)} AS ${memberColumn(index, i)}`)
    const relations = `(${relationRows(context, step, sets, [...ends, ...members])})`
    const isRead = (node: number): boolean =>
      isNamed(node) || needs.nodes.has(node) || (isFew && node === far && at(far).filter !== undefined)
    const gained = [...(isRead(far) ? keysOf(far) : []), ...members.map(aliasOf)]
    if (before === undefined) {
      rows = counted([...(isRead(near) ? keysOf(near) : []), ...gained], 'count()', relations)
      addProperties(near)
    } else {
      const kept = without(before.columns, near).map((column) => `w.${column} AS ${column}`)
      const on = keysOf(near).map((column) => `e.${column} = w.${column}`)
      const from = `${relations} AS e INNER JOIN ${name ?? `(${before.sql})`} AS w ON ${on.join(' AND ')}`
      rows = counted([...kept, ...gained.map((column) => `e.${column} AS ${column}`)], 'sum(w.walks)', from)
    }
    if (isFew || at(far).filter) narrow.add(far)
    if (isFew && at(far).filter) restrict(far)
    addProperties(far)
  }

  /** Leaves the walks whose node passes its filter. */
  function restrict(index: number): void {
    if (rows === undefined) return
    const isFew = isFound(index, 'properties')
    const from = isFew ? shared(rows) : `(${rows.sql})`
    const matching = matchingNodes(context, at(index), [], isFew ? { within: { ...own(index), from } } : {})
    const passes = isAmong(at(index), own(index), { ...plain, from: `(${matching.sql})` })
    const { columns } = rows
    const isAsked = isNamed(index) || needs.nodes.has(index)
    const list = isAsked ? columns : without(columns, index)
    rows = isAsked
      ? { columns, sql: `SELECT * FROM ${from} WHERE ${passes}` }
      : counted(list, 'sum(w.walks)', `${from} AS w WHERE ${passes}`)
  }

  /** Puts a node's properties in the place of the node. */
  function addProperties(index: number): void {
    const wanted = wantedOf(index)
    if (rows === undefined || wanted.length === 0) return
    const isFew = isFound(index, 'properties')
    const from = isFew ? shared(rows) : `(${rows.sql})`
    const { filter: _, ...pattern } = at(index)
    const within = isFew ? { ...own(index), from } : undefined
    const found = matchingNodes(context, pattern, wanted, { within, mayLack: true })
    const on = tellingColumns(pattern, plain).map((column, i) => `q.${column} = w.${keysOf(index)[i]}`)
    const values = wanted.map((name, i) => `${found.property(name, 'q').sql} AS ${valueColumn(index, i)}`)
    const kept = without(rows.columns, index).map((column) => `w.${column} AS ${column}`)
    rows = counted(
      [...kept, ...values],
      'sum(w.walks)',
      `${from} AS w LEFT JOIN (${found.sql}) AS q ON ${on.join(' AND ')}`,
    )
  }

  function memberSql(member: string): string {
    if (member === 'rel') return 'relation'
    return relationCell({ values: '_values', at: '_at', source: '_source' }, member, params).sql
  }

  for (const step of plan.steps) take(step)

  return {
    weight: 'walks',
    select: (columns) =>
      `${named.length > 0 ? `WITH ${named.join(', ')} ` : ''}SELECT ${columns} FROM (${rows?.sql ?? ''}) AS w`,
    node: (index) => {
      const { label } = at(index)
      return {
        label: { kind: 'text', sql: label === undefined ? own(index).label : params.add(label, 'String') },
        name: { kind: 'text', sql: own(index).name },
      }
    },
    nodeProperty: (index, name) => ({ kind: 'json', sql: valueColumn(index, wantedOf(index).indexOf(name)) }),
    relation: (index) => ({ kind: 'text', sql: memberColumn(index, membersOf(index).indexOf('rel')) }),
    linkProperty: (index, name) => ({ kind: 'json', sql: memberColumn(index, membersOf(index).indexOf(name)) }),
  }
}

/** As sets of matching nodes have them. */
const plain = { label: 'label', name: 'name' }
/** A node's columns among the rows, and those of its properties and of a relation's members. */
const own = (index: number) => ({ label: `l${index}`, name: `n${index}` })
const valueColumn = (node: number, number: number): string => `n${node}_${number}`
const memberColumn = (link: number, number: number): string => `e${link}_${number}`

/** `x AS name` is `name`. */
const aliasOf = (column: string): string => column.slice(column.lastIndexOf(' ') + 1)
