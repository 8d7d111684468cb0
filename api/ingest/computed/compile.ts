import { Refusal } from '../../../sql/refusal.ts'
import { orderComputed } from '../../../sql/schema/computed-order.ts'
import type { ComputedAttribute, PresentRule } from '../../../sql/schema/schema.ts'
import { conversions } from './conversion.ts'
import { readMember } from './members.ts'
import { operations } from './operations/index.ts'
import type { Event, Predict, Read } from './values.ts'

export type { Event, Predict } from './values.ts'

/** Sets the computed members on the event in place. */
export type Compute = (event: Event) => void

const always = (compute: Compute): Compute => compute

const presentRules: Readonly<Record<PresentRule, (compute: Compute, read: Read) => Compute>> = {
  add: always,
  replace: always,
  'add if missing': (compute, read) => (event) => {
    if ((read(event) ?? null) === null) compute(event)
  },
}

const compileOne = (attribute: ComputedAttribute, predict: Predict): Compute => {
  const operation = operations.get(attribute.operation)
  if (operation === undefined) throw new Error(`no operation ${attribute.operation}`)
  const evaluate = operation(attribute, predict)
  const convert = conversions[attribute.type]
  const { name } = attribute
  const compute = (event: Event) => {
    const value = convert(evaluate(event))
    if (value !== undefined) event[name] = value
  }
  return presentRules[attribute.whenPresent](compute, readMember(name))
}

/**
 * Everything that does not depend on the event happens here. A result that is missing leaves the event's member as it
 * was posted. The event has its `_pk` already. Throws a Refusal on a cycle or a broken expression.
 */
export function compileComputed(attributes: readonly ComputedAttribute[], predict: Predict): Compute {
  const ordered = orderComputed(attributes)
  if ('cycle' in ordered) throw new Refusal(`computed attributes read each other: ${ordered.cycle.join(', ')}`)
  const computes = ordered.order.map((attribute) => compileOne(attribute, predict))
  return (event) => {
    for (const compute of computes) compute(event)
  }
}
