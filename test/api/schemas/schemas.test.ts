import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

let made = 0
const newName = () => `schema${++made}`
const schemaOf = (schema: string, streams: readonly unknown[] = [stream('st')]) => ({ schema, streams })
const stream = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  type: 1,
  swsz: 0,
  inpt: [],
  attr: [
    { name: 'a', type: 5, kysz: 24, sidx: 1, stat: 'COUNT' },
    { name: 'n', type: 9, stat: 'RSTAT', gran: 300 },
  ],
  ...more,
})

test('a schema that was registered comes back as it was posted', async (t) => {
  const name = newName()
  const body = `{ "schema": "${name}",\n  "streams": [{"name":"st","type":1,"swsz":86400,"attr":[{"name":"a","type":"string","more":9007199254740993}]}] }`
  const answer = await client.post('/stream', body)
  t.deepEqual([answer.status, answer.body.errcode], [200, 0])
  const got = await client.get(`/stream/${name}/schema`)
  t.regex(got.headers.get('content-type') ?? '', /^application\/json/)
  t.is(got.text, body)
})

test('codes and names mean the same', async (t) => {
  for (const [type, stat] of [
    [5, 1],
    ['5', '1'],
    ['STRING', 'COUNT'],
    ['string', 'count'],
  ]) {
    const name = newName()
    await client.register(schemaOf(name, [{ name: 'st', type: 'input', attr: [{ name: 'a', type, stat }] }]))
    await client.event(`${name}.st`, { a: 'x' })
    t.is((await client.rows(`select aggr(a) from ${name}.st`)).at(-1)?.v, 1)
  }
})

test('the same schema again is a success with a message, another of its name a conflict', async (t) => {
  const name = newName()
  await client.register(schemaOf(name))
  const again = await client.post('/stream', schemaOf(name))
  t.deepEqual([again.status, again.body.errcode], [200, 0])
  t.deepEqual(again.body.error, [`schema ${name} is registered already`])
  const other = await client.post('/stream', schemaOf(name, [stream('st'), stream('second')]))
  t.deepEqual([other.status, other.body.errcode], [409, -4])
  t.regex(other.body.error[0], /registered already with other contents/)
  t.is((await client.get(`/stream/${name}/schema`)).body.streams.length, 1)
})

test('one of many that register a name at once wins, the others hear so', async (t) => {
  const name = newName()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => client.post('/stream', schemaOf(name, [stream(`st${index}`)]))),
  )
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409, 409, 409])
  const winner = answers.findIndex(({ status }) => status === 200)
  t.is((await client.get(`/stream/${name}/schema`)).body.streams[0].name, `st${winner}`)
})

test('the list, the info and the count tell of what is there', async (t) => {
  const name = newName()
  await client.register(schemaOf(name, [stream('one'), stream('two')]))
  const list = await client.ok(client.get('/stream/list'))
  t.deepEqual(
    list.schemas.find((each: { name: string }) => each.name === name),
    { name, state: 1, num_streams: 2 },
  )
  t.is(list.num_schemas, list.schemas.length)
  t.like(list, { notif_count_total: 0, notif_count_day: 0, notif_count_prev_day: 0, errcode: 0 })

  await client.lines(`${name}.one`, [{ a: 'x' }, { a: 'y' }, { a: 'z' }])
  const info = await client.ok(client.get(`/stream/${name}/info`))
  t.deepEqual(info.streams, [
    { name: 'one', type: 1, state: 1, num_events: 3 },
    { name: 'two', type: 1, state: 1, num_events: 0 },
  ])
  t.is(info.num_streams, 2)
  t.deepEqual((await client.get(`/stream/${name}/one/count`)).body, { count: 3 })
  t.is(await client.count(`select count(*) from ${name}.one`), 3)
})

test('a stream that is OFF refuses events with 409, keeps nothing, and still answers', async (t) => {
  const name = newName()
  await client.register(schemaOf(name))
  const [path, state] = [`/stream/${name}/st`, `/stream/${name}/st/state`]
  await client.event(`${name}.st`, { a: 'before' })
  t.deepEqual((await client.get(state)).body, { state: 1 })
  t.deepEqual((await client.send('PUT', state, { state: 0 })).body, { errcode: 0 })
  t.deepEqual((await client.get(state)).body, { state: 0 })

  for (const headers of [{}, { 'content-type': 'application/x-ndjson' }]) {
    const refused = await client.post(path, '{"a":"x"}', headers)
    t.deepEqual([refused.status, refused.body.errcode], [409, -4])
    t.regex(refused.body.error[0], /is OFF .*PUT \/stream\/.*\/state/)
  }
  t.is(await client.count(`select count(*) from ${name}.st`), 1)
  t.is((await client.rows(`select aggr(a) from ${name}.st`)).at(-1)?.v, 1)
  t.like((await client.get(`/stream/${name}/info`)).body.streams[0], { state: 0, num_events: 1 })

  const again = await client.send('PUT', state, { state: 0 })
  t.deepEqual([again.status, again.body.errcode, again.body.error.length], [200, 0, 1])
  t.deepEqual((await client.send('PUT', state, { state: '1' })).body, { errcode: 0 })
  const already = await client.send('PUT', state, { state: 1 })
  t.is(already.status, 200)
  const msg = `stream ${name}.st is already enabled`
  t.deepEqual(already.body, { errcode: 0, msg, error: [msg] })
  await client.event(`${name}.st`, { a: 'after' })
  t.is(await client.count(`select count(*) from ${name}.st`), 2)
})

test('what was acknowledged before OFF is still processed', async (t) => {
  const name = newName()
  await client.register(schemaOf(name))
  const events = Array.from({ length: 200 }, (_, n) => client.event(`${name}.st`, { n }))
  await Promise.all(events)
  await client.send('PUT', `/stream/${name}/st/state`, { state: 0 })
  t.is(await client.count(`select count(*) from ${name}.st`), 200)
})

test('a schema that is deleted is gone with its events, and its name starts from nothing', async (t) => {
  const name = newName()
  await client.register(schemaOf(name, [stream('st'), stream('other')]))
  await client.lines(`${name}.st`, [
    { a: 'x', n: 5 },
    { a: 'y', n: 7 },
  ])
  await client.send('PUT', `/stream/${name}/st/state`, { state: 0 })
  const deleted = await client.send('DELETE', `/stream/${name}`)
  t.is(deleted.status, 200)
  t.deepEqual(deleted.body.deleted_streams, [{ name: `${name}__st` }, { name: `${name}__other` }])
  t.like(deleted.body, { num_streams_del: 2, errcode: 0 })
  t.is((await client.get(`/stream/${name}/schema`)).status, 404)
  t.is((await client.query(`select * from ${name}.st`)).status, 404)
  t.is((await client.post(`/stream/${name}/st`, '{}')).status, 404)
  t.is((await client.send('DELETE', `/stream/${name}`)).status, 404)

  await client.register(schemaOf(name, [stream('st', { attr: [{ name: 'a', type: 9, stat: 'RSTAT' }] })]))
  t.deepEqual((await client.get(`/stream/${name}/st/state`)).body, { state: 1 })
  t.is(await client.count(`select count(*) from ${name}.st`), 0)
  await client.event(`${name}.st`, { a: 9 })
  t.regex(String((await client.rows(`select aggr(a) from ${name}.st rollup 1`))[0]?.v), /"cnt":1,"sum":9,/)
})

test('the statistics of a name that was there before do not know the values of then', async (t) => {
  const name = newName()
  const streams = [stream('st', { attr: [{ name: 'n', type: 'DOUBLE', stat: 'RSTAT' }] })]
  await client.register(schemaOf(name, streams))
  await client.event(`${name}.st`, { n: 0.5 })
  await client.count(`select count(*) from ${name}.st`)
  await client.send('DELETE', `/stream/${name}`)
  await client.register(schemaOf(name, streams))
  await client.lines(
    `${name}.st`,
    [1, 2, 3, 4].map((noise) => ({ n: 1e9 + noise })),
  )
  const { aggr_val } = JSON.parse(String((await client.rows(`select aggr(n) from ${name}.st rollup 1`))[0]?.v))
  t.true(Math.abs(aggr_val.stdd / Math.sqrt(5 / 3) - 1) < 1e-6, `${aggr_val.stdd}`)
  t.true(Math.abs(aggr_val.kurt + 1.2) < 1e-5, `${aggr_val.kurt}`)
})

test('deleting and registering under load leaves no queue stuck and no event of the old in the new', async (t) => {
  const name = newName()
  await client.register(schemaOf(name))
  let round = 0
  let stop = false
  const load = Array.from({ length: 8 }, async () => {
    while (!stop) {
      const answer = await client.post(`/stream/${name}/st`, { n: round })
      if (![200, 404].includes(answer.status)) return answer
    }
    return undefined
  })
  for (round = 1; round <= 5; round++) {
    await client.ok(client.send('DELETE', `/stream/${name}`))
    await client.register(schemaOf(name))
    const [row] = await client.rows(`select aggr(n) from ${name}.st rollup 1`)
    const { cnt, min } = JSON.parse(String(row?.v)).aggr_val
    if (cnt > 0) t.true(min >= round, `round ${round}: min ${min}`)
  }
  stop = true
  t.deepEqual(
    (await Promise.all(load)).filter((answer) => answer !== undefined),
    [],
  )
  await client.ok(client.send('DELETE', `/stream/${name}`))
  await until('an empty log', async () => {
    const { log } = (await client.get('/health/ready')).body.parts
    return log.status === 'up' && log.waiting_bytes === 0
  })
})

test('a schema of many streams and a long body is taken', async (t) => {
  const name = newName()
  const streams = Array.from({ length: 20 }, (_, index) => ({
    ...stream(`st${index}`),
    attr: Array.from({ length: 100 }, (_, n) => ({
      name: `a${n}`,
      type: n % 2 ? 9 : 5,
      ...(n < 10 && { stat: 'COUNT' }),
    })),
    note: 'x'.repeat(20_000),
  }))
  await client.register(schemaOf(name, streams))
  await client.event(`${name}.st19`, { a1: 5, a0: 'x' })
  t.is(await client.count(`select count(*) from ${name}.st19 where a1 = 5`), 1)
  t.is((await client.get(`/stream/${name}/schema`)).body.streams.length, 20)
})
