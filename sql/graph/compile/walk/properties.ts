/** The nodes of a graph with some of their properties, or all. */
import { qualified } from '../../../identifier.ts'
import type { Params } from '../../../query/compile/condition.ts'
import { graphDatabase, propertyTable } from '../../../schema/names.ts'
import type { GraphContext } from '../context.ts'
import type { Cell } from '../values/cell.ts'

/** Properties by name, or all of them as a map. */
export type Wanted = 'all' | readonly string[]

export type NodeRows = {
  /** Columns `label` and `name`, and those that the properties come from. */
  readonly sql: string
  /** A property's cell; `of` is the alias under which the rows stand. */
  readonly property: (name: string, of: string) => Cell
}

/** The statement under construction, and the graph that it reads. */
export type Reading = Pick<GraphContext, 'graph' | 'now_us' | 'isCluster'> & { readonly params: Params }

export const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''

/** One row `label`, `name`, `property` for each property of each node. */
type PropertyRows = {
  /** The text behind FROM; its conditions are on these three columns. */
  readonly from: string
  /** The value that counts, as JSON. */
  readonly value: string
}

/** FINAL merges only rows that are not merged yet, which no single shard of a cluster can know. */
export function propertyRows({ graph, isCluster }: Reading, conditions: readonly string[]): PropertyRows {
  const table = qualified(graphDatabase, propertyTable(graph))
  if (isCluster) {
    const merged = `SELECT label, name, property, max(written) AS written FROM ${table}${where(conditions)}`
    return { from: `(${merged} GROUP BY label, name, property)`, value: 'written.value' }
  }
  const among = conditions.length > 0 ? ` PREWHERE ${conditions.join(' AND ')}` : ''
  // FINAL would take any write's part of the tuple if the part were read alone.
  return { from: `${table} FINAL${among}`, value: 'identity(written).value' }
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
    const { from, value } = propertyRows(reading, conditions)
    return {
      sql: `SELECT label, name, CAST(arraySort(groupArrayIf((property, ${value}), property != '')), 'Map(String, String)') AS p FROM ${from} GROUP BY label, name`,
      property: (name, of) => ({ kind: 'json', sql: `${of}.p[${params.add(name, 'String')}]` }),
    }
  }
  const names = wanted.map((name) => params.add(name, 'String'))
  const rows = (among: string): PropertyRows => propertyRows(reading, [...conditions, among])
  const [only] = names
  let sql: string
  if (only === undefined) sql = `SELECT label, name FROM ${rows("property = ''").from}`
  else if (names.length === 1 && mayLack) {
    const { from, value } = rows(`property = ${only}`)
    sql = `SELECT label, name, ${value} AS v0 FROM ${from}`
  } else {
    const { from, value } = rows(`property IN (${[...(mayLack ? [] : ["''"]), ...names].join(', ')})`)
    const values = names.map((name, number) => `anyIf(${value}, property = ${name}) AS v${number}`)
    sql = `SELECT label, name, ${values.join(', ')} FROM ${from} GROUP BY label, name`
  }
  return { sql, property: (name, of) => ({ kind: 'json', sql: `${of}.v${wanted.indexOf(name)}` }) }
}
