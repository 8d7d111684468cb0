import test from 'ava'
import { startService } from '../../support/service.ts'
import { createTrainer } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)

const key = (name: string, type: number) => ({ name, type, iatr: [name] })
const enty = (opid: number, ratr: string, iatr: string, pkatr: readonly unknown[], rstm: string) => ({
  ...{ name: `${ratr}_of_${rstm}`, opid, ratr: [ratr], iatr: [iatr], pkatr, rstm },
})

const user = [key('user', 9)]
const place = [key('user', 9), key('city', 5)]
await client.register({
  schema: 'shop',
  streams: [
    {
      ...{ name: 'orders', type: 1, swsz: 0 },
      attr: [
        { name: 'user', type: 9 },
        { name: 'city', type: 5 },
        { name: 'price', type: 11 },
      ],
      enty: [
        enty(3, 'spent', 'price', user, 'users'),
        enty(2, 'cities', 'city', user, 'users'),
        enty(1, 'orders', 'city', user, 'users'),
        enty(3, 'paid', 'price', place, 'places'),
      ],
    },
    { name: 'users', type: 4, inpt: ['orders'] },
    { name: 'places', type: 4, inpt: ['orders'] },
    { name: 'nobody', type: 4, attr: [{ name: 'id', type: 5, pk: 1 }] },
  ],
})

type Order = { readonly user: number; readonly city: string; readonly price?: number }

/** Each user has orders of their own number, prices and cities; one has ordered and never paid. */
const orders: readonly Order[] = Array.from({ length: 300 }, (_, i): Order[] => [
  ...Array.from({ length: 1 + (i % 5) }, (_, j) => ({
    ...{
      user: i,
      city: ['Rome', 'Oslo', 'Bern'][(i + j) % (1 + (i % 3))] ?? 'Rome',
      price: 1 + ((i * 7 + j * j) % 40),
    },
  })),
  ...(i === 299 ? [{ user: 300, city: 'Bern' }] : []),
]).flat()
await client.lines('shop.orders', orders)

const byUser = Array.from({ length: 301 }, (_, user) => orders.filter((order) => order.user === user))
const prices = (of: readonly Order[]) => of.flatMap(({ price }) => (price === undefined ? [] : [price]))

/** The same rows, computed by hand. */
const table = byUser.map((of) => {
  const paid = prices(of)
  const most = paid.length === 0 ? '' : Math.max(...paid)
  return [
    paid.length,
    new Set(of.map(({ city }) => city)).size,
    most,
    paid.length === 0 ? '' : paid.reduce((a, b) => a + b),
  ]
})

const ask = (model: string, data: object) =>
  client.ok(
    client.post('/ml/pred/2', {
      ...{ 'schema-name': 'shop', model_name: model, input_format: 'JSON', data: JSON.stringify(data) },
    }),
  )

test.after.always(() => service.close())

test('the rows of an entity stream train a model as a table of the same figures does', async (t) => {
  const attr_list = ['spent_cnt', 'cities_unique', 'spent_max', 'spent_sum'].map((name, position) => ({
    ...{ name, position, type: 'DOUBLE' },
  }))
  const stream = { training_source_type: 'STREAM', 'stream-name': 'users', target_idx: 3 }
  const state = await trainer.train('streamed', { algo_type: 'LIN', more: { attr_list, training_details: stream } })
  const { log } = (await trainer.recordOf('streamed')).train_log
  t.is(state, 25, log.join('\n'))
  t.true(log.includes('retrieved 301 rows of the entity stream [ shop.users ]'), log.join('\n'))
  t.true(log.includes('1 rows without a target left out'), log.join('\n'))

  await trainer.upload('tabled', `${table.map((row) => row.join(',')).join('\n')}\n`)
  t.is(await trainer.train('tabled', { algo_type: 'LIN', details: { header: 0 }, more: { attr_list } }), 25)
  for (const [spent_cnt, cities_unique, spent_max] of [table[7] ?? [], table[123] ?? [], [3, 2, 17]]) {
    const line = { spent_cnt, cities_unique, spent_max }
    const [own, other] = [await ask('streamed', line), await ask('tabled', line)]
    t.true(Math.abs(own.predict_labels - other.predict_labels) < 1e-6)
  }
})

test('without attr_list the statistics are the attributes, and a key that is another in each row is none', async (t) => {
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'users', target: 'spent_max' }
  const more = { attr_list: undefined, training_details }
  t.is(await trainer.train('named', { algo_type: 'TREE', more }), 25)
  const { attributes, target, input_example } = await client.ok(client.get('/ml/shop/named'))
  const moments = ['cnt', 'sum', 'min', 'avg', 'stdd', 'skew', 'kurt'].map((part) => `spent_${part}`)
  t.is(target, 'spent_max')
  t.deepEqual(
    attributes.map(({ name }: { name: string }) => name),
    [...moments, 'cities_cnt', 'cities_unique', 'orders_cnt'],
  )
  t.is(typeof (await ask('named', JSON.parse(input_example))).predict_labels, 'number')
  t.regex((await trainer.recordOf('named')).train_log.log.join('\n'), /11 attributes, without the key user: /)
})

test('the parts of a key of several are attributes', async (t) => {
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'places', target: 'paid_avg' }
  t.is(await trainer.train('places', { algo_type: 'TREE', more: { attr_list: undefined, training_details } }), 25)
  const { attributes } = await client.ok(client.get('/ml/shop/places'))
  t.deepEqual(attributes.slice(0, 2), [
    { name: 'user', kind: 'number' },
    { name: 'city', kind: 'word' },
  ])
})

test('an entity stream that nothing fills holds no row, and one that is not there is the end of the training', async (t) => {
  const training_details = { training_source_type: 'STREAM', 'stream-name': 'nobody', target: 'x' }
  t.is(await trainer.train('empty', { algo_type: 'TREE', more: { attr_list: undefined, training_details } }), 12)
  const away = { ...training_details, 'stream-name': 'away' }
  t.is(await trainer.train('away', { algo_type: 'TREE', more: { attr_list: undefined, training_details: away } }), 11)
})
