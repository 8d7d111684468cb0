import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { hasValues } from '../../expression/index.ts'
import type { Draft } from '../decode/draft.ts'
import { findScalar, isTime } from '../decode/draft.ts'
import type { ComputedAttribute } from '../schema.ts'
import { checkComputed } from './computed.ts'
import { expressionOf, typeProblems, valueTypeOf } from './computed-expression.ts'
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

/** The member that names an input. */
function memberOf({ inputs, uid, key }: ComputedAttribute, input: string): string {
  if (key?.includes(input)) return 'key'
  return input === uid && !inputs.includes(input) ? 'uid' : 'iatr'
}

/** The value of a key is fetched once references have been looked up, and before anything else is computed. */
function checkFold(draft: Draft, object: WireObject, { name, key = [] }: ComputedAttribute): void {
  if (draft.brought.has(name) || draft.referred.has(name))
    object.fail('name', `${quoted(name)} comes with events or references; a fold has a name of its own`)
  const isEarly = (each: string): boolean =>
    [...draft.computed.values()].some((computed) => computed.name === each && computed.isBeforeReferences === true)
  for (const each of key) {
    const [root = ''] = each.split('.')
    const isThere = [each, root].some((part) => draft.brought.has(part) || draft.referred.has(part) || isEarly(part))
    if (!isThere && draft.attributes.has(each) && each !== name)
      object.fail('key', `${quoted(each)} is computed after the key is needed; give it seq 1`)
  }
}

/** Arithmetic alone takes what is no number as missing, as ever. */
function checkTypes(object: WireObject, attribute: ComputedAttribute, draft: Draft): void {
  const expression = expressionOf(attribute)
  if (expression === undefined || !hasValues(expression)) return
  const typeOf = (name: string) => {
    if (isTime(draft, name)) return 'number'
    const known = draft.attributes.get(name)
    return known === undefined || known.isOpen ? 'any' : valueTypeOf(known.type)
  }
  for (const problem of typeProblems(attribute, expression, typeOf)) object.fail('iatr', problem)
}

/**
 * Whether each computed attribute makes sense by itself, reads attributes that are there, and does not wait for itself.
 * One that events bring, too, may read its own name: the value that was brought.
 */
export const checkComputedInputs = (draft: Draft) => {
  for (const [object, attribute] of draft.computed) {
    const problems = checkComputed(attribute)
    for (const problem of problems) object.fail('', problem)
    if (problems.length === 0) checkTypes(object, attribute, draft)
    const quantity = attribute.lag === undefined ? undefined : draft.attributes.get(String(attribute.inputs[0]))
    if (quantity !== undefined && quantity.type !== 'DOUBLE' && quantity.type !== 'LONG')
      object.fail('iatr', `${quoted(quantity.name)} is ${quantity.type}; with lag it is a number, DOUBLE or LONG`)
    for (const input of inputsOf(attribute)) {
      const member = memberOf(attribute, input)
      const later = attribute.isBeforeReferences && input !== attribute.name ? comesLater(draft, input) : undefined
      if (input === attribute.name && attribute.operation === 'FOLD') {
        if (attribute.key?.includes(input)) object.fail('key', `${quoted(input)} is the fold itself`)
      } else if (input === attribute.name && !draft.brought.has(input) && !draft.referred.has(input)) {
        object.fail(member, `cycle ${input} > ${input}: ${quoted(input)} is in no attr that an event could bring`)
      } else if (!has(draft, input) && findScalar(draft, input, object, member) && later !== undefined) {
        object.fail(member, later)
      }
    }
  }
  for (const [object, attribute] of draft.computed) {
    if (attribute.operation === 'FOLD') checkFold(draft, object, attribute)
  }
  const cycle = findCycle([...draft.computed.values()])
  if (cycle !== undefined) draft.object.fail('catr', `cycle ${[...cycle, cycle[0]].join(' > ')}`)
}
