import { z } from 'zod'
import { anything, expected, flag } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Attribute, AttributeType, Limits, LimitValue } from '../schema.ts'

const maxValues = 1000

const number = anything.optional().meta({ type: 'number' })

/** The members of an attribute that say which events are refused. */
export const limitsOnWire = z.object({
  required: flag.optional(),
  values: z
    .array(anything, expected('an array of the values that are allowed'))
    .min(1, 'must hold at least one value')
    .max(maxValues, `must have at most ${maxValues} items`)
    .optional()
    .meta({ type: 'array', items: { type: ['string', 'number', 'boolean'] }, minItems: 1, maxItems: maxValues }),
  min: number,
  max: number,
})
const { shape } = limitsOnWire

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

function long(value: unknown): LimitValue | undefined {
  if (typeof value === 'bigint') return value >= minInt64 && value <= maxInt64 ? value : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

function double(value: unknown): LimitValue | undefined {
  const given = typeof value === 'bigint' ? Number(value) : value
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined
}

const readers: Readonly<Record<Exclude<AttributeType, 'OBJECT'>, (value: unknown) => LimitValue | undefined>> = {
  STRING: (value) => (typeof value === 'string' && value.isWellFormed() ? value : undefined),
  LONG: long,
  DOUBLE: double,
  BOOL: (value) => (typeof value === 'boolean' ? value : undefined),
}

const bounds = ['min', 'max'] as const

function decodeBound(
  object: WireObject,
  member: 'min' | 'max',
  name: string,
  type: AttributeType,
): number | bigint | undefined {
  const given = object.take(member, shape[member])
  if (given === undefined) return undefined
  if (type !== 'LONG' && type !== 'DOUBLE') {
    object.fail(member, `belongs to LONG and DOUBLE, and ${quoted(name)} is ${type}`)
    return undefined
  }
  const bound = readers[type](given)
  if (typeof bound === 'number' || typeof bound === 'bigint') return bound
  object.fail(member, `must be a ${type === 'LONG' ? 'whole number' : 'number'}, since the attribute is ${type}`)
  return undefined
}

function decodeValues(object: WireObject, name: string, type: AttributeType): readonly LimitValue[] | undefined {
  const given = object.take('values', shape.values)
  if (given === undefined) return undefined
  if (type === 'OBJECT') {
    object.fail('values', `${quoted(name)} is an OBJECT; give the values of one of its fields`)
    return undefined
  }
  return given.flatMap((value, place) => {
    const read = readers[type](value)
    if (read === undefined) object.fail(`values[${place}]`, `is no value of ${type}, the type of the attribute`)
    return read ?? []
  })
}

/** Undefined where events may have any value of the type, or none. */
export function decodeLimits(object: WireObject, name: string, type: AttributeType): Limits | undefined {
  const isRequired = object.take('required', shape.required) ?? false
  const values = decodeValues(object, name, type)
  const [min, max] = bounds.map((member) => decodeBound(object, member, name, type))
  if (min !== undefined && max !== undefined && min > max) object.fail('min', `is ${min}, over max ${max}`)
  for (const [place, value] of values?.entries() ?? []) {
    if (typeof value !== 'number' && typeof value !== 'bigint') continue
    if (min !== undefined && value < min) object.fail(`values[${place}]`, `is ${value}, below min ${min}`)
    if (max !== undefined && value > max) object.fail(`values[${place}]`, `is ${value}, over max ${max}`)
  }
  const limits = {
    ...(isRequired && { required: true as const }),
    ...(values && { values }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  }
  if (Object.keys(limits).length === 0) return undefined
  if (name === '_pk') object.fail('', '_pk has no required, values, min or max: Weir gives an event its time')
  return limits
}

const asText = (limits: Limits): string =>
  JSON.stringify(limits, (_, value) => (typeof value === 'bigint' ? String(value) : value))

/** The limits of an attribute that stands in `attr` and in `catr`. */
export function uniteLimits(
  object: WireObject,
  declared: Attribute,
  computed: Attribute,
): { readonly limits?: Limits } {
  const limits = declared.limits ?? computed.limits
  if (declared.limits && computed.limits && asText(declared.limits) !== asText(computed.limits)) {
    object.fail('', 'required, values, min and max differ from those in attr')
  }
  return limits ? { limits } : {}
}
