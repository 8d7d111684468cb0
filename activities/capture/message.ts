/** A message of a vendor's client as an event of Weir. */

import { isoMicroseconds } from '../../base/instant.ts'
import { isObject, type Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Attribute } from '../../sql/schema/schema.ts'
import { idempotencyKey } from '../ingest/idempotency.ts'

export type Members = { readonly [name: string]: Json }

/** A vendor's message as it is read, before it is an event. */
export type Message = {
  readonly members: Members
  /** Objects in which a declared attribute is looked for that the message has not at its top, the first one first. */
  readonly inside: readonly (Json | undefined)[]
  /** The id that its sender gave it: it is taken once. */
  readonly id: Json | undefined
  /** When it happened, in microseconds since 1970; absent: when it arrives. */
  readonly time_us?: number
}

/** Names that are Weir's in an event. */
const own: readonly string[] = ['_id', '_pk', '_v']

/** The event of a message for a stream with those attributes. */
export function eventOf({ members, inside, id, time_us }: Message, attributes: readonly Attribute[]): Members {
  const event: { [name: string]: Json } = {}
  for (const [name, value] of Object.entries(members)) if (!own.includes(name)) event[name] = value
  for (const { name } of attributes) {
    if (own.includes(name) || name.includes('.') || Object.hasOwn(event, name)) continue
    const found = inside.find((each) => isObject(each) && Object.hasOwn(each, name))
    if (isObject(found)) event[name] = found[name] ?? null
  }
  const key = idempotencyKey(id, 'the id of the message')
  return { ...event, ...(key !== undefined && { _id: key }), ...(time_us !== undefined && { _pk: time_us }) }
}

/** A time that a client wrote: ISO 8601, or milliseconds since 1970, also as a text. */
export function microsecondsOf(value: Json | undefined, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const isDigits = typeof value === 'string' && /^\d{1,17}$/.test(value)
  const time = typeof value === 'string' && !isDigits ? isoMicroseconds(value) : Math.round(Number(value) * 1000)
  if (typeof value !== 'object' && typeof value !== 'boolean' && time !== undefined && Number.isFinite(time))
    return Number(time)
  throw new Refusal(`${name}: expected a time of ISO 8601 or milliseconds since 1970`)
}

/** The time of a message whose client's clock may be wrong: it was sent when it arrived. */
export const corrected = (time_us: number, sent_us: number | undefined, arrived_us: number): number =>
  sent_us === undefined ? time_us : arrived_us - (sent_us - time_us)
