/** CloudEvents of the specification's own examples, and bodies that are none. */
import { createHash } from 'node:crypto'
import test from 'ava'
import { cloudEventsIn } from '../../../activities/events/cloud-events.ts'

const read = (headers: Record<string, string>, body: string | Buffer) => {
  const found = cloudEventsIn(headers, Buffer.from(body))
  return (
    found && {
      isBatch: found.isBatch,
      events: found.body
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  )
}
const json = { 'content-type': 'application/cloudevents+json; charset=UTF-8' }
const batch = { 'content-type': 'application/cloudevents-batch+json' }
const head = {
  ...{ specversion: '1.0', type: 'com.example.someevent', source: '/mycontext', id: 'A234-1234-1234' },
  time: '2018-04-05T17:31:00Z',
}
const made = { ...head, _id: '/mycontext A234-1234-1234', _pk: head.time }

test('the three modes give the same event', (t) => {
  const data = { appinfoA: 'abc', appinfoB: 123, appinfoC: true }
  const event = { ...head, comexampleextension1: 'value', datacontenttype: 'application/json', data }
  const wanted = { ...made, comexampleextension1: 'value', datacontenttype: 'application/json', data }
  t.deepEqual(read(json, JSON.stringify(event)), { isBatch: false, events: [wanted] })
  t.deepEqual(read(batch, JSON.stringify([event, event])), { isBatch: true, events: [wanted, wanted] })
  const headers = Object.fromEntries(
    [...Object.entries(head), ['comexampleextension1', 'value']].map(([name, value]) => [`ce-${name}`, String(value)]),
  )
  const binary = read({ ...headers, 'content-type': 'application/json' }, JSON.stringify(data))
  t.deepEqual(binary, { isBatch: false, events: [wanted] })
})

const ce = { 'ce-specversion': '1.0', 'ce-id': 'a', 'ce-source': 's', 'ce-type': 't' }
const plain = { specversion: '1.0', id: 'a', source: 's', type: 't', _id: 's a' }

test('data of any type comes through: text, XML, bytes, none, and characters that a header writes by %', (t) => {
  const events = (headers: Record<string, string>, body: string | Buffer) =>
    read({ ...ce, ...headers }, body)?.events[0]
  const xml = { 'content-type': 'text/xml' }
  t.deepEqual(events(xml, '<a/>'), { ...plain, datacontenttype: 'text/xml', data: '<a/>' })
  const bytes = Buffer.from([0xff, 0x00, 0x80])
  const octets = { 'content-type': 'application/octet-stream' }
  t.deepEqual(events(octets, bytes), { ...plain, datacontenttype: 'application/octet-stream', data_base64: '/wCA' })
  t.deepEqual(events({}, ''), plain)
  t.is(events({ 'ce-subject': 'Euro%20%E2%82%AC%20%F0%9F%98%80' }, '').subject, 'Euro € 😀')
  const base64 = { ...plain, data_base64: 'AAEC', datacontenttype: 'a/b' }
  const { _id, ...sent } = base64
  t.deepEqual(read(json, JSON.stringify(sent))?.events, [base64])
  t.is(read({ 'content-type': 'application/json' }, '{}'), undefined)
})

test('a header in double quotes is the text in them, with characters behind a backslash, then those behind a %', (t) => {
  const events = (headers: Record<string, string>) => read({ ...ce, ...headers }, '')?.events[0]
  const quoted = { 'ce-specversion': '"1.0"', 'ce-id': '"a"', 'ce-source': '"s"', 'ce-type': '"t"' }
  t.deepEqual(events(quoted), plain)
  t.like(events({ 'ce-time': '"2018-04-05T17:31:00Z"' }), { time: head.time, _pk: head.time })
  for (const [value, subject] of [
    ['"a \\"b\\" \\\\ c"', 'a "b" \\ c'],
    ['"\\%41 %42"', 'A B'],
    ['%22a%22', '"a"'],
    ['5" pipe', '5" pipe'],
    ['"a" and "b"', '"a" and "b"'],
    ['""', ''],
    ['"', '"'],
    ['"a\\"', '"a\\"'],
  ] as const)
    t.is(events({ 'ce-subject': value }).subject, subject, value)
})

test('a source and id of over 254 characters together are the key as their hash, one for each two', (t) => {
  const id = (source: string, id: string) => read(json, JSON.stringify({ ...plain, source, id }))?.events[0]._id
  t.is(id('s', 'x'.repeat(253)), `s ${'x'.repeat(253)}`)
  const hash = createHash('sha256')
    .update(`s ${'x'.repeat(254)}`)
    .digest('base64url')
  t.is(id('s', 'x'.repeat(254)), hash)
  t.is(id('s', 'x'.repeat(254)), hash)
  t.not(id('r', 'x'.repeat(254)), hash)
  t.not(id('s', `${'x'.repeat(253)}y`), hash)
})

test('a body that is no CloudEvent is refused with the place', (t) => {
  const why = (headers: Record<string, string>, body: string) => t.throws(() => read(headers, body))?.message ?? ''
  t.regex(why(json, '[]'), /a CloudEvent is a JSON object/)
  t.regex(why(json, '{"specversion":"0.3","id":"a","source":"s","type":"t"}'), /specversion: expected "1.0"/)
  for (const name of ['id', 'source', 'type'])
    t.regex(why(json, JSON.stringify({ ...plain, [name]: '' })), new RegExp(`^${name}: a CloudEvent has this text`))
  t.regex(why(batch, `[${JSON.stringify(plain)},{}]`), /^event 1 of the batch: specversion/)
  t.regex(why(batch, '{}'), /is a list/)
  t.regex(
    why({ 'content-type': 'application/cloudevents+avro' }, 'x'),
    /is not read: send application\/cloudevents\+json/,
  )
  t.regex(why({ ...ce, 'ce-subject': '100%' }, ''), /ce-subject: has a %/)
  t.regex(why(json, JSON.stringify({ ...plain, time: 5 })), /time: expected a text/)
  t.regex(
    why(json, JSON.stringify({ ...plain, data: { a: 1 }, data_base64: 'AAEC' })),
    /^data, data_base64: .* one of them/,
  )
  t.regex(why({ ...ce, 'content-type': 'application/json' }, '{'), /the data is no JSON/)
})
