import type { Operator } from '../../../sql/query/ast.ts'

/** Numbers compare as numbers, exactly: a bigint is an integer beyond 2^53, and a number any other. */
export type Value = number | bigint | string | boolean

/** Whether two values satisfy a comparison. Values of different kinds satisfy none, `!=` included. */
export const comparisons: Readonly<Record<Operator, (left: Value, right: Value) => boolean>> = {
  '=': (left, right) => left === right || order(left, right) === 0,
  '!=': (left, right) => {
    const found = order(left, right)
    return found < 0 || found > 0
  },
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
}

export const mirrored: Readonly<Record<Operator, Operator>> = {
  '=': '=',
  '!=': '!=',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
}

const isNumber = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Less than, equal to or more than 0; NaN where the two cannot be compared. */
function order(left: Value, right: Value): number {
  if (typeof left === 'string') return typeof right === 'string' ? textOrder(left, right) : Number.NaN
  if (isNumber(left) !== isNumber(right) || typeof right === 'string') return Number.NaN
  return left < right ? -1 : left > right ? 1 : 0
}

const surrogates = 0xd800
const behindSurrogates = 0xe000

/** The order of two texts by their UTF-8: characters of two units come behind all others there. */
function textOrder(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let i = 0; i < shorter; i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)]
    if (a !== b) return a >= surrogates && b >= surrogates ? lifted(a) - lifted(b) : a - b
  }
  return left.length - right.length
}

const lifted = (unit: number): number => (unit < behindSurrogates ? unit + 0x10000 : unit)

/** A value as it stands in a key: values that are equal give one text, others give another. */
export function keyPart(value: Value): string {
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return `n${BigInt(value)}`
  return `n${value === 0 ? 0 : value}`
}

const escaped = (part: string): string => (/[\\|]/.test(part) ? part.replaceAll(/[\\|]/g, '\\$&') : part)

export const joinedKey = (parts: readonly string[]): string => parts.map(escaped).join('|')
