import test from 'ava'
import { at, era_us } from '../../support/era.ts'
import { momentsOf } from '../../support/oracle.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = [
  { name: '_pk', type: 9 },
  { name: 'who', type: 5 },
]
const above = (bound: number) => ({ query: [{ key: '_pk', cmp_op: 'GTE', val: era_us + bound }] })
const measured = {
  attr: [{ name: '_pk', type: 9, stat: 'RSTAT' }, attr[1]],
  gpby: [
    { gpat: ['who'], iatr: '_pk', stat: 'RSTAT' },
    { gpat: ['_pk'], iatr: '_pk', stat: 'UCOUNT' },
  ],
  enty: [
    { name: 'e', opid: 'RSTAT', ratr: ['t'], iatr: ['_pk'], pkatr: [{ name: 'k', iatr: ['who'] }], rstm: 'people' },
    { name: 'u', opid: 'UCOUNT', ratr: ['u'], iatr: ['_pk'], pkatr: [{ name: 'k', iatr: ['who'] }], rstm: 'people' },
  ],
  rels: [{ sub: '_pk', obj: 'who', rel: 'BY', rel_props: ['_pk'] }],
  fltr: [{ name: 'f', fqry: { name: JSON.stringify(above(2_000_000)), type: 1 }, fatr: ['who'], ostm: 'late' }],
}
const streams = (parts: object) => [
  { name: 's', type: 1, swsz: 0, attr, ...parts },
  { name: 'people', type: 4, attr: [] },
  { name: 'late', type: 2, swsz: 0, attr: [{ name: '_pk', type: 9, stat: 'RSTAT' }] },
]
const keyOf = { enty: measured.enty, fltr: measured.fltr }

const times = [1_000_000, 2_500_000, 2_500_000, 61_000_000, 7_000_000_000].map(at)
const events = times.map((_pk, i) => ({ _pk, who: i % 2 === 0 ? 'a' : 'b' }))
const timesOf = (who: string) => events.filter((event) => event.who === who).map(({ _pk }) => _pk)

test('the time of events is measured like any LONG, whether from the start, added by an edit, or rebuilt', async (t) => {
  const near = (actual: object, values: readonly number[], message: string) => {
    for (const [name, wanted] of Object.entries(momentsOf(values))) {
      const value = Number(Reflect.get(actual, name))
      t.true(Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${message}: ${name} is ${value}`)
    }
  }
  async function check(schema: string): Promise<void> {
    const [whole] = await client.rows(`select aggr(_pk) from ${schema}.s rollup 1`)
    near(JSON.parse(String(whole?.v)).aggr_val, times, 'all')
    const [late] = await client.rows(`select aggr(_pk) from ${schema}.late rollup 1`)
    near(JSON.parse(String(late?.v)).aggr_val, times.slice(1), 'filtered')
    const groups = await client.rows(`select aggr(_pk) from ${schema}.s groupby who`)
    for (const { k, v } of groups) near(JSON.parse(String(v)), timesOf(String(k)), String(k))
    t.is(groups.length, 2)
    const byTime = await client.rows(`select aggr(_pk) from ${schema}.s groupby _pk`)
    t.deepEqual(
      byTime.map(({ k, v }) => [Number(k), v]),
      [...new Set(times)].map((time) => [time, 1]),
    )
    const people = await client.rows(`select * from ${schema}.people`)
    for (const { k, v } of people) {
      const { t: moments, u } = JSON.parse(String(v))
      near(moments, timesOf(String(k)), `entity ${k}`)
      t.is(u.cnt, new Set(timesOf(String(k))).size)
    }
    t.is(people.length, 2)
    const { triple } = await client.ok(
      client.post(`/stream/${schema}/s/graph/query`, `s=>(_pk:${at(2_500_000)})-[BY]->(who:*)`),
    )
    t.is(triple.length, 2)
  }

  await client.register({ schema: 'whole', streams: streams(measured) })
  await client.lines('whole.s', events)
  await check('whole')

  await client.register({ schema: 'later', streams: streams(keyOf) })
  await client.lines('later.s', events)
  await client.ok(client.send('PUT', '/stream', { schema: 'later', streams: streams(measured) }))
  await check('later')

  await client.ok(client.post('/stream/whole/s/rebuild', ''))
  await until('the rebuild is done', async () => {
    const { streams } = await client.ok(client.get('/stream/whole/info'))
    return streams[0].rebuild?.state === 'done'
  })
  await check('whole')
})

test('the times that the service gives are measured too', async (t) => {
  const own = [{ name: 's', type: 1, attr: [{ name: '_pk', type: 9, stat: 'RSTAT' }] }]
  await client.register({ schema: 'given', streams: own })
  const keys = [await client.event('given.s', {}), await client.event('given.s', {}), await client.event('given.s', {})]
  const [row] = await client.rows('select aggr(_pk) from given.s rollup 1')
  const { aggr_val } = JSON.parse(String(row?.v))
  const wanted = momentsOf(keys)
  t.like(aggr_val, { cnt: 3, min: wanted.min, max: wanted.max })
  t.true(Math.abs(aggr_val.stdd - wanted.stdd) <= 1e-6 * wanted.stdd, `${aggr_val.stdd} for ${wanted.stdd}`)
})
