/** Texts that parse and cannot be meant; each is refused at its place. */

import { quoted } from '../../base/quoted.ts'
import { PlacedRefusal } from '../query/placed-refusal.ts'
import { checkAlgorithm } from './algorithm.ts'
import type { Condition, GraphQuery, GraphSet, Item, Member, Pattern, Returning } from './ast.ts'
import { type Column, columnsOf, expectColumn } from './columns.ts'
import { columnsIn, comparedIn } from './compared.ts'
import { aliasNames, filtersOf, othersIn } from './references.ts'
import { checkSize } from './size.ts'

export function checkQuery(query: GraphQuery): void {
  const { pattern, returning, modifier, algorithm } = query
  checkSize(query)
  const aliases = aliasesOf(pattern)
  checkFilters(query, aliases)
  if (algorithm) {
    checkAlgorithm(query, algorithm)
    return
  }
  checkPaths(query)
  if (returning) checkReturning(returning, aliases)
  if (modifier?.kind === 'UNIQUE_IN_CONTEXT' && namedNodes(query).length === 0) {
    throw new PlacedRefusal(modifier.at, 'UNIQUE_IN_CONTEXT needs a RETURN that names a node by its alias')
  }
  checkLoneCount(query)
}

export function checkSet(set: GraphSet): void {
  const all = new Map<string, unknown>()
  for (const query of set.queries) {
    checkQuery(query)
    const { returning, pattern } = query
    const at = pattern.nodes[0]?.at ?? set.column.at
    if (query.algorithm) throw new PlacedRefusal(query.algorithm.at, `${query.algorithm.kind} is no part of a set`)
    if (returning === undefined || returning.items === '*') {
      throw new PlacedRefusal(at, 'a query of a set needs a RETURN that names its columns')
    }
    const shown = columnsOf(returning.items, returning.exclude).filter(({ isExcluded }) => !isExcluded)
    expectColumn(set.column, new Map(shown.map((column) => [column.name, column])))
    for (const { name } of shown) all.set(name, query)
  }
  if (set.sort) expectColumn(set.sort.column, all)
}

/** The thing that an alias stands for, by its place in the pattern. */
export type Alias = { readonly kind: 'node' | 'link'; readonly index: number }

/** Throws a `PlacedRefusal` for an alias at two places. */
export function aliasesOf({ nodes, links }: Pattern): ReadonlyMap<string, Alias> {
  const aliases = new Map<string, Alias>()
  const places = [
    ...nodes.map((node, index) => ({ ...node, kind: 'node' as const, index })),
    ...links.map(({ edge }, index) => ({ ...edge, kind: 'link' as const, index })),
  ].sort((left, right) => left.at.offset - right.at.offset)
  for (const { alias, kind, index, at } of places) {
    if (alias === undefined) continue
    if (aliases.has(alias)) throw new PlacedRefusal(at, `the alias @${alias} stands at two places`)
    aliases.set(alias, { kind, index })
  }
  return aliases
}

/** The nodes, by their places, that RETURN names; `*` names all. */
export function namedNodes({ pattern, returning }: GraphQuery): readonly number[] {
  if (returning === undefined) return []
  if (returning.items === '*') return pattern.nodes.map((_, index) => index)
  const aliases = aliasesOf(pattern)
  const named = returning.items.flatMap((item) => aliases.get(memberOf(item)?.alias ?? '') ?? [])
  return [...new Set(named.flatMap(({ kind, index }) => (kind === 'node' ? [index] : [])))].sort((a, b) => a - b)
}

const memberOf = (item: Item): Omit<Member, 'name'> | undefined =>
  item.kind === 'member' ? item.member : item.kind === 'aggregate' ? item.of : undefined

function checkPaths({ pattern: { links }, returning, modifier }: GraphQuery): void {
  const path = links.find(({ edge }) => edge.call?.kind === 'shortest' || edge.call?.kind === 'all')
  if (path === undefined) return
  const name = path.edge.call?.kind === 'all' ? '#ALL_PATH' : '#SHORT_PATH'
  if (links.length > 1) throw new PlacedRefusal(path.edge.at, `${name} stands alone between two nodes`)
  if (returning) throw new PlacedRefusal(path.edge.at, `${name} answers nodes and edges, without RETURN`)
  if (modifier && modifier.max === undefined) {
    throw new PlacedRefusal(modifier.at, `${modifier.kind} says nothing of a path`)
  }
}

/** A filter reads nodes and relations that its text has passed, or its own. */
function checkFilters({ pattern }: GraphQuery, aliases: ReadonlyMap<string, Alias>): void {
  const known = aliasNames(pattern)
  const path = pattern.links.find(({ edge }) => edge.call?.kind === 'shortest' || edge.call?.kind === 'all')
  for (const { kind, index, at, filter } of filtersOf(pattern)) {
    for (const { alias, name, at: named } of filter.flatMap((term) => othersIn(term, (each) => known.has(each)))) {
      expectAlias({ alias, at: named }, aliases)
      const place = aliases.get(alias)
      const of = place && (place.kind === 'node' ? pattern.nodes[place.index] : pattern.links[place.index]?.edge)
      const isOwn = place?.kind === kind && place.index === index
      if (of && !isOwn && of.at.offset > at.offset) {
        throw new PlacedRefusal(
          named,
          `@${alias} stands behind this filter, which reads what stands before it: compare in the filter of @${alias}, or in WHERE`,
        )
      }
      if (path)
        throw new PlacedRefusal(named, `the ends of a path are looked for apart: $${alias}.${name} has no value there`)
    }
  }
}

function checkReturning({ items, exclude, where, sort }: Returning, aliases: ReadonlyMap<string, Alias>): void {
  if (items === '*') {
    const [first] = exclude ?? []
    if (first) throw new PlacedRefusal(first.at, 'EXCLUDE_GROUPBY goes with columns that RETURN names')
    return
  }
  for (const member of items.map(memberOf)) if (member) expectAlias(member, aliases)
  const columns = columnsOf(items, exclude)
  const byName = new Map(columns.map((column) => [column.name, column]))
  for (const { name, item } of columns) {
    for (const column of item.kind === 'aggregate' ? (item.where ?? []).flatMap(columnsIn) : []) {
      expectColumn(column, byName)
      const isOwn = column.name === name && item.kind === 'aggregate' && item.of?.name !== undefined
      if (byName.get(column.name)?.isAggregate && !isOwn) {
        throw new PlacedRefusal(column.at, `${quoted(column.name)} is an aggregate, which a count cannot go by`)
      }
    }
  }
  if (where) checkWhere(where, byName)
  if (sort) expectColumn(sort.column, byName)
  if (sort && columns.some(({ isAggregate }) => isAggregate) && hides(byName.get(sort.column.name))) {
    throw new PlacedRefusal(sort.column.at, `${quoted(sort.column.name)} is in EXCLUDE_GROUPBY, and so in no row`)
  }
}

const hides = (column: Column | undefined): boolean => column?.isExcluded === true && !column.isAggregate

function expectAlias({ alias, at }: Omit<Member, 'name'>, aliases: ReadonlyMap<string, Alias>): void {
  if (aliases.has(alias)) return
  const known = [...aliases.keys()].map((each) => `@${each}`).join(', ')
  throw new PlacedRefusal(at, `no alias @${alias} in the pattern; there ${known === '' ? 'is none' : `are ${known}`}`)
}

/** Terms are tested before the grouping or after it: one that hangs on both sides cannot be. */
function checkWhere(where: Condition, byName: ReadonlyMap<string, Column>): void {
  if (where.kind === 'and') {
    for (const term of where.terms) checkWhere(term, byName)
    return
  }
  const compared = comparedIn(where)
  const named = compared.flatMap(columnsIn)
  for (const column of named) expectColumn(column, byName)
  const columns = named.map(({ name }) => byName.get(name))
  const [first] = compared
  if (first && columns.some((column) => column?.isAggregate) && columns.some(hides)) {
    throw new PlacedRefusal(
      first.at,
      `a column in EXCLUDE_GROUPBY and an aggregate cannot ${where.kind === 'or' ? 'stand under one OR' : 'be compared'}`,
    )
  }
}

/** `RETURN COUNT(*)` over a single node: the count stands beside the rows, under its column's name. */
export function loneCount({ pattern, returning }: GraphQuery): string | undefined {
  if (pattern.links.length > 0 || returning === undefined || returning.items === '*') return undefined
  const [item, ...others] = returning.items
  if (item?.kind !== 'aggregate' || item.aggregate !== 'COUNT' || item.of || others.length > 0) return undefined
  return item.as?.name ?? 'count'
}

function checkLoneCount(query: GraphQuery): void {
  const name = loneCount(query)
  const [item] = query.returning?.items === '*' ? [] : (query.returning?.items ?? [])
  if ((name === 'rows' || name === 'num_items') && item?.as) {
    throw new PlacedRefusal(item.as.at, `the count stands beside '${name}' in the answer: call it something else`)
  }
}
