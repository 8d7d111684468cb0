/** A door for signed webhooks, as `PUT /hook/N` takes it. */
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type WireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, writeJson } from '../../base/json.ts'
import { hint } from '../../base/suggest.ts'
import { checkAttributeName, checkName } from '../schema/check/name.ts'
import { type Path, readPath } from './path.ts'

export const schemes = ['stripe', 'github', 'shopify', 'slack', 'standard', 'hmac'] as const
export type Scheme = (typeof schemes)[number]

export const algorithms = ['sha256', 'sha1', 'sha384', 'sha512'] as const
export const encodings = ['hex', 'base64'] as const

/** The form of a signature by HMAC that no scheme of a name has. */
export type HmacForm = {
  readonly header: string
  readonly algorithm: (typeof algorithms)[number]
  readonly encoding: (typeof encodings)[number]
  /** Stands before the signature in its header. */
  readonly prefix: string
  /** The header with the time of the signature; absent where nothing tells that. */
  readonly timestamp?: string
  /** The bytes that are signed: `{body}` and `{timestamp}` stand for theirs. */
  readonly signed: string
}

export type Verification = {
  readonly scheme: Scheme
  /** The age, or the lead, beyond which a delivery is refused. */
  readonly tolerance_s: number
  /** The form of a signature whose scheme is hmac. */
  readonly hmac?: HmacForm
}

/** The id of a delivery, by which it is taken once: at a path, or the hash of its signed body. */
export type DeliveryId = { readonly path: string } | { readonly hash: 'body' }

export type Hook = {
  /** The stream that takes the events. */
  readonly into: { readonly schema: string; readonly stream: string }
  readonly verify: Verification
  readonly description?: string
  /** The paths of attributes; absent where the payload is the event. */
  readonly map?: Readonly<Record<string, string>>
  readonly id?: DeliveryId
  readonly time?: string
}

/** A hook, and the secrets that came with it; none where it keeps those that it has. */
export type SentHook = { readonly hook: Hook; readonly secrets: readonly string[] }

const maxBytes = 100_000
const maxAttributes = 1_000
const maxSecrets = 5
const [leastSecret, longestSecret] = [16, 500]
const usualTolerance_s = 300
const maxTolerance_s = 86_400

/** Schemes whose signatures have no time in them. */
const timeless: readonly Scheme[] = ['github', 'shopify']

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const secretOnWire = z.string().min(leastSecret).max(longestSecret)

const verificationOnWire = z.object({
  scheme: z.enum(schemes),
  secret: secretOnWire.optional().meta({ description: 'as the sender shows it; absent: the hook keeps those it has' }),
  secrets: z
    .array(secretOnWire)
    .min(1)
    .max(maxSecrets)
    .optional()
    .meta({ description: 'in place of `secret`: any of them is good, while one takes the place of another' }),
  tolerance_s: z
    .int()
    .min(1)
    .max(maxTolerance_s)
    .optional()
    .meta({
      description: `the age, or the lead, in seconds beyond which a delivery is refused; ${usualTolerance_s} if absent`,
    }),
  header: z.string().optional().meta({ description: 'hmac: the header with the signature' }),
  algorithm: z.enum(algorithms).optional().meta({ description: 'hmac: sha256 if absent' }),
  encoding: z.enum(encodings).optional().meta({ description: 'hmac: hex if absent' }),
  prefix: z.string().optional().meta({ description: 'hmac: stands before the signature in its header' }),
  timestamp: z
    .string()
    .optional()
    .meta({ description: 'hmac: the header with the time of the signature, in seconds or milliseconds since 1970' }),
  signed: z.string().optional().meta({
    description: 'hmac: the text that is signed; {body} if absent, {timestamp}.{body} where `timestamp` is there',
  }),
})

export const hookOnWire = z.object({
  into: z.string().meta({ description: 'the stream that takes the events, as schema.stream' }),
  verify: verificationOnWire,
  description: z.string().optional(),
  map: z.record(z.string(), z.string()).optional().meta({
    description: 'attribute: path into the payload, or header:<name>; absent: the payload is the event',
  }),
  id: z
    .union([z.string(), z.object({ hash: z.literal('body') })])
    .optional()
    .meta({
      description: 'the path of the id by which a delivery is taken once; {"hash": "body"}: equal bodies are one',
    }),
  time: z.string().optional().meta({
    description: 'the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970',
  }),
})

const line = (max: number) => text.min(1, 'must not be empty').max(max, `must be at most ${max} characters long`)
const secret = text
  .min(leastSecret, `must be at least ${leastSecret} characters long`)
  .max(longestSecret, `must be at most ${longestSecret} characters long`)
const header = text.regex(headerName, 'must be the name of a header')
const oneOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.enum(names, `must be one of ${names.join(', ')}`)

/** A good definition; a `Refusal` says all that is wrong with another one. */
export function decodeHook(wire: Json): SentHook {
  if (!isObject(wire))
    throw fault('invalid', 'send {"into": "schema.stream", "verify": {"scheme": "stripe", "secret": "..."}}')
  if (Buffer.byteLength(writeJson(wire)) > maxBytes) throw fault('invalid', `the hook has over ${maxBytes} bytes`)
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  refuseUnknown(object, wire, hookOnWire.shape)
  const into = decodeInto(object)
  const description = object.take('description', line(10_000).optional())
  const { verify, secrets } = decodeVerification(object, wire.verify)
  const map = decodeMap(object, wire.map)
  const id = decodeId(object, wire.id)
  const time = wire.time === undefined || wire.time === null ? undefined : decodeSteps(object, 'time', wire.time)
  problems.refuse()
  const hook: Hook = {
    into,
    verify,
    ...(description !== undefined && { description }),
    ...(map && { map }),
    ...(id && { id }),
    ...(time !== undefined && { time }),
  }
  return { hook, secrets }
}

/** Fails each member that the definition does not know. */
export function refuseUnknown(object: WireObject, wire: { readonly [name: string]: Json }, known: object): void {
  const names = Object.keys(known)
  for (const name of Object.keys(wire)) if (!names.includes(name)) object.fail(name, `is unknown${hint(name, names)}`)
}

/** The member `into` of a door: the stream that takes its events. */
export function decodeInto(object: WireObject): Hook['into'] {
  const into = object.take('into', text) ?? 'a.a'
  const [schema = '', stream = '', ...more] = into.split('.')
  const problem = more.length > 0 ? 'has more than one dot' : (checkName(schema) ?? checkName(stream))
  if (problem !== undefined) object.fail('into', `must be a stream, as schema.stream: it ${problem}`)
  return { schema, stream }
}

function decodeVerification(
  hook: WireObject,
  wire: Json | undefined,
): { readonly verify: Verification; readonly secrets: readonly string[] } {
  const none = { verify: { scheme: 'hmac', tolerance_s: usualTolerance_s } as const, secrets: [] }
  const object = hook.object('verify')
  if (!object || !isObject(wire)) return none
  refuseUnknown(object, wire, verificationOnWire.shape)
  const scheme = object.take('scheme', oneOf(schemes))
  const tolerance_s = object.take('tolerance_s', wholeNumber(1, maxTolerance_s).default(usualTolerance_s))
  const secrets = decodeSecrets(object, wire, scheme)
  if (scheme === undefined) return none
  const hmac = scheme === 'hmac' ? decodeHmac(object, wire) : undefined
  for (const name of scheme === 'hmac' ? [] : ['header', 'algorithm', 'encoding', 'prefix', 'timestamp', 'signed'])
    if (wire[name] !== undefined) object.fail(name, `goes with the scheme hmac; ${scheme} has a form of its own`)
  const isTimeless = timeless.includes(scheme) || (hmac && hmac.timestamp === undefined)
  if (wire.tolerance_s !== undefined && isTimeless)
    object.fail(
      'tolerance_s',
      `goes with a signed time, and ${hmac ? 'there is no `timestamp`' : `${scheme} signs none`}`,
    )
  return {
    verify: { scheme, tolerance_s: tolerance_s ?? usualTolerance_s, ...(hmac && { hmac }) },
    secrets,
  }
}

function decodeSecrets(
  object: WireObject,
  wire: { readonly [name: string]: Json },
  scheme: Scheme | undefined,
): readonly string[] {
  const one = object.take('secret', secret.optional())
  const several = object.take(
    'secrets',
    z
      .array(secret, 'must be an array of secrets')
      .min(1, 'must have at least one secret')
      .max(maxSecrets, `must have at most ${maxSecrets} secrets`)
      .optional(),
  )
  if (one !== undefined && several) object.fail('secret', 'goes without `secrets`: send one of the two')
  const secrets = several ?? (one === undefined ? [] : [one])
  const place = wire.secret === undefined ? 'secrets' : 'secret'
  if (scheme === 'standard' && secrets.some((each) => standardKey(each).length < leastSecret))
    object.fail(place, `must be whsec_ and base64 of ${leastSecret} bytes or more, as the sender shows it`)
  return [...new Set(secrets)]
}

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** The key that a secret of Standard Webhooks writes; no bytes where it is none. */
export function standardKey(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, '')
  return base64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

function decodeHmac(object: WireObject, wire: { readonly [name: string]: Json }): HmacForm {
  const named = object.take('header', header) ?? ''
  const timestamp = object.take('timestamp', header.optional())
  const usual = timestamp === undefined ? '{body}' : '{timestamp}.{body}'
  const signed = object.take('signed', line(200).default(usual)) ?? usual
  const parts = signed.split(/(\{[^{}]*\})/).filter((part) => part.startsWith('{'))
  const stray = parts.find((part) => part !== '{body}' && part !== '{timestamp}')
  if (stray !== undefined) object.fail('signed', `has ${stray}, and there are {body} and {timestamp}`)
  if (parts.filter((part) => part === '{body}').length !== 1) object.fail('signed', 'must have {body}, once')
  const hasTime = parts.includes('{timestamp}')
  if (hasTime && timestamp === undefined)
    object.fail('signed', 'has {timestamp}, and `timestamp` names no header of that')
  // A time that is not signed is the word of anybody.
  if (!hasTime && timestamp !== undefined)
    object.fail('signed', 'must have {timestamp}: a time that is not signed may be changed by anybody')
  if (wire.header !== undefined && timestamp?.toLowerCase() === named.toLowerCase())
    object.fail('timestamp', 'is the header of the signature; name another one')
  return {
    header: named,
    algorithm: object.take('algorithm', oneOf(algorithms).default('sha256')) ?? 'sha256',
    encoding: object.take('encoding', oneOf(encodings).default('hex')) ?? 'hex',
    prefix: object.take('prefix', text.max(100, 'must be at most 100 characters long').default('')) ?? '',
    ...(timestamp !== undefined && { timestamp }),
    signed,
  }
}

function decodeMap(object: WireObject, wire: Json | undefined): Record<string, string> | undefined {
  if (wire === undefined || wire === null) return undefined
  if (!isObject(wire)) return void object.fail('map', 'must be an object of paths by the names of attributes')
  const names = Object.keys(wire)
  if (names.length === 0 || names.length > maxAttributes)
    return void object.fail('map', `must have 1 to ${maxAttributes} attributes`)
  const paths: [string, string][] = []
  for (const name of names) {
    const at = `map.${name.slice(0, 64)}`
    const problem = name === '_pk' || name === '_id' ? 'is set by `time` and `id`' : checkAttributeName(name)
    if (problem !== undefined) object.fail(at, problem)
    const path = wire[name]
    const read = typeof path === 'string' ? readPath(path) : 'must be a path, such as data.object.amount'
    if (typeof read === 'string') object.fail(at, read)
    else paths.push([name, String(path)])
  }
  return Object.fromEntries(paths)
}

function decodeId(object: WireObject, wire: Json | undefined): DeliveryId | undefined {
  if (wire === undefined || wire === null) return undefined
  if (isObject(wire)) {
    if (wire.hash === 'body' && Object.keys(wire).length === 1) return { hash: 'body' }
    return void object.fail('id', 'must be a path, or {"hash": "body"}')
  }
  const path = decodeSteps(object, 'id', wire)
  return path === undefined ? undefined : { path }
}

/** A path into the payload, which is signed; a header is not. */
function decodeSteps(object: WireObject, name: 'id' | 'time', wire: Json): string | undefined {
  const read: Path | string = typeof wire === 'string' ? readPath(wire) : 'must be a path, such as data.id'
  if (typeof read === 'string') return void object.fail(name, read)
  if ('header' in read)
    return void object.fail(
      name,
      'must be a path into the payload: a header that is not signed may be changed by anybody',
    )
  return String(wire)
}

/** The inverse of `decodeHook`, without secrets. */
export function hookToWire({ into, verify, id, ...rest }: Hook): { readonly [name: string]: Json } {
  const { scheme, tolerance_s, hmac } = verify
  const isTimeless = timeless.includes(scheme) || (hmac && hmac.timestamp === undefined)
  return {
    into: `${into.schema}.${into.stream}`,
    verify: { scheme, ...hmac, ...(!isTimeless && { tolerance_s }) },
    ...(rest.description !== undefined && { description: rest.description }),
    ...(rest.map && { map: { ...rest.map } }),
    ...(id && { id: 'path' in id ? id.path : { hash: id.hash } }),
    ...(rest.time !== undefined && { time: rest.time }),
  }
}
