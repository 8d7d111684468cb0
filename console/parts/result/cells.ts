/** Cells as texts, numbers and times. */
import { printJson } from '../../api/json.ts'
import { timeText } from '../time-text.ts'
import type { Cell, ColumnKind } from './rows.ts'

/** All of a cell, as a file has it. */
export function plainText(cell: Cell): string {
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'string') return cell
  return typeof cell === 'object' ? printJson(cell) : String(cell)
}

/** A cell as a table shows it. */
export function cellText(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return 'NULL'
  if (kind === 'time' && (typeof cell === 'number' || typeof cell === 'bigint')) return timeText(Number(cell))
  return plainText(cell)
}

/** The number that a chart draws; undefined where a cell has none. */
export function numberOf(cell: Cell): number | undefined {
  const number = typeof cell === 'bigint' ? Number(cell) : cell
  if (typeof number === 'number') return Number.isFinite(number) ? number : undefined
  if (typeof number === 'boolean') return number ? 1 : 0
  // Analysts' SQL writes decimals and numbers beyond a double as texts.
  if (typeof number !== 'string' || !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number)) return undefined
  return Number(number)
}

/** Microseconds since 1970: of a number as it is, of a text such as `2026-11-26 11:04:09.5` in UTC. */
export function timeOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'bigint') return Number(cell)
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:[ T]|$)/.test(cell)) return undefined
  const text = cell.length === 10 ? cell : cell.replace(' ', 'T')
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) || text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms * 1000
}
