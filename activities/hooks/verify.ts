/** Whether a delivery is its sender's: the signatures of the schemes, all of which are HMACs of some text round the body. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Scheme, Verification } from '../../sql/hook/definition.ts'
import { standardKey } from '../../sql/hook/definition.ts'

/** Of a request, by their names in small letters. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

export type Mismatch = 'unsigned' | 'wrong_signature' | 'too_old' | 'too_far_ahead'

/** The claim in the headers of a delivery: any of the signatures may be the good one. */
export type Claim = {
  readonly signatures: readonly string[]
  readonly before: string
  readonly after: string
  /** An id that is signed. */
  readonly id?: string
  readonly time_s?: number
}

type Read = (name: string) => string | undefined
/** The headers that a scheme lacks. */
type Lack = { readonly lacks: string }

type Form = {
  readonly algorithm: string
  readonly encoding: 'hex' | 'base64'
  readonly claim: (read: Read) => Claim | Lack
  readonly keyOf: (secret: string) => string | Buffer
}

/** Further signatures of a request are passed over. */
const maxSignatures = 20
const digits = /^\d{1,16}$/
/** From here on a number of seconds since 1970 is one of milliseconds: the year 5138. */
const firstMilliseconds = 1e11

const secondsIn = (text: string): number => (Number(text) < firstMilliseconds ? Number(text) : Number(text) / 1000)
const asText = (secret: string): string => secret

/** `t=1700000000,v1=...,v1=...` */
function ofStripe(read: Read): Claim | Lack {
  const header = read('stripe-signature')
  if (header === undefined) return { lacks: 'Stripe-Signature' }
  const items = header.split(',').map((item) => item.trim())
  const time = items.find((item) => item.startsWith('t='))?.slice(2)
  if (time === undefined || !digits.test(time)) return { lacks: 't= in Stripe-Signature' }
  const signatures = items.filter((item) => item.startsWith('v1=')).map((item) => item.slice(3))
  return { signatures, before: `${time}.`, after: '', time_s: secondsIn(time) }
}

const prefixed = (name: string, prefix: string, shown: string) => (read: Read) => {
  const header = read(name)
  return header?.startsWith(prefix)
    ? { signatures: [header.slice(prefix.length)], before: '', after: '' }
    : { lacks: shown }
}

function ofSlack(read: Read): Claim | Lack {
  const time = read('x-slack-request-timestamp')
  if (time === undefined || !digits.test(time)) return { lacks: 'X-Slack-Request-Timestamp' }
  const header = read('x-slack-signature')
  if (!header?.startsWith('v0=')) return { lacks: 'X-Slack-Signature' }
  return { signatures: [header.slice(3)], before: `v0:${time}:`, after: '', time_s: secondsIn(time) }
}

/** `v1,<base64> v1,<base64>`; older senders call the headers after Svix. */
function ofStandard(read: Read): Claim | Lack {
  const named = (part: string) => read(`webhook-${part}`) ?? read(`svix-${part}`)
  const [id, time, header] = [named('id'), named('timestamp'), named('signature')]
  if (id === undefined || id === '') return { lacks: 'webhook-id' }
  if (time === undefined || !digits.test(time)) return { lacks: 'webhook-timestamp' }
  if (header === undefined) return { lacks: 'webhook-signature' }
  const signatures = header
    .split(' ')
    .filter((item) => item.startsWith('v1,'))
    .map((item) => item.slice(3))
  return { signatures, before: `${id}.${time}.`, after: '', id, time_s: secondsIn(time) }
}

const ofHmac =
  ({ header, prefix, timestamp, signed }: NonNullable<Verification['hmac']>) =>
  (read: Read): Claim | Lack => {
    const given = read(header.toLowerCase())
    if (!given?.startsWith(prefix)) return { lacks: prefix === '' ? header : `${header} with ${prefix}` }
    const time = timestamp === undefined ? undefined : read(timestamp.toLowerCase())
    if (timestamp !== undefined && (time === undefined || !digits.test(time))) return { lacks: timestamp }
    const [before = '', after = ''] = signed.split('{body}').map((part) => part.replaceAll('{timestamp}', time ?? ''))
    const signatures = [given.slice(prefix.length).trim()]
    return { signatures, before, after, ...(time !== undefined && { time_s: secondsIn(time) }) }
  }

const hexOf256 = { algorithm: 'sha256', encoding: 'hex', keyOf: asText } as const
const base64Of256 = { algorithm: 'sha256', encoding: 'base64', keyOf: asText } as const

const forms: Readonly<Record<Exclude<Scheme, 'hmac'>, Form>> = {
  stripe: { ...hexOf256, claim: ofStripe },
  github: { ...hexOf256, claim: prefixed('x-hub-signature-256', 'sha256=', 'X-Hub-Signature-256') },
  shopify: { ...base64Of256, claim: prefixed('x-shopify-hmac-sha256', '', 'X-Shopify-Hmac-SHA256') },
  slack: { ...hexOf256, claim: ofSlack },
  standard: { ...base64Of256, claim: ofStandard, keyOf: standardKey },
}

function formOf({ scheme, hmac }: Verification): Form {
  if (scheme !== 'hmac') return forms[scheme]
  if (!hmac) throw new Error('the scheme hmac has a form')
  return { algorithm: hmac.algorithm, encoding: hmac.encoding, claim: ofHmac(hmac), keyOf: asText }
}

/** The claim of a delivery, before its body is read; or why the sender has not sent it. */
export function claimIn(
  verification: Verification,
  headers: Headers,
  now_s: number,
): Claim | { readonly mismatch: Mismatch; readonly why: string } {
  const claim = formOf(verification).claim((name) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(',') : value
  })
  if ('lacks' in claim) return { mismatch: 'unsigned', why: `the request has no header ${claim.lacks}` }
  const { tolerance_s } = verification
  const age_s = claim.time_s === undefined ? 0 : now_s - claim.time_s
  if (age_s > tolerance_s)
    return { mismatch: 'too_old', why: `the request was signed over ${tolerance_s} s ago; sign it anew` }
  if (-age_s > tolerance_s)
    return { mismatch: 'too_far_ahead', why: `the request was signed for over ${tolerance_s} s ahead; set the clock` }
  return claim
}

/** The bytes of a signature; none where its text is of another form. */
function bytesOf(text: string, encoding: Form['encoding']): Buffer {
  const bytes = Buffer.from(text, encoding)
  const plain = (written: string): string =>
    encoding === 'hex' ? written.toLowerCase() : written.replace(/={1,2}$/, '')
  return plain(bytes.toString(encoding)) === plain(text) ? bytes : Buffer.alloc(0)
}

/** So much is hashed in one turn of the event loop. */
const hashedAtOnce = 4 * 1024 * 1024

/** Whether one of the signatures is that of one of the secrets: each is compared with each, in constant time. */
export async function isGenuine(
  verification: Verification,
  secrets: readonly string[],
  { signatures, before, after }: Claim,
  body: Buffer,
): Promise<boolean> {
  const { algorithm, encoding, keyOf } = formOf(verification)
  const macs = secrets.map((secret) => createHmac(algorithm, keyOf(secret)).update(before))
  for (let at = 0; at < body.length; at += hashedAtOnce) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    for (const mac of macs) mac.update(body.subarray(at, at + hashedAtOnce))
  }
  const right = macs.map((mac) => mac.update(after).digest())
  const shown = signatures.slice(0, maxSignatures).map((text) => bytesOf(text, encoding))
  let isFound = false
  for (const mac of right)
    for (const each of shown) if (each.length === mac.length && timingSafeEqual(each, mac)) isFound = true
  return isFound
}
