import { type Event, member } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { orderComputed } from '../../../sql/schema/check/computed-order.ts'
import type { AttributeType, ComputedAttribute, PresentRule } from '../../../sql/schema/schema.ts'
import type { Attributes } from '../places.ts'
import type { Scalar } from '../values.ts'
import { inputReaders } from './inputs.ts'
import { compileLagged, type LastValues } from './lagged.ts'
import { operations } from './operations/index.ts'
import { compilePrediction, type Predict } from './prediction.ts'
import { type Evaluate, toNumber, toText } from './values.ts'

export type { Predict } from './prediction.ts'

/** The last values of the series of a PRED with `lag`, asked for at each batch; undefined where none are kept: it stays missing. */
export type Remembered = (attribute: ComputedAttribute) => LastValues | undefined

type ComputeEach = (event: Event) => void
type ComputeAll = (events: readonly Event[]) => Promise<void>

/** Sets the computed members on events in place: at once, or where a model is asked, of as many events together as there are. */
export type Compute =
  | { readonly kind: 'each'; readonly compute: ComputeEach }
  | { readonly kind: 'together'; readonly compute: ComputeAll }

type Wants = (event: Event) => boolean

const always: Wants = () => true

/** The events of which a computed attribute is made. */
const presentRules: Readonly<Record<PresentRule, (name: string) => Wants>> = {
  add: () => always,
  replace: () => always,
  'add if missing': (name) => (event) => (member(event, name) ?? null) === null,
}

/** An event of a key has what its fold has carried so far, or begins with. */
const carries =
  (name: string): Wants =>
  (event) =>
    (member(event, name) ?? null) !== null

function compileSetter({ name, type }: ComputedAttribute): (event: Event, result: unknown) => void {
  const convert = conversions[type]
  return (event, result) => {
    const value = convert(result)
    if (value !== undefined) event[name] = value
  }
}

function evaluation(attribute: ComputedAttribute, of: Attributes): Evaluate {
  const operation = operations.get(attribute.operation)
  if (operation === undefined) throw new Error(`no operation ${attribute.operation}`)
  return operation(attribute, inputReaders(of, attribute))
}

function compileEach(attribute: ComputedAttribute, of: Attributes): ComputeEach {
  const evaluate = evaluation(attribute, of)
  const set = compileSetter(attribute)
  const wants =
    attribute.operation === 'FOLD' ? carries(attribute.name) : presentRules[attribute.whenPresent](attribute.name)
  if (wants === always) return (event) => set(event, evaluate(event))
  return (event) => {
    if (wants(event)) set(event, evaluate(event))
  }
}

function compileTogether(
  attribute: ComputedAttribute,
  of: Attributes,
  predict: Predict,
  remembered: Remembered,
): ComputeAll {
  if (attribute.lag !== undefined) return compileFromLast(attribute, attribute.lag, of, predict, remembered)
  const ask = compilePrediction(attribute, inputReaders(of, attribute), predict)
  const set = compileSetter(attribute)
  const wants = presentRules[attribute.whenPresent](attribute.name)
  return async (events) => {
    const wanting = events.filter(wants)
    const results = await ask(wanting)
    for (const [i, event] of wanting.entries()) set(event, results[i])
  }
}

function compileFromLast(
  attribute: ComputedAttribute,
  lag: number,
  of: Attributes,
  predict: Predict,
  remembered: Remembered,
): ComputeAll {
  const ask = compileLagged(attribute, lag, inputReaders(of, attribute), predict)
  const set = compileSetter(attribute)
  const wants = presentRules[attribute.whenPresent](attribute.name)
  return async (events) => {
    const values = remembered(attribute)
    const results = values === undefined ? [] : await ask(events, values)
    for (const [i, event] of events.entries()) if (wants(event)) set(event, results[i])
  }
}

const isPrediction = ({ operation }: ComputedAttribute): boolean => operation === 'PRED'

/**
 * Everything that does not depend on the event happens here. A result that is missing leaves the event's member as it
 * was posted. `of` has the attributes of the events, which have their `_pk` already. Throws a Refusal on a cycle or a broken expression.
 */
export function compileComputed(
  attributes: readonly ComputedAttribute[],
  of: Attributes,
  predict: Predict,
  remembered: Remembered = () => undefined,
): Compute {
  const ordered = orderComputed(attributes)
  if ('cycle' in ordered) throw new Refusal(`computed attributes read each other: ${ordered.cycle.join(', ')}`)
  if (!attributes.some(isPrediction)) {
    const computes = ordered.order.map((attribute) => compileEach(attribute, of))
    return {
      kind: 'each',
      compute: (event) => {
        for (const compute of computes) compute(event)
      },
    }
  }
  // One attribute of all events after the other, so that each model is asked once.
  const steps = ordered.order.map((attribute): ((events: readonly Event[]) => void | Promise<void>) => {
    if (isPrediction(attribute)) return compileTogether(attribute, of, predict, remembered)
    const compute = compileEach(attribute, of)
    return (events) => events.forEach(compute)
  })
  return {
    kind: 'together',
    compute: async (events) => {
      for (const step of steps) await step(events)
    },
  }
}

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/** A number where it is exact as one. */
const int64 = (value: bigint): number | bigint | undefined => {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  return value >= minInt64 && value <= maxInt64 ? value : undefined
}

const long = (value: unknown): number | bigint | undefined => {
  if (typeof value === 'bigint') return int64(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const whole = Math.trunc(value)
  // The sum turns -0 into 0.
  return Number.isSafeInteger(whole) ? whole + 0 : int64(BigInt(whole))
}

const double = (value: unknown): number | undefined => {
  const number = toNumber(value)
  return Number.isFinite(number) ? number : undefined
}

const string = (value: unknown): string | undefined =>
  typeof value === 'number' && !Number.isFinite(value) ? undefined : toText(value)

/** A result as the declared type has it, undefined where it has no such value. A LONG is cut toward zero. */
export const conversions: Readonly<Record<AttributeType, (value: unknown) => Scalar | undefined>> = {
  LONG: long,
  DOUBLE: double,
  STRING: string,
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
  OBJECT: () => undefined,
}
