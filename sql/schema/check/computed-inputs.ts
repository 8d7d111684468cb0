import { quoted } from '../../../base/quoted.ts'
import type { Draft } from '../decode/draft.ts'
import { findScalar, isTime } from '../decode/draft.ts'
import { checkComputed } from './computed.ts'
import { findCycle, inputsOf } from './computed-order.ts'

/** Why an attribute that is computed before the references cannot read another: that one comes later. */
function comesLater({ brought, referred, computed }: Draft, input: string): string | undefined {
  if (brought.has(input)) return undefined
  if (referred.has(input)) return `${quoted(input)} comes with the references, after what is computed with seq 1`
  const isEarly = [...computed.values()].some(({ name, isBeforeReferences }) => name === input && isBeforeReferences)
  return isEarly ? undefined : `${quoted(input)} is computed after what has seq 1; give it seq 1, too`
}

const has = (draft: Draft, input: string): boolean =>
  isTime(draft, input) || draft.others.has(input) || draft.attributes.get(input)?.isOpen === true

/**
 * Whether each computed attribute makes sense by itself, reads attributes that are there, and does not wait for itself.
 * One that events bring, too, may read its own name: the value that was brought.
 */
export const checkComputedInputs = (draft: Draft) => {
  for (const [object, attribute] of draft.computed) {
    for (const problem of checkComputed(attribute)) object.fail('', problem)
    const quantity = attribute.lag === undefined ? undefined : draft.attributes.get(String(attribute.inputs[0]))
    if (quantity !== undefined && quantity.type !== 'DOUBLE' && quantity.type !== 'LONG')
      object.fail('iatr', `${quoted(quantity.name)} is ${quantity.type}; with lag it is a number, DOUBLE or LONG`)
    for (const input of inputsOf(attribute)) {
      const member = input === attribute.uid && !attribute.inputs.includes(input) ? 'uid' : 'iatr'
      const later = attribute.isBeforeReferences && input !== attribute.name ? comesLater(draft, input) : undefined
      if (input === attribute.name && !draft.brought.has(input) && !draft.referred.has(input)) {
        object.fail(member, `cycle ${input} > ${input}: ${quoted(input)} is in no attr that an event could bring`)
      } else if (!has(draft, input) && findScalar(draft, input, object, member) && later !== undefined) {
        object.fail(member, later)
      }
    }
  }
  const cycle = findCycle([...draft.computed.values()])
  if (cycle !== undefined) draft.object.fail('catr', `cycle ${[...cycle, cycle[0]].join(' > ')}`)
}
