import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService({ MAX_LIVE: '40' })
const { client, url } = service
test.after.always(() => service.close())

const schemaOf = (schema: string, more: object = {}) => ({
  schema,
  streams: [
    {
      name: 'clicks',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'page', type: 'STRING' },
        { name: 'n', type: 'LONG' },
      ],
      ...more,
    },
  ],
})
const open = (path: string, headers: Record<string, string> = {}) => openEventStream(url, path, { headers })
const numbers = (stream: { data(): { n: number }[] }) => stream.data().map(({ n }) => n)

test('an event comes as it is stored, with its id, after the answer to its sender', async (t) => {
  await client.register(schemaOf('live1'))
  await client.event('live1.clicks', { page: 'before', n: 0 })
  const stream = await open('/stream/live1/clicks/live')
  t.is(stream.status, 200)
  t.regex(String(stream.headers['content-type']), /^text\/event-stream/)
  t.is(stream.headers['cache-control'], 'no-store')
  const _pk = await client.event('live1.clicks', { page: 'a\nb', n: 1, more: { x: [1, 'é'] } })
  await client.event('live1.clicks', { n: 2, _pk: 1_700_000_000_000_000 })
  await stream.until('both events', 2)
  t.deepEqual(stream.data(), [
    { _pk, _v: 1, page: 'a\nb', n: 1, more: { x: [1, 'é'] } },
    { _pk: 1_700_000_000_000_000, _v: 1, n: 2 },
  ])
  t.deepEqual(await client.documents('select * from live1.clicks where n > 0'), stream.data())
  t.true(stream.named('event').every(({ id = '' }) => /^\d+$/.test(id)))
  t.deepEqual(Object.keys(stream.blocks[0] ?? {}), ['id', 'event', 'data'])
  t.deepEqual([stream.blocks[0]?.event, stream.blocks[0]?.data], ['open', '{}'])
  stream.close()
})

test('last begins with the latest events that match, in their order, and goes on with those that come', async (t) => {
  await client.register(schemaOf('live2'))
  const events = Array.from({ length: 30 }, (_, n) => ({ n, page: n % 3 === 0 ? 'x' : 'y' }))
  await client.lines('live2.clicks', events)
  const where = encodeURIComponent('page = "x" and n > 3')
  const stream = await open(`/stream/live2/clicks/live?last=4&where=${where}`)
  await client.lines('live2.clicks', [
    { n: 30, page: 'x' },
    { n: 31, page: 'y' },
    { n: 33, page: 'x' },
  ])
  await stream.until('six events', 6)
  t.deepEqual(numbers(stream), [18, 21, 24, 27, 30, 33])
  const few = await open('/stream/live2/clicks/live?last=1000')
  await few.until('all', 33)
  t.deepEqual(numbers(few), [...events.map(({ n }) => n), 30, 31, 33])
  const none = await open('/stream/live2/clicks/live?last=0')
  await client.event('live2.clicks', { n: 40 })
  await none.until('the one that came', 1)
  t.deepEqual(numbers(none), [40])
  for (const each of [stream, few, none]) each.close()
})

test('a client that comes back gets what came since, by the header or by after, none left out and none twice', async (t) => {
  await client.register(schemaOf('live3'))
  await client.lines(
    'live3.clicks',
    Array.from({ length: 2500 }, (_, n) => ({ n, page: 'p'.repeat(100), _pk: 1_800_000_000_000_000 - n })),
  )
  const all = await open('/stream/live3/clicks/live?after=0')
  await all.until('all', 2500)
  t.deepEqual(
    numbers(all),
    Array.from({ length: 2500 }, (_, n) => n),
  )
  const { id = '' } = all.named('event')[1234] ?? {}
  await client.event('live3.clicks', { n: 2500 })
  const rest = Array.from({ length: 1266 }, (_, index) => 1235 + index)
  for (const [path, headers] of [
    [`?after=${id}`, {}],
    ['', { 'Last-Event-ID': id }],
    ['?last=3', { 'Last-Event-ID': id }],
    [`?after=${all.named('event')[3]?.id}`, { 'Last-Event-ID': id }],
  ] as const) {
    const stream = await open(`/stream/live3/clicks/live${path}`, headers)
    await stream.until('the rest', 1266)
    t.deepEqual(numbers(stream), rest)
    t.is(stream.named('gap').length, 0)
    stream.close()
  }
  all.close()
})

test('readers that begin among the events have each what comes after, none left out and none twice', async (t) => {
  await client.register(schemaOf('liveBegin'))
  const streams = [await open('/stream/liveBegin/clicks/live')]
  for (let n = 1; n <= 12; n++) {
    await client.event('liveBegin.clicks', { n })
    streams.push(await open('/stream/liveBegin/clicks/live'))
  }
  await client.event('liveBegin.clicks', { n: 13 })
  for (const [before, stream] of streams.entries()) {
    await stream.until('the last event', 13 - before)
    t.deepEqual(
      numbers(stream),
      Array.from({ length: 13 - before }, (_, index) => before + 1 + index),
    )
    stream.close()
  }
})

test('a request that cannot be meant is refused before the stream begins', async (t) => {
  await client.register({
    schema: 'live4',
    streams: [
      {
        ...schemaOf('').streams[0],
        enty: [
          {
            name: 'e',
            opid: 1,
            iatr: ['n'],
            ratr: ['seen'],
            pkatr: [{ name: 'page', type: 5, iatr: ['page'] }],
            rstm: 'pages',
          },
        ],
      },
      { name: 'pages', type: 4, inpt: ['clicks'], attr: [] },
    ],
  })
  const refusals: [path: string, status: number, problem: RegExp, headers?: Record<string, string>][] = [
    ['/stream/none/clicks/live', 404, /no schema "none"/],
    ['/stream/live4/none/live', 404, /no stream "none"/],
    ['/stream/live4/pages/live', 400, /live4.pages is an entity stream/],
    ['/stream/live4/clicks/live?last=1001', 400, /^last: /],
    ['/stream/live4/clicks/live?last=-1', 400, /^last: /],
    ['/stream/live4/clicks/live?last=x', 400, /^last: /],
    ['/stream/live4/clicks/live?last=', 400, /^last: /],
    ['/stream/live4/clicks/live?after=x', 400, /^after: send the id of the last event that came, got "x"/],
    ['/stream/live4/clicks/live?after=1&last=1', 400, /last or after/],
    ['/stream/live4/clicks/live?last=1&last=2', 400, /^last: send one/],
    ['/stream/live4/clicks/live', 400, /^Last-Event-ID: send the id/, { 'Last-Event-ID': 'abc' }],
    ['/stream/live4/clicks/live?where=page%20%3D', 400, /line 1, column 7/],
    ['/stream/live4/clicks/live?where=', 400, /expected an attribute/],
    ['/stream/live4/clicks/live?where=n%20%3D%20%22a%22', 400, /n is LONG/],
    ['/stream/live4/clicks/live?where=n%20%3D%201%20limit%201', 400, /limit/],
    ['/stream/live4/clicks/live?where=st%20>=%201795615455000', 400, /column 1: st is .*write 1795615455000000/],
    ['/stream/live4/clicks/live?where=n%20=%201%20and%20st%20>=%205', 400, /column 11: st is in microseconds/],
  ]
  for (const [path, status, problem, headers = {}] of refusals) {
    const answer = await client.send('GET', path, undefined, headers)
    t.is(answer.status, status, `${path}: ${answer.text}`)
    t.regex(answer.body.error[0], problem, path)
  }
  const wrong = await client.send('PUT', '/stream/live4/clicks/live', {})
  t.deepEqual([wrong.status, wrong.headers.get('allow')?.includes('GET')], [405, true])
  const head = await client.send('HEAD', '/stream/live4/clicks/live')
  t.is(head.status, 200)
  t.regex(head.headers.get('content-type') ?? '', /event-stream/)
})

test('a stream of filters has each copy of an event once, also for a client that comes back between two of them', async (t) => {
  const fqry = { name: { query: [{ key: 'n', cmp_op: 0, val: 0 }] } }
  await client.register({
    schema: 'live5',
    streams: [
      {
        ...schemaOf('').streams[0],
        fltr: [
          { name: 'f', fqry, fatr: ['n', 'page'], ostm: 'some' },
          { name: 'g', fqry, fatr: ['n'], ostm: 'some' },
        ],
      },
      { ...schemaOf('').streams[0], name: 'some', type: 2, inpt: ['clicks'] },
    ],
  })
  const stream = await open('/stream/live5/some/live')
  await client.lines('live5.clicks', [{ n: 1, page: 'a' }, { n: -1 }, { n: 2, page: 'b' }])
  await stream.until('four copies', 4)
  const all = stream.data().map(({ n, page }) => [n, page])
  t.deepEqual(
    all.toSorted(),
    [
      [1, undefined],
      [1, 'a'],
      [2, undefined],
      [2, 'b'],
    ].toSorted(),
  )
  t.deepEqual(
    all.map(([n]) => n),
    [1, 1, 2, 2],
  )
  for (const [index, { id = '' }] of stream.named('event').entries()) {
    const rest = await open(`/stream/live5/some/live?after=${id}`)
    await rest.until('the rest', 3 - index)
    t.deepEqual(rest.data(), stream.data().slice(index + 1))
    rest.close()
  }
  for (const last of [1, 2, 3]) {
    const latest = await open(`/stream/live5/some/live?last=${last}`)
    await latest.until('the latest', last)
    t.deepEqual(latest.data(), stream.data().slice(-last))
    latest.close()
  }
  stream.close()
})

test('where events behind an id are gone, the first that comes is a gap, and then what is there', async (t) => {
  await client.register(schemaOf('live6', { swsz: 3600 }))
  const now = Date.now() * 1000
  await client.lines('live6.clicks', [{ n: 1, _pk: now - 1_000_000 }, { n: 2 }])
  const stream = await open(`/stream/live6/clicks/live?after=${now - 7_200_000_000}`)
  await stream.until('both', 2)
  const [gap] = stream.named('gap')
  t.like(stream.data('gap')[0], { from: String(now - 7_200_000_000), to: gap?.id })
  t.is(stream.blocks[1], gap)
  t.deepEqual(numbers(stream), [1, 2])
  const again = await open('/stream/live6/clicks/live', { 'Last-Event-ID': gap?.id ?? '' })
  await again.until('both', 2)
  t.is(again.named('gap').length, 0)
  const ahead = await open('/stream/live6/clicks/live', { 'Last-Event-ID': String(now + 10 * 3_600_000_000) })
  await client.event('live6.clicks', { n: 3 })
  await ahead.until('the one that came', 1)
  t.deepEqual([ahead.named('gap').length, numbers(ahead)], [1, [3]])
  const { id = '' } = stream.named('event')[1] ?? {}
  await client.ok(client.send('DELETE', '/stream/live6'))
  await stream.ended()
  await client.register(schemaOf('live6'))
  await client.event('live6.clicks', { n: 4 })
  const anew = await open(`/stream/live6/clicks/live?after=${id}`)
  await anew.until('the one of the new stream', 1)
  t.deepEqual([anew.data('gap')[0].from, numbers(anew)], [id, [4]])
  for (const each of [again, ahead, anew]) each.close()
})

test('a stream goes on over an edit, and ends when it is deleted', async (t) => {
  await client.register(schemaOf('live7'))
  const stream = await open('/stream/live7/clicks/live?where=more%20%3D%201%20or%20n%20%3E%200')
  await client.event('live7.clicks', { n: 0, more: 1 })
  await stream.until('one', 1)
  const [before] = schemaOf('').streams
  await client.ok(
    client.send(
      'PUT',
      '/stream',
      schemaOf('live7', { attr: [...(before?.attr ?? []), { name: 'more', type: 'LONG' }] }),
    ),
  )
  await client.lines('live7.clicks', [
    { n: 0, more: 1 },
    { n: 0, more: 2 },
    { n: 5, more: 2 },
  ])
  await stream.until('three', 3)
  t.deepEqual(
    stream.data().map(({ n, more }) => [n, more]),
    [
      [0, 1],
      [0, 1],
      [5, 2],
    ],
  )
  t.false(stream.isEnded())
  await client.ok(client.send('DELETE', '/stream/live7'))
  await stream.ended()
  t.is(stream.rest(), '')
})

test.serial(
  'there are as many readers as MAX_LIVE says, three quarters of one address, and one that goes away makes room at once',
  async (t) => {
    await client.register(schemaOf('live8'))
    const path = '/stream/live8/clicks/live'
    const readers = async () => {
      const { text } = await client.get('/metrics')
      return Number(/^weir_live_readers (\d+)$/m.exec(text)?.[1])
    }
    await until('no reader of the tests before', async () => (await readers()) === 0)
    const own = await Promise.all(Array.from({ length: 30 }, () => open(path)))
    const refused = await client.get(path)
    t.deepEqual([refused.status, refused.body.errcode], [503, -6])
    t.regex(
      refused.body.error[0],
      /^30 live streams of this key or address are open already, of 40 in all \(MAX_LIVE\)/,
    )
    t.truthy(refused.headers.get('retry-after'))
    const elsewhere = () => openEventStream(url, path, { localAddress: '127.0.0.2' })
    const streams = [...own, ...(await Promise.all(Array.from({ length: 10 }, elsewhere)))]
    const full = await elsewhere()
    t.is(full.status, 503)
    streams[7]?.close()
    await until('a place', async () => (await readers()) === 39)
    const another = await open(path)
    t.is(another.status, 200)
    await client.event('live8.clicks', { n: 1 })
    await Promise.all([...streams.filter((_, index) => index !== 7), another].map((each) => each.until('the event', 1)))
    for (const each of [...streams, another]) each.close()
    await until('all places', async () => (await readers()) === 0)
    t.pass()
  },
)

test.serial('a reader that takes nothing keeps no other waiting, and gets all once it reads on', async (t) => {
  await client.register(schemaOf('live9'))
  const [slow, quick] = [await open('/stream/live9/clicks/live'), await open('/stream/live9/clicks/live')]
  slow.pause()
  const page = 'p'.repeat(2000)
  for (let sent = 0; sent < 12_000; sent += 2000) {
    await client.lines(
      'live9.clicks',
      Array.from({ length: 2000 }, (_, n) => ({ n: sent + n, page })),
    )
  }
  await quick.until('all', 12_000)
  t.true(slow.named('event').length < 12_000)
  slow.resume()
  await slow.until('all', 12_000)
  const ids = (stream: typeof slow) => stream.named('event').map(({ id }) => id)
  t.deepEqual(ids(slow), ids(quick))
  t.is(new Set(ids(slow)).size, 12_000)
  for (const each of [slow, quick]) each.close()
})

test('an open stream tells its place at once, in an event with data; names that are unknown are told by a note', async (t) => {
  await client.register(schemaOf('live10'))
  const _pk = await client.event('live10.clicks', { n: 1 })
  const stream = await open(`/stream/live10/clicks/live?wher=x&where=${encodeURIComponent('nn > 5')}`)
  await stream.until('the note', 1, 'note')
  t.deepEqual(
    stream.blocks.map(({ event }) => event),
    ['open', 'note'],
  )
  const [{ error }] = stream.data('note')
  t.is(error.length, 2)
  t.regex(error[0], /^wher is no parameter of this call; did you mean where\?/)
  t.regex(error[1], /^live10\.clicks does not declare nn, .*did you mean n\?/)
  stream.close()
  // A client that got the opening alone misses nothing.
  const [{ id = '' } = {}] = stream.blocks
  const more = await client.event('live10.clicks', { n: 2 })
  const again = await open('/stream/live10/clicks/live', { 'Last-Event-ID': id })
  await again.until('what came since', 1)
  t.deepEqual(
    again.data().map((event) => event._pk),
    [more],
  )
  t.true(_pk < more)
  t.is(again.named('note').length, 0)
  again.close()
})

test('no id comes without data, and a beat is a comment alone', async (t) => {
  await client.register(schemaOf('live11'))
  const stream = await open('/stream/live11/clicks/live')
  await until('a beat', () => stream.comments.length > 0)
  t.deepEqual(stream.comments, [':'])
  t.true(stream.blocks.every(({ id, data }) => id === undefined || data !== undefined))
  t.is(stream.blocks.length, 1)
  stream.close()
})
