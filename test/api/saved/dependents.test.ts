/** Changes of schemas and tables name the saved questions that ask what they take away. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = (...names: string[]) => names.map((name) => ({ name, type: name === 'price' ? 'DOUBLE' : 'STRING' }))
const stream = (name: string, ...names: string[]) => ({ name, type: 1, swsz: 0, attr: attr(...names) })
const schema = (name: string, streams: readonly object[]) => ({ schema: name, streams })
const save = (name: string, sql: string, more: object = {}) =>
  client.ok(client.send('PUT', `/saved/${name}`, { sql, ...more }))
const notesOf = async (answer: Promise<{ error?: string[] }>): Promise<string[]> =>
  ((await answer).error ?? []).filter((note) => note.includes('saved question'))

test('an edit names the questions that it may break before, and after it the ones that it broke', async (t) => {
  const price = { name: 'price', type: 'DOUBLE', stat: ['RSTAT'], gran: 60 }
  const visits = (...more: readonly object[]) => ({
    ...stream('visits', 'page', 'country'),
    attr: [...attr('page', 'country'), ...more],
  })
  await client.register(schema('shop', [visits(price), stream('orders', 'page', 'price')]))
  await client.event('shop.visits', { page: 'home', country: 'DE', price: 5 })
  await save('by_minute', 'SELECT interval_start, price_sum FROM shop.visits_by_60s')
  await save('by_page', 'SELECT page, count() AS n FROM shop.visits GROUP BY page')
  await save('dearest', 'SELECT max(price) + 1 AS dearest FROM visits', { db: 'shop' })
  await save('of_orders', 'SELECT sum(price) AS total FROM shop.orders')
  await save('no_price', "SELECT 'price' AS word, count() AS n FROM shop.visits")
  await save('in_weir', 'select * from shop.visits where price > 4', { language: 'weir' })
  const after = schema('shop', [visits(), stream('orders', 'page', 'price')])
  const dry = await notesOf(client.ok(client.send('PUT', '/stream?dry=1', after)))
  const both = 'attribute visits.price, statistic visits.price'
  t.deepEqual(dry, [
    'the saved question by_minute names statistic visits.price, and may be asked no more',
    ...['dearest', 'in_weir', 'no_price'].map(
      (name) => `the saved question ${name} names ${both}, and may be asked no more`,
    ),
  ])
  const told = await notesOf(client.ok(client.send('PUT', '/stream', after)))
  t.is(told.length, 1, told.join('\n'))
  t.regex(
    told[0] ?? '',
    /^the saved question by_minute cannot be asked any more, since it names statistic visits\.price: .*visits_by_60s/,
  )
  t.regex(String((await client.get('/saved/by_minute/rows')).body.error), /visits_by_60s/)
  for (const name of ['dearest', 'in_weir', 'by_page', 'no_price', 'of_orders'])
    t.is((await client.ok(client.get(`/saved/${name}/rows`))).num_items, 1, name)
  t.deepEqual(await notesOf(client.ok(client.send('PUT', '/stream', after))), [])
})

test('an edit names the questions of a stream that goes, and not of one whose name begins alike', async (t) => {
  await client.register(schema('types', [stream('a', 'page', 'price'), stream('ab', 'page')]))
  await save('longest', 'SELECT max(length(page)) AS n FROM types.a')
  await save('of_ab', 'SELECT page FROM `types`.`ab`')
  await save('of_strings', "SELECT 'types.ab' AS word FROM types.a")
  const after = schema('types', [stream('a', 'page', 'price')])
  t.deepEqual(await notesOf(client.ok(client.send('PUT', '/stream?dry=1&force=1', after))), [
    'the saved question of_ab names stream ab, and may be asked no more',
    'the saved question of_strings names stream ab, and may be asked no more',
  ])
})

test('the deletion of a stream, a schema, a table, a graph and a bucket names the questions that ask it', async (t) => {
  await client.register(schema('gone', [stream('visits', 'page'), stream('visitors', 'page')]))
  await client.ok(client.post('/db/depot/table', { table_name: 'parts', table_type: 1, key_type: 1 }))
  await save('q1', 'SELECT page FROM gone.visits')
  await save('q2', 'SELECT page FROM visitors', { db: 'gone' })
  await save('q3', 'SELECT * FROM depot.parts')
  await save('q4', "SELECT 1 AS gone, 'visits' AS visits")
  const of = (name: string, what: string) => `the saved question ${name} asks ${what}`
  const both = async (path: string, notes: readonly string[]) => {
    t.deepEqual(await notesOf(client.ok(client.send('DELETE', `${path}?dry=1`, undefined))), notes)
    t.deepEqual(await notesOf(client.ok(client.send('DELETE', path, undefined))), notes)
  }
  await both('/stream/gone/visits', [of('q1', 'gone.visits')])
  await both('/stream/gone', [of('q1', 'gone'), of('q2', 'gone')])
  await both('/db/depot/parts', [of('q3', 'depot.parts')])

  await client.ok(client.send('POST', '/graph/friends', undefined))
  await save('nodes', 'SELECT name FROM graph.friends')
  await save('relations', 'SELECT relation FROM graph.friends_rel')
  await save('word', "SELECT 'friends' AS friends")
  await both('/graph/friends', [of('nodes', 'graph.friends'), of('relations', 'graph.friends')])

  await client.ok(client.post('/brs/bucket', { bucket_name: 'reports' }))
  const schedule = [{ cron: '0 6 * * *', into: { bucket: 'reports', key: '{date}.csv' } }]
  await save('daily', 'SELECT 1 AS n', { schedule })
  for (const path of ['/brs/bucket/delete?dry=1', '/brs/bucket/delete'])
    t.deepEqual(await notesOf(client.ok(client.post(path, { bucket_name: 'reports' }))), [
      'the saved question daily writes its answers into bucket reports',
    ])
})
