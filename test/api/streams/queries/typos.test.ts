import test from 'ava'
import { startService } from '../../../support/service.ts'

const adminKey = 'a-key-for-these-tests-that-is-long-enough'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY: adminKey })
test.after.always(close)

const headers = { 'x-api-key': adminKey }
const send = (method: string, path: string, body: unknown, key = adminKey) =>
  client.send(method, path, body, { 'x-api-key': key })
const ask = async (sql: string, key = adminKey) => (await send('POST', '/db/mydb/query', { sql }, key)).body

test.before(async () => {
  const attr = [
    { name: 'country', type: 5 },
    { name: 'n', type: 9 },
    { name: 'to', type: 3, fields: [{ name: 'zip', type: 5 }] },
  ]
  const fltr = [
    {
      name: 'f',
      fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":0}]}', type: 1 },
      fatr: ['country'],
      ostm: 'some',
    },
  ]
  const orders = { name: 'orders', type: 1, swsz: 0, attr }
  const streams = [
    { ...orders, fltr },
    { name: 'some', type: 2, swsz: 0, attr: [] },
  ]
  for (const schema of ['store', 'other'])
    await client.ok(send('POST', '/stream', { schema, streams: schema === 'store' ? streams : [orders] }))
  await client.ok(
    send('POST', '/stream/store/orders', {
      country: 'DE',
      n: 1,
      campaign: 'x',
      to: { zip: '1', door: 2 },
      o: { a: 1 },
    }),
  )
  await client.ok(send('POST', '/stream/store/orders', { country: 'DE', n: 2, tags: ['a', { b: 1 }], gone: null }))
})

const unknown = (stream: string, path: string, meant = ''): string =>
  `${stream} does not declare ${path}, and none of its latest 1,000 events has it${meant && `; did you mean ${meant}?`}`

/** A condition, and the notes that its answer has. */
const cases: readonly (readonly [stream: string, where: string, notes?: readonly string[]])[] = [
  ['store.orders', 'contry = "DE"', [unknown('store.orders', 'contry', 'country')]],
  ['store.orders', 'campain = "x" or n = 1', [unknown('store.orders', 'campain', 'campaign')]],
  [
    'store.orders',
    'zzzzzzzz = 1 and (Country = "DE" or zzzzzzzz = 2)',
    [unknown('store.orders', 'zzzzzzzz'), unknown('store.orders', 'Country', 'country')],
  ],
  ['store.orders', 'to.dor = 2', [unknown('store.orders', 'to.dor', 'to.door')]],
  ['store.orders', 'o.b = 1 or o.x.y = 1', [unknown('store.orders', 'o.b', 'o.a'), unknown('store.orders', 'o.x.y')]],
  ['store.orders', 'tags.1.c = 1', [unknown('store.orders', 'tags.1.c')]],
  ['store.orders', 'contry like "D*"', [unknown('store.orders', 'contry', 'country')]],
  ['store.some', 'n = 1', [unknown('store.some', 'n')]],
  ['other.orders', 'campaign = "x"', [unknown('other.orders', 'campaign')]],
  ['store.orders', 'campaign = "y"'],
  ['store.orders', 'to.zip = "1" and to.door = 2 and tags.0 = "a" and tags.1.b = 1 and gone = 1'],
  ['store.orders', 'country = "FR" and _pk > 5 and _v = 1 and ST >= 100000000000005 and et <= 100000000000007'],
]
for (const [stream, where, notes] of cases) {
  test(`an attribute that nobody knows is told beside the answer: ${stream} where ${where}`, async (t) => {
    for (let round = 0; round < 2; round++) {
      for (const select of ['*', 'count(*)']) {
        const answer = await ask(`select ${select} from ${stream} where ${where}`)
        t.true('rows' in answer || 'retval' in answer, JSON.stringify(answer))
        t.deepEqual(answer.error, notes, select)
      }
    }
  })
}

test('an attribute is known as soon as an event has it', async (t) => {
  const sql = 'select count(*) from other.orders where fresh = 1'
  t.is((await ask(sql)).error.length, 1)
  await client.ok(send('POST', '/stream/other/orders', { fresh: 1 }))
  t.deepEqual(await ask(sql), { retval: 1 })
})

test('a table that is not there may be meant as a stream, which a key has to see', async (t) => {
  const { error } = await ask('select * from orders where n = 1')
  t.deepEqual(error, ["no table 'orders' in database 'mydb'; it has none; did you mean store.orders or other.orders?"])
  t.deepEqual((await ask('select count(*) from some')).error, [
    "no table 'some' in database 'mydb'; it has none; did you mean store.some?",
  ])
  t.deepEqual((await ask('select * from nothing')).error, ["no table 'nothing' in database 'mydb'; it has none"])
  const made = await client.ok(
    client.send('POST', '/keys', { name: 'k', scopes: ['read'], on: ['db:mydb', 'schema:other'] }, headers),
  )
  t.deepEqual((await ask('select * from orders', made.key)).error, [
    "no table 'orders' in database 'mydb'; it has none; did you mean other.orders?",
  ])
})
