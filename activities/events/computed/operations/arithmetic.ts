import type { Event } from '../../../../base/json.ts'
import type { ReadEvent } from '../../places.ts'
import { readInputs } from '../inputs.ts'
import { isNumeric, type Numeric, type Operation, toNumber, toText } from '../values.ts'

type Step = (left: Numeric, right: Numeric) => Numeric

const isWhole = (value: Numeric) => typeof value === 'bigint' || Number.isInteger(value)

/** Doubles while they are exact, bigints where integers leave that range, doubles again beyond what one can hold. */
const exactly =
  (float: (left: number, right: number) => number, exact: (left: bigint, right: bigint) => bigint): Step =>
  (left, right) => {
    const result = float(Number(left), Number(right))
    if (typeof left === 'number' && typeof right === 'number' && Number.isSafeInteger(result)) return result
    return Number.isFinite(result) && isWhole(left) && isWhole(right) ? exact(BigInt(left), BigInt(right)) : result
  }

const plus = exactly(
  (left, right) => left + right,
  (left, right) => left + right,
)
const minus = exactly(
  (left, right) => left - right,
  (left, right) => left - right,
)
const times = exactly(
  (left, right) => left * right,
  (left, right) => left * right,
)
const fold = (inputs: readonly ReadEvent[], event: Event, step: Step): Numeric | undefined => {
  let result: Numeric | undefined
  for (const read of inputs) {
    const value = read(event)
    if (!isNumeric(value)) return undefined
    result = result === undefined ? value : step(result, value)
  }
  return result
}

const folding =
  (step: Step): Operation =>
  (attribute, readInput) => {
    const inputs = readInputs(attribute, readInput)
    return (event) => fold(inputs, event, step)
  }

/** UTF-16 units. Sums of sums could double an event's size at every attribute. */
const longestText = 1 << 20

const join = (values: readonly unknown[]): string | undefined => {
  if (!values.some((value) => typeof value === 'string')) return undefined
  let joined = ''
  for (const value of values) {
    const text = toText(value)
    if (text === undefined) return undefined
    joined += text
    if (joined.length > longestText) return undefined
  }
  return joined
}

/** Numbers are summed; with a string among them all are joined as text. */
export const add: Operation = (attribute, readInput) => {
  const inputs = readInputs(attribute, readInput)
  return (event) => fold(inputs, event, plus) ?? join(inputs.map((read) => read(event)))
}

export const subtract = folding(minus)
export const multiply = folding(times)

/** Up to here a quotient of doubles, of the hundredfold too, is never rounded up to a whole number that it lacks a part of. */
const nearest = 2 ** 44
const isNear = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= nearest

/**
 * By zero it is infinite or NaN, hence missing. Into a LONG integers beyond what doubles hold are divided as such, step by step:
 * the parts that are cut off change nothing in the end.
 */
const dividing =
  (float: (left: number, right: number) => number, exact: (left: bigint, right: bigint) => bigint): Operation =>
  (attribute, readInput) => {
    const inputs = readInputs(attribute, readInput)
    const inDoubles = (event: Event) => fold(inputs, event, (left, right) => float(Number(left), Number(right)))
    if (attribute.type !== 'LONG') return inDoubles
    return (event) => {
      const result = inDoubles(event)
      if (result === undefined || !Number.isFinite(Number(result))) return undefined
      const values = inputs.map((read) => read(event))
      if (values.every(isNear) || !values.every((value) => isNumeric(value) && isWhole(value))) return result
      return fold(inputs, event, (left, right) => exact(BigInt(left), BigInt(right)))
    }
  }

export const divide = dividing(
  (left, right) => left / right,
  (left, right) => left / right,
)

/** Multiplied first: 29 / 100 * 100 is less than 29, and as a LONG would be 28. */
export const percent = dividing(
  (left, right) => (left * 100) / right,
  (left, right) => (left * 100n) / right,
)

const unary =
  (apply: (x: number) => number): Operation =>
  (attribute, readInput) => {
    const [read] = readInputs(attribute, readInput)
    return (event) => {
      const x = toNumber(read?.(event))
      return x === undefined ? undefined : apply(x)
    }
  }

export const logarithmE = unary(Math.log)
export const logarithm2 = unary(Math.log2)
export const logarithm10 = unary(Math.log10)

export const absolute: Operation = (attribute, readInput) => {
  const [read] = readInputs(attribute, readInput)
  return (event) => {
    const value = read?.(event)
    if (typeof value === 'bigint') return value < 0n ? -value : value
    return typeof value === 'number' ? Math.abs(value) : undefined
  }
}
