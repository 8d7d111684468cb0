import type { Refusal } from '../../../base/refusal.ts'
import type { Comparison, Condition, Position } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { shown } from '../source-text.ts'
import { isInt64, timeLiteral, timeWanted } from './condition.ts'

/** The period of an aggregation in microseconds, both ends included, and the one group it asks for. */
export type Span = {
  readonly from: bigint
  readonly to: bigint
  readonly groupKey?: string
  /** The place of the group's key in the text. */
  readonly groupKeyAt?: Position
}

/** The span that a query without `st` and `et` covers; its answer names these bounds. */
const everFrom = 1n
export const everTo = 2n ** 63n - 1n

/** Reads `st >= a and et <= b and skey = "..."`: an aggregation knows intervals and groups, not events. */
export function spanOf(where: Condition | undefined): Span {
  let from: bigint | undefined
  let to = everTo
  let group: Pick<Span, 'groupKey' | 'groupKeyAt'> = {}
  for (const term of where === undefined ? [] : termsOf(where)) {
    const word = term.path.toLowerCase()
    if (word === 'skey') {
      if (group.groupKey !== undefined) throw refuse(term, 'comes twice: an aggregation takes one group, or all')
      group = { groupKey: groupKeyOf(term), groupKeyAt: term.at }
    } else if (word === 'st') from = later(boundOf(term, '>=', '>', 1n), from)
    else if (word === 'et') to = earlier(to, boundOf(term, '<=', '<', -1n))
    else throw refuse(term, 'cannot bound an aggregation: use st >= <us>, et <= <us> and skey = "..."')
  }
  return { from: from ?? everFrom, to, ...group }
}

function termsOf(where: Condition): Comparison[] {
  if (where.kind === 'compare') return [where]
  if (where.kind === 'like')
    throw new PlacedRefusal(where.at, 'an aggregation knows no like: use st >= <us>, et <= <us> and skey = "..."')
  if (where.kind === 'or') {
    throw new PlacedRefusal(placeOf(where), 'the conditions of an aggregation are joined by and, these by or')
  }
  return where.terms.flatMap(termsOf)
}

/** Where a condition begins; one of terms has no place of its own. */
function placeOf(where: Condition): Position {
  if ('at' in where) return where.at
  const [first] = where.terms
  return first === undefined ? { offset: 0, line: 1, column: 1 } : placeOf(first)
}

const refuse = ({ at, path }: Comparison, problem: string): Refusal =>
  new PlacedRefusal(at, `${path.length > 100 ? shown(path) : path} ${problem}`)

function groupKeyOf(term: Comparison): string {
  if (term.operator === '=' && term.value.kind === 'string') return term.value.value
  throw refuse(term, 'names one group: write skey = "value1:value2"')
}

function boundOf(term: Comparison, inclusive: string, exclusive: string, step: bigint): bigint {
  const { operator, value } = term
  const time = value.kind === 'string' ? timeLiteral(value) : value
  if (time?.kind !== 'number' || !isInt64(time.text)) throw refuse(term, `is a time: ${timeWanted}`)
  if (operator === inclusive) return BigInt(time.text)
  if (operator === exclusive) return BigInt(time.text) + step
  throw refuse(term, `bounds the period: write ${term.path} ${inclusive} ${time.text}`)
}

const later = (a: bigint, b = a): bigint => (a > b ? a : b)
const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The intervals of `granularity` seconds that overlap a span with bounds: from the first one's start to the last one's end. */
export function wholeIntervals({ from, to }: Span, granularity: number): Pick<Span, 'from' | 'to'> {
  if (from > to) return { from, to }
  const length = BigInt(granularity) * 1_000_000n
  const startOf = (time: bigint): bigint => time - (((time % length) + length) % length)
  return {
    from: from === everFrom ? from : startOf(from),
    to: to === everTo ? to : earlier(everTo, startOf(to) + length - 1n),
  }
}
