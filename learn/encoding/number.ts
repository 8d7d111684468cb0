import type { Cell } from '../formats/row.ts'

/** NaN for a missing cell, `undefined` for one that holds no finite number. `true` and `false` are 1 and 0. */
export function toNumber(cell: Cell): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined
  if (cell === undefined) return Number.NaN
  const number = Number(cell)
  if (Number.isFinite(number)) return isDecimal(cell) ? number : undefined
  return named.get(cell.trim().toLowerCase())
}

const named = new Map([
  ['true', 1],
  ['false', 0],
])

/** `Number` takes `0x1f` and blanks too. This is asked of each cell, so the usual first characters decide at once. */
function isDecimal(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first !== 0x30) return first > 0x20 || !/^\s*(?:0[xob]|$)/i.test(text)
  const second = text.charCodeAt(1)
  return !(second > 0x39) || second === 0x65 || second === 0x45
}

/** Whether a cell is `true` or `false`, which a number takes for 1 or 0. The first character decides for most cells. */
export const isBoolean = (cell: Cell): boolean => {
  if (typeof cell !== 'string' || (cell.charCodeAt(0) < 0x3a && cell.charCodeAt(0) > 0x20)) return false
  return /^\s*(?:true|false)\s*$/i.test(cell)
}

export const noNumber = (cell: Cell): string => `'${String(cell).slice(0, 40)}' is no number`
