/** `?dry=1` on every deletion answers what would go, and changes nothing. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { input, shop } from './shop.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

test('a schema lists its streams and its graph, each with what it holds', async (t) => {
  await client.register(shop('dry1'))
  for (const n of [5, 15, 25]) await client.event('dry1.visits', { who: n < 20 ? 'ann' : 'bob', n })
  const answer = await client.send('DELETE', '/stream/dry1?dry=1')
  t.deepEqual(
    [answer.status, answer.body],
    [
      200,
      {
        would_delete: [
          { name: 'dry1__visits', num_events: 3 },
          { name: 'dry1__large', num_events: 2 },
          { name: 'dry1__people', num_events: 2 },
          { name: 'dry1__lone', num_events: 0 },
          { name: 'dry1_graph', num_events: 8 },
        ],
        errcode: 0,
      },
    ],
  )
  t.is(await client.count('select count(*) from dry1.visits'), 3)
  const gone = await client.ok(client.send('DELETE', '/stream/dry1'))
  t.deepEqual(
    gone.deleted_streams.map(({ name }: { name: string }) => name),
    ['dry1__visits', 'dry1__large', 'dry1__people', 'dry1__lone'],
  )
})

test('a stream lists itself, the last stream its schema, and one that is referred to is refused as by its deletion', async (t) => {
  await client.register(shop('dry2'))
  await client.event('dry2.lone', { who: 'ann', n: 1 })
  const answer = await client.ok(client.send('DELETE', '/stream/dry2/lone?dry=1'))
  t.deepEqual(answer, { would_delete: [{ name: 'dry2__lone', num_events: 1 }], errcode: 0 })
  t.is(await client.count('select count(*) from dry2.lone'), 1)
  const [dry, real] = [
    await client.send('DELETE', '/stream/dry2/large?dry=1'),
    await client.send('DELETE', '/stream/dry2/large'),
  ]
  t.deepEqual([dry.status, dry.body], [409, real.body])
  await client.register({ schema: 'dry3', streams: [input('only')] })
  t.deepEqual((await client.ok(client.send('DELETE', '/stream/dry3/only?dry=1'))).would_delete, [
    { name: 'dry3__only', num_events: 0 },
  ])
  t.is((await client.get('/stream/dry3/schema')).status, 200)
})

test('a graph counts its nodes and relations; the graph of a schema is refused as by its deletion', async (t) => {
  await client.ok(client.post('/graph/dryg/node', { label: 'P', name: 'cleo' }))
  t.is((await client.post('/graph/dryg/query', 'CREATE (P:ann)-[KNOWS]->(P:bob)')).status, 200)
  t.deepEqual(await client.ok(client.send('DELETE', '/graph/dryg?dry=1')), {
    would_delete: [{ name: 'dryg', num_events: 4 }],
    errcode: 0,
  })
  t.true((await client.ok(client.get('/graph/list'))).graphs.includes('dryg'))
  await client.register(shop('dry4'))
  t.is((await client.send('DELETE', '/graph/dry4_graph?dry=1')).status, 409)
  t.is((await client.send('DELETE', '/graph/dryabsent?dry=1')).status, 404)
})

test('a table counts its records, and a key the records of it', async (t) => {
  const table = { table_name: 'T', table_type: 'NORMAL', key_type: 1, key_sz: 24, allow_duplicate: 1 }
  await client.ok(client.post('/db/drydb/table', table))
  for (const [_pk, doc] of [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'three'],
  ])
    await client.ok(client.post('/db/drydb/T/doc', { _pk, doc }))
  const would = async (path: string) => (await client.ok(client.send('DELETE', path))).would_delete
  t.deepEqual(await would('/db/drydb/T?dry=1'), [{ name: 'T', num_events: 3 }])
  t.deepEqual(await would('/db/drydb/T?key=a&dry=1'), [{ name: 'a', num_events: 2 }])
  t.is((await client.send('DELETE', '/db/drydb/T?key=c&dry=1')).status, 404)
  t.is((await client.get('/db/drydb/T/count')).body.count, 3)
  const misspelt = await client.send('DELETE', '/db/drydb/T?dyr=1')
  t.deepEqual([misspelt.status, (await client.get('/db/drydb/T/count')).body.count], [400, 3])
})

test('a bucket counts its objects, and an object names itself', async (t) => {
  const body = { bucket_name: 'drybucket' }
  await client.ok(client.post('/brs/bucket', body))
  for (const key of ['x', 'y/z']) await client.ok(client.send('PUT', `/brs/drybucket/object/${key}`, 'bytes'))
  const would = await client.ok(client.post('/brs/bucket/delete?dry=1', { ...body, force: 1 }))
  t.deepEqual(would, { would_delete: [{ name: 'drybucket', num_events: 2 }], success: 0 })
  const unforced = await client.ok(client.post('/brs/bucket/delete?dry=1', body))
  t.regex(unforced.error[0], /force/)
  const key = { would_delete: [{ name: 'y/z', num_events: 1 }], success: 0 }
  t.deepEqual(await client.ok(client.send('DELETE', '/brs/drybucket/object/y/z?dry=1')), key)
  t.deepEqual(await client.ok(client.post('/brs/delete?key=y/z&dry=1', body)), key)
  t.is((await client.post('/brs/delete?key=none&dry=1', body)).status, 404)
  t.is((await client.post('/brs/bucket/delete?dry=1', { bucket_name: 'dryabsent' })).status, 404)
  t.is((await client.post('/brs/bucket/delete?dry=1', { bucket_name: 'ml_bucket_info' })).status, 409)
  t.deepEqual((await client.ok(client.post('/brs/object/list', body))).total_keys, 2)
})

test('a value of dry that is none is refused, so that nothing is deleted by a slip', async (t) => {
  await client.register({ schema: 'dry5', streams: [input('st')] })
  for (const dry of ['true', 'yes', '', '1&dry=1']) {
    t.is((await client.send('DELETE', `/stream/dry5?dry=${dry}`)).status, 400, dry)
  }
  t.is((await client.send('DELETE', '/stream/dry5/st?dry=true')).status, 400)
  t.is((await client.get('/stream/dry5/schema')).status, 200)
  t.is((await client.send('DELETE', '/stream/dry5?dry=0')).status, 200)
  t.is((await client.send('DELETE', '/stream/dry5?dry=1')).status, 404)
})
