import test from 'ava'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const attr = [
  { name: 'order', type: 'STRING', required: 1 },
  { name: 'country', type: 'STRING', values: ['DE', 'FR'] },
  { name: 'quantity', type: 'LONG', min: 1, max: 9007199254740993n, stat: 'RSTAT' },
  { name: 'price', type: 'DOUBLE', min: 0 },
  { name: 'rate', type: 'DOUBLE', values: [0.07, 0.19] },
  { name: 'gift', type: 'BOOL', values: [true] },
  {
    name: 'item',
    type: 'OBJECT',
    fields: [
      { name: 'sku', type: 'STRING' },
      { name: 'weight', type: 'DOUBLE', max: 5 },
      { name: 'more', type: 'OBJECT' },
    ],
  },
]
const catr = [{ name: 'total', type: 'DOUBLE', opnm: 'MUL', iatr: ['price', 'quantity'], max: 1000 }]
const schemaOf = (schema: string, more: object = {}, attributes: readonly object[] = attr) => ({
  schema,
  streams: [{ name: 'orders', type: 1, swsz: 0, attr: attributes, ...more }],
})

const refused: readonly [event: string, ...problems: string[]][] = [
  ['{}', 'order: is required and missing'],
  ['{"order":null,"price":1}', 'order: is required and missing'],
  ['{"order":"1","country":"XX"}', "country: expected one of 'DE', 'FR', got the string \"XX\""],
  ['{"order":"1","quantity":0}', 'quantity: expected 1 to 9007199254740993, got the number 0'],
  [
    '{"order":"1","quantity":9007199254740994}',
    'quantity: expected 1 to 9007199254740993, got the number 9007199254740994',
  ],
  ['{"order":"1","price":-0.01}', 'price: expected 0 or more, got the number -0.01'],
  ['{"order":"1","rate":0.2}', 'rate: expected one of 0.07, 0.19, got the number 0.2'],
  ['{"order":"1","gift":false}', 'gift: expected true, got false'],
  ['{"order":"1","item":{"weight":5.5}}', 'item.weight: expected 5 at most, got the number 5.5'],
  [
    '{"order":"1","price":600,"quantity":2}',
    'total: expected 1000 at most, got the number 1200; it is computed by MUL of price, quantity',
  ],
  [
    '{"price":"x","country":"XX"}',
    'price: expected a number (DOUBLE), got the string "x"',
    'order: is required and missing',
    "country: expected one of 'DE', 'FR', got the string \"XX\"",
  ],
]
const taken = [
  '{"order":"1"}',
  '{"order":"","country":"FR","quantity":9007199254740993,"price":0,"rate":0.19,"gift":true}',
  '{"order":"1","country":null,"price":500,"quantity":2,"colour":"red"}',
  '{"order":"1","item":{"sku":"a","weight":5,"size":1}}',
]

for (const [what, more] of [
  ['with a computed attribute', { catr }],
  ['by the quick way', {}],
] as const) {
  test(`an event that lacks a required attribute or has a value outside is refused by any way in, ${what}`, async (t) => {
    const name = what.length > 16 ? 'limits1' : 'limits2'
    await client.register(schemaOf(name, more))
    const bad = refused.filter(([, problem]) => more !== undefined && ('catr' in more || !problem?.startsWith('total')))
    for (const [event, ...problems] of bad) {
      const answer = await client.post(`/stream/${name}/orders`, event)
      t.deepEqual([answer.status, answer.body.error], [400, problems], event)
      const inserted = await client.query(`insert into ${name}.orders values null ${event}`)
      t.deepEqual([inserted.status, inserted.body.error], [400, problems], event)
    }
    for (const event of taken) t.is((await client.post(`/stream/${name}/orders`, event)).status, 200, event)
    const lines = [...bad.map(([event]) => event), ...taken]
    const batch = await client.post(`/stream/${name}/orders`, lines.join('\n'), {
      'content-type': 'application/x-ndjson',
    })
    t.like(batch.body, { accepted: taken.length, rejected: bad.length })
    t.deepEqual(
      batch.body.errors.map(({ line }: { line: number }) => line),
      bad.map((_, index) => index + 1),
    )
    t.is(await client.count(`select count(*) from ${name}.orders`), 2 * taken.length)
  })
}

test('a strict stream refuses members that it does not declare, at each depth, and names the near one', async (t) => {
  await client.register(schemaOf('strict', { strict: 1, catr }))
  const post = async (event: object) => (await client.post('/stream/strict/orders', event)).body.error
  const says = 'is not declared, and stream orders is strict'
  t.deepEqual(await post({ order: '1', colour: 'red', prise: 1 }), [
    `colour: ${says}`,
    `prise: ${says}; did you mean price?`,
  ])
  t.deepEqual(await post({ order: '1', item: { skuu: 'a', more: { anything: [1] } } }), [
    `item.skuu: ${says}; did you mean item.sku?`,
  ])
  t.deepEqual(await post({ order: '1', item: [{ sku: 'a' }, { size: 1 }] }), [`item.size: ${says}`])
  t.deepEqual(await post({ order: '1', 'item.sku': 'a' }), [`item.sku: ${says}`])
  t.is((await post(Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`zz${n}`, 1])))).length, 102)
  const misspelt = await post({
    order: '1',
    ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`pric${n}`, 1])),
  })
  t.deepEqual([misspelt.length, misspelt.filter((each: string) => each.endsWith('did you mean price?')).length], [8, 5])
  const good = { order: '1', item: { sku: 'a', more: { anything: [1] } }, total: 1, price: 2, quantity: 3 }
  t.is(await post({ ...good, _id: 'one', _v: 7, _pk: 1_700_000_000_000_000 }), undefined)
  const [stored] = await client.documents('select * from strict.orders')
  t.like(stored, { _pk: 1_700_000_000_000_000, total: 6, item: good.item })
})

test('limits come and go by an edit, for the events after it alone', async (t) => {
  const free = [{ name: 'n', type: 'LONG', stat: 'RSTAT' }]
  const put = (attributes: readonly object[], more: object = {}) =>
    client.ok(client.send('PUT', '/stream', schemaOf('edited', more, attributes)))
  const post = async (event: object) => (await client.post('/stream/edited/orders', event)).status
  await client.register(schemaOf('edited', {}, free))
  t.is(await post({ n: -5, other: 1 }), 200)
  t.deepEqual(await put([{ ...free[0], min: 0, required: 1 }], { strict: 1 }), { errcode: 0 })
  t.deepEqual(
    [await post({ n: -5 }), await post({ n: 5, other: 1 }), await post({}), await post({ n: 5 })],
    [400, 400, 400, 200],
  )
  t.is((await client.rows('select aggr(n) from edited.orders rollup 1')).length, 1)
  t.deepEqual(await put(free), { errcode: 0 })
  t.is(await post({ n: -5, other: 1 }), 200)
  t.is(await client.count('select count(*) from edited.orders'), 3)
  const other = await client.post('/stream', schemaOf('edited', {}, [{ ...free[0], min: 0 }]))
  t.is(other.status, 409)
})
