/** A value inside an expression; undefined where it is missing. A bigint is an integer that no double holds. */
export type Value = number | bigint | string | boolean

/** UTF-16 units of a text that a function may give; a longer one is missing. Texts of texts could double an event at each step. */
export const longestText = 1 << 20

const isNumeric = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Less than, equal to or more than 0: texts by code points, numbers exactly; NaN for values of different kinds. */
export function orderOf(left: Value, right: Value): number {
  if (typeof left === 'string') return typeof right === 'string' ? orderOfTexts(left, right) : Number.NaN
  if (typeof right === 'string' || isNumeric(left) !== isNumeric(right)) return Number.NaN
  return left < right ? -1 : left > right ? 1 : 0
}

function orderOfTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (a !== b) return inOrder(a) - inOrder(b)
  }
  return left.length - right.length
}

/** Surrogates stand for code points behind all others. */
const inOrder = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
