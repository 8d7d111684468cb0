/** The labels, relations and properties that a statement names, and whether its graph has them. */
import { attributesOf } from '../expression/index.ts'
import { qualified } from '../identifier.ts'
import { createParams } from '../query/compile/condition.ts'
import { graphDatabase, propertyTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { Comparison, Formula, GraphQuery, GraphSet, Member, Property } from './ast.ts'
import { aliasesOf } from './check.ts'
import { columnsOf } from './columns.ts'
import { filtersOf, otherIn, othersIn } from './references.ts'

/** A property of nodes, or of relations. */
type PropertyKind = 'property' | 'relation property'
export type GraphName = { readonly kind: 'label' | 'relation' | PropertyKind; readonly name: string }

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

/** Members that every node, or every relation, has, and no event or statement gives it. */
const reserved = { node: ['name', 'label'], link: ['rel', 'evpk'] } as const
type Place = keyof typeof reserved

const propertyOf = (place: Place, name: string): GraphName[] =>
  reserved[place].some((each) => each === name)
    ? []
    : [{ kind: place === 'node' ? 'property' : 'relation property', name }]

const once = (names: readonly GraphName[]): readonly GraphName[] => [
  ...new Map(names.map((each) => [`${each.kind}:${each.name}`, each])).values(),
]

/** Each once; a term `~ NA` asks for nodes without its property. */
export function filteredProperties({ pattern }: GraphQuery): readonly GraphName[] {
  const aliases = aliasesOf(pattern)
  const isAlias = (alias: string): boolean => aliases.has(alias)
  const ownNames = ({ left, value }: Comparison<Property | Formula>): readonly string[] => [
    ...(left.kind === 'property'
      ? [left.name]
      : attributesOf(left.expression).filter((each) => otherIn(each, isAlias).length === 0)),
    ...(value.kind === 'reference' && value.alias === undefined ? [value.name] : []),
  ]
  return once(
    filtersOf(pattern).flatMap(({ kind, filter }) =>
      filter
        .filter(({ value }) => value.kind !== 'missing')
        .flatMap((term) => [
          ...ownNames(term).flatMap((name) => propertyOf(kind, name)),
          ...othersIn(term, isAlias).flatMap(({ alias, name }) => propertyOf(aliases.get(alias)?.kind ?? 'node', name)),
        ]),
    ),
  )
}

/** The properties behind the columns of RETURN for which `hasValue` is false. */
export function returnedProperties(
  { pattern, returning }: GraphQuery,
  hasValue: (column: string) => boolean,
): readonly GraphName[] {
  if (returning === undefined || returning.items === '*') return []
  const aliases = aliasesOf(pattern)
  const ofMember = ({ alias, name }: Pick<Member, 'alias' | 'name'>): GraphName[] =>
    propertyOf(aliases.get(alias)?.kind ?? 'node', name)
  return once(
    columnsOf(returning.items, returning.exclude).flatMap(({ name: column, item, isExcluded }) => {
      if (isExcluded || item.kind === 'formula') return []
      const member = item.kind === 'member' ? item.member : item.of
      if (member?.name === undefined || hasValue(column)) return []
      return ofMember({ alias: member.alias, name: member.name })
    }),
  )
}

/** Whether the query has a row, of zeros, also where its pattern matches nothing. */
export function countsNothing({ returning }: GraphQuery): boolean {
  if (returning === undefined || returning.items === '*') return false
  const columns = columnsOf(returning.items, returning.exclude)
  return columns.some(({ isAggregate }) => isAggregate) && columns.every((each) => each.isAggregate || each.isExcluded)
}

const placesIn = (graph: string) => {
  const properties = qualified(graphDatabase, propertyTable(graph))
  const triples = qualified(graphDatabase, tripleTable(graph))
  return {
    label: { column: 'label', table: properties },
    relation: { column: 'relation', table: triples },
    property: { column: 'property', table: properties },
    'relation property': { column: 'arrayJoin(mapKeys(_values))', table: triples },
  }
}

/** No key leads to a property, so that one that is absent costs a read of its column. */
const maxRows = 5_000_000

/**
 * Rows `{kind, name}` of the names that the graph has. Each is looked for until it is found once; ClickHouse refuses to look for
 * properties in a graph of more than five million rows.
 */
export function compileNamesThere(graph: string, names: readonly GraphName[]): SqlStatement {
  const params = createParams()
  const each = names.map(({ kind, name }) => {
    const { column, table } = placesIn(graph)[kind]
    const sought = params.add(name, 'String')
    const found = kind === 'relation property' ? `mapContains(_values, ${sought})` : `${column} = ${sought}`
    const bound = kind.endsWith('property') ? ` SETTINGS max_rows_to_read = ${maxRows}` : ''
    return `(SELECT '${kind}' AS kind, ${sought} AS name FROM ${table} WHERE ${found} LIMIT 1${bound})`
  })
  return { text: each.join(' UNION ALL '), params: params.params }
}

/** Rows `{name}`: names of that kind in the graph, 1,000 at most, among the first five million rows of its table. */
export function compileKnownNames(graph: string, kind: GraphName['kind']): SqlStatement {
  const { column, table } = placesIn(graph)[kind]
  const there = kind === 'property' ? " WHERE property != ''" : ''
  return {
    text: `SELECT DISTINCT toString(${column}) AS name FROM ${table}${there} LIMIT 1000 SETTINGS max_rows_to_read = ${maxRows}, read_overflow_mode = 'break'`,
    params: {},
  }
}
