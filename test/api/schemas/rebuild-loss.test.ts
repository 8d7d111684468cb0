import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9 },
]
const enty = [
  { name: 'e', opid: 1, ratr: ['seen'], iatr: ['n'], pkatr: [{ name: 'id', type: 5, iatr: ['who'] }], rstm: 'people' },
]
const streams = (more: object) => [
  { name: 's', type: 1, swsz: 600, attr, ...more },
  { name: 'people', type: 4, inpt: ['s'], attr: [] },
]
const old_us = (Date.now() - 3600_000) * 1000
const rebuild = (schema: string, query = '') => client.post(`/stream/${schema}/s/rebuild${query}`, '')
const end = (schema: string) =>
  until('the end', async () => {
    const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
    return streams[0].rebuild.state === 'running' ? undefined : streams[0].rebuild
  })

test('expired events that entities alone hold are not lost without being told', async (t) => {
  await client.register({ schema: 'entities', streams: streams({ enty }) })
  await client.lines('entities.s', [{ who: 'a', n: 1 }, { who: 'b', n: 2 }, { who: 'c' }])
  await client.ok(rebuild('entities'))
  t.like(await end('entities'), { state: 'done' })
  await client.lines('entities.s', [
    { _pk: old_us, who: 'a', n: 3 },
    { who: 'a', n: 4 },
  ])
  const { status, body } = await rebuild('entities')
  t.is(status, 409)
  t.is(body.errcode, -4)
  t.regex(body.error[0], /hold events that have expired and would be lost; \?force=1/)
  const people = async () =>
    (await client.rows('select * from entities.people')).map(({ k, v }) => [k, JSON.parse(String(v)).seen.cnt])
  t.deepEqual(await people(), [
    ['a', 3],
    ['b', 1],
    ['c', 0],
  ])
  await client.ok(rebuild('entities', '?force=1'))
  t.like(await end('entities'), { state: 'done' })
  t.deepEqual((await people()).slice(1), [
    ['b', 1],
    ['c', 0],
  ])
})

test('nor those of which the graph alone has a triple', async (t) => {
  await client.register({
    schema: 'triples',
    streams: streams({ enty: [], rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }] }).slice(0, 1),
  })
  await client.event('triples.s', { who: 'a', n: 1 })
  await client.ok(rebuild('triples'))
  t.like(await end('triples'), { state: 'done' })
  await client.event('triples.s', { _pk: old_us, who: 'old', n: 1 })
  await client.count('select count(*) from triples.s')
  t.is((await rebuild('triples')).status, 409)
})

test('a stream whose events stay for ever loses nothing', async (t) => {
  await client.register({ schema: 'kept', streams: streams({ enty, swsz: 0 }) })
  await client.event('kept.s', { _pk: old_us, who: 'old', n: 1 })
  await client.ok(rebuild('kept'))
  t.like(await end('kept'), { state: 'done' })
})
