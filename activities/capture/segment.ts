/** The messages of Segment's HTTP tracking API: https://segment.com/docs/connections/sources/catalog/libraries/server/http-api */
import { isObject, type Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { corrected, type Members, type Message, microsecondsOf } from './message.ts'

/** The last part of a path, and the message that it takes; the letters are those of Segment's client for browsers. */
export const segmentPaths = {
  ...{ track: 'track', identify: 'identify', page: 'page', screen: 'screen', group: 'group', alias: 'alias' },
  ...{ t: 'track', i: 'identify', p: 'page', s: 'screen', g: 'group', a: 'alias' },
  ...{ batch: 'batch', b: 'batch', import: 'batch' },
} as const
export type SegmentPath = keyof typeof segmentPaths
type Kind = Exclude<(typeof segmentPaths)[SegmentPath], 'batch'>

const kinds: ReadonlySet<Json | undefined> = new Set(Object.values(segmentPaths).filter((kind) => kind !== 'batch'))

/** The text of the write key in a body: clients for browsers send it there. */
export function segmentKeyIn(body: Json): string | undefined {
  if (!isObject(body)) return undefined
  const first = Array.isArray(body.batch) ? body.batch[0] : undefined
  const key = body.writeKey ?? (isObject(first) ? first.writeKey : undefined)
  return typeof key === 'string' ? key : undefined
}

/** The items of a body, which `segmentMessage` reads one by one. */
export function segmentItems(body: Json, path: SegmentPath): readonly Json[] {
  if (segmentPaths[path] !== 'batch') return [body]
  if (!isObject(body) || !Array.isArray(body.batch)) throw new Refusal('batch: expected a list of messages')
  return body.batch
}

/** Members that a batch has once for all its messages. */
function sharedBy(body: Json): Members {
  const { sentAt, context, integrations } = isObject(body) ? body : {}
  return {
    ...(sentAt !== undefined && { sentAt }),
    ...(context !== undefined && { context }),
    ...(integrations !== undefined && { integrations }),
  }
}

export function segmentMessage(sent: Json, body: Json, path: SegmentPath, arrived_us: number): Message {
  if (!isObject(sent)) throw new Refusal('a message is a JSON object')
  const ofPath = segmentPaths[path]
  const item: Members = ofPath === 'batch' ? { ...sharedBy(body), ...sent } : sent
  const { writeKey, ...members } = item
  const type: Json | undefined = ofPath === 'batch' ? item.type : (ofPath satisfies Kind)
  if (!kinds.has(type)) throw new Refusal(`type: expected ${[...kinds].join(', ')}`)
  const sent_us = microsecondsOf(item.sentAt, 'sentAt')
  const time_us = microsecondsOf(item.originalTimestamp ?? item.timestamp, 'timestamp')
  return {
    members: { ...members, ...(type !== undefined && { type }) },
    inside: [item.properties, item.traits],
    id: item.messageId,
    ...(time_us !== undefined && { time_us: corrected(time_us, sent_us, arrived_us) }),
  }
}
