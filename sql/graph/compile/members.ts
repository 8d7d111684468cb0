/** The column that an alias and a member name stand for in a walk. */

import type { Member } from '../ast.ts'
import type { Alias } from '../check.ts'
import type { Cell } from './values/cell.ts'

/** The SQL by which a statement reads its walks. */
export type WalkCells = {
  /** `SELECT columns` over the walks, and the clauses behind it. */
  readonly select: (columns: string, tail?: string) => string
  readonly node: (index: number) => { readonly label: Cell; readonly name: Cell }
  readonly nodeProperty: (index: number, name: string) => Cell
  readonly relation: (index: number) => Cell
  readonly linkProperty: (index: number, name: string) => Cell
  readonly linkKey: (index: number) => string
}

export function createMembers(
  aliases: ReadonlyMap<string, Alias>,
  walk: Omit<WalkCells, 'linkKey' | 'select'> & Partial<WalkCells>,
) {
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
