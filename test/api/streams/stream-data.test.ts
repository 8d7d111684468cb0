import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { filePath } from '../../../infra/buckets/folder/file-names.ts'
import { read } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, folder, close } = await startService()
test.after.always(close)

const attribute = (name: string, type: number) => ({ name, type })
const now_us = Date.now() * 1000
const second = 1_000_000

const air = {
  schema: 'air',
  streams: [
    {
      name: 'flights',
      type: 1,
      inpt: [],
      swsz: 3600,
      attr: [attribute('origin', 5), attribute('delay', 9), attribute('cargo', 3)],
      enty: [
        {
          name: 'per_origin',
          opid: 1,
          ratr: ['flown'],
          iatr: ['delay'],
          pkatr: [{ name: 'origin', type: 5, opid: 1, iatr: ['origin'] }],
          rstm: 'airports',
        },
      ],
      fltr: [
        {
          name: 'late',
          fqry: { name: '{"query":[{"key":"delay","cmp_op":0,"val":60}],"qtype":1}', type: 1 },
          fatr: ['origin', 'delay'],
          ostm: 'late_flights',
        },
      ],
    },
    { name: 'late_flights', type: 2, inpt: ['flights'], attr: [attribute('origin', 5), attribute('delay', 9)] },
    { name: 'airports', type: 4, inpt: ['flights'], attr: [] },
  ],
}

const request = (more: object = {}) => ({
  'schema-name': 'air',
  'stream-name': 'flights',
  model_name: 'delays',
  duration_sec: 600,
  file_name: 'train.json',
  ...more,
})
const upload = (more: object = {}) => client.post('/stream/upload_data', request(more))

const bucket = join(folder, 'buckets', 'ml_bucket_info')
const object = (key: string): string => readFileSync(filePath(bucket, key), 'utf8')
/** The events in an object, each a line. */
const events = (key: string) => {
  const text = object(key)
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => read(line))
}

test.before(async () => {
  await client.register(air)
  await client.lines('air.flights', [
    { _pk: now_us - 100 * second, origin: 'JFK', delay: 90, cargo: { kg: [1, 2] }, note: 'tab\t"line"\n/ \u2028 山' },
    { _pk: now_us - 300 * second, origin: 'SFO', delay: 5, big: 9223372036854775807n },
    { _pk: now_us - 200 * second, origin: null, delay: 70 },
    { _pk: now_us - 900 * second, origin: 'LAX', delay: 80 },
    { _pk: now_us - 7200 * second, origin: 'OLD', delay: 80 },
  ])
})

test('the events of the last seconds go into the bucket of models, oldest first', async (t) => {
  const { status, body } = await upload()
  t.is(status, 200)
  t.deepEqual(Object.keys(body), ['msg', 'num_lines', 'file_size_bytes'])
  t.deepEqual(events('delays__air__train.json'), [
    { _pk: now_us - 300 * second, _v: 1, origin: 'SFO', delay: 5, big: 9223372036854775807n },
    { _pk: now_us - 200 * second, _v: 1, delay: 70, origin: null },
    {
      _pk: now_us - 100 * second,
      _v: 1,
      origin: 'JFK',
      delay: 90,
      cargo: { kg: [1, 2] },
      note: 'tab\t"line"\n/ \u2028 山',
    },
  ])
  t.is(body.num_lines, 3)
  t.is(body.file_size_bytes, Buffer.byteLength(object('delays__air__train.json')))
})

test('a longer time takes more events, but none that the window of the stream has ended', async (t) => {
  const { body } = await upload({ duration_sec: 1000, file_name: 'longer', duration: 5 })
  t.deepEqual([body.num_lines, body.error?.length], [4, 1])
  t.regex(body.error[0], /^duration is unknown and does nothing; known are schema-name, /)
  t.is((await upload({ duration_sec: 100_000, file_name: 'longest' })).body.num_lines, 4)
})

test('the events of a filter stream', async (t) => {
  const { body } = await upload({ 'stream-name': 'late_flights', file_name: 'late' })
  t.is(body.num_lines, 2)
  t.deepEqual(
    events('delays__air__late').map(({ delay }) => delay),
    [70, 90],
  )
})

test('no events are an empty file', async (t) => {
  const { body } = await upload({ duration_sec: '1', file_name: 'empty' })
  t.deepEqual([body.num_lines, body.file_size_bytes, object('delays__air__empty')], [0, 0, ''])
})

test('a file takes the place of the one before', async (t) => {
  await upload({ duration_sec: 1000, file_name: 'twice' })
  await upload({ duration_sec: 250, file_name: 'twice' })
  t.is(events('delays__air__twice').length, 2)
})

test('each event is there once, whatever page it falls on, and events with one _pk keep their order', async (t) => {
  const attr = [attribute('n', 9), attribute('text', 5)]
  await client.register({ schema: 'many', streams: [{ name: 's', type: 1, inpt: [], swsz: 0, attr }] })
  const count = 60_000
  for (let from = 0; from < count; from += 20_000) {
    const part = Array.from({ length: 20_000 }, (_, i) => from + i)
    await client.lines(
      'many.s',
      part.map((n) => ({ _pk: now_us - (n % 3) * second, n, text: n % 5000 === 0 ? 'x'.repeat(100_000) : '' })),
    )
  }
  const { body } = await upload({ 'schema-name': 'many', 'stream-name': 's' })
  t.is(body.num_lines, count)
  const numbers = events('delays__many__train.json').map(({ n }) => n)
  const inOrder = [2, 1, 0].flatMap((rest) => Array.from({ length: count / 3 }, (_, i) => i * 3 + rest))
  t.deepEqual(numbers, inOrder)
})

test('large events behind many small ones are read in parts', async (t) => {
  const attr = [attribute('n', 9), attribute('text', 5)]
  await client.register({ schema: 'large', streams: [{ name: 's', type: 1, inpt: [], attr }] })
  await client.lines(
    'large.s',
    Array.from({ length: 9000 }, (_, n) => ({ n })),
  )
  const text = 'x'.repeat(300_000)
  for (let n = 9000; n < 9080; n += 20) {
    await client.lines(
      'large.s',
      Array.from({ length: 20 }, (_, i) => ({ n: n + i, text })),
    )
  }
  const { status, body } = await upload({ 'schema-name': 'large', 'stream-name': 's' })
  t.deepEqual([status, body.num_lines], [200, 9080])
  t.deepEqual(
    events('delays__large__train.json').map(({ n }) => n),
    Array.from({ length: 9080 }, (_, n) => n),
  )
})

test('an event that filters bring on several ways is there as often, wherever a page ends', async (t) => {
  const attr = [attribute('n', 9), attribute('a', 5), attribute('b', 5)]
  const filter = (name: string, fatr: string[]) => ({
    name,
    fqry: { name: '{"query":[{"key":"n","cmp_op":1,"val":0}],"qtype":1}', type: 1 },
    fatr,
    ostm: 'copies',
  })
  const ways = [filter('f', ['n']), filter('g', ['n', 'a']), filter('h', ['n', 'b'])]
  const streams = [
    { name: 's', type: 1, inpt: [], attr, fltr: ways },
    { name: 'copies', type: 2, inpt: ['s'], attr },
  ]
  await client.register({ schema: 'ways', streams })
  const count = 400
  const posted = Array.from({ length: count }, (_, n) => ({ _pk: now_us - 60 * second, n, a: `a${n}`, b: `b${n}` }))
  await client.lines('ways.s', posted)
  const { body } = await upload({ 'schema-name': 'ways', 'stream-name': 'copies' })
  t.is(body.num_lines, 3 * count)
  const shapes = events('delays__ways__train.json').map(({ n, a, b }) => [n, a, b].join())
  const wanted = posted.flatMap(({ n, a, b }) => [`${n},,`, `${n},${a},`, `${n},,${b}`])
  t.deepEqual(shapes.toSorted(), wanted.toSorted())
})

test('events that arrive meanwhile are not waited for', async (t) => {
  await client.register({ schema: 'busy', streams: [{ name: 's', type: 1, inpt: [], attr: [attribute('n', 9)] }] })
  let posted = 0
  let done = false
  const posting = (async () => {
    while (!done) await client.event('busy.s', { n: posted++ })
  })()
  await until('events', () => posted > 10)
  const before = posted - 1
  const { status, body } = await upload({ 'schema-name': 'busy', 'stream-name': 's' })
  done = true
  await posting
  t.is(status, 200)
  t.true(body.num_lines >= before && body.num_lines <= posted)
})

test('an entity stream has no events to upload', async (t) => {
  const { status, body } = await upload({ 'stream-name': 'airports' })
  t.deepEqual([status, body.errcode], [400, -1])
  t.regex(body.error[0], /air\.airports is an entity stream/)
})

test('a schema or a stream that is not there', async (t) => {
  t.is((await upload({ 'schema-name': 'nowhere' })).status, 404)
  t.is((await upload({ 'stream-name': 'nothing' })).status, 404)
})

test('everything wrong with a request is told at once, and nothing is written', async (t) => {
  const wrong = { 'schema-name': 5, 'stream-name': undefined, model_name: 'a/b', duration_sec: -1, file_name: '../x' }
  const { status, body } = await upload(wrong)
  t.is(status, 400)
  t.deepEqual(body.error, [
    'schema-name: must be a string',
    'stream-name: is missing',
    "model_name: 'a/b' must be letters, digits and underscore",
    'duration_sec: must be a whole number from 1 to 31622400000',
    'file_name: must be a plain name: no folder, no "/" and no "\\"',
  ])
  for (const text of ['', '[]', '"x"', '{', 'null']) {
    t.is((await client.post('/stream/upload_data', text)).status, 400, text)
  }
})

test.serial('a name that leads elsewhere, or to what a model keeps, is refused', async (t) => {
  const before = readdirSync(bucket).length
  const names = ['', '.', '..', '../../x', '/etc/passwd', 'a/b', 'a\\b', 'a\0b', 'a\nb', 'param', 'range', 'x.predict']
  for (const file_name of [...names, 'x'.repeat(201), '\ud800', 5, null, ['a']]) {
    const { status } = await upload({ file_name })
    t.is(status, 400, String(file_name))
  }
  for (const model_name of ['', '..', 'a.b', '1a', 'x'.repeat(64)]) {
    t.is((await upload({ model_name })).status, 400, model_name)
  }
  for (const duration_sec of [0, 1.5, 1e12, 'x', null, undefined, true]) {
    t.is((await upload({ duration_sec })).status, 400, String(duration_sec))
  }
  t.is(readdirSync(bucket).length, before)
})

test('a file may be called in any script', async (t) => {
  const file_name = `Données 山 ${randomUUID()}.jsonl`
  t.is((await upload({ file_name })).status, 200)
  t.is(events(`delays__air__${file_name}`).length, 3)
})

test('another method', async (t) => {
  const { status, headers } = await client.get('/stream/upload_data')
  t.is(status, 405)
  t.true(headers.get('allow')?.includes('POST'))
})

test('the dependencies of the streams of a schema', async (t) => {
  t.deepEqual(await client.ok(client.get('/stream/air/depgraph')), {
    schema: 'air',
    node_info: [
      { node: 'flights', type: 1, parent: [], children: ['late_flights', 'airports'] },
      { node: 'late_flights', type: 2, parent: ['flights'], children: [] },
      { node: 'airports', type: 4, parent: ['flights'], children: [] },
    ],
  })
  t.is((await client.get('/stream/nowhere/depgraph')).status, 404)
})

test('with details each stream has its state, and all that it feeds or asks', async (t) => {
  const attr = [attribute('who', 5), attribute('n', 9)]
  const passing = { name: '{"query":[{"key":"n","cmp_op":0,"val":1}],"qtype":1}', type: 1 }
  const notif = {
    notifid: 4711,
    name: 'many',
    rule: '',
    subject: 's',
    msg: 'm',
    freq: 0,
    pri: 1,
    mailto: [],
    endpoints: [],
    tags: [],
    mailfrom: '',
  }
  await client.ok(
    client.post('/stream', {
      schema: 'picture',
      notifs: [notif],
      streams: [
        {
          name: 's',
          type: 1,
          swsz: 0,
          attr,
          catr: [{ name: 'risk', type: 5, opnm: 'PRED', algo: 'SVM', attr_type: 'HYB', model: 'risky', iatr: ['n'] }],
          fltr: [
            { name: 'many', fqry: passing, fatr: ['who'], ostm: 'copies' },
            { name: 'tell', fqry: passing, fatr: [], notf: 4711 },
          ],
          enty: [
            {
              name: 'e',
              opid: 1,
              ratr: ['times'],
              iatr: ['n'],
              pkatr: [{ name: 'who', type: 5, iatr: ['who'] }],
              rstm: 'people',
            },
          ],
          rels: [{ sub: 'who', rel: 'HAS', obj: 'n' }],
          node: [{ sub: 'who', label: 'Person' }],
        },
        { name: 'copies', type: 2, swsz: 0, inpt: ['s'], attr: [attribute('who', 5)] },
        { name: 'people', type: 4, inpt: ['s'], attr: [] },
      ],
    }),
  )
  await client.ok(client.send('PUT', '/stream/picture/copies/state', { state: 0 }))
  t.deepEqual(await client.ok(client.get('/stream/picture/depgraph?details=1')), {
    schema: 'picture',
    graph: 'picture_graph',
    node_info: [
      {
        node: 's',
        type: 1,
        parent: [],
        children: ['copies', 'people'],
        state: 1,
        filters: [
          { name: 'many', ostm: 'copies' },
          { name: 'tell', notf: 4711 },
        ],
        entities: [{ name: 'e', rstm: 'people', ratr: ['times'] }],
        relations: [{ sub: 'who', rel: 'HAS', obj: 'n' }],
        nodes: [{ sub: 'who', label: 'Person' }],
        predictions: [{ attr: 'risk', model: 'risky', algo: 'SVM' }],
      },
      { node: 'copies', type: 2, parent: ['s'], children: [], state: 0 },
      { node: 'people', type: 4, parent: ['s'], children: [], state: 1 },
    ],
  })
  const plain = await client.ok(client.get('/stream/picture/depgraph?details=0'))
  t.deepEqual(plain.node_info[1], { node: 'copies', type: 2, parent: ['s'], children: [] })
  t.false('graph' in plain)
  t.is((await client.get('/stream/picture/depgraph?details=yes')).status, 400)
})
