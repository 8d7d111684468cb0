import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import { valueFunctions } from '../../expression/index.ts'
import { numberFromText } from '../number-text.ts'
import type { ComputedAttribute } from '../schema.ts'
import { expressionOf } from './computed-expression.ts'

type Check = (attribute: ComputedAttribute) => readonly string[]

const inputsAs = (count: number) => `${count} input${count === 1 ? '' : 's'}`

const takes =
  (fits: (count: number) => boolean, wanted: string): Check =>
  ({ operation, inputs }) =>
    fits(inputs.length) ? [] : [`${operation} takes ${wanted}, got ${inputs.length}`]

const exactly = (count: number) => takes((got) => got === count, `exactly ${inputsAs(count)}`)
const atLeast = (count: number) => takes((got) => got >= count, `at least ${inputsAs(count)}`)
const either = (min: number, max: number) => takes((got) => got >= min && got <= max, `${min} or ${inputsAs(max)}`)

const every =
  (...checks: readonly Check[]): Check =>
  (attribute) =>
    checks.flatMap((check) => check(attribute))

const expression: Check = (attribute) => {
  try {
    expressionOf(attribute)
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.problems.map((problem) => `${attribute.operation}: ${problem}`)
    throw error
  }
}

type Literal = ComputedAttribute['inputs'][number]

const shown = (literal: Literal) => (typeof literal === 'string' ? quoted(literal) : String(literal))

const isNumeric = (literal: Literal) =>
  typeof literal === 'number' || (typeof literal === 'string' && numberFromText(literal) !== undefined)

const literalFits: Readonly<Record<ComputedAttribute['type'], (literal: Literal) => boolean>> = {
  STRING: () => true,
  BOOL: (literal) => typeof literal === 'boolean',
  LONG: isNumeric,
  DOUBLE: isNumeric,
  OBJECT: () => false,
}

const literal: Check = ({ type, inputs: [value] }) =>
  value === undefined || literalFits[type](value) ? [] : [`COPY_VAL of ${shown(value)} gives no ${type}`]

const folded: Check = ({ type, key = [], start }) => [
  ...(start === undefined
    ? ['FOLD needs "start", the value before the first event of a key']
    : literalFits[type](start)
      ? []
      : [`FOLD starts with ${shown(start)}, which is no ${type}`]),
  ...(new Set(key).size < key.length ? ['FOLD names an attribute twice in "key"'] : []),
]

const hashLength: Check = ({ inputs: [, , length] }) =>
  length === undefined || (typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 12)
    ? []
    : [`the third input of GEOHASH is its length, a number from 1 to 12, got ${shown(length)}`]

const model: Check = ({ model }) => (model === undefined ? ['PRED needs the name of a model in "model"'] : [])

const probability: Check = ({ type, probabilityOf }) =>
  probabilityOf === undefined || type === 'DOUBLE'
    ? []
    : [`PRED with "prob" stores a probability: its type is DOUBLE, not ${type}`]

const lagged: Check = ({ lag, uid, inputs, probabilityOf, algorithm }) => {
  if (lag === undefined) {
    if (uid !== undefined)
      return ['PRED with "uid" tells series apart: it needs "lag", how many values it predicts from']
    return algorithm?.trim().toUpperCase() === 'PROJ_LIN'
      ? ['PRED by PROJ_LIN predicts from last values: it needs "lag", how many there are']
      : []
  }
  const [input] = inputs
  return [
    ...(inputs.length === 1 && typeof input === 'string'
      ? []
      : [
          `PRED with "lag" takes exactly 1 input, the attribute whose last values it predicts from, got ${inputs.length}`,
        ]),
    ...(probabilityOf === undefined ? [] : ['PRED with "lag" predicts a number, which has no "prob"']),
  ]
}

const ofArity = ([min, max]: readonly [number, number]): Check => {
  if (min === max) return exactly(min)
  return max <= 3 ? either(min, max) : atLeast(min)
}

const one = exactly(1)
const checks: Readonly<Record<string, Check>> = {
  COPY: one,
  ADD: atLeast(1),
  MUL: atLeast(1),
  DIV: atLeast(2),
  PERCENT: exactly(2),
  SUB: atLeast(2),
  COPY_VAL: every(one, literal),
  LOG_E: one,
  LOG_2: one,
  LOG_10: one,
  MATH_EXP: every(one, expression),
  TS: one,
  YEAR: one,
  YEAR_EPOCH: one,
  MONTH: one,
  MONTH_EPOCH: one,
  WEEK: one,
  WEEK_MONTH: one,
  WEEK_EPOCH: one,
  DAY: one,
  DAY_WEEK: one,
  DAY_MONTH: one,
  DAY_EPOCH: one,
  HOUR: one,
  HOUR_EPOCH: one,
  MINUTE: one,
  MINUTE_EPOCH: one,
  SECOND: one,
  ABS: one,
  ...Object.fromEntries([...valueFunctions].map(([name, { arity }]) => [name, every(ofArity(arity), expression)])),
  UPPER: one,
  LOWER: one,
  GEOHASH: every(either(2, 3), hashLength),
  GEO_DISTANCE: exactly(4),
  PRED: every(atLeast(1), model, probability, lagged),
  FOLD: every(one, expression, folded),
}

const declaredType: Check = ({ type }) => (type === 'OBJECT' ? ['an OBJECT cannot be computed'] : [])

/** The problems of a computed attribute by itself, a sentence a problem. The operation is a known one. */
export function checkComputed(attribute: ComputedAttribute): readonly string[] {
  return [...declaredType(attribute), ...(checks[attribute.operation]?.(attribute) ?? [])]
}
