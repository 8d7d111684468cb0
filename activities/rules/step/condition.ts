import type { RuleState } from '../../../infra/memory/state.ts'
import type { Comparison, Condition, Like, Literal, Operator } from '../../../sql/query/ast.ts'
import { isInt64 } from '../../../sql/query/compile/condition.ts'
import { numberFromText } from '../../../sql/schema/number-text.ts'
import type { MovingValue, RuleCondition, RuleOperand, Stream } from '../../../sql/schema/schema.ts'
import { comparisons, mirrored } from '../../events/compare.ts'
import { jsonScalar, maxUInt64, type Scalar } from '../../events/values.ts'
import type { CurrentEvent } from './current-event.ts'
import { type Place, placeOf, scalarRead } from './read.ts'

/** Whether a condition holds for an event. */
export type Holds = (current: CurrentEvent, state: RuleState) => boolean

/** The value of a statistic at the time of an event; undefined where its window is empty. */
export type ReadMoving = (current: CurrentEvent, state: RuleState) => number | undefined

type Compare = Exclude<RuleCondition, { readonly terms: unknown }>
type Operand = Place | { readonly kind: 'moving'; readonly read: ReadMoving } | Literal

/**
 * A condition as ClickHouse would answer it for the event's row: a missing value satisfies no comparison, numbers compare
 * as numbers and texts by the bytes of their UTF-8.
 */
export function compileCondition(
  condition: Condition | RuleCondition,
  stream: Stream,
  moving: (value: MovingValue) => ReadMoving,
): Holds {
  if ('terms' in condition) {
    const terms = condition.terms.map((term) => compileCondition(term, stream, moving))
    return condition.kind === 'and'
      ? (current, state) => terms.every((holds) => holds(current, state))
      : (current, state) => terms.some((holds) => holds(current, state))
  }
  if (condition.kind === 'like') return compileLike(condition, stream)
  const operandOf = (operand: RuleOperand): Operand => {
    if (operand.kind === 'attribute') return placeOf(stream, operand.path)
    return operand.kind === 'moving' ? { kind: 'moving', read: moving(operand) } : operand
  }
  const { left, operator, right } = 'path' in condition ? sidesOf(condition) : condition
  return compileComparison(operandOf(left), operator, operandOf(right))
}

/** A comparison of the query language, which has its attribute on the left. */
const sidesOf = ({ path, operator, value }: Comparison): Compare => ({
  kind: 'compare',
  left: { kind: 'attribute', path },
  operator,
  right: value,
})

function compileLike({ path, prefix }: Like, stream: Stream): Holds {
  const { read } = placeOf(stream, path)
  return (current) => {
    const value = read(current)
    return typeof value === 'string' && value.startsWith(prefix)
  }
}

const isLiteral = (operand: Operand): operand is Literal =>
  operand.kind === 'string' || operand.kind === 'number' || operand.kind === 'boolean'

function compileComparison(left: Operand, operator: Operator, right: Operand): Holds {
  const satisfies = comparisons[operator]
  if (isLiteral(left)) {
    if (!isLiteral(right)) return compileComparison(right, mirrored[operator], left)
    const holds = satisfies(exactValue(left), exactValue(right))
    return () => holds
  }
  if (isLiteral(right)) return compareLiteral(left, satisfies, right)
  const leftRead = left.kind === 'moving' ? left.read : scalarRead(left)
  const rightRead = right.kind === 'moving' ? right.read : scalarRead(right)
  return (current, state) => {
    const value = leftRead(current, state)
    if (value === undefined) return false
    const other = rightRead(current, state)
    return other !== undefined && satisfies(value, other)
  }
}

type Satisfies = (left: Scalar, right: Scalar) => boolean

function compareLiteral(left: Exclude<Operand, Literal>, satisfies: Satisfies, literal: Literal): Holds {
  if (left.kind === 'json') return compareJson(left, satisfies, literal)
  const isNumeric = left.kind === 'moving' || left.type === 'DOUBLE' || left.type === 'LONG'
  const read = numbered(literal, isNumeric)
  const other = left.kind === 'column' && left.type === 'LONG' ? exactValue(read) : doubleValue(read)
  return (current, state) => {
    const value = left.read(current, state)
    return value !== undefined && satisfies(value, other)
  }
}

/** A number sent as a text is one where it is compared with a number. */
function numbered(literal: Literal, isNumeric: boolean): Literal {
  if (literal.kind !== 'string' || !isNumeric) return literal
  return numberFromText(literal.value) === undefined ? literal : { kind: 'number', text: literal.value.trim() }
}

/** A value of any kind has the kind of its JSON text, and an integer beyond 64 bits is a double there. */
function compareJson({ read }: Extract<Place, { kind: 'json' }>, satisfies: Satisfies, literal: Literal): Holds {
  const [exact, double] = [exactValue(literal), doubleValue(literal)]
  return (current) => {
    const value = jsonScalar(read(current))
    if (value === undefined) return false
    const isDouble = typeof value === 'number' && !Number.isSafeInteger(value)
    return satisfies(value, isDouble ? double : exact)
  }
}

/** Beyond any 64-bit integer; the double next to a greater one may equal it. */
const beyond = 1e30

const wholeNumber = /^([+-]?)0*(0|[1-9]\d*)(?:\.0+)?$/

/** A number as it is written; one beyond 64 bits is beyond all integers. */
function exactValue(literal: Literal): Scalar {
  if (literal.kind !== 'number') return literal.value
  const [, sign, digits] = wholeNumber.exec(literal.text) ?? []
  if (digits === undefined) return Number(literal.text)
  const whole = sign === '-' ? `-${digits}` : digits
  if (!isInt64(whole) && (sign === '-' || digits.length > 20 || BigInt(digits) > maxUInt64)) {
    return sign === '-' ? -beyond : beyond
  }
  const number = Number(whole)
  return Number.isSafeInteger(number) ? number : BigInt(whole)
}

const doubleValue = (literal: Literal): Scalar =>
  literal.kind === 'number' ? Number(literal.text) : exactValue(literal)
