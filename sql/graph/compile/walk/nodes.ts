/** The nodes that match a pattern. */
import { qualified } from '../../../identifier.ts'
import type { Params } from '../../../query/compile/condition.ts'
import { graphDatabase, propertyTable } from '../../../schema/names.ts'
import type { Filter, NodePattern } from '../../ast.ts'
import type { Key } from '../source.ts'
import type { Cell } from '../values/cell.ts'
import { compileFilter, propertiesOf, termsByProperty } from '../values/filter.ts'
import { type NodeRows, nodeRows, propertyRows, type Reading, type Wanted, where } from './properties.ts'

type KeyColumns = { readonly label: string; readonly name: string }

/** The conditions on a node's label and name, in the columns that hold them. */
export function keyConditions(
  { label, name }: Pick<NodePattern, 'label' | 'name'>,
  columns: KeyColumns,
  params: Params,
): string[] {
  return [
    ...(label === undefined ? [] : [`${columns.label} = ${params.add(label, 'String')}`]),
    ...(name?.kind === 'is' ? [`${columns.name} = ${params.add(name.text, 'String')}`] : []),
    ...(name?.kind === 'starts' ? [`startsWith(${columns.name}, ${params.add(name.text, 'String')})`] : []),
  ]
}

/** Nodes by the columns `label` and `name` of a table or subquery. */
export type NodeSet = KeyColumns & { readonly from: string }

/** The columns that tell the nodes of a pattern apart. */
export const tellingColumns = ({ label }: Pick<NodePattern, 'label'>, columns: KeyColumns): readonly string[] =>
  label === undefined ? [columns.label, columns.name] : [columns.name]

/** The condition that the node in these columns, which has the pattern's label, is one of a set. */
export function isAmong(pattern: Pick<NodePattern, 'label'>, columns: KeyColumns, set: NodeSet): string {
  const own = tellingColumns(pattern, columns)
  return `${tupleOf(own)} IN (SELECT ${tellingColumns(pattern, set).join(', ')} FROM ${set.from})`
}

const keys = { label: 'label', name: 'name' }

/** `of` stands before each column. */
export const nodeKey = (of: string): Key => Object.values(keys).map((column) => ({ sql: of + column, type: 'String' }))

/** The nodes that match a pattern, with `wanted` of their properties, `within` a set if there is one. */
export function matchingNodes(
  reading: Reading,
  pattern: NodePattern,
  wanted: Wanted,
  { within, mayLack = false }: { readonly within?: NodeSet | undefined; readonly mayLack?: boolean } = {},
): NodeRows {
  const { params, now_us } = reading
  const own = keyConditions(pattern, keys, params)
  const conditions = within === undefined ? [...own] : [...own, isAmong(pattern, keys, within)]
  const { filter = [] } = pattern
  const ofName = filter.filter((term) => propertiesOf([term]).every((property) => property === 'name'))
  const ofProperties = filter.filter((term) => !ofName.includes(term))
  if (ofName.length > 0) conditions.push(compileFilter(ofName, { cell: () => nameCell('name'), now_us, params }))
  if (ofProperties.length === 0) return nodeRows(reading, conditions, wanted, { mayLack })
  const isKnown = within !== undefined || pattern.name?.kind === 'is'
  const passing = passingKeys(reading, conditions, ofProperties, isKnown ? undefined : tellingColumns(pattern, keys))
  if (passing === undefined) return filteredRows(reading, conditions, ofProperties, wanted)
  if (wanted.length === 0) return { ...nodeRows(reading, [], []), sql: passing }
  const set = { ...keys, from: `(${passing})` }
  return nodeRows(reading, [...own, isAmong(pattern, keys, set)], wanted)
}

const nameCell = (sql: string): Cell => ({ kind: 'text', sql })

/**
 * Columns `label` and `name` of the nodes that pass a filter, where it can be tested property by property. `telling`: by
 * which columns they are looked for first, among all writes: few of them equal a value, and only those few are merged.
 */
function passingKeys(
  reading: Reading,
  conditions: readonly string[],
  filter: Filter,
  telling: readonly string[] | undefined,
): string | undefined {
  const terms = termsByProperty(filter)
  if (terms === undefined) return undefined
  const { params, now_us } = reading
  const tested = [...terms].map(([name, some]) => ({ property: `property = ${params.add(name, 'String')}`, some }))
  const either = (tests: readonly string[]): string => (tests.length > 1 ? `(${tests.join(' OR ')})` : tests.join())
  const isRead = either(tested.map(({ property }) => property))
  /** The condition that a row is of one of the properties, and its value passes. */
  const passes = (value: string): string => {
    const cell = (): Cell => ({ kind: 'json', sql: value })
    return either(
      tested.map(({ property, some }) => {
        const passesIn = compileFilter(some, { cell, now_us, params })
        return tested.length > 1 ? `(${property} AND ${passesIn})` : passesIn
      }),
    )
  }
  const isSought =
    telling !== undefined &&
    !reading.isCluster &&
    filter.some(({ left, operator }) => left.kind === 'property' && operator === '=')
  const read = [...conditions, isRead]
  if (isSought) {
    const each = tested.map(({ property }) => property)
    read.push(`${tupleOf(telling)} IN (${candidates(reading, [...read, passes('written.value')], telling, each)})`)
  }
  const { from, value } = propertyRows(reading, read)
  const passing = `SELECT label, name FROM ${from} WHERE ${passes(value)}`
  return tested.length > 1 ? `${passing} GROUP BY label, name HAVING count() = ${tested.length}` : passing
}

const tupleOf = (columns: readonly string[]): string =>
  columns.length > 1 ? `(${columns.join(', ')})` : columns.join()

/** The nodes of which a write of each property passes, be it the one that counts or not. */
const candidates = (
  { graph }: Reading,
  conditions: readonly string[],
  telling: readonly string[],
  each: readonly string[],
): string =>
  [
    `SELECT ${telling.join(', ')} FROM ${qualified(graphDatabase, propertyTable(graph))}${where(conditions)}`,
    ...(each.length > 1
      ? [`GROUP BY ${telling.join(', ')} HAVING ${each.map((property) => `countIf(${property}) > 0`).join(' AND ')}`]
      : []),
  ].join(' ')

function filteredRows(reading: Reading, conditions: readonly string[], filter: Filter, wanted: Wanted): NodeRows {
  const read =
    wanted === 'all' ? wanted : [...new Set([...wanted, ...propertiesOf(filter)])].filter((name) => name !== 'name')
  const rows = nodeRows(reading, conditions, read)
  const passes = compileFilter(filter, {
    cell: (name) => (name === 'name' ? nameCell('f.name') : rows.property(name, 'f')),
    now_us: reading.now_us,
    params: reading.params,
  })
  return { ...rows, sql: `SELECT * FROM (${rows.sql}) AS f WHERE ${passes}` }
}
