import type { Layout } from '../layout.ts'
import type { Cell, Row } from './row.ts'

export type WrittenCell = {
  readonly name: string
  readonly position: number
  readonly cell: Cell
  readonly isTarget: boolean
}

/** The cells of a row in the order of their positions, the target among them. */
export function byPosition({ cells, target }: Row, layout: Layout): readonly WrittenCell[] {
  const written = layout.columns.map(({ name, position }, i) => ({ name, position, cell: cells[i], isTarget: false }))
  if (layout.target !== undefined) {
    const { name, position } = layout.target
    written.push({ name, position, cell: target, isTarget: true })
  }
  return written.sort((a, b) => a.position - b.position)
}
