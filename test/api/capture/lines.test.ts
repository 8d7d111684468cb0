/** InfluxDB's line protocol on /api/v2/write: where points go, once each, and what is refused. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
const attr = [
  { name: 'host', type: 'STRING' },
  { name: 'value', type: 'DOUBLE' },
]
const streams = ['load', 'all', 'other', 'many'].map((name) => ({ name, type: 1, swsz: 0, attr }))
await client.ok(client.post('/stream', { schema: 'plant', streams }))
test.after.always(close)

const write = (query: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  client.send('POST', `/api/v2/write?${query}`, body, headers)
const rowsOf = async (stream: string): Promise<Record<string, unknown>[]> => {
  const { text } = await client.post('/sql', {
    sql: `SELECT * FROM plant.${stream} ORDER BY _pk`,
    format: 'JSONEachRow',
  })
  return text.trim() === ''
    ? []
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
}
const count = async (stream: string): Promise<number> =>
  (await client.ok(client.query(`select count(*) from plant.${stream}`))).retval

test.serial(
  'a schema as bucket: the measurement names the stream; tags and fields are attributes, times have their unit',
  async (t) => {
    const body = 'load,host=a value=0.5,extra="x" 1793491200\nother value=2i 1793491201\n'
    const answer = await write('bucket=plant&org=any&precision=s', body)
    t.is(answer.status, 204, answer.text)
    t.is(answer.text, '')
    const [row] = await rowsOf('load')
    t.like(row, { host: 'a', value: 0.5 })
    t.is(Number(row?._pk), 1_793_491_200_000_000)
    t.is(await count('other'), 1)
  },
)

test.serial('a stream as bucket: it has all points, with their measurement', async (t) => {
  t.is((await write('bucket=plant.all', 'a,host=x value=1 1793491200000000999\nb value=2\n')).status, 204)
  const { rows } = await client.ok(client.query('select * from plant.all'))
  const events = rows.map(({ v }: { v: string }) => JSON.parse(v))
  t.deepEqual(events.map(({ measurement }: { measurement: string }) => measurement).sort(), ['a', 'b'])
  t.true(events.some(({ _pk }: { _pk: number }) => _pk === 1_793_491_200_000_000))
})

test.serial(
  'a body whose lines have times counts once, packed or not; one without a time counts each time',
  async (t) => {
    const before = await count('load')
    const timed = 'load,host=once value=1 1793491300000000000\nload,host=once value=2 1793491300000000000\n'
    for (const body of [timed, gzipSync(timed), timed])
      t.is(
        (await write('bucket=plant', body, typeof body === 'string' ? {} : { 'content-encoding': 'gzip' })).status,
        204,
      )
    t.is(await count('load'), before + 2)
    for (let i = 0; i < 2; i++) t.is((await write('bucket=plant', 'load value=1')).status, 204)
    t.is(await count('load'), before + 4)
    await Promise.all(Array.from({ length: 40 }, () => write('bucket=plant', 'load value=7 1793491400000000000')))
    t.is(await count('load'), before + 5)
  },
)

test.serial(
  'good lines are taken, the others are listed by their numbers; InfluxDB’s clients find code and message',
  async (t) => {
    const before = await count('load')
    const lines = [
      'load value=1 1793491500000000000',
      '# a comment',
      'load value',
      'load value="much" 1793491500000000001',
      'nowhere value=1',
      'load,_pk=1 value=2',
      'load,value=a value=2',
      'load value=1 17',
      'load value=3 1793491500000000002',
    ]
    const answer = await write('bucket=plant', lines.join('\n'))
    t.is(answer.status, 400)
    t.like(answer.body, { errcode: -1, code: 'invalid', line: 3, accepted: 2, rejected: 6 })
    t.regex(answer.body.message, /^partial write: line 3: .*, and 5 more; dropped=6$/)
    const byLine = new Map<number, string>(
      answer.body.errors.map(({ line, error }: { line: number; error: string }) => [line, error]),
    )
    t.deepEqual([...byLine.keys()].sort(), [3, 4, 5, 6, 7, 8])
    t.regex(byLine.get(4) ?? '', /value: expected a number/)
    t.regex(byLine.get(5) ?? '', /no stream "nowhere" in schema plant/)
    t.regex(byLine.get(6) ?? '', /_pk is no name for a tag or a field/)
    t.regex(byLine.get(7) ?? '', /"value" is the name of two of its tags and fields/)
    t.regex(byLine.get(8) ?? '', /before 1973-03-03.*precision=s/)
    t.is(await count('load'), before + 2)
    const { refused } = await client.ok(client.get('/stream/plant/load/refused'))
    const much = refused.find(({ text }: { text: string }) => text.includes('much'))
    t.like(much, { line: 4, error: byLine.get(4) })
  },
)

test.serial('lines that come again since their stream was OFF have the bad ones counted once', async (t) => {
  const refused = () => client.ok(client.get('/stream/plant/other/refused'))
  const before = (await refused()).num_refused
  const lines = ['other value=1 1793491700000000000', ...Array.from({ length: 500 }, (_, n) => `other bad${n}`)]
  const post = () => write('bucket=plant.other', lines.join('\n'))
  await client.ok(client.send('PUT', '/stream/plant/other/state', { state: 0 }))
  t.is((await post()).status, 409)
  await client.ok(client.send('PUT', '/stream/plant/other/state', { state: 1 }))
  t.like((await post()).body, { accepted: 1, rejected: 500 })
  const after = await refused()
  t.is(after.num_refused, before + 500)
  t.like(after.refused[0], { line: 501, text: 'other bad499' })
})

test.serial('a request that names no bucket, no unit, or what is not there is refused', async (t) => {
  for (const [query, status, code] of [
    ['', 400, 'invalid'],
    ['bucket=a/b', 400, 'invalid'],
    ['bucket=plant&bucket=plant', 400, 'invalid'],
    ['bucket=plant&precision=h', 400, 'invalid'],
    ['bucket=nothing', 404, 'not found'],
    ['bucket=plant.nothing', 404, 'not found'],
  ] as const) {
    const answer = await write(query, 'load value=1')
    t.is(answer.status, status, answer.text)
    t.is(answer.body.code, code)
    t.is(answer.body.message, answer.body.error[0])
  }
  t.is((await write('bucket=plant', '')).status, 204)
})

test.serial('a stream that is OFF refuses, and its points count once when the client sends them again', async (t) => {
  await client.ok(client.send('PUT', '/stream/plant/other/state', { state: 0 }))
  const body = 'other value=1 1793491600000000000'
  t.is((await write('bucket=plant', body)).status, 409)
  await client.ok(client.send('PUT', '/stream/plant/other/state', { state: 1 }))
  const before = await count('other')
  for (let i = 0; i < 2; i++) t.is((await write('bucket=plant', body)).status, 204)
  t.is(await count('other'), before + 1)
})

test.serial('a body larger than a part comes in whole, and its repeat counts nothing', async (t) => {
  const lines = Array.from(
    { length: 100_000 },
    (_, i) => `many,host=h${i % 10} value=${i} ${1_793_491_200_000_000_000 + i * 1000}`,
  )
  const body = lines.join('\n')
  for (let i = 0; i < 2; i++) t.is((await write('bucket=plant', body)).status, 204)
  t.is(await count('many'), 100_000)
})
