import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, writeJson } from '../../base/json.ts'
import { quoted } from '../../base/quoted.ts'
import { isBucketName } from '../../infra/buckets/names.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import { type Place, placeKinds } from './places.ts'
import { isScope, type Scope, scopes } from './scopes.ts'

export type KeyRequest = {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Empty for everywhere. */
  readonly on: readonly Place[]
  readonly expires_s: number | undefined
  /** Empty for none. */
  readonly fixed: { readonly [name: string]: Json }
  /** 0 for that of every key. */
  readonly rate: number
  /** For its maker, a sentence each. */
  readonly notes: readonly string[]
}

const maxPlaces = 1000
const hundredYears_s = 100 * 366 * 86_400

const keyName = text.min(1, 'must not be empty').max(200, 'must be at most 200 characters long')
const lifetime = wholeNumber(1, hundredYears_s).optional()

const scope = text
  .transform((value, context): Scope => {
    const lower = value.toLowerCase()
    if (isScope(lower)) return lower
    context.addIssue({ code: 'custom', message: `${quoted(value)} is no scope: there are ${scopes.join(', ')}` })
    return z.NEVER
  })
  .meta({ enum: [...scopes] })

const place = text
  .transform((value, context): Place => {
    if (isPlace(value)) return value
    const forms = placeKinds.map((kind) => `${kind}:<name>`).join(', ')
    context.addIssue({ code: 'custom', message: `${quoted(value)} is no place: write ${forms}` })
    return z.NEVER
  })
  .meta({ pattern: `^(${placeKinds.join('|')}):.+$` })

/** Whether it names a place, which need not be there. */
export function isPlace(text: string): text is Place {
  const [, kind, name] = /^(schema|db|graph|bucket|saved):(.+)$/s.exec(text) ?? []
  if (name === undefined) return false
  return kind === 'bucket' ? isBucketName(name) : checkName(name) === undefined
}

const scopeList = z
  .array(scope, `must be an array of scopes: ${scopes.join(', ')}`)
  .min(1, 'must have at least one scope')
  .max(100, 'has too many items')
const placeList = z
  .array(place, 'must be an array of places, such as "schema:air"')
  .min(1, 'must name at least one place; leave it out for everywhere')
  .max(maxPlaces, `must have at most ${maxPlaces} items`)
  .optional()

/** Values of parameters of saved questions: each is checked when a question is asked. */
const fixedValue = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), z.array(z.unknown())])
export const fixedValues = z
  .record(z.string().min(1).max(200), fixedValue, 'must be an object of values by the names of parameters')
  .refine((values) => Object.keys(values).length <= 100, 'must have at most 100 members')
  .optional()
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'values of parameters that no request of the key changes',
  })
const maxFixedBytes = 10_000
const rate = wholeNumber(1, 100_000).optional()

/** The body of `POST /keys`. */
export const keyOnWire = z.object({
  name: keyName,
  scopes: scopeList,
  on: placeList,
  expires_s: lifetime,
  fixed: fixedValues,
  rate: rate.meta({ description: 'requests a second, in place of RATE_LIMIT' }),
})
const { shape } = keyOnWire

/** Such a key is for a page that everybody reads. */
const unbound =
  'without on the key posts events to the streams of every schema: bind it by on, such as ["schema:air"], before it stands in a page'

export function decodeKey(wire: Json): KeyRequest {
  if (!isObject(wire)) throw fault('invalid', 'send {"name", "scopes": ["read", ...]}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  // Refused, since with one misspelt member the key would be good everywhere, or for ever.
  for (const member of Object.keys(wire)) {
    if (!Object.hasOwn(shape, member)) object.fail(member, `is unknown: a key has ${Object.keys(shape).join(', ')}`)
  }
  const name = object.take('name', shape.name) ?? ''
  const wanted = [...new Set(object.take('scopes', shape.scopes) ?? [])]
  const on = [...new Set(object.take('on', shape.on) ?? [])]
  const expires_s = object.take('expires_s', shape.expires_s)
  if (on.length > 0 && wanted.includes('admin'))
    object.fail('on', 'goes with no key that has admin, which is for everything')
  if (wanted.join() === 'ingest' && on.length > 0 && !on.some((each) => each.startsWith('schema:')))
    object.fail('on', 'names no schema, and ingest posts events to schemas alone: name one, such as "schema:air"')
  const rate = object.take('rate', shape.rate) ?? 0
  const held = object.take('fixed', shape.fixed)
  const { fixed = null } = wire
  const values = held !== undefined && isObject(fixed) ? fixed : {}
  if (Object.keys(values).length > 0) {
    const isForQuestions = on.length > 0 && on.every((each) => each.startsWith('saved:'))
    if (!isForQuestions || wanted.join() !== 'read')
      object.fail('fixed', 'goes with a key that asks saved questions alone: scopes ["read"], on ["saved:<name>"]')
    if (writeJson(values).length > maxFixedBytes) object.fail('fixed', `has over ${maxFixedBytes} bytes`)
  }
  problems.refuse()
  const isUnbound = wanted.join() === 'ingest' && on.length === 0
  return { name, scopes: wanted, on, expires_s, fixed: values, rate, notes: isUnbound ? [unbound] : [] }
}
