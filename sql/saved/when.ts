/** The condition of a watch over the columns of a row, in the language of `where`. */
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { ComparisonWord, Literal } from '../schema/words/literal.ts'
import { type Condition, parseCondition, type Side } from '../schema/words/where.ts'

export type Row = { readonly [column: string]: Json }

/** `left` is a column, `right` a column or a value. */
type Comparison = {
  readonly left: string
  readonly is: ComparisonWord
  readonly right: { readonly column: string } | { readonly value: Literal }
}

/** Alternatives, each of comparisons that hold together. */
export type When = readonly (readonly Comparison[])[]

const isMoving = (side: Side): boolean => side.kind === 'moving'

/** Throws a `Refusal` with the place in the text. */
export function parseWhen(text: string): When {
  const condition: Condition = parseCondition(text)
  const sides = condition.flat().flatMap(({ left, right }) => [left, right])
  if (sides.some(isMoving))
    throw new Refusal('compares columns of the answer: the text of the question computes statistics')
  return condition.map((terms) =>
    terms.map(({ left, is, right }) => ({
      left: left.kind === 'attribute' ? left.path : '',
      is,
      right:
        right.kind === 'attribute' ? { column: right.path } : { value: right.kind === 'literal' ? right.value : '' },
    })),
  )
}

/** The columns that a condition compares, in the order of its text. */
export const columnsOf = (when: When): string[] => [
  ...new Set(when.flat().flatMap(({ left, right }) => ('column' in right ? [left, right.column] : [left]))),
]

type Comparable = string | number | bigint | boolean

const isNumber = (value: Comparable): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

const compares: Readonly<Record<ComparisonWord, (a: Comparable, b: Comparable) => boolean>> = {
  // Two numbers of which one has more digits than a double are compared as they are.
  '=': (a, b) => (isNumber(a) && isNumber(b) ? !(a < b) && !(a > b) : a === b),
  '!=': (a, b) => !compares['='](a, b),
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

const kindOf = (value: Comparable): string =>
  isNumber(value) ? 'a number' : typeof value === 'string' ? 'a text' : 'a truth value'

/** A value of a column of the row; an Error where the row has no such column, or its value cannot be compared. */
function valueIn(row: Row, column: string): Comparable | null {
  const value = Object.hasOwn(row, column) ? row[column] : undefined
  if (value === undefined)
    throw new Error(`when: the answer has no column ${column}; it has ${Object.keys(row).slice(0, 20).join(', ')}`)
  if (typeof value === 'object' && value !== null)
    throw new Error(`when: the column ${column} has lists or objects, which are not compared`)
  return value
}

/** Whether a row satisfies the condition. A value that is null satisfies no comparison. Throws an Error of a row that cannot be compared. */
export const holds = (when: When, row: Row): boolean =>
  when.some((terms) =>
    terms.every(({ left, is, right }) => {
      const first = valueIn(row, left)
      const second = 'column' in right ? valueIn(row, right.column) : right.value
      if (first === null || second === null) return false
      if (kindOf(first) !== kindOf(second))
        throw new Error(`when: ${left} is ${kindOf(first)}, and is compared with ${kindOf(second)}`)
      return compares[is](first, second)
    }),
  )
