/** Messages of Segment, PostHog and Snowplow as events: which member becomes which attribute, its id and its time. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { eventOf, type Message } from '../../../activities/capture/message.ts'
import { postHogBody, postHogItems, postHogKeyIn, postHogMessage } from '../../../activities/capture/posthog.ts'
import { segmentItems, segmentKeyIn, segmentMessage } from '../../../activities/capture/segment.ts'
import { snowplowItems, snowplowKeyIn, snowplowMessage } from '../../../activities/capture/snowplow.ts'
import { readWriteKey } from '../../../activities/capture/write-key.ts'
import type { Json } from '../../../base/json.ts'

const arrived_us = Date.parse('2026-11-01T00:00:10Z') * 1000
const price = [{ name: 'price', type: 'DOUBLE', granularity: 60, primaryKey: false }] as const
const event = (message: Message) => eventOf(message, price)
const at = (text: string): number => Date.parse(text) * 1000

test('a write key is a stream, a key of Weir, or both', (t) => {
  const into = { schema: 'shop', stream: 'events' }
  t.deepEqual(readWriteKey('shop.events@weir_1_a'), { into, key: 'weir_1_a' })
  t.deepEqual(readWriteKey('shop.events'), { into })
  t.deepEqual(readWriteKey('weir_1_a'), { key: 'weir_1_a' })
  t.deepEqual(readWriteKey('not a stream@x'), { key: 'not a stream@x' })
  t.deepEqual(readWriteKey(''), {})
})

test('Segment: a message has its members; its time is right by as much as its client’s clock is wrong', (t) => {
  const track = {
    ...{ messageId: 'm1', userId: 'u1', event: 'Bought', properties: { price: 5, color: 'red' }, writeKey: 'k' },
    ...{ timestamp: '2026-10-31T23:00:00.000Z', sentAt: '2026-10-31T23:00:05.000Z' },
  }
  const { writeKey: _, ...members } = track
  t.deepEqual(event(segmentMessage(track, track, 'track', arrived_us)), {
    ...{ ...members, type: 'track', price: 5, _id: 'm1', _pk: at('2026-11-01T00:00:05Z') },
  })
  t.is(
    event(segmentMessage({ ...track, sentAt: undefined as unknown as Json }, null, 't', arrived_us))._pk,
    at(track.timestamp),
  )
  t.is(event(segmentMessage({ userId: 'u', traits: { price: 7 } }, null, 'identify', arrived_us)).price, 7)
  t.false('_pk' in event(segmentMessage({ userId: 'u' }, null, 'page', arrived_us)))
})

test('Segment: what a batch says once holds for each of its messages', (t) => {
  const batch = {
    batch: [{ type: 'track', event: 'a' }, { type: 'page', context: { own: 1 } }, 3],
    context: { c: 1 },
    sentAt: '2026-11-01T00:00:05Z',
    writeKey: 'k',
  }
  t.is(segmentKeyIn(batch), 'k')
  t.is(segmentItems(batch, 'batch'), batch.batch, 'an item that is refused is written as it was sent')
  const [track = null, page = null] = batch.batch
  const membersOf = (item: Json) => segmentMessage(item, batch, 'batch', arrived_us).members
  const { sentAt } = batch
  t.deepEqual(membersOf(track), { sentAt, context: { c: 1 }, type: 'track', event: 'a' })
  t.deepEqual(membersOf(page), { sentAt, context: { own: 1 }, type: 'page' })
  t.throws(() => segmentItems({ batch: 1 }, 'batch'), { message: /a list of messages/ })
  t.throws(() => segmentMessage(3, batch, 'batch', arrived_us), { message: /a message is a JSON object/ })
  t.throws(() => segmentMessage({ type: 'x' }, batch, 'batch', arrived_us), {
    message: /type: expected track, identify/,
  })
  t.throws(() => segmentMessage({ timestamp: 'soon' }, null, 'track', arrived_us), {
    message: /timestamp: expected a time/,
  })
})

const captured = {
  ...{ api_key: 'k', event: 'bought', distinct_id: 'u1', uuid: '0190-1', properties: { price: 5, token: 'k' } },
  timestamp: '2026-10-31T23:00:00.000Z',
}

test('PostHog: an event, a list and a batch; its time by when it was sent, or how long ago it was', (t) => {
  const expected = {
    ...{ event: 'bought', distinct_id: 'u1', uuid: '0190-1', properties: { price: 5 }, price: 5, _id: '0190-1' },
    timestamp: '2026-10-31T23:00:00.000Z',
  }
  t.deepEqual(event(postHogMessage(captured, null, arrived_us)), { ...expected, _pk: at(captured.timestamp) })
  const batch = { api_key: 'k', batch: [captured], sent_at: '2026-10-31T23:00:05Z' }
  t.is(postHogItems(batch), batch.batch, 'an item that is refused is written as it was sent')
  t.is(event(postHogMessage(captured, batch, arrived_us))._pk, at('2026-11-01T00:00:05Z'))
  const browser = {
    event: '$pageview',
    properties: { distinct_id: 'u2', token: 'k', $ignore_sent_at: true },
    offset: 3000,
  }
  t.deepEqual(event(postHogMessage(browser, null, arrived_us)), {
    ...{ event: '$pageview', distinct_id: 'u2', properties: { $ignore_sent_at: true }, _pk: arrived_us - 3_000_000 },
  })
  for (const body of [captured, [browser], { batch: [browser] }, { token: 'k', event: 'a' }] as Json[])
    t.is(postHogKeyIn(body), 'k')
  t.throws(() => postHogMessage({ properties: {} }, null, arrived_us), { message: /event: an event has this text/ })
})

test('PostHog: JSON, gzip and base64 are one body', async (t) => {
  const text = JSON.stringify({ event: 'ü' })
  const base64 = Buffer.from(text).toString('base64')
  for (const body of [
    text,
    gzipSync(text),
    base64,
    gzipSync(text).toString('base64'),
    `data=${encodeURIComponent(base64)}&ip=0`,
    `data=${encodeURIComponent(text)}`,
  ])
    t.deepEqual(await postHogBody(Buffer.from(body), 1000), { event: 'ü' }, String(body))
  await t.throwsAsync(postHogBody(gzipSync('a'.repeat(2000)), 1000), { message: /exceeds 1000 bytes, unpacked/ })
  await t.throwsAsync(postHogBody(gzipSync(text).subarray(0, 20), 1000), { message: /no gzip, or cut short/ })
  await t.throwsAsync(postHogBody(Buffer.from('{"event"'), 1000), { message: /no JSON/ })
})

test('Snowplow: parameters are the columns of its table; numbers and JSON are what they are', (t) => {
  const inner = { schema: 'iglu:com.acme/bought/jsonschema/1-0-0', data: { price: 5 } }
  const wrapped = JSON.stringify({
    schema: 'iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0',
    data: inner,
  })
  const contexts = JSON.stringify({ schema: 'iglu:x', data: [{ schema: 'iglu:y', data: {} }] })
  const item = {
    ...{ e: 'ue', aid: 'k', eid: 'e1', p: 'srv', uid: 'u1', res: '1024x768', vid: '3', own: 'x' },
    ...{ ue_px: Buffer.from(wrapped).toString('base64url'), co: contexts },
    ...{ dtm: '1793487600000', stm: '1793487605000' },
  }
  t.is(snowplowKeyIn({ data: [item] }), 'k')
  t.deepEqual(snowplowItems({ schema: 's', data: [item] }), [item])
  t.deepEqual(event(snowplowMessage(item, null, arrived_us)), {
    ...{ event: 'unstruct', event_id: 'e1', platform: 'srv', user_id: 'u1', own: 'x', domain_sessionidx: 3 },
    ...{
      dvce_screenwidth: 1024,
      dvce_screenheight: 768,
      unstruct_event: inner,
      contexts: [{ schema: 'iglu:y', data: {} }],
    },
    ...{ event_vendor: 'com.acme', event_name: 'bought', price: 5 },
    ...{ dvce_created_tstamp: '1793487600000', dvce_sent_tstamp: '1793487605000' },
    ...{ _id: 'e1', _pk: at('2026-11-01T00:00:05Z') },
  })
  t.is(event(snowplowMessage({ e: 'pv', ttm: '1793487600000', dtm: '1' }, null, arrived_us))._pk, 1_793_487_600_000_000)
  t.deepEqual(event(snowplowMessage({ e: 'se', se_va: '1.5', se_ca: 'a' }, null, arrived_us)), {
    event: 'struct',
    se_value: 1.5,
    se_category: 'a',
  })
  t.throws(() => snowplowMessage({ e: 'constructor' }, null, arrived_us), { message: /e: expected pv/ })
  const inherited = { constructor: 'a', toString: 'b', valueOf: '1x2', hasOwnProperty: 'c' }
  t.deepEqual(event(snowplowMessage({ e: 'pv', ...inherited }, null, arrived_us)), { ...inherited, event: 'page_view' })
  t.throws(() => snowplowMessage({ e: 'zz' }, null, arrived_us), { message: /e: expected pv, pp, se, ue/ })
  t.throws(() => snowplowMessage({ e: 'ue', ue_pr: '{' }, null, arrived_us), { message: /ue_pr is no JSON/ })
})

test('names of Weir’s in a message are no attributes; an id that is no text is refused', (t) => {
  const members = { _id: 'theirs', _pk: 1, _v: 2, a: 1 }
  t.deepEqual(eventOf({ members, inside: [], id: null }, []), { a: 1 })
  t.throws(() => eventOf({ members, inside: [], id: {} }, []), { message: /the id of the message: expected a text/ })
})
