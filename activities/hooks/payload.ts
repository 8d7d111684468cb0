/** The events in the body of a delivery. */
import { createHash } from 'node:crypto'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseShallowJson, utf8, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Hook } from '../../sql/hook/definition.ts'
import { readPath, valueAt } from '../../sql/hook/path.ts'
import { senderKey } from '../events/sender-key.ts'
import { senderTime } from '../events/sender-time.ts'
import { idempotencyKey } from '../ingest/idempotency.ts'
import type { Headers } from './verify.ts'

const maxFields = 1_000
/** The name of the hook stands before it, the place in a list behind it, and a key has at most 255 characters. */
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

/** The items of a payload, each an event. */
export const itemsOf = (payload: Json): readonly Json[] => (Array.isArray(payload) ? payload : [payload])

/** Makes the lines of NDJSON of a delivery's items, each with the key by which it is taken once; an item that brings no event is a Refusal. */
export function createLineOf({ name, hook, headers, payload, body, id, limit }: Delivered) {
  const isList = Array.isArray(payload)
  const attributes = hook.map && Object.entries(hook.map).map(([attribute, text]) => [attribute, pathOf(text)] as const)
  const ofDelivery = idOfDelivery(hook, body, id)
  const wanted = hook.id && 'path' in hook.id ? hook.id.path.split('.') : undefined
  const usual = hook.id === undefined ? usualIds[hook.verify.scheme] : undefined
  const time = hook.time?.split('.')
  let bytes = 0

  function keyOf(item: Json, place: number): string | undefined {
    if (ofDelivery !== undefined) return isList ? `${ofDelivery}:${place}` : ofDelivery
    const steps = wanted ?? usual
    if (steps === undefined) return undefined
    const found = valueAt(item, steps) ?? null
    const text = typeof found === 'bigint' ? String(found) : found
    const key = idempotencyKey(typeof text === 'string' ? senderKey(text, longestId) : text, steps.join('.'))
    if (key === undefined && wanted)
      throw new Refusal(`${steps.join('.')} is missing: without its id a delivery that is repeated would count twice`)
    return key
  }

  return (item: Json, place: number): string => {
    if (!isObject(item)) throw new Refusal(isList ? 'the item is no JSON object' : 'the body is no JSON object or list')
    const key = keyOf(item, place)
    const happened = time && senderTime(valueAt(item, time))
    const chunks: string[] = []
    const add = (text: string): void => {
      bytes += text.length
      if (bytes > limit) throw fault('too large', 'the events of the delivery are larger than MAX_BODY_MB together')
      chunks.push(text)
    }
    const put = (attribute: string, value: Json): void =>
      add(`${chunks.length === 0 ? '{' : ','}${JSON.stringify(attribute)}:${writeJson(value)}`)
    if (attributes) {
      for (const [attribute, path] of attributes) {
        const value = 'header' in path ? headerOf(headers, path.header) : valueAt(item, path.steps)
        if (value !== undefined) put(attribute, value)
      }
    } else
      for (const [attribute, value] of Object.entries(item)) {
        const isOurs = (attribute === '_id' && key !== undefined) || (attribute === '_pk' && happened !== undefined)
        if (!isOurs) put(attribute, value)
      }
    if (key !== undefined) put('_id', `${name}:${key}`)
    if (happened !== undefined) put('_pk', happened)
    add(chunks.length === 0 ? '{}\n' : '}\n')
    return chunks.join('')
  }
}

/** The id that a delivery has as a whole: the hash of its body, or a signed header where the hook names no id of its own. */
function idOfDelivery(hook: Hook, body: Buffer, signed: string | undefined): string | undefined {
  if (hook.id === undefined) return signed === undefined ? undefined : senderKey(signed, longestId)
  return 'hash' in hook.id ? createHash('sha256').update(body).digest('base64url') : undefined
}

function pathOf(text: string): Exclude<ReturnType<typeof readPath>, string> {
  const path = readPath(text)
  if (typeof path === 'string') throw new Error('a path of a hook was checked when it was made')
  return path
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
