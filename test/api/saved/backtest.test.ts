/** Watches over events of the past: when they would have fired and resolved. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
const minute = 60_000_000
const start = 1_795_334_400 * 1_000_000 - ((1_795_334_400 * 1_000_000) % (60 * minute))
const attr = [
  { name: 'page', type: 'STRING' },
  { name: 'ms', type: 'DOUBLE', stat: 'RSTAT', gran: 60 },
]
await client.register({ schema: 'web', streams: [{ name: 'loads', type: 1, swsz: 0, attr }] })
// `home` is slow from minute 10 to 20, `shoes` in minute 40 alone.
for (let n = 0; n < 60; n++) {
  await client.lines('web.loads', [
    { _pk: start + n * minute + 2_000_001, page: 'home', ms: n >= 10 && n < 20 ? 900 : 100 },
    { _pk: start + n * minute + 2_000_002, page: 'shoes', ms: n === 40 ? 900 : 100 },
  ])
}
const sql = 'SELECT page, avg(ms) AS mean FROM web.loads WHERE _time > now() - 60 GROUP BY page ORDER BY page'
const save = (name: string, question: object) => client.ok(client.send('PUT', `/saved/${name}`, question))
const backtest = (name: string, wire: object) => client.send('POST', `/saved/${name}/test`, wire)

test.after.always(close)

const line = ({ key, state, at }: { key: { page?: string }; state: string; at: number }): string =>
  `${key.page ?? ''} ${state} ${(at - start) / minute}`

test('a backtest says when a watch would have fired and resolved, over the events up to each time', async (t) => {
  await save('slow', { sql, watch: { every: 60, when: 'mean > 800', key: ['page'], for: 120 } })
  const { status, body } = await backtest('slow', { from: start, to: start + 59 * minute })
  t.is(status, 200)
  t.is(body.evaluations, 60)
  t.deepEqual(body.problems, [])
  t.deepEqual(body.changes.map(line), [
    'home pending 11',
    'home firing 13',
    'home resolved 21',
    'home inactive 37',
    'shoes pending 41',
    'shoes inactive 42',
  ])
  t.deepEqual(body.sends.map(line), ['home firing 13', 'home resolved 21'])
  t.deepEqual(
    body.series.map(({ key, points }: { key: object; points: unknown[] }) => [key, points.length]),
    [
      [{ page: 'home' }, 59],
      [{ page: 'shoes' }, 59],
    ],
  )
  t.deepEqual((await client.ok(client.get('/saved/slow/state'))).changes, [])
})

test('views of intervals are seen up to the time as well', async (t) => {
  const ofView = 'SELECT max(ms_max) AS worst FROM web.loads_by_60s WHERE interval_start >= now() - 120'
  await save('worst', { sql: ofView, watch: { every: 60, when: 'worst > 800' } })
  const { body } = await backtest('worst', { from: start + 30 * minute, to: start + 50 * minute })
  t.deepEqual(body.problems, [])
  t.deepEqual(
    body.changes.map(({ state, at }: { state: string; at: number }) => `${state} ${(at - start) / minute}`),
    ['firing 41', 'resolved 43'],
  )
})

for (const [wire, problem] of [
  [{ from: 'yesterday', to: start }, /^from: must be a time such as/],
  [{ from: start, to: start - 1 }, /^to: is before from$/],
  [
    { from: start, to: start + 1_500 * minute },
    /^to: is 1501 evaluations after from, over the 1500 there may be: ask for 1500 minutes at most$/,
  ],
  [{ form: start, to: start }, /^form: is unknown; did you mean from\?$/],
] as const)
  test(`${JSON.stringify(wire)} is refused`, async (t) => {
    await save('refusing', { sql, watch: { every: 60, when: 'mean > 800', key: ['page'] } })
    const { status, body } = await backtest('refusing', wire)
    t.is(status, 400)
    t.true(
      body.error.some((each: string) => problem.test(each)),
      JSON.stringify(body.error),
    )
  })

test('a question whose present cannot be turned is refused', async (t) => {
  await save('blocks', { sql: 'SELECT nowInBlock() AS t, 1 AS v', watch: { when: 'v > 0' } })
  t.regex((await backtest('blocks', { from: start, to: start })).body.error[0], /nowInBlock cannot be turned/)
  await save('ours', { sql: 'select count(*) from web.loads', language: 'weir', watch: { when: 'count > 0' } })
  t.regex((await backtest('ours', { from: start, to: start })).body.error[0], /only SQL is tested over the past/)
})

test('a watch, and a question, is tried before it is saved', async (t) => {
  await save('plain', { sql })
  const watch = { every: 60, when: 'mean > 800', key: ['page'] }
  const times = { from: start, to: start + 59 * minute }
  const { status, body } = await backtest('plain', { ...times, watch })
  t.is(status, 200)
  const fired = ['home firing 11', 'home resolved 21', 'shoes firing 41', 'shoes resolved 42']
  t.deepEqual(body.sends.map(line), fired)
  t.is((await client.ok(client.get('/saved/plain'))).watch, undefined)

  const whole = await backtest('not_there', { ...times, sql, watch })
  t.is(whole.status, 200)
  t.deepEqual(whole.body.sends.map(line), fired)
  t.is((await client.get('/saved/not_there')).status, 404)

  const ofShoes = {
    sql: 'SELECT page, avg(ms) AS mean FROM loads WHERE page = {of:String} AND _time > now() - 60 GROUP BY page',
  }
  const more = { db: 'web', params: { of: { default: 'shoes' } } }
  const bound = await backtest('plain', { ...times, ...ofShoes, ...more, watch })
  t.deepEqual(bound.body.sends.map(line), ['shoes firing 41', 'shoes resolved 42'])

  const refused = async (name: string, wire: object) => (await backtest(name, { ...times, ...wire })).body.error.join()
  t.regex(await refused('not_there', { watch }), /there is no saved question "not_there"/)
  t.regex(await refused('plain', { sql: 'SELECT pge FROM web.loads', watch }), /line 1, column 8/)
  t.regex(await refused('plain', { sql, watch: { ...watch, when: 'meen > 1' } }), /did you mean mean/)
  t.regex(
    await refused('plain', { watch: { ...watch, when: 'meen > 1' } }),
    /watch\.when: .* no column meen; did you mean mean/,
  )
  t.regex(
    await refused('plain', { watch: { ...watch, key: ['pge'] } }),
    /watch\.key: .* no column pge; did you mean page/,
  )
  t.regex(await refused('plain', { sql }), /plain has no watch: send "watch" beside the times/)
  t.regex(await refused('plain', { wach: watch }), /wach: is unknown; did you mean watch/)
  t.regex(await refused('plain', { watch: { every: 60 } }), /watch\.when/)
})

test('a question that names no stream is asked at the time of each evaluation', async (t) => {
  const watch = { every: 60, when: 't > 0' }
  const times = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:07:00Z' }
  const { status, body } = await backtest('clock', { ...times, sql: 'SELECT toUnixTimestamp(now()) AS t', watch })
  t.is(status, 200, JSON.stringify(body))
  const begin_s = Date.parse(times.from) / 1000
  t.deepEqual(
    body.series[0].points.map(({ value }: { value: number }) => value - begin_s),
    [0, 60, 120, 180, 240, 300, 360, 420],
  )
})

test('entities are seen as they are now, beside the events up to each time', async (t) => {
  const ofCar = { name: 'car', type: 5, iatr: ['car'] }
  await client.register({
    schema: 'fleet',
    streams: [
      {
        ...{ name: 'trips', type: 1, swsz: 0, attr: [{ name: 'car', type: 5 }] },
        enty: [{ name: 'driven', opid: 1, ratr: ['trips'], iatr: ['car'], pkatr: [ofCar], rstm: 'cars' }],
      },
      { name: 'cars', type: 4, inpt: ['trips'], attr: [] },
    ],
  })
  await client.lines('fleet.trips', [
    { _pk: start + 1, car: 'a' },
    { _pk: start + minute + 1, car: 'b' },
  ])
  const text = 'SELECT 100 * count() + (SELECT count() FROM fleet.trips) AS v FROM fleet.cars'
  const wire = { sql: text, watch: { every: 60, when: 'v > 0' }, from: start, to: start + 2 * minute }
  const { status, body } = await backtest('parked', wire)
  t.is(status, 200, JSON.stringify(body))
  t.deepEqual(body.problems, [])
  t.deepEqual(
    body.series[0].points.map(({ value }: { value: number }) => value),
    [200, 201, 202],
  )
})
