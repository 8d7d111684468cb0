import { Refusal } from '../../../sql/refusal.ts'
import type { Layout } from '../layout.ts'
import type { ReadOptions } from './format.ts'
import type { BrokenRow } from './row.ts'

export function requireColumns({ columns }: Layout, format: string): void {
  if (columns.length === 0) throw new Refusal(`attr_list is empty; for ${format} it names the attributes`)
}

/** Formats that find attributes by name cannot find a target that `attr_list` does not name, where rows bring it. */
export function requireNames(layout: Layout, options: ReadOptions, format: string): void {
  requireColumns(layout, format)
  if (options.target && layout.target?.unnamed) {
    throw new Refusal(
      `target_idx is ${layout.target.position}, but attr_list has no attribute at that position; ${format} needs its name`,
    )
  }
}

/** What a row to predict is that names other things alone: not one with gaps, but one for another model. */
export function namesNothing({ columns }: Layout, line: number): BrokenRow {
  const names = columns.slice(0, 20).map(({ name }) => name)
  const more = columns.length > names.length ? ', ...' : ''
  return { line, reason: `the row names none of the attributes ${names.join(', ')}${more}` }
}
