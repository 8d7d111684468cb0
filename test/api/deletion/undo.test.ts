/** `?undo=N` on a deletion keeps what goes, and `POST .../undelete` brings it back as it was. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { answersOf, input, shop, visits } from './shop.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const remove = (path: string) => client.send('DELETE', path)
const undelete = (path: string) => client.send('POST', `${path}/undelete`)
const deleted = async (): Promise<{ what: string; name: string; undelete: string }[]> =>
  (await client.ok(client.get('/deleted'))).deleted

test.serial('a schema comes back as it was, with all that hangs on it, and takes events again', async (t) => {
  await client.register(shop('back'))
  await client.lines('back.visits', visits(0))
  await client.event('back.lone', { who: 'ann', n: 1 })
  await client.ok(client.send('PUT', '/stream/back/lone/state', { state: 0 }))
  const before = await answersOf(client, 'back')
  await client.lines('back.visits', visits(20).slice(0, 1))

  const answer = await client.ok(remove('/stream/back?undo=24'))
  t.is(answer.num_streams_del, 4)
  const hours = (answer.undo_until - Date.now() * 1000) / 3.6e9
  t.true(hours > 23.9 && hours <= 24, `${hours}`)
  t.regex(answer.error[0], /POST \/stream\/back\/undelete brings it back until 2\d{3}-/)
  t.is((await client.get('/stream/back/schema')).status, 404)
  t.is((await client.post('/stream/back/visits', { who: 'x', n: 1 })).status, 404)
  t.false((await client.ok(client.get('/graph/list'))).graphs.includes('back_graph'))
  t.like((await deleted())[0], { what: 'schema', name: 'back', undelete: 'POST /stream/back/undelete' })

  t.deepEqual((await client.ok(undelete('/stream/back'))).errcode, 0)
  t.is(await client.count('select count(*) from back.visits'), 21, 'the event acknowledged last is there')
  t.is((await client.post('/stream/back/lone', { who: 'x', n: 1 })).status, 409, 'the stream is still OFF')
  t.deepEqual(await deleted(), [])
  t.is((await undelete('/stream/back')).status, 404)

  await client.register(shop('other'))
  await client.lines('other.visits', [...visits(0), ...visits(20)])
  await client.event('other.lone', { who: 'ann', n: 1 })
  await client.ok(client.send('PUT', '/stream/other/lone/state', { state: 0 }))
  await client.lines('back.visits', visits(20).slice(1))
  const [back, other] = [await answersOf(client, 'back'), await answersOf(client, 'other')]
  t.deepEqual(JSON.parse(JSON.stringify(back).replaceAll('back', 'other')).graph, other.graph)
  for (const [sql, text] of Object.entries(back)) {
    t.deepEqual(text, other[sql.replace('back', 'other')], sql) // the bodies differ by the name alone
    if (sql === 'graph') break
  }
  t.not(before.body, undefined)
})

test.serial('the name of a kept schema is free at once: another one lives there, and the kept one waits', async (t) => {
  await client.register(shop('taken'))
  await client.lines('taken.visits', visits(0))
  await client.ok(remove('/stream/taken?undo=1'))
  await client.register({
    schema: 'taken',
    streams: [{ name: 'st', type: 1, attr: [{ name: 'a', type: 5, stat: 1 }] }],
  })
  await client.event('taken.st', { a: 'new' })
  const refused = await undelete('/stream/taken')
  t.deepEqual([refused.status, refused.body.errcode], [409, -4])
  t.is(await client.count('select count(*) from taken.st'), 1)
  await client.ok(remove('/stream/taken?undo=2'))
  t.deepEqual(
    (await deleted()).map(({ name }) => name),
    ['taken', 'taken'],
  )
  await client.ok(undelete('/stream/taken'))
  t.is(await client.count('select count(*) from taken.st'), 1, 'the one that was deleted last comes back')
  await client.ok(remove('/stream/taken'))
  await client.ok(undelete('/stream/taken'))
  t.is(await client.count('select count(*) from taken.visits'), 20)
  await client.ok(remove('/stream/taken'))
})

test.serial('the last stream of a schema comes back by its own path, with its schema', async (t) => {
  await client.register({ schema: 'lasts', streams: [{ name: 'st', type: 1, attr: [{ name: 'a', type: 5 }] }] })
  await client.event('lasts.st', { a: 'x' })
  t.deepEqual((await client.ok(remove('/stream/lasts/st?undo=1'))).deleted_streams, [{ name: 'lasts__st' }])
  t.is((await undelete('/stream/lasts/other')).status, 404)
  await client.register({ schema: 'lasts', streams: [{ name: 'next', type: 1, attr: [{ name: 'a', type: 5 }] }] })
  t.is((await undelete('/stream/lasts/st')).status, 409)
  await client.ok(remove('/stream/lasts'))
  await client.ok(undelete('/stream/lasts/st'))
  t.is(await client.count('select count(*) from lasts.st'), 1)
})

/** Another schema with the same events, of which nothing ever went. */
async function sameAs(schema: string, events: readonly Record<string, unknown>[]): Promise<Record<string, unknown>> {
  const name = `${schema}_whole`
  await client.register(shop(name))
  await client.lines(`${name}.visits`, [...events])
  await client.event(`${name}.lone`, { who: 'ann', n: 1 })
  await client.ok(client.send('PUT', `/stream/${name}/lone/state`, { state: 0 }))
  return JSON.parse(JSON.stringify(await answersOf(client, name)).replaceAll(name, schema))
}

test.serial(
  'a stream of several comes back as it was, with all that hangs on it, and takes events again',
  async (t) => {
    await client.register(shop('part'))
    await client.lines('part.visits', visits(0))
    await client.event('part.lone', { who: 'ann', n: 1 })
    await client.ok(client.send('PUT', '/stream/part/lone/state', { state: 0 }))
    const before = await answersOf(client, 'part')
    for (const stream of ['visits', 'lone']) {
      const path = `/stream/part/${stream}`
      const answer = await client.ok(remove(`${path}?undo=24`))
      t.deepEqual(answer.deleted_streams, [{ name: `part__${stream}` }])
      t.true(answer.undo_until > Date.now() * 1000)
      t.regex(
        answer.error[0],
        new RegExp(`stream part.${stream} is kept: POST ${path}/undelete brings it back until 2`),
      )
      t.like((await deleted())[0], { what: 'stream', name: `part.${stream}`, undelete: `POST ${path}/undelete` })
      t.is((await client.post(path, { who: 'x', n: 1 })).status, 404)
      t.is(await client.count('select count(*) from part.large'), 9, 'the other streams stay')

      t.is((await client.ok(undelete(path))).msg, `stream part.${stream} is back`)
      t.deepEqual(await answersOf(client, 'part'), before)
      t.deepEqual(await deleted(), [])
      t.is((await undelete(path)).status, 404)
    }
    t.is((await client.post('/stream/part/lone', { who: 'x', n: 1 })).status, 409, 'the stream is still OFF')
    await client.lines('part.visits', visits(20))
    const after = await answersOf(client, 'part')
    const whole = await sameAs('part', [...visits(0), ...visits(20)])
    for (const [asked, answer] of Object.entries(after)) t.deepEqual(answer, whole[asked], asked)
    const { streams } = await client.ok(client.post('/reconcile', { schema: 'part' }))
    t.deepEqual(
      streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
      [],
    )
  },
)

test.serial('a kept stream waits while its schema does not take it, and loses nothing', async (t) => {
  await client.register(shop('fits'))
  await client.lines('fits.visits', visits(0))
  await client.event('fits.lone', { who: 'ann', n: 1 })
  const before = await answersOf(client, 'fits')
  const put = (streams: readonly object[]) =>
    client.ok(client.send('PUT', '/stream?force=1', { schema: 'fits', streams }))
  const [, large, people, lone] = shop('fits').streams
  const refused = async (reason: RegExp) => {
    const { status, body } = await undelete('/stream/fits/visits')
    t.is(status, 409)
    t.regex(body.error[0], reason)
    t.is((await deleted()).length, 1)
  }
  await client.ok(remove('/stream/fits/visits?undo=1'))
  await client.ok(client.send('PUT', '/stream/fits', { streams: [{ name: 'visits', type: 1, swsz: 0 }] }))
  await refused(/stream fits.visits stays kept.*has a stream visits again/)
  await put([large, people, lone] as object[])
  await put([people, lone] as object[])
  await refused(/large/)
  await client.ok(client.send('PUT', '/stream/fits', { streams: [large] }))
  await put([people, lone, large].map((each) => each as object))
  await client.ok(undelete('/stream/fits/visits'))
  const sql = 'select count(*) from fits.visits'
  t.is(await client.count(sql), 20)
  t.deepEqual((await answersOf(client, 'fits'))['select * from fits.people'], before['select * from fits.people'])

  await client.ok(remove('/stream/fits/visits?undo=1'))
  await client.ok(remove('/stream/fits?undo=1'))
  const early = await undelete('/stream/fits/visits')
  t.is(early.status, 404)
  t.regex(early.body.error[0], /stream fits.visits stays kept: its schema fits is gone, and comes back first/)
  await client.ok(undelete('/stream/fits'))
  await client.ok(undelete('/stream/fits/visits'))
  t.is(await client.count(sql), 20)
})

test.serial('a kept stream stays kept where an edit took its values out of an entity', async (t) => {
  const [, , people] = shop('shared').streams
  const feeding = (name: string, values: readonly string[]) =>
    input(name, {
      enty: values.map((value) => ({
        name: value,
        iatr: ['n'],
        opid: 1,
        rstm: 'people',
        ratr: [value],
        pkatr: [{ name: 'who', iatr: ['who'], type: 5 }],
      })),
    })
  const entity = (values: readonly string[]) => ({
    ...people,
    attr: [{ name: 'who', type: 5, pk: 1 }, ...values.map((name) => ({ name, type: 9 }))],
  })
  const streams = [feeding('a', ['visits']), feeding('b', ['buys'])]
  await client.register({ schema: 'shared', streams: [...streams, entity(['visits', 'buys'])] })
  await client.ok(remove('/stream/shared/a?undo=1'))
  const edited = [feeding('b', ['buys', 'more']), entity(['visits', 'buys', 'more'])]
  await client.ok(client.send('PUT', '/stream?force=1', { schema: 'shared', streams: edited }))
  const { status, body } = await undelete('/stream/shared/a')
  t.is(status, 409)
  t.regex(body.error[0], /stream shared.a stays kept, .*: an edit took its values out of the rows of people$/)
})

test.serial(
  'an erasure stays known of a schema and a stream that come back: no reconciliation undoes it',
  async (t) => {
    const name = 'lost'
    await client.register(shop(name))
    await client.lines(`${name}.visits`, visits(0))
    const erase = async (from: string) =>
      (await client.ok(client.post('/db/mydb/query', { sql: `delete from ${name}.${from}` }))).retval
    t.is(await erase('people where who = "p0"'), 1)
    t.is(await erase('visits where n = 19'), 1)
    const before = await answersOf(client, name)
    for (const path of [`/stream/${name}`, `/stream/${name}/visits`]) {
      await client.ok(remove(`${path}?undo=1`))
      await client.ok(undelete(path))
      await client.ok(client.post('/reconcile', { schema: name }))
      t.deepEqual(await answersOf(client, name), before, path)
    }
  },
)

test.serial('a stream that is called undelete takes its events', async (t) => {
  await client.register({ schema: 'odd', streams: [{ name: 'undelete', type: 1, attr: [{ name: 'a', type: 5 }] }] })
  t.is((await client.post('/stream/odd/undelete', { a: 'x' })).body.errcode, 0)
  t.is(await client.count('select count(*) from odd.undelete'), 1)
})

test.serial(
  'a graph comes back with its nodes, relations and indexes, and a node that was merged away stays away',
  async (t) => {
    const ask = async (text: string) => (await client.post('/graph/web/query', text)).body
    await client.ok(client.post('/graph/web', undefined))
    await ask('CREATE (P:a {"x":1})-[KNOWS {"w":2}]->(P:b)-[KNOWS]->(P:c)')
    await ask('CREATE (P:d {"at":"1,2"})')
    await ask('MERGE (P:a)<-[*]-(P:d)')
    await ask('DELETE (P:c)')
    const before = await ask('s=>(P:*)-[*]->(P:*); RETURN *')
    t.is(before.num_items, 1)
    const answer = await client.ok(remove('/graph/web?undo=24'))
    t.true(answer.undo_until > Date.now() * 1000)
    t.is((await client.post('/graph/web/query', 's=>(P:*)')).status, 404)
    await client.ok(client.post('/graph/web/node', { label: 'Q', name: 'new' }))
    t.is((await undelete('/graph/web')).status, 409)
    await client.ok(remove('/graph/web'))
    await client.ok(undelete('/graph/web'))
    t.deepEqual(await ask('s=>(P:*)-[*]->(P:*); RETURN *'), before)
    await ask('CREATE (P:b)-[KNOWS]->(P:z)')
    t.is((await ask('s=>(P:*)-[*]->(P:*)')).num_items, 2)
  },
)

test.serial('a table comes back with its records and indexes, and its database with it', async (t) => {
  const table = { table_name: 'T', table_type: 'WIDE', key_type: 1, key_sz: 24, version_type: 1 }
  await client.ok(client.post('/db/kdb/table', table))
  for (const n of [1, 2, 3]) await client.ok(client.post('/db/kdb/T/doc', { _pk: `k${n}`, doc: { n, city: 'Rome' } }))
  await client.ok(client.post('/db/kdb/T/doc', { _pk: 'k1', doc: { n: 10, city: 'Bonn' } }))
  await client.ok(client.post('/db/kdb/T/index', { index_name: 'city', key_type: 1, key_sz: 24 }))
  const asked = { sql: 'select * from T where city = "Rome"' }
  const ask = async () => (await client.post('/db/kdb/query', asked)).body.rows
  const before = await ask()
  t.is(before.length, 2)
  const answer = await client.ok(remove('/db/kdb/T?undo=24'))
  t.regex(answer.error[0], /POST \/db\/kdb\/T\/undelete/)
  t.is((await client.get('/db/kdb/T')).status, 404)
  await client.ok(client.post('/db/kdb/table', { ...table, table_type: 'NORMAL' }))
  t.is((await undelete('/db/kdb/T')).status, 409)
  await client.ok(remove('/db/kdb/T'))
  await client.ok(undelete('/db/kdb/T'))
  t.deepEqual(await ask(), before)
  await client.ok(client.post('/db/kdb/T/doc', { _pk: 'k1', doc: { n: 11, city: 'Rome' } }))
  t.is((await ask()).length, 3)
  t.is((await client.get('/db/kdb/T?key=k1')).body._v, 3)
})

test.serial('a bucket comes back with its objects and its keys, which bringing it back asks for', async (t) => {
  const keys = { access_key: 'a', secret_key: 's' }
  const headers = { 'x-access-key': 'a', 'x-secret-key': 's' }
  await client.ok(client.post('/brs/bucket', { bucket_name: 'shelf', ...keys }))
  for (const key of ['x', 'deep/y', 'K'.repeat(500)])
    await client.ok(client.send('PUT', `/brs/shelf/object/${key}`, `bytes of ${key}`, headers))
  const answer = await client.ok(client.post('/brs/bucket/delete?undo=24', { bucket_name: 'shelf', ...keys }))
  t.true(answer.undo_until > Date.now() * 1000)
  t.is((await client.send('GET', '/brs/shelf/object/x', undefined, headers)).status, 404)
  await client.ok(client.post('/brs/bucket', { bucket_name: 'shelf' }))
  t.is((await client.post('/brs/shelf/undelete', keys)).status, 409)
  await client.ok(client.post('/brs/bucket/delete', { bucket_name: 'shelf' }))
  t.is((await client.post('/brs/shelf/undelete', undefined)).status, 403)
  t.is((await client.post('/brs/shelf/undelete', { ...keys, secret_key: 'other' })).status, 403)
  t.is((await client.ok(client.post('/brs/shelf/undelete', keys))).success, 0)
  t.is((await client.send('GET', '/brs/shelf/object/deep/y', undefined, headers)).text, 'bytes of deep/y')
  t.is((await client.post('/brs/object/list', { bucket_name: 'shelf', ...keys })).body.total_keys, 3)
  t.is((await client.send('GET', '/brs/shelf/object/x')).status, 403)
})

test.serial('hours that are none are refused, and so is undo where nothing would be kept', async (t) => {
  await client.register({
    schema: 'firm',
    streams: [
      { name: 'a', type: 1 },
      { name: 'b', type: 1 },
    ],
  })
  for (const undo of ['0', '721', '-1', '1.5', 'yes', '', '1&undo=1'])
    t.is((await remove(`/stream/firm?undo=${undo}`)).status, 400, undo)
  await client.ok(client.post('/db/kdb/doc', {}).then(() => client.get('/health/live')))
  t.is((await remove('/db/kdb/T?key=k1&undo=1')).status, 400)
  t.is((await client.post('/brs/delete?key=x&undo=1', { bucket_name: 'ml_bucket_info' })).status, 400)
  t.is((await client.get('/stream/firm/schema')).body.streams.length, 2)
  for (const path of ['/stream/never', '/stream/firm/a', '/graph/never', '/db/never/T', '/brs/never'])
    t.is((await undelete(path)).status, 404, path)
})

test.serial('the record of changes has the deletion with its hours, and the undeletion', async (t) => {
  const { changes } = await client.ok(client.get('/audit?limit=1000'))
  const of = (what: string, name: string) =>
    changes
      .filter((change: { what: string; name: string }) => change.what === what && change.name === name)
      .map(({ detail }: { detail: string }) => detail)
  t.deepEqual(of('schema', 'back').slice(0, 2), ['undeleted', 'removed, kept for 24 h'].slice(0, 2))
  t.deepEqual(of('table', 'kdb.T').slice(0, 1), ['undeleted'])
  t.true(of('bucket', 'shelf').includes('removed, kept for 24 h'))
})
