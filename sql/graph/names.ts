/** The labels and relations that a statement names, and whether its graph has them. */
import { qualified } from '../identifier.ts'
import { createParams } from '../query/compile/condition.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { GraphQuery, GraphSet } from './ast.ts'
import { columnsOf } from './columns.ts'

export type GraphName = { readonly kind: 'label' | 'relation'; readonly name: string }

/** Each once. A distance relates nodes by any name. */
export function namesIn(statement: GraphQuery | GraphSet): readonly GraphName[] {
  const queries = statement.kind === 'set' ? statement.queries : [statement]
  const patterns = queries.map(({ pattern }) => pattern)
  const labels = patterns.flatMap(({ nodes }) => nodes.flatMap(({ label }) => label ?? []))
  const relations = patterns.flatMap(({ links }) =>
    links.flatMap(({ edge: { relation, call } }) =>
      relation === undefined || call?.kind === 'radius' ? [] : [relation],
    ),
  )
  return [
    ...[...new Set(labels)].map((name) => ({ kind: 'label' as const, name })),
    ...[...new Set(relations)].map((name) => ({ kind: 'relation' as const, name })),
  ]
}

/** Whether the query has a row, of zeros, also where its pattern matches nothing. */
export function countsNothing({ returning }: GraphQuery): boolean {
  if (returning === undefined || returning.items === '*') return false
  const columns = columnsOf(returning.items, returning.exclude)
  return columns.some(({ isAggregate }) => isAggregate) && columns.every((each) => each.isAggregate || each.isExcluded)
}

const places = (graph: string) => ({
  label: { column: 'label', table: qualified(graphDatabase, propertyTable(graph)) },
  relation: { column: 'relation', table: qualified(graphDatabase, tripleTable(graph)) },
})

/** Rows `{kind, name}` of the names that the graph has. Each is looked for until it is found once. */
export function compileNamesThere(graph: string, names: readonly GraphName[]): SqlStatement {
  const params = createParams()
  const each = names.map(({ kind, name }) => {
    const { column, table } = places(graph)[kind]
    return `(SELECT '${kind}' AS kind, toString(${column}) AS name FROM ${table} WHERE ${column} = ${params.add(name, 'String')} LIMIT 1)`
  })
  return { text: each.join(' UNION ALL '), params: params.params }
}

/** Rows `{name}`: labels or relations of the graph, 1,000 at most, among the first five million rows of its table. */
export function compileKnownNames(graph: string, kind: GraphName['kind']): SqlStatement {
  const { column, table } = places(graph)[kind]
  return {
    text: `SELECT DISTINCT toString(${column}) AS name FROM ${table} LIMIT 1000 SETTINGS max_rows_to_read = 5000000, read_overflow_mode = 'break'`,
    params: {},
  }
}
