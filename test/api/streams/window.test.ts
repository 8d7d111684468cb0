import test from 'ava'
import { era_us } from '../../support/era.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const second = 1_000_000
let made = 0
async function makeStream(swsz: number | undefined): Promise<string> {
  const schema = `window${++made}`
  const attr = [
    { name: 'n', type: 'LONG', stat: 'RSTAT' },
    { name: 'c', type: 'LONG', stat: 'COUNT' },
  ]
  await client.register({ schema, streams: [{ name: 'st', type: 1, ...(swsz !== undefined && { swsz }), attr }] })
  return `${schema}.st`
}

const now = () => Date.now() * 1000
const keptBy = async (stream: string) => {
  const [row] = await client.rows(`select aggr(n) from ${stream} rollup 1`)
  return {
    events: (await client.documents(`select * from ${stream}`)).map(({ n }) => n),
    count: await client.count(`select count(*) from ${stream}`),
    counted: JSON.parse(String(row?.v)).aggr_val.cnt,
  }
}

test('an event that comes older than the window counts in the statistics and is not returned', async (t) => {
  const stream = await makeStream(60)
  await client.lines(stream, [
    { _pk: now() - 3_600 * second, n: 1, c: 1 },
    { _pk: now() - 61 * second, n: 2, c: 1 },
    { _pk: now() - 30 * second, n: 3, c: 1 },
    { _pk: era_us, n: 4, c: 1 },
    { n: 5, c: 1 },
    { _pk: now() + 3_600 * second, n: 6, c: 1 },
  ])
  t.deepEqual(await keptBy(stream), { events: [6, 5, 3], count: 3, counted: 6 })
  t.is(await client.count(`select count(*) from ${stream} where n >= 0`), 3)
  t.is(await client.count(`select count(*) from ${stream} where st >= 0 and et <= ${now() - 60 * second}`), 0)
  t.deepEqual((await client.get(`/stream/${stream.replace('.', '/')}/count`)).body, { count: 3 })
})

test('an event leaves when its time has come, its statistics stay', async (t) => {
  const stream = await makeStream(2)
  await client.event(stream, { n: 1 })
  t.deepEqual(await keptBy(stream), { events: [1], count: 1, counted: 1 })
  await until('the end of the window', async () => (await client.count(`select count(*) from ${stream}`)) === 0)
  t.deepEqual(await keptBy(stream), { events: [], count: 0, counted: 1 })
})

test('without swsz the window is a day, with 0 it has no end', async (t) => {
  for (const [swsz, kept] of [
    [undefined, 2],
    [86_400, 2],
    [0, 3],
  ] as const) {
    const stream = await makeStream(swsz)
    await client.lines(stream, [
      { _pk: now() - 86_500 * second, n: 1 },
      { _pk: now() - 86_300 * second, n: 2 },
      { n: 3 },
    ])
    t.is(await client.count(`select count(*) from ${stream}`), kept)
  }
})

test('history over many years goes into a stream with a short window, in one batch', async (t) => {
  const stream = await makeStream(3_600)
  const week = 7 * 86_400 * second
  const answer = await client.lines(
    stream,
    Array.from({ length: 3_000 }, (_, index) => ({ _pk: era_us + (index - 1_800) * week, n: index })),
  )
  t.is(answer.accepted, 3_000)
  const { counted } = await keptBy(stream)
  t.is(counted, 3_000)
  t.is((await client.get('/health/ready')).body.parts.clickhouse.rejected_events, 0)
})

test('the longest window that there is does not overflow', async (t) => {
  const stream = await makeStream(1_000_000_000)
  await client.lines(stream, [{ _pk: 10 ** 14, n: 1 }, { n: 2 }, { _pk: 253_402_300_799_999_999n, n: 3 }])
  t.deepEqual((await keptBy(stream)).events, [3, 2])
})
