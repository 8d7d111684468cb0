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

test('events that had expired before they were to stay longer are gone all the same', async (t) => {
  const group = { gpby: [{ gpat: ['who'], iatr: 'n', stat: 'COUNT', gran: 60 }] }
  await client.register({ schema: 'longer', streams: streams({ enty, ...group }) })
  await client.lines('longer.s', [
    { _pk: old_us, who: 'a', n: 3 },
    { who: 'a', n: 4 },
  ])
  const counts = async () => {
    const [row] = await client.rows('select * from longer.people')
    return JSON.parse(String(row?.v)).seen.cnt
  }
  await client.count('select count(*) from longer.s')
  for (const swsz of [7200, 0]) {
    await client.ok(client.send('PUT', '/stream', { schema: 'longer', streams: streams({ enty, swsz, ...group }) }))
    t.is((await rebuild('longer')).status, 409, 'by hand')
    const coarser = { gpby: group.gpby.map((each) => ({ ...each, gran: 3600 })) }
    const edit = await client.send('PUT', '/stream', { schema: 'longer', streams: streams({ enty, swsz, ...coarser }) })
    t.is(edit.status, 409, 'by an edit of groups')
    const other = enty.map((each) => ({ ...each, opid: 2 }))
    const entities = await client.send('PUT', '/stream', {
      schema: 'longer',
      streams: streams({ enty: other, swsz, ...group }),
    })
    t.is(entities.status, 409, 'by an edit of entities')
    t.is(await counts(), 2)
  }
  await client.ok(client.send('DELETE', '/stream/longer'))
  await client.register({ schema: 'longer', streams: streams({ enty, swsz: 0 }) })
  await client.event('longer.s', { _pk: old_us, who: 'a', n: 3 })
  await client.ok(rebuild('longer')) // a schema of the same name has lost nothing
  t.like(await end('longer'), { state: 'done' })
  t.is(await counts(), 1)
})
