/** The nodes of a graph with some of their properties, or all. */
import { qualified } from '../../../identifier.ts'
import type { Params } from '../../../query/compile/condition.ts'
import { graphDatabase, propertyTable } from '../../../schema/names.ts'
import type { Filter, NodePattern } from '../../ast.ts'
import type { GraphContext } from '../context.ts'
import type { Key } from '../source.ts'
import type { Cell } from '../values/cell.ts'
import { compileFilter, propertiesOf, termsByProperty } from '../values/filter.ts'

/** Properties by name, or all of them as a map. */
export type Wanted = 'all' | readonly string[]

export type NodeRows = {
  /** Columns `label`, `name` and what the properties come from. */
  readonly sql: string
  /** A property's cell; `of` is the alias under which the rows stand. */
  readonly property: (name: string, of: string) => Cell
}

/** The statement under construction, and the graph that it reads. */
export type Reading = Pick<GraphContext, 'graph' | 'now_us' | 'isCluster'> & { readonly params: Params }

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''

/**
 * One row `label`, `name`, `property`, `written` for each property of each node; `conditions` are on the first three. FINAL
 * merges only what is not merged yet, which no single shard of a cluster can tell.
 */
function properties({ graph, isCluster }: Reading, conditions: readonly string[]): string {
  const table = qualified(graphDatabase, propertyTable(graph))
  if (isCluster) {
    const merged = `SELECT label, name, property, max(written) AS written FROM ${table}${where(conditions)}`
    return `(${merged} GROUP BY label, name, property)`
  }
  const among = conditions.length > 0 ? ` PREWHERE ${conditions.join(' AND ')}` : ''
  // Of a part of the tuple alone FINAL would take any write's.
  return `(SELECT label, name, property, identity(written) AS written FROM ${table} FINAL${among})`
}

/** `mayLack`: whether a node that has none of the properties may be left out. */
export function nodeRows(
  reading: Reading,
  conditions: readonly string[],
  wanted: Wanted,
  { mayLack = false } = {},
): NodeRows {
  const { params } = reading
  if (wanted === 'all') {
    return {
      sql: `SELECT label, name, CAST(arraySort(groupArrayIf((property, written.value), property != '')), 'Map(String, String)') AS p FROM ${properties(reading, conditions)} GROUP BY label, name`,
      property: (name, of) => ({ kind: 'json', sql: `${of}.p[${params.add(name, 'String')}]` }),
    }
  }
  const names = wanted.map((name) => params.add(name, 'String'))
  const from = (among: string): string => properties(reading, [...conditions, among])
  const [only] = names
  const sql =
    only === undefined
      ? `SELECT label, name FROM ${from("property = ''")}`
      : names.length === 1 && mayLack
        ? `SELECT label, name, written.value AS v0 FROM ${from(`property = ${only}`)}`
        : [
            `SELECT label, name${names.map((name, number) => `, anyIf(written.value, property = ${name}) AS v${number}`).join('')}`,
            `FROM ${from(`property IN (${[...(mayLack ? [] : ["''"]), ...names].join(', ')})`)} GROUP BY label, name`,
          ].join(' ')
  return { sql, property: (name, of) => ({ kind: 'json', sql: `${of}.v${wanted.indexOf(name)}` }) }
}

type KeyColumns = { readonly label: string; readonly name: string }

/** What a node's label and name have to be, in the columns that hold them. */
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

/** That the node in these columns, which has the pattern's label, is one of a set. */
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
  const tested = [...terms].map(([property, some]) => ({
    property: `property = ${params.add(property, 'String')}`,
    passes: compileFilter(some, { cell: () => ({ kind: 'json', sql: 'written.value' }), now_us, params }),
  }))
  const [only, ...others] = tested
  if (only === undefined) return undefined
  const either = (one: (each: (typeof tested)[number]) => string): string => `(${tested.map(one).join(' OR ')})`
  const isRead = others.length === 0 ? only.property : either(({ property }) => property)
  const passes = either(({ property, passes }) => `(${property} AND ${passes})`)
  const isSought =
    telling !== undefined &&
    !reading.isCluster &&
    filter.some(({ left, operator }) => left.kind === 'property' && operator === '=')
  const sought = isSought
    ? [
        `${tupleOf(telling)} IN (${candidates(
          reading,
          [...conditions, isRead, passes],
          telling,
          tested.map(({ property }) => property),
        )})`,
      ]
    : []
  const rows = properties(reading, [...conditions, isRead, ...sought])
  if (others.length === 0) return `SELECT label, name FROM ${rows} WHERE ${only.passes}`
  return `SELECT label, name FROM ${rows} WHERE ${passes} GROUP BY label, name HAVING count() = ${tested.length}`
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
