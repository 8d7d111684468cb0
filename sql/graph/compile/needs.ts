/** The columns that a query reads of the nodes and relations of its pattern. */
import type { GraphQuery, Item } from '../ast.ts'
import { aliasesOf } from '../check.ts'
import { columnsOf } from '../columns.ts'
import { otherIn, othersIn, referenceIn } from '../references.ts'
import type { QueryContext } from './context.ts'
import { propertiesOf } from './values/filter.ts'
import type { Wanted } from './walk/properties.ts'
import type { Needs } from './walk/walk.ts'

export const hasAggregates = ({ returning }: GraphQuery): boolean =>
  returning !== undefined &&
  returning.items !== '*' &&
  columnsOf(returning.items, returning.exclude).some(({ isAggregate }) => isAggregate)

export const itemsOf = ({ returning }: GraphQuery): readonly Item[] =>
  returning === undefined || returning.items === '*' ? [] : returning.items

export function needsOf({ query, across }: Asked): Needs {
  const aliases = aliasesOf(query.pattern)
  const nodes = new Map<number, string[]>()
  const links = new Map<number, string[]>()
  const names = new Set<number>()
  const add = (to: Map<number, string[]>, index: number, name: string): void => {
    to.set(index, [...new Set([...(to.get(index) ?? []), name])])
  }
  let keys = !hasAggregates(query) || query.modifier?.kind.startsWith('UNIQUE') === true
  for (const item of itemsOf(query)) {
    const member = item.kind === 'member' ? item.member : item.kind === 'aggregate' ? item.of : undefined
    const place = member && aliases.get(member.alias)
    const name = member?.name
    if (place?.kind === 'link') {
      if (name === undefined || name === 'evpk') keys = true
      if (name !== undefined) add(links, place.index, name)
    }
    if (place?.kind !== 'node') continue
    if (name === undefined || name === 'name' || name === 'label') names.add(place.index)
    else add(nodes, place.index, name)
  }
  const wholeLinks = new Map<number, Wanted>(links)
  for (const { kind, index, name } of readAcross(query, across)) {
    if (kind === 'link') {
      // `rel` may be a property, or the relation.
      wholeLinks.set(index, 'all')
      keys = true
    } else if (name === undefined) names.add(index)
    else add(nodes, index, name)
  }
  return { nodes, names, links: wholeLinks, keys }
}

type Asked = Pick<QueryContext, 'query' | 'across'>
/** A name that is absent is a node's own name or label. */
type Read = { readonly kind: 'node' | 'link'; readonly index: number; readonly name?: string }

/** The properties that terms across a walk read. */
function readAcross({ pattern }: GraphQuery, across: Asked['across']): readonly Read[] {
  const aliases = aliasesOf(pattern)
  const isAlias = (alias: string): boolean => aliases.has(alias)
  const ofNode = (index: number, name: string, reserved: readonly string[]): Read => ({
    kind: 'node',
    index,
    ...(!reserved.includes(name) && { name }),
  })
  return across.flatMap(({ place, term }): readonly Read[] => {
    const others = othersIn(term, isAlias).flatMap(({ alias, name }): readonly Read[] => {
      const of = aliases.get(alias)
      if (of === undefined) return []
      return of.kind === 'link' ? [{ ...of, name }] : [ofNode(of.index, name, ['name', 'label'])]
    })
    const isOfOther = referenceIn(term.value)?.alias !== undefined
    const own = propertiesOf([isOfOther ? { ...term, value: { kind: 'missing' } } : term]).filter(
      (name) => term.left.kind === 'property' || otherIn(name, isAlias).length === 0,
    )
    const ofPlace = own.map((name) =>
      place.kind === 'link' ? { ...place, name } : ofNode(place.index, name, ['name']),
    )
    return [...others, ...ofPlace]
  })
}

export const needsAll = ({ query: { pattern } }: Asked): Needs => ({
  nodes: new Map(pattern.nodes.map((_, index) => [index, 'all'])),
  names: new Set(pattern.nodes.keys()),
  links: new Map(pattern.links.map((_, index) => [index, 'all'])),
  keys: true,
})
