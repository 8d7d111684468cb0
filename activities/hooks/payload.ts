/** The events in the body of a delivery. */
import { createHash } from 'node:crypto'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseShallowJson, utf8, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Hook } from '../../sql/hook/definition.ts'
import { readPath, valueAt } from '../../sql/hook/path.ts'
import { senderTime } from '../events/sender-time.ts'
import { idempotencyKey } from '../ingest/idempotency.ts'
import type { Headers } from './verify.ts'

const maxFields = 1_000
/** The name of the hook stands before it, and a key has at most 255 characters. */
const longestId = 180

/** The payload: JSON, or a form, whose field `payload` is JSON where it is there (as GitHub and Slack send it). */
export function payloadOf(body: Buffer, contentType: string): Json {
  const text = utf8(body, 'the body')
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return parseShallowJson(text, 'the body')
  const fields = new Map<string, Json>()
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > maxFields) throw new Refusal(`the form has over ${maxFields} fields`)
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else fields.set(name, [before, value])
  }
  const payload = fields.get('payload')
  return typeof payload === 'string' ? parseShallowJson(payload, 'payload') : Object.fromEntries(fields)
}

/** The answer to Slack's question whether the hook is its user's. */
export const challengeIn = (payload: Json): string | undefined =>
  isObject(payload) && payload.type === 'url_verification' && typeof payload.challenge === 'string'
    ? payload.challenge
    : undefined

/** Members in which schemes sign an id of their own. */
const usualIds: Readonly<Record<string, readonly string[]>> = { stripe: ['id'], slack: ['event_id'] }

export type Delivered = {
  readonly name: string
  readonly hook: Hook
  readonly headers: Headers
  readonly payload: Json
  /** The bytes that were signed. */
  readonly body: Buffer
  /** An id that was signed in a header. */
  readonly id?: string
  /** Of all events, in bytes. */
  readonly limit: number
}

/** The events of a delivery as lines of NDJSON, each with the key by which it is taken once. */
export function linesOf({ name, hook, headers, payload, body, id, limit }: Delivered): Buffer {
  const items = Array.isArray(payload) ? payload : [payload]
  const isList = Array.isArray(payload)
  const attributes = hook.map && Object.entries(hook.map).map(([attribute, text]) => [attribute, pathOf(text)] as const)
  const ofDelivery = id ?? (hook.id && 'hash' in hook.id ? hashOf(body) : undefined)
  const wanted = hook.id && 'path' in hook.id ? hook.id.path.split('.') : undefined
  const usual = hook.id === undefined ? usualIds[hook.verify.scheme] : undefined
  let bytes = 0
  const chunks: string[] = []
  const add = (text: string): void => {
    bytes += text.length
    if (bytes > limit) throw fault('too large', 'the events of the delivery are larger than MAX_BODY_MB together')
    chunks.push(text)
  }
  items.forEach((item, place) => {
    if (!isObject(item))
      throw new Refusal(isList ? `item ${place} of the body is no JSON object` : 'the body is no JSON object or list')
    const at = isList ? ` of item ${place}` : ''
    const key = keyOf(item, place, at)
    const time = hook.time === undefined ? undefined : senderTime(valueAt(item, hook.time.split('.')), at)
    let begin = '{'
    const put = (attribute: string, value: Json): void => {
      add(`${begin}${JSON.stringify(attribute)}:${writeJson(value)}`)
      begin = ','
    }
    if (attributes) {
      for (const [attribute, path] of attributes) {
        const value = 'header' in path ? headerOf(headers, path.header) : valueAt(item, path.steps)
        if (value !== undefined) put(attribute, value)
      }
    } else
      for (const [attribute, value] of Object.entries(item)) {
        const isOurs = (attribute === '_id' && key !== undefined) || (attribute === '_pk' && time !== undefined)
        if (!isOurs) put(attribute, value)
      }
    if (key !== undefined) put('_id', `${name}:${key}`)
    if (time !== undefined) put('_pk', time)
    add(begin === '{' ? '{}\n' : '}\n')
  })
  return Buffer.from(chunks.join(''))

  function keyOf(item: Json, place: number, at: string): string | undefined {
    if (ofDelivery !== undefined) return checked(isList ? `${ofDelivery}:${place}` : ofDelivery, at)
    const steps = wanted ?? usual
    if (steps === undefined) return undefined
    const key = idempotencyKey(valueAt(item, steps) ?? null, `${steps.join('.')}${at}`)
    if (key === undefined && wanted)
      throw new Refusal(
        `${steps.join('.')}${at} is missing: without its id a delivery that is repeated would count twice`,
      )
    return key === undefined ? undefined : checked(key, at)
  }
}

function checked(key: string, at: string): string {
  if (key.length > longestId) throw new Refusal(`the id${at} has over ${longestId} characters`)
  return key
}

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url')

function pathOf(text: string): Exclude<ReturnType<typeof readPath>, string> {
  const path = readPath(text)
  if (typeof path === 'string') throw new Error('a path of a hook was checked when it was made')
  return path
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
