import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import type { ReadOptions } from './format.ts'

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

/**
 * Why a row to predict is refused that gives its values by name; undefined where it is not. A misspelt name would be guessed
 * by the mean, so each attribute has to be there. A row that may have gaps has to name one at least: one that names other
 * things alone is for another model.
 */
export function lacking(
  isThere: (name: string) => boolean,
  { columns }: Layout,
  { purpose, gaps = false }: ReadOptions,
): string | undefined {
  if (purpose === 'training' || (gaps && columns.some(({ name }) => isThere(name)))) return undefined
  const absent = columns.map(({ name }) => name).filter((name) => !isThere(name))
  if (absent.length === 0) return undefined
  const names = `${absent.slice(0, 20).join(', ')}${absent.length > 20 ? ', ...' : ''}`
  if (absent.length === columns.length) return `the row names none of the attributes ${names}`
  return `the row lacks ${names}; a value that is missing is null, in KV nothing behind its name`
}
