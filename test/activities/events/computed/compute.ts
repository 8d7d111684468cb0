import { compileComputed, type Predict } from '../../../../activities/events/computed/compile.ts'
import type { Event } from '../../../../base/json.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'

export const attribute = (
  operation: string,
  inputs: ComputedAttribute['inputs'],
  rest: Partial<ComputedAttribute> = {},
): ComputedAttribute => ({ name: 'x', type: 'DOUBLE', operation, inputs, order: 0, whenPresent: 'add', ...rest })

export const noModel: Predict = async () => []

/** An event, and what is none: no operation may trust its inputs. */
type Members = Readonly<Record<string, unknown>>

/** The event after its computing, which asks no model. */
export const computed = (attributes: readonly ComputedAttribute[], event: Members): Event => {
  const copy = { ...event } as Event
  const compute = compileComputed(attributes, { attributes }, noModel)
  if (compute.kind !== 'each') throw new Error('a model is asked')
  compute.compute(copy)
  return copy
}

/** Events after their computing, which asks models. */
export const predicted = async (
  attributes: readonly ComputedAttribute[],
  events: readonly Event[],
  predict: Predict,
): Promise<Event[]> => {
  const copies = events.map((event) => ({ ...event }))
  const compute = compileComputed(attributes, { attributes }, predict)
  if (compute.kind !== 'together') throw new Error('no model is asked')
  await compute.compute(copies)
  return copies
}

/** The one attribute `x` of an event. */
export const result = (
  operation: string,
  inputs: ComputedAttribute['inputs'],
  type: ComputedAttribute['type'],
  event: Members,
): unknown => computed([attribute(operation, inputs, { type })], event).x
