/** Lookups in a table that was dropped: schemas can be edited all the same, and both sides tell it. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const schema = (more: Record<string, string> = {}, from = 'mydb.depots') => ({
  schema: 'orders',
  streams: {
    o: {
      keep: 'forever',
      attributes: { customer: 'text', home: 'text', ...more },
      lookups: { home: { from: `table ${from}`, where: '_pk = this.customer', take: { country: 'home' } } },
    },
  },
})
const edit = (more?: Record<string, string>, query = '', from?: string) =>
  client.send('PUT', `/stream${query}`, schema(more, from))
const missing =
  /lookups.home.from .*names table mydb.depots, which is not there: new events go without home until it is made/

test('a table that a lookup names can go, which its deletion says, and its schema can be edited on', async (t) => {
  await client.ok(client.post('/db/mydb/table', { table_name: 'depots', table_type: 1, key_type: 1 }))
  await client.ok(client.post('/stream', schema()))
  const dry = await client.ok(client.send('DELETE', '/db/mydb/depots?dry=1'))
  const gone = await client.ok(client.send('DELETE', '/db/mydb/depots'))
  for (const { error } of [dry, gone])
    t.deepEqual(error, [
      'stream o of schema orders looks up home in it: new events go without, until a table of that name is made',
    ])

  const tried = await client.ok(edit({ a: 'number' }, '?dry=1'))
  t.regex(tried.error.join('\n'), missing)
  t.regex((await client.ok(edit({ a: 'number' }))).error.join('\n'), missing)
  await client.event('orders.o', { customer: 'ann', a: 1 })
  const [without] = await client.documents('select * from orders.o')
  t.deepEqual([without.a, without.home], [1, undefined])

  const other = await edit({ a: 'number' }, '', 'mydb.nosuch')
  t.is(other.status, 400)
  t.regex(other.text, /there is no table mydb.nosuch; make it first/)

  await client.ok(client.post('/db/mydb/table', { table_name: 'depots', table_type: 1, key_type: 1 }))
  await client.ok(client.post('/db/mydb/depots/doc', { _pk: 'ann', doc: { country: 'DE' } }))
  const { error } = await client.ok(edit({ a: 'number', b: 'number' }))
  t.is(error, undefined)
  await client.event('orders.o', { customer: 'ann', a: 2 })
  const [found] = await client.documents('select * from orders.o where a = 2')
  t.is(found.home, 'DE')
})
