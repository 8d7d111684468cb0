/** The events that bodies of deliveries bring. */
import { createHash } from 'node:crypto'
import test from 'ava'
import { challengeIn, createLineOf, itemsOf, payloadOf } from '../../../activities/hooks/payload.ts'
import type { Json } from '../../../base/json.ts'
import { decodeHook } from '../../../sql/hook/definition.ts'

type More = { readonly id?: string; readonly limit?: number; readonly headers?: Record<string, string> }

function events(settings: { [name: string]: Json }, body: string, { id, limit = 1e6, headers = {} }: More = {}) {
  const { verify = { scheme: 'github', secret: 'a-secret-of-16-or-more' }, ...rest } = settings
  const { hook } = decodeHook({ into: 's.st', verify, ...rest })
  const payload = payloadOf(Buffer.from(body), headers['content-type'] ?? 'application/json')
  const bytes = Buffer.from(body)
  const lineOf = createLineOf({
    name: 'h',
    hook,
    headers,
    payload,
    body: bytes,
    limit,
    ...(id !== undefined && { id }),
  })
  const lines = itemsOf(payload).map(lineOf).join('')
  return lines.split('\n').slice(0, -1)
}

const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
const stripe = { verify: { scheme: 'stripe', secret: 'whsec_0123456789abcdef' } }
const standard = { verify: { scheme: 'standard', secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==' } }

const msg1 = { id: 'msg_1' }
const long = (characters: number): More => ({ id: 'm'.repeat(characters) })
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const cases: readonly [what: string, settings: { [name: string]: Json }, body: string, lines: string[], more?: More][] =
  [
    ['an object is the event', {}, '{"a":1,"b":{"c":[1]}}', ['{"a":1,"b":{"c":[1]}}']],
    ['a list is an event an item', {}, '[{"a":1},{"a":2}]', ['{"a":1}', '{"a":2}']],
    ['an empty list is no event', {}, '[]', []],
    ['integers keep their digits', {}, '{"a":12345678901234567890}', ['{"a":12345678901234567890}']],
    ['a line end in a text stays in the text', {}, '{"a":"x\\ny"}', ['{"a":"x\\ny"}']],
    [
      'map takes members at paths, items of lists and headers; what is not there is missing',
      {
        map: { n: 'data.object.n', first: 'rows.0.x', kind: 'header:X-Kind', none: 'data.no.way', own: '__proto__.a' },
      },
      '{"data":{"object":{"n":3}},"rows":[{"x":"y"}]}',
      ['{"n":3,"first":"y","kind":"push"}'],
      { headers: { 'x-kind': 'push' } },
    ],
    ['a form’s payload is the event', {}, 'payload=%7B%22a%22%3A%22x+y%22%7D', ['{"a":"x y"}'], form],
    ['without one its fields are', {}, 'a=1&b=x%20y&a=2', ['{"a":["1","2"],"b":"x y"}'], form],
    ['the id of a scheme is the key', stripe, '{"id":"evt_1","n":1}', ['{"id":"evt_1","n":1,"_id":"h:evt_1"}']],
    ['one that is not there is no key', stripe, '{"n":1}', ['{"n":1}']],
    ['a signed header is the key', standard, '{"n":1}', ['{"n":1,"_id":"h:msg_1"}'], { id: 'msg_1' }],
    ['of a list with the place', standard, '[{},{}]', ['{"_id":"h:msg_1:0"}', '{"_id":"h:msg_1:1"}'], { id: 'msg_1' }],
    [
      'a path of the hook goes before a signed header',
      { ...standard, id: 'n' },
      '{"n":1}',
      ['{"n":1,"_id":"h:1"}'],
      msg1,
    ],
    [
      'the hash of the body goes before it',
      { ...standard, id: { hash: 'body' } },
      '{}',
      ['{"_id":"h:RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"}'],
      msg1,
    ],
    ['a signed header of 180 characters is the key', standard, '{}', [`{"_id":"h:${'m'.repeat(180)}"}`], long(180)],
    ['the hash of one of 181 is', standard, '{}', [`{"_id":"h:${hashOf('m'.repeat(181))}"}`], long(181)],
    [
      'the hash and the place are, of a list',
      standard,
      '[{},{}]',
      [0, 1].map((place) => `{"_id":"h:${hashOf('m'.repeat(400))}:${place}"}`),
      long(400),
    ],
    [
      'the hash of a long id at a path is the key',
      { id: 'x', map: { a: 'a' } },
      `{"x":"${'y'.repeat(300)}"}`,
      [`{"_id":"h:${hashOf('y'.repeat(300))}"}`],
    ],
    [
      'so is that of a long number',
      { id: 'x', map: { a: 'a' } },
      `{"x":${'9'.repeat(200)}}`,
      [`{"_id":"h:${hashOf('9'.repeat(200))}"}`],
    ],
    ['an own id is not taken for it', { id: 'x.y' }, '{"x":{"y":7},"_id":"z"}', ['{"x":{"y":7},"_id":"h:7"}']],
    [
      'the body’s hash is the key',
      { id: { hash: 'body' } },
      '{}',
      ['{"_id":"h:RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"}'],
    ],
    ['seconds', { time: 'at', map: { a: 'a' } }, '{"at":1700000000}', ['{"_pk":1700000000000000}']],
    ['milliseconds', { time: 'at', map: { a: 'a' } }, '{"at":1700000000123}', ['{"_pk":1700000000123000}']],
    ['microseconds', { time: 'at', map: { a: 'a' } }, '{"at":1700000000123456}', ['{"_pk":1700000000123456}']],
    ['nanoseconds', { time: 'at', map: { a: 'a' } }, '{"at":1700000000123456789}', ['{"_pk":1700000000123457}']],
    ['seconds in a text', { time: 'at', map: { a: 'a' } }, '{"at":"1515449522.000016"}', ['{"_pk":1515449522000016}']],
    ['ISO 8601', { time: 'at', map: { a: 'a' } }, '{"at":"2026-11-01T00:00:00Z"}', ['{"_pk":"2026-11-01T00:00:00Z"}']],
    ['no time', { time: 'at', map: { a: 'a' } }, '{"a":1}', ['{"a":1}']],
  ]

for (const [what, settings, body, lines, more] of cases)
  test(`${what}: ${body}`, (t) => {
    t.deepEqual(events(settings, body, more), lines)
  })

test('a path, an id or a body that brings no event is refused with its reason', (t) => {
  const why = (settings: { [name: string]: Json }, body: string, more?: More) =>
    t.throws(() => events(settings, body, more))?.message
  t.is(why({}, '7'), 'the body is no JSON object or list')
  t.is(why({}, '[{},7]'), 'the item is no JSON object')
  t.regex(why({}, '{') ?? '', /^the body is no JSON/)
  t.regex(why({}, '['.repeat(300)) ?? '', /no JSON|nest/)
  t.regex(why({}, `{"a":${'['.repeat(300)}${']'.repeat(300)}}`) ?? '', /nests deeper/)
  t.regex(why({ id: 'x' }, '{}') ?? '', /^x is missing: without its id/)
  t.regex(why({ id: 'x' }, '{"x":{}}') ?? '', /^x: expected a text/)
  t.regex(why({ time: 'at' }, '{"at":true}') ?? '', /is no time/)
  t.regex(why({ time: 'at' }, '{"at":-5}') ?? '', /is no time/)
  t.regex(why({}, '&='.repeat(3000), form) ?? '', /over 1000 fields/)
})

test('attributes that map one long value many times are refused before they fill the memory', (t) => {
  const map = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, 'x']))
  t.regex(t.throws(() => events({ map }, `{"x":"${'y'.repeat(50_000)}"}`))?.message ?? '', /larger than MAX_BODY_MB/)
})

test('Slack’s question is told by its type, and no other payload is', (t) => {
  t.is(challengeIn({ type: 'url_verification', challenge: 'abc', token: 'x' }), 'abc')
  for (const other of [{ type: 'event_callback', challenge: 'abc' }, { type: 'url_verification' }, ['x'], 'x', null])
    t.is(challengeIn(other), undefined)
})
