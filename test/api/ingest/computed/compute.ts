import { compileComputed, type Event, type Predict } from '../../../../api/ingest/computed/compile.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'

export const attribute = (
  operation: string,
  inputs: ComputedAttribute['inputs'],
  rest: Partial<ComputedAttribute> = {},
): ComputedAttribute => ({ name: 'x', type: 'DOUBLE', operation, inputs, order: 0, whenPresent: 'add', ...rest })

export const noModel: Predict = () => undefined

/** The event after its computing. */
export const computed = (attributes: readonly ComputedAttribute[], event: Event, predict = noModel): Event => {
  const copy = { ...event }
  compileComputed(attributes, predict)(copy)
  return copy
}

/** The one attribute `x` of an event. */
export const result = (
  operation: string,
  inputs: ComputedAttribute['inputs'],
  type: ComputedAttribute['type'],
  event: Event,
) => computed([attribute(operation, inputs, { type })], event).x
