/** `_id`, by which a client names its event, in the conditions of rules: the schema need not declare it. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const definition = `schema: till
streams:
  orders: { keep: forever, strict: true, attributes: { price: number } }
  payments: { keep: forever, attributes: { order: text, amount: number } }
joins:
  paid: { first: orders, then: payments, where: "first._id = then.order", match: once, within: 1h, into: paid_orders, take: { first: [price], then: [amount] } }
`

const rows = async (stream: string) =>
  (await client.ok(client.post('/db/mydb/query', { sql: `select * from till.${stream}`, rows: 'objects' }))).rows

test('a lookup finds an event by its _id, of a stream that is declared before', async (t) => {
  const yaml = { 'content-type': 'application/yaml' }
  const looked = `schema: desk
streams:
  tickets: { keep: forever, attributes: { owner: text } }
  notes: { keep: forever, attributes: { ticket: text }, lookups: { of: { from: tickets, where: "_id = this.ticket", take: { owner: owner } } } }
`
  t.is((await client.ok(client.send('POST', '/stream', looked, yaml))).errcode, 0)
  await client.ok(client.post('/stream/desk/tickets', { _id: 't1', owner: 'ann' }))
  await client.ok(client.post('/stream/desk/notes', { ticket: 't1' }))
  const { rows: notes } = await client.ok(
    client.post('/db/mydb/query', { sql: 'select * from desk.notes', rows: 'objects' }),
  )
  t.like(notes, [{ ticket: 't1', owner: 'ann' }])
})

test('an event is joined by its _id, whichever of the two comes first, and a repeated one is joined once', async (t) => {
  const yaml = { 'content-type': 'application/yaml' }
  t.is((await client.ok(client.send('POST', '/stream', definition, yaml))).errcode, 0)
  const lines = { 'content-type': 'application/x-ndjson' }
  const send = (stream: string, ...events: object[]) =>
    client.ok(
      client.send('POST', `/stream/till/${stream}`, events.map((each) => JSON.stringify(each)).join('\n'), lines),
    )
  await send('orders', { _id: 'o1', price: 5 }, { _id: 'o2', price: 7 }, { price: 9 })
  await send('payments', { order: 'o1', amount: 4 }, { order: 'o3', amount: 6 })
  t.like(await send('orders', { _id: 'o1', price: 5 }, { _id: 'o3', price: 8 }), { accepted: 2, repeated: 1 })
  const found: { price: number; amount: number }[] = await rows('paid_orders')
  const pairs = found.map(({ price, amount }) => [price, amount]).toSorted(([a = 0], [b = 0]) => a - b)
  t.deepEqual(pairs, [
    [5, 4],
    [8, 6],
  ])
  const orders: { _id?: string }[] = await rows('orders')
  t.deepEqual(orders.map(({ _id }) => _id ?? '').toSorted(), ['', 'o1', 'o2', 'o3'])
  const single = await client.post('/stream/till/orders', { _id: 'o4', price: 1 })
  t.is(single.status, 200)
  await send('payments', { order: 'o4', amount: 1 })
  t.is((await rows('paid_orders')).length, 3)
})
