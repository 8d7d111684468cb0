/** The events of PostHog's capture API: https://posthog.com/docs/api/capture */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseShallowJson, utf8 } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { corrected, type Members, type Message, microsecondsOf } from './message.ts'

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/**
 * The JSON of a body. Clients pack it by gzip without saying so in a header, or write it in base64, as it is or as the field
 * `data` of a form. `limit` of the unpacked body, in bytes.
 */
export async function postHogBody(body: Buffer, limit: number): Promise<Json> {
  const bytes = await unpacked(body, limit)
  const text = utf8(bytes, 'the body').trim()
  const data = /^data=/.test(text) ? (new URLSearchParams(text).get('data') ?? '') : text
  if (!base64.test(data)) return parseShallowJson(data, 'the body')
  return parseShallowJson(utf8(await unpacked(Buffer.from(data, 'base64'), limit), 'the body'), 'the body')
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

async function unpacked(bytes: Buffer, limit: number): Promise<Buffer> {
  if (!isGzip(bytes)) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError)
      throw fault('too large', `the body exceeds ${limit} bytes, unpacked; send it in parts`)
    throw new Refusal('the body is no gzip, or cut short')
  }
}

const textIn = (...values: readonly (Json | undefined)[]): string | undefined =>
  values.find((value) => typeof value === 'string' && value !== '') as string | undefined

const propertiesOf = (item: Json | undefined): Members =>
  isObject(item) && isObject(item.properties) ? item.properties : {}

/** The text of the project's key in a body. */
export function postHogKeyIn(body: Json): string | undefined {
  const [first] = Array.isArray(body) ? body : [body]
  if (!isObject(first)) return undefined
  const nested = Array.isArray(first.batch) ? propertiesOf(first.batch[0]).token : undefined
  return textIn(first.api_key, first.token, first.$token, propertiesOf(first).token, nested)
}

/** The events of a body, which `postHogMessage` reads one by one. */
export function postHogItems(body: Json): readonly Json[] {
  if (Array.isArray(body)) return body
  if (!isObject(body)) throw new Refusal('the body is an event, a list of events, or {"api_key", "batch"}')
  if (body.batch === undefined) return [body]
  if (!Array.isArray(body.batch)) throw new Refusal('batch: expected a list of events')
  return body.batch
}

export function postHogMessage(sent: Json, body: Json, arrived_us: number): Message {
  if (!isObject(sent)) throw new Refusal('an event is a JSON object')
  // A batch says once when it was sent.
  const item: Members = { ...(isObject(body) && body.sent_at !== undefined && { sent_at: body.sent_at }), ...sent }
  const { api_key, token, $token, sent_at, offset, properties, ...members } = item
  if (typeof item.event !== 'string' || item.event === '') throw new Refusal('event: an event has this text')
  const { token: _, distinct_id, ...rest } = propertiesOf(item)
  const person = item.distinct_id ?? item.$distinct_id ?? distinct_id
  const time_us = timeOf(item, arrived_us)
  return {
    members: { ...members, ...(person !== undefined && { distinct_id: person }), properties: rest },
    inside: [rest, rest.$set],
    id: item.uuid ?? rest.$insert_id,
    ...(time_us !== undefined && { time_us }),
  }
}

/** As PostHog corrects it: by the time of sending where that is there, or by how long ago the client says that it was. */
function timeOf(item: Members, arrived_us: number): number | undefined {
  const { timestamp, sent_at, offset } = item
  const time_us = microsecondsOf(timestamp, 'timestamp')
  if (time_us !== undefined) {
    const isRight = propertiesOf(item).$ignore_sent_at === true
    return corrected(time_us, isRight ? undefined : microsecondsOf(sent_at, 'sent_at'), arrived_us)
  }
  return typeof offset === 'number' && Number.isFinite(offset) ? Math.round(arrived_us - offset * 1000) : undefined
}
