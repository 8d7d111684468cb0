/** The columns that a query reads of the nodes and relations of its pattern. */
import type { GraphQuery, Item } from '../ast.ts'
import { aliasesOf } from '../check.ts'
import { columnsOf } from '../columns.ts'
import type { Needs } from './walk/walk.ts'

export const hasAggregates = ({ returning }: GraphQuery): boolean =>
  returning !== undefined &&
  returning.items !== '*' &&
  columnsOf(returning.items, returning.exclude).some(({ isAggregate }) => isAggregate)

export const itemsOf = ({ returning }: GraphQuery): readonly Item[] =>
  returning === undefined || returning.items === '*' ? [] : returning.items

export function needsOf(query: GraphQuery): Needs {
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
  return { nodes, names, links, keys }
}

export const noNeeds: Needs = { nodes: new Map(), names: new Set(), links: new Map(), keys: true }

export const needsAll = ({ pattern }: GraphQuery): Needs => ({
  nodes: new Map(pattern.nodes.map((_, index) => [index, 'all'])),
  names: new Set(pattern.nodes.keys()),
  links: new Map(pattern.links.map((_, index) => [index, 'all'])),
  keys: true,
})
