/** Edits that would make lifetime aggregates anew out of events of which some have expired. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = [
  { name: 'who', type: 5 },
  { name: 'whom', type: 5 },
  { name: 'n', type: 9 },
  { name: 'm', type: 9 },
]
const key = { name: 'id', type: 5, iatr: ['who'] }
const entity = { name: 'e', opid: 1, ratr: ['seen'], iatr: ['n'], pkatr: [key], rstm: 'people' }
const schemaOf = (schema: string, enty: readonly object[], swsz = 600) => ({
  schema,
  streams: [
    { name: 's', type: 1, swsz, attr, enty },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})
const old_us = (Date.now() - 3600_000) * 1000
const events = [
  { _pk: old_us, who: 'a', whom: 'b', n: 1, m: 1 },
  { who: 'a', whom: 'b', n: 2, m: 2 },
]

async function prepared(schema: string, sent: readonly object[] = events, swsz = 600): Promise<void> {
  await client.register(schemaOf(schema, [entity], swsz))
  await client.lines(`${schema}.s`, sent)
}
const edit = (schema: string, enty: readonly object[], { query = '', swsz = 600 } = {}) =>
  client.send('PUT', `/stream${query}`, schemaOf(schema, enty, swsz))
const people = async (schema: string) =>
  (await client.rows(`select * from ${schema}.people`)).map(({ k, v }) => [k, JSON.parse(String(v))])

const losing: Readonly<Record<string, object>> = {
  'another statistic': { opid: 2 },
  'another measure': { iatr: ['m'] },
  'another key': { pkatr: [{ ...key, iatr: ['whom'] }] },
  'another name of the key': { pkatr: [{ ...key, name: 'person' }] },
}
for (const [number, [title, change]] of Object.entries(losing).entries()) {
  test.serial(`an entity that is given ${title} is a 409 where it holds expired events, and goes on`, async (t) => {
    const schema = `losing${number}`
    await prepared(schema)
    const before = await people(schema)
    t.deepEqual(before, [['a', { seen: { cnt: 2 } }]])
    const { status, body } = await edit(schema, [{ ...entity, ...change }])
    t.deepEqual([status, body.errcode], [409, -4])
    t.regex(body.error[0], /^entities of stream s that change hold events that have expired .*\?force=1/)
    t.deepEqual(await people(schema), before)
    await client.event(`${schema}.s`, { who: 'a', whom: 'b', n: 3, m: 3 })
    t.deepEqual(await people(schema), [['a', { seen: { cnt: 3 } }]])
    await client.ok(edit(schema, [{ ...entity, ...change }], { query: '?force=1' }))
    const [[, { seen }] = []] = await people(schema)
    t.is(seen.cnt, 2, 'what the events tell that are there')
  })
}

test.serial('nothing is lost, and nothing refused, by what is added, or while all events are there', async (t) => {
  await prepared('adding')
  await client.ok(edit('adding', [{ ...entity, ratr: ['seen', 'also'], iatr: ['n', 'm'] }]))
  const [[, kept] = []] = await people('adding')
  t.is(kept.seen.cnt, 2)
  await prepared('young', events.slice(1))
  await client.ok(edit('young', [{ ...entity, opid: 2 }]))
  t.deepEqual(await people('young'), [['a', { seen: { cnt: 1 } }]])
  await prepared('forever', events, 0)
  await client.ok(edit('forever', [{ ...entity, opid: 2 }], { swsz: 0 }))
  t.deepEqual(await people('forever'), [['a', { seen: { cnt: 2 } }]])
})
