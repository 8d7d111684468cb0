/** Values that stand for a column, or for a property: `$col` in WHERE, `$prop` and `$alias.prop` in a filter. */
import { attributesOf } from '../expression/index.ts'
import type { Position } from '../query/ast.ts'
import type { Comparison, Filter, Formula, GraphQuery, Pattern, Property, Reference, Value } from './ast.ts'

type Term = Comparison<Property | Formula>

export const referenceIn = (value: Value): Reference | undefined => (value.kind === 'reference' ? value : undefined)

/** A node or relation of a pattern that may have a filter, by its place there. */
export type FilterPlace = { readonly kind: 'node' | 'link'; readonly index: number; readonly at: Position }
/** A term of the filter at a place, which reads another node or relation. */
export type AcrossTerm = { readonly place: Omit<FilterPlace, 'at'>; readonly term: Term }

export type AliasPlace = { readonly alias: string; readonly name: string; readonly at: Position }

/** The properties of others that a term reads, `aliases` being those of the pattern. */
export function othersIn({ left, value, at }: Term, isAlias: (alias: string) => boolean): readonly AliasPlace[] {
  const reference = referenceIn(value)
  const ofValue = reference?.alias === undefined ? [] : [{ ...reference, alias: reference.alias }]
  const ofFormula = left.kind === 'formula' ? attributesOf(left.expression) : []
  return [...ofValue, ...ofFormula.flatMap((name) => otherIn(name, isAlias).map((other) => ({ ...other, at })))]
}

/** `a.born` in an expression, where the pattern has such an alias. */
export function otherIn(
  attribute: string,
  isAlias: (alias: string) => boolean,
): readonly Pick<AliasPlace, 'alias' | 'name'>[] {
  const dot = attribute.indexOf('.')
  const alias = attribute.slice(0, Math.max(dot, 0))
  return dot > 0 && isAlias(alias) ? [{ alias, name: attribute.slice(dot + 1) }] : []
}

export const filtersOf = ({ nodes, links }: Pattern): readonly (FilterPlace & { readonly filter: Filter })[] => [
  ...nodes.flatMap(({ filter, at }, index) => (filter ? [{ kind: 'node' as const, index, at, filter }] : [])),
  ...links.flatMap(({ edge: { filter, at } }, index) => (filter ? [{ kind: 'link' as const, index, at, filter }] : [])),
]

export const aliasNames = ({ nodes, links }: Pattern): ReadonlySet<string> =>
  new Set([...nodes, ...links.map(({ edge }) => edge)].flatMap(({ alias }) => (alias === undefined ? [] : [alias])))

/**
 * A query without the terms of its filters that read others, and these terms: only whole walks can be tested by them.
 */
export function withoutAcross(query: GraphQuery): {
  readonly query: GraphQuery
  readonly across: readonly AcrossTerm[]
} {
  const { pattern } = query
  const aliases = aliasNames(pattern)
  const isAcross = (term: Term): boolean => othersIn(term, (alias) => aliases.has(alias)).length > 0
  const across = filtersOf(pattern).flatMap(({ kind, index, filter }) =>
    filter.filter(isAcross).map((term) => ({ place: { kind, index }, term })),
  )
  if (across.length === 0) return { query, across }
  const reduced = <Part extends { readonly filter?: Filter }>(part: Part): Part => {
    const { filter, ...rest } = part
    const kept = filter?.filter((term) => !isAcross(term)) ?? []
    // The rest with its filter is the part again.
    return (kept.length > 0 ? { ...rest, filter: kept } : rest) as Part
  }
  const links = pattern.links.map((link) => ({ ...link, edge: reduced(link.edge) }))
  return { query: { ...query, pattern: { ...pattern, nodes: pattern.nodes.map(reduced), links } }, across }
}
