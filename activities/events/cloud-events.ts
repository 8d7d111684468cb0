/** CloudEvents 1.0, as the HTTP binding and the JSON format of CNCF write them: binary, structured, batched. */
import { isUtf8 } from 'node:buffer'
import { isObject, type Json, parseShallowJson, utf8, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { senderKey } from './sender-key.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Named = { readonly [name: string]: Json }

export type CloudEvents = { readonly body: Buffer; readonly isBatch: boolean }

const structured = /^application\/cloudevents\+json\b/i
const batched = /^application\/cloudevents-batch\+json\b/i
const anyFormat = /^application\/cloudevents/i
const jsonType = /^[^;]*[/+]json\b/i
const required = ['id', 'source', 'type'] as const
/** A text of HTTP in double quotes, in which a backslash stands before a character that is meant as it is. */
const quoted = /^"((?:[^"\\]|\\.)*)"$/s

/** Whether a request has CloudEvents; it costs a request without them next to nothing. */
export const isCloudEvents = (headers: Headers): boolean =>
  headers['ce-specversion'] !== undefined || anyFormat.test(String(headers['content-type'] ?? ''))

/** The events of a request with CloudEvents, as lines or as one; undefined where it has none. */
export function cloudEventsIn(headers: Headers, body: Buffer): CloudEvents | undefined {
  const type = String(headers['content-type'] ?? '')
  if (batched.test(type)) {
    const list = parseShallowJson(utf8(body, 'the body'), 'the body')
    if (!Array.isArray(list)) throw new Refusal('a batch of CloudEvents is a list of them')
    const lines = list.map((each, place) => `${writeJson(eventOf(each, `event ${place} of the batch: `))}\n`)
    return { body: Buffer.from(lines.join('')), isBatch: true }
  }
  if (structured.test(type)) return one(parseShallowJson(utf8(body, 'the body'), 'the body'))
  if (anyFormat.test(type))
    throw new Refusal(
      `${type.slice(0, 80)} is not read: send application/cloudevents+json, a batch, or the binary mode`,
    )
  return headers['ce-specversion'] === undefined ? undefined : one(binary(headers, body, type))
}

const one = (value: Json): CloudEvents => ({ body: Buffer.from(writeJson(eventOf(value, ''))), isBatch: false })

/** An event in the binary mode as the JSON format writes the same event. */
function binary(headers: Headers, body: Buffer, type: string): Json {
  const event: [string, Json][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('ce-') && value !== undefined) event.push([name.slice(3), decoded(name, String(value))])
  }
  if (type !== '') event.push(['datacontenttype', type])
  if (body.length > 0) event.push(dataOf(body, type))
  return Object.fromEntries(event)
}

function dataOf(body: Buffer, type: string): [string, Json] {
  if (type === '' || jsonType.test(type)) return ['data', parseShallowJson(utf8(body, 'the data'), 'the data')]
  return isUtf8(body) ? ['data', body.toString('utf8')] : ['data_base64', body.toString('base64')]
}

/** Characters that a header cannot hold are written as `%` and two digits, in senders of old in double quotes. */
function decoded(name: string, value: string): string {
  const text = quoted.exec(value)?.[1]?.replace(/\\(.)/gs, '$1') ?? value
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(`${name}: has a % that begins no character; write it as %25`)
  }
}

/** The event of Weir: all that the CloudEvent has, its time, and its source and id as the key by which it is taken once. */
function eventOf(value: Json, at: string): Named {
  if (!isObject(value)) throw new Refusal(`${at}a CloudEvent is a JSON object`)
  if (value.specversion !== '1.0')
    throw new Refusal(`${at}specversion: expected "1.0", the version of CloudEvents that is read`)
  for (const name of required) {
    const text = value[name]
    if (typeof text !== 'string' || text === '') throw new Refusal(`${at}${name}: a CloudEvent has this text`)
  }
  if ((value.data ?? null) !== null && (value.data_base64 ?? null) !== null)
    throw new Refusal(`${at}data, data_base64: a CloudEvent has one of them`)
  const { _id, _pk, time, ...others } = value
  if (time !== undefined && time !== null && typeof time !== 'string')
    throw new Refusal(`${at}time: expected a text of RFC 3339`)
  return {
    ...others,
    ...(typeof time === 'string' && { time, _pk: time }),
    _id: senderKey(`${value.source} ${value.id}`),
  }
}
