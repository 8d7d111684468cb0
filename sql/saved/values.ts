/** The values of the parameters of one request. */
import { fault } from '../../base/faults.ts'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { checkValue, type SavedQuestion } from './definition.ts'
import { jsonOf, wantedOf } from './types.ts'

/** The values that a request names: in its address, where a name may stand several times, and in its body. */
export type GivenValues = {
  readonly inAddress: Readonly<Record<string, readonly string[]>>
  readonly inBody: { readonly [name: string]: Json }
  /** The values that the key of the request has. */
  readonly fixed: { readonly [name: string]: Json }
}

/** Refuses a name that the key has a value for, in any case of its letters: the request may not even repeat it. */
function refuseFixed({ inAddress, inBody, fixed }: GivenValues): void {
  const held = new Set(Object.keys(fixed).map((name) => name.toLowerCase()))
  const name = [...Object.keys(inAddress), ...Object.keys(inBody)].find((each) => held.has(each.toLowerCase()))
  if (name !== undefined)
    throw fault('forbidden', `${name.slice(0, 40)}: the key has the value of this parameter; leave it out`)
}

/** The parameters that a request may have beside the values of its key. */
export const openParams = ({ params }: SavedQuestion, fixed: GivenValues['fixed']): SavedQuestion['params'] =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(fixed, name)))

/** Refuses fixed values that the question does not take: every request with them would be refused. */
export function refuseUnfit(fixed: GivenValues['fixed'], { params }: SavedQuestion): void {
  const problems = Object.entries(fixed).flatMap(([name, value]) => {
    const parameter = own(params, name)
    if (!parameter)
      return [`fixed: ${name.slice(0, 64)} is no parameter of the question${hint(name, Object.keys(params))}`]
    const read = checkValue(value, parameter)
    return 'problem' in read ? [`fixed.${name} ${read.problem}`] : []
  })
  if (problems.length > 0) throw new Refusal(problems)
}

/** The values of all parameters of a question. Refuses each that is missing, unknown, there twice, or of another type. */
export function valuesOf({ params, language }: SavedQuestion, given: GivenValues): Record<string, Json> {
  refuseFixed(given)
  const { inAddress, inBody, fixed } = given
  const names = Object.keys(params)
  const problems = [...new Set([...Object.keys(inAddress), ...Object.keys(inBody)])]
    .filter((name) => !Object.hasOwn(params, name))
    .map((name) => `${name.slice(0, 64)} is no parameter of this question${hint(name, names)}`)
  const strange = Object.keys(fixed).find((name) => !Object.hasOwn(params, name))
  if (strange !== undefined)
    throw fault('forbidden', `the key has a value for ${strange.slice(0, 64)}, which this question does not take`)
  const values: [string, Json][] = []
  for (const [name, parameter] of Object.entries(params)) {
    const sent = sentValue(name, given)
    const value = 'value' in sent ? sent.value : parameter.default
    if ('problem' in sent) problems.push(`${name} ${sent.problem}`)
    else if (value === undefined) problems.push(`${name} is missing: it is a ${parameter.type.name} without a default`)
    else {
      const read = checkValue(value, parameter)
      if ('problem' in read) problems.push(`${name} ${read.problem}`)
      // ClickHouse reads a time by its seconds, Weir's language as it was sent.
      else values.push([name, language === 'weir' ? value : read.value])
    }
  }
  if (problems.length > 0) throw new Refusal(problems)
  return Object.fromEntries(values)

  type Sent = { readonly value: Json } | { readonly problem: string } | Record<string, never>

  function sentValue(name: string, { inAddress, inBody, fixed }: GivenValues): Sent {
    const held = own(fixed, name)
    if (held !== undefined) return { value: held }
    const [texts, member] = [own(inAddress, name), own(inBody, name)]
    if (texts !== undefined && member !== undefined)
      return { problem: 'stands in the address and in the body: leave one out' }
    if (member !== undefined) return { value: member }
    const type = params[name]?.type
    if (texts === undefined || type === undefined) return {}
    if (!type.isList && texts.length > 1)
      return { problem: 'stands in the address more than once, and takes one value' }
    const value = jsonOf(texts, type)
    return value === undefined ? { problem: wantedOf(type) } : { value }
  }
}

const own = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
