/** Cells as texts, numbers and times. */
import { printJson } from '../../api/json.ts'
import { inZone, zone } from '../../state/time-zone.ts'
import { cellNumberText, fullNumber } from '../number-text.ts'
import { timeText } from '../time-text.ts'
import type { Cell, ColumnKind, ResultColumn } from './rows.ts'

/** All of a cell, as a file has it. */
export function plainText(cell: Cell): string {
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'string') return cell
  return typeof cell === 'object' ? printJson(cell) : String(cell)
}

/** A cell as a table shows it. */
export function cellText(cell: Cell, kind: ColumnKind, of?: string): string {
  if (cell === null) return 'NULL'
  if (kind === 'time') return timeCell(cell, of)
  return typeof cell === 'number' ? cellNumberText(cell) : plainText(cell)
}

/** All digits of a cell, where a table leaves some out. */
export const fullCell = (cell: Cell): string | undefined => (typeof cell === 'number' ? fullNumber(cell) : undefined)

/** Microseconds, and texts in UTC, are shown in the zone that the reader has chosen; others as they are written. */
function timeCell(cell: Cell, of: string | undefined): string {
  const time_us = of === undefined ? timeOf(cell) : undefined
  if (time_us === undefined || Number.isNaN(new Date(time_us / 1000).getTime())) return plainText(cell)
  return typeof cell === 'string' && zone.value === 'utc' ? cell : timeText(time_us)
}

/** The title of a column: of times it names the zone. */
export const columnTitle = ({ name, kind, zone: of }: ResultColumn): string =>
  kind !== 'time' || of === '' ? name : of === undefined ? inZone(name) : `${name} (${of})`

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
