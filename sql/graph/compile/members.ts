/** The column that an alias and a member name stand for in a walk. */

import type { Member } from '../ast.ts'
import { aliasesOf } from '../check.ts'
import type { QueryContext } from './context.ts'
import type { Cell } from './values/cell.ts'
import type { WalkCells } from './walk/walk.ts'

export function createMembers(
  { query }: QueryContext,
  walk: Omit<WalkCells, 'linkKey' | 'select'> & Partial<WalkCells>,
) {
  const aliases = aliasesOf(query.pattern)

  const cellOf = ({ alias, name }: Pick<Member, 'alias' | 'name'>): Cell => {
    const place = aliases.get(alias)
    if (place?.kind === 'link') {
      return name === 'rel' ? walk.relation(place.index) : walk.linkProperty(place.index, name)
    }
    const index = place?.index ?? 0
    const node = walk.node(index)
    if (name === 'name') return node.name
    return name === 'label' ? node.label : walk.nodeProperty(index, name)
  }

  /** The node or relation itself, as a text of its own. */
  const itselfOf = (alias: string): Cell => {
    const place = aliases.get(alias)
    if (place?.kind === 'link') return { kind: 'text', sql: walk.linkKey?.(place.index) ?? "''" }
    const { label, name } = walk.node(place?.index ?? 0)
    return { kind: 'text', sql: `toString((${label.sql}, ${name.sql}))` }
  }

  return { cellOf, itselfOf }
}
