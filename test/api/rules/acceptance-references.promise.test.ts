import test from 'ava'
import {
  at,
  attr,
  joined,
  passing,
  point,
  type Row,
  type Sent,
  same,
  shown,
  startSchemas,
  stream,
  where,
} from './acceptance.ts'

const { client, register, nextName } = await startSchemas('refs')

const sku = attr('sku', 5)
const price = (more: object = {}) => ({
  name: 'price',
  iatr: ['price'],
  rstm: 'product',
  ratr: ['price'],
  jqry: same('sku'),
  ...more,
})
const product = (more: object = {}) =>
  stream('product', [sku, attr('price', 11), attr('brand', 5), attr('ok', 12), attr('n', 9)], more)
const sale = (refr: unknown, more: object = {}, attrs: readonly object[] = []) =>
  stream('sale', [sku, attr('n', 9), attr('low', 11), ...attrs], { refr, ...more })
const A = (at_s: number, price: number | undefined, sku = 'x', more: Row = {}): Sent => [
  'product',
  at_s,
  { sku, price, ...more },
]
const S = (at_s: number, n: number, sku: string | undefined = 'x', more: Row = {}): Sent => [
  'sale',
  at_s,
  { sku, n, ...more },
]

for (const [what, streams, sent, names, expected] of [
  [
    'the latest in the log',
    [product(), sale([price()])],
    [A(0, 1), S(1, 1), A(2, 2), S(3, 2), S(4, 3, 'y')],
    'n price',
    ['1 1', '2 2', '3 -'],
  ],
  [
    'the latest in the log, though its time is old',
    [product(), sale([price()])],
    [A(10, 1), A(2, 2), S(3, 1)],
    'n price',
    ['1 2'],
  ],
  [
    'as of its own time, of rows that came in another order',
    [product(), sale([price({ as_of: '_pk' })])],
    [A(20, 3), A(0, 1), A(10, 2), S(5, 1), S(25, 2), S(10, 3), S(9, 4), S(-1, 5), A(10, 7), S(12, 6)],
    'n price',
    ['5 -', '1 1', '4 1', '3 2', '6 7', '2 3'],
  ],
  [
    'as of its own time, of those that satisfy and that its stream keeps',
    [
      product({ swsz: 60 }),
      sale([price({ as_of: '_pk', jqry: { cond: ['sku', 'price'], args: ['sku', 'n'], cmp: ['EQ', 'LT'] } })]),
    ],
    [A(50, 9), A(20, 1), A(0, 2), S(30, 3), S(55, 5), S(55, 10), S(85, 2)],
    'n price',
    ['3 1', '5 1', '10 9', '2 -'],
  ],
  ['one object in place of the array', [product(), sale(price())], [A(0, 1), S(1, 1)], 'n price', ['1 1']],
  [
    'of those that satisfy',
    [product(), sale([price({ jqry: { cond: ['sku', 'price'], args: ['sku', 'low'], cmp: ['EQ', 'GT'] } })])],
    [A(0, 5), A(1, 1), S(2, 1, 'x', { low: 2 }), S(3, 2, 'x', { low: 9 }), S(4, 3, 'x', { low: 0 })],
    'n price',
    ['1 5', '2 -', '3 1'],
  ],
  [
    'FIXED',
    [product(), sale([price({ jqry: { cond: ['sku'], args: ['z'], opid: 12 } })])],
    [A(0, 5, 'z'), A(1, 1), S(2, 1)],
    'n price',
    ['1 5'],
  ],
  [
    'FIXED of a number sent as a text',
    [product(), sale([price({ jqry: { cond: ['n'], args: ['7'], opid: 12 } })])],
    [A(0, 5, 'z', { n: 7 }), A(1, 1), S(2, 1)],
    'n price',
    ['1 5'],
  ],
  [
    'FIXED of a truth',
    [product(), sale([price({ jqry: { cond: ['ok'], args: ['true'], opid: 12 } })])],
    [A(0, 5, 'z', { ok: true }), A(1, 1, 'z', { ok: false }), S(2, 1)],
    'n price',
    ['1 5'],
  ],
  [
    'MATH_EXP',
    [product(), sale([price({ jqry: { cond: ['n'], args: ['$n + 1'], opnm: 'MATH_EXP' } })])],
    [A(0, 5, 'z', { n: 2 }), A(1, 6, 'z', { n: 3 }), S(2, 1), S(3, 2), S(4, 3)],
    'n price',
    ['1 5', '2 6', '3 -'],
  ],
  [
    'HYBRID',
    [product(), sale([price({ jqry: { cond: ['sku', 'brand'], args: ['sku', 'acme'], opnm: 'HYBRID' } })])],
    [A(0, 5, 'x', { brand: 'acme' }), A(1, 6, 'x', { brand: 'other' }), S(2, 1)],
    'n price',
    ['1 5'],
  ],
  [
    'a missing value satisfies nothing',
    [product(), sale([price({ jqry: { cond: ['sku', 'n'], args: ['sku', 'n'], cmp: ['EQ', 'NE'] } })])],
    [A(0, 5), S(1, 1), A(2, 6, 'x', { n: 3 }), S(3, 3), S(4, 4), ['sale', 5, { n: 4 }]],
    'n price',
    ['1 -', '3 -', '4 6', '4 -'],
  ],
  [
    'without an EQ pair the latest of all',
    [product({ swsz: 0 }), sale([price({ jqry: { cond: ['price'], args: ['low'], cmp: ['LTE'] } })])],
    [
      A(0, 5),
      A(1, 7, 'y'),
      A(2, 3),
      S(3, 1, 'x', { low: 6 }),
      S(4, 2, 'x', { low: 7 }),
      S(5, 3, 'x', { low: 4 }),
      S(6, 4, 'x', { low: 1 }),
    ],
    'n price',
    ['1 3', '2 3', '3 3', '4 -'],
  ],
  ['the row within the swsz of its stream', [product({ swsz: 100 }), sale([price()], {}, [])], [], 'n price', []],
  [
    'a chain: a later one sees what an earlier one brought',
    [
      product(),
      stream('brand', [attr('brand', 5), attr('country', 5)]),
      sale([
        price({ iatr: ['price', 'brand'], ratr: ['price', 'brand'] }),
        { name: 'c', iatr: ['country'], rstm: 'brand', ratr: ['country'], jqry: same('brand') },
      ]),
    ],
    [['brand', 0, { brand: 'acme', country: 'DE' }], A(1, 5, 'x', { brand: 'acme' }), S(2, 1)],
    'n price brand country',
    ['1 5 acme DE'],
  ],
  [
    'several values, one of them missing',
    [product(), sale([price({ iatr: ['price', 'b'], ratr: ['price', 'brand'] })])],
    [A(0, 5), S(1, 1)],
    'n price b',
    ['1 5 -'],
  ],
  [
    'its _pk',
    [product(), sale([price({ iatr: ['when'], ratr: ['_pk'] })])],
    [A(3, 5), S(4, 1)],
    'n when',
    [`1 ${at(3)}`],
  ],
  [
    'computed attributes: seq 1 before, 0 after',
    [
      product(),
      sale([price({ jqry: { cond: ['sku'], args: ['key'] } })], {
        catr: [
          { name: 'key', type: 5, opnm: 'LOWER', iatr: ['sku'], seq: 1 },
          { name: 'total', type: 11, opnm: 'MUL', iatr: ['n', 'price'] },
        ],
      }),
    ],
    [A(0, 5), S(1, 3, 'X')],
    'n key price total',
    ['3 x 5 15'],
  ],
  [
    'fnr 1 (and its default), a value that the event brings',
    [product(), sale([price({ fnr: 1 })])],
    [A(0, 5), S(1, 1, 'x', { price: 9 }), S(2, 2, 'y', { price: 8 })],
    'n price',
    ['1 5', '2 8'],
  ],
  [
    'fnr 2: keeps what is there without a row',
    [product(), sale([price({ fnr: 2 })])],
    [A(0, 5), S(1, 1, 'x', { price: 9 }), S(2, 2, 'y', { price: 8 }), S(3, 3)],
    'n price',
    ['1 5', '2 8', '3 5'],
  ],
  [
    'fnr 3: only where it is missing',
    [product(), sale([price({ fnr: 3 })])],
    [A(0, 5), S(1, 1, 'x', { price: 9 }), S(2, 2), S(3, 3, 'y')],
    'n price',
    ['1 9', '2 5', '3 -'],
  ],
  [
    'its own stream: the event before, by key',
    [sale([{ name: 'b', iatr: ['before', 'when'], rstm: 'sale', ratr: ['n', '_pk'], jqry: same('sku') }])],
    [S(0, 1), S(1, 2, 'y'), S(2, 3), S(3, 4, 'y')],
    'n before when',
    ['1 - -', '2 - -', `3 1 ${at(0)}`, `4 2 ${at(1)}`],
  ],
  [
    'its own stream: sums from event to event',
    [
      sale([{ name: 'b', iatr: ['before'], rstm: 'sale', ratr: ['total'], jqry: same('sku') }], {
        catr: [{ name: 'total', type: 9, opnm: 'ADD', iatr: ['n', 'before'] }],
      }),
    ],
    [S(0, 1), S(1, 2)],
    'n before',
    ['1 -', '2 -'],
  ],
  [
    'the copies of a filter',
    [
      product({
        fltr: [
          {
            name: 'f',
            fqry: passing([where('price', 'GT', 3)]),
            fatr: ['sku', 'price'],
            catr: [{ name: 'double', type: 11, opnm: 'MATH_EXP', iatr: ['$price * 2 + $n'] }],
            ostm: 'dear',
          },
        ],
      }),
      { name: 'dear', type: 2, swsz: 0, inpt: ['product'], attr: [] },
      sale([price({ rstm: 'dear', iatr: ['price', 'double'], ratr: ['price', 'double'] })]),
    ],
    [A(0, 5, 'x', { n: 1 }), A(1, 2), S(2, 1)],
    'n price double',
    ['1 5 11'],
  ],
] as const) {
  test(`a reference: ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent as readonly Sent[])
    t.deepEqual(
      shown(
        (await rows('sale')).toSorted((a, b) => Number(a._pk) - Number(b._pk)),
        ...names.split(' '),
      ),
      [...expected],
    )
  })
}

test('a reference to a row that a join made', async (t) => {
  const join = (rstm: string, iatr: string[], ratr: string[]) => ({
    name: 'j',
    type: 1,
    iatr,
    rstm,
    ratr,
    jqry: same('point'),
    ostm: 'tp',
  })
  const { send, rows } = await register([
    stream('t', [point, attr('temp', 11)], { join: [join('p', ['point', 'temp'], ['pres'])] }),
    stream('p', [point, attr('pres', 11)], { join: [join('t', ['pres'], ['point', 'temp'])] }),
    joined('tp', ['t', 'p'], {
      refr: [{ name: 'last', iatr: ['last'], rstm: 'tp', ratr: ['pres'], jqry: same('point') }],
    }),
    stream('ask', [point], {
      refr: [
        { name: 'r', iatr: ['temp', 'pres', 'other'], rstm: 'tp', ratr: ['temp', 'pres', '_pk'], jqry: same('point') },
      ],
    }),
  ])
  await send([
    ['ask', 0, { point: 1 }],
    ['t', 1, { point: 1, temp: 5 }],
    ['p', 2, { point: 1, pres: 6 }],
    ['ask', 3, { point: 1 }],
    ['p', 4, { point: 1, pres: 7 }],
    ['t', 5, { point: 1, temp: 8 }],
  ])
  t.deepEqual(shown(await rows('ask'), 'temp', 'pres', 'other'), ['- - -', `5 6 ${at(2)}`])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres', 'last'), ['5 6 -', '8 7 6'])
})

test('the _jpk1 of a row that a pattern made is brought, and found by, also by a reference that an edit adds', async (t) => {
  const run = { name: 'run', type: 1, iatr: ['point'], rstm: 't', ratr: ['temp'], jqry: same('point'), ostm: 'pairs' }
  const bringing = (name: string, jqry: object) => ({ name, iatr: [name], rstm: 'pairs', ratr: ['_jpk1'], jqry })
  const schema = (...refr: readonly object[]) => [
    stream('t', [point, attr('temp', 11)], { cepq: [run] }),
    joined('pairs', ['t']),
    stream('ask', [point, attr('at', 9)], { refr: [bringing('before', same('point')), ...refr] }),
  ]
  const { send, rows, edit } = await register(schema())
  await send([
    ['t', 1, { point: 1, temp: 5 }],
    ['t', 2, { point: 1, temp: 6 }],
    ['ask', 3, { point: 1 }],
  ])
  const added = bringing('found', { cond: ['_jpk1'], args: ['at'] })
  const answer = await edit(schema(bringing('again', same('point')), added))
  t.is(answer.status, 200, answer.text)
  await send([
    ['ask', 4, { point: 1, at: at(1) }],
    ['ask', 5, { point: 1, at: at(2) }],
  ])
  t.deepEqual(shown(await rows('ask'), 'before', 'again', 'found'), [
    `${at(1)} - -`,
    `${at(1)} ${at(1)} ${at(1)}`,
    `${at(1)} ${at(1)} -`,
  ])
})

test('events of one body see each other, those of a body of lines with bad ones among them', async (t) => {
  const { schema, rows } = await register([
    sale([{ name: 'b', iatr: ['before'], rstm: 'sale', ratr: ['n'], jqry: same('sku'), stat: 3 }]),
  ])
  const body = '{"sku":"x","n":1}\n{"sku":"x","n":"2"}\n{"sku":"x","n":3}\n{"sku":"x"\n{"sku":"x","n":5}'
  const answer = await client.send('POST', `/stream/${schema}/sale`, body, { 'content-type': 'application/x-ndjson' })
  t.deepEqual(
    [answer.body.accepted, answer.body.rejected, answer.body.errors.map(({ line }: { line: number }) => line)],
    [3, 2, [2, 4]],
  )
  t.deepEqual(shown(await rows('sale'), 'n', 'before'), ['1 -', '3 1', '5 3'])
  const [aggregate] = await client.rows(`select aggr(before) from ${schema}.sale rollup 1`)
  t.is(JSON.parse(String(aggregate?.v)).aggr_val.sum, 4)
})

test('stat of a reference: counts, unique counts, figures', async (t) => {
  const { send, schema } = await register([
    product(),
    sale([
      price({ iatr: ['price', 'p2'], ratr: ['price', 'price'], stat: 3 }),
      price({ name: 'b', iatr: ['brand'], ratr: ['brand'], stat: 2 }),
      price({ name: 'c', iatr: ['ok'], ratr: ['ok'], stat: 1 }),
    ]),
  ])
  await send([
    A(0, 5, 'x', { brand: 'a', ok: true }),
    A(1, 7, 'y', { brand: 'b' }),
    S(2, 1),
    S(3, 2),
    S(4, 3, 'y'),
    S(5, 4, 'z'),
  ])
  const value = async (name: string) =>
    JSON.parse(String((await client.rows(`select aggr(${name}) from ${schema}.sale rollup 1`))[0]?.v)).aggr_val
  t.is((await value('price')).sum, 17)
  t.is((await value('p2')).max, 7)
  t.is((await value('brand')).cnt, 2)
  t.is((await value('ok')).cnt, 2)
})

test('a result may be grouped, counted by an entity, filtered by, related, and joined by', async (t) => {
  const { send, schema, rows } = await register([
    product(),
    sale([price({ iatr: ['price', 'brand'], ratr: ['price', 'brand'] })], {
      gpby: [{ gpat: ['brand'], iatr: 'price', stat: 3 }],
      enty: [
        {
          name: 'e',
          opid: 3,
          ratr: ['spent'],
          iatr: ['price'],
          pkatr: [{ name: 'brand', type: 5, iatr: ['brand'] }],
          rstm: 'brands',
        },
      ],
      fltr: [
        { name: 'f', fqry: passing([where('brand', 'EQ', 'acme')]), fatr: ['n', 'brand', 'price'], ostm: 'acmes' },
      ],
      cepq: [
        {
          name: 'up',
          type: 1,
          iatr: ['price'],
          rstm: 'sale',
          ratr: ['price'],
          jqry: { cond: ['brand', 'price'], args: ['brand', 'price'], cmp: ['EQ', 'LT'] },
          ostm: 'ups',
        },
      ],
    }),
    { name: 'brands', type: 4, inpt: ['sale'] },
    { name: 'acmes', type: 2, swsz: 0, inpt: ['sale'], attr: [] },
    joined('ups', ['sale']),
  ])
  await send([A(0, 5, 'x', { brand: 'acme' }), A(1, 7, 'y', { brand: 'acme' }), S(2, 1), S(3, 2, 'y'), S(4, 3, 'z')])
  t.deepEqual(shown(await rows('acmes'), 'n', 'price'), ['1 5', '2 7'])
  t.deepEqual(shown(await rows('ups'), 'price', '_j1.price'), ['7 5'])
  const [brand] = await client.rows(`select * from ${schema}.brands`)
  t.is(JSON.parse(String(brand?.v)).spent.sum, 12)
})

const entity = (opid: number, ratr: string, iatr: string, pk: object[], rstm = 'shops') => ({
  name: ratr,
  opid,
  ratr: [ratr],
  iatr: [iatr],
  pkatr: pk,
  rstm,
})
const byShop = [{ name: 'shop', type: 5, iatr: ['shop'] }]

test('an entity: its figures as they were before the event, those of the same body too', async (t) => {
  const figures = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'].map((name) => `sales.${name}`)
  const { lines, schema, rows } = await register([
    stream('sale', [attr('shop', 5), attr('amount', 11), attr('who', 5)], {
      enty: [
        entity(3, 'sales', 'amount', byShop),
        entity(2, 'people', 'who', byShop),
        entity(1, 'visits', 'who', byShop),
      ],
      refr: [
        {
          name: 'r',
          iatr: [...figures.map((name) => name.replace('.', '_')), 'people', 'visits'],
          rstm: 'shops',
          ratr: [...figures, 'people.cnt', 'visits.cnt'],
          jqry: same('shop'),
        },
      ],
    }),
    { name: 'shops', type: 4, inpt: ['sale'] },
    stream('ask', [attr('s', 5)], {
      refr: [
        {
          name: 'r',
          iatr: ['avg', 'n'],
          rstm: 'shops',
          ratr: ['sales.avg', 'people.cnt'],
          jqry: { cond: ['shop'], args: ['s'] },
        },
      ],
    }),
  ])
  await client.event(`${schema}.sale`, { shop: 'a', amount: 10, who: 'p' })
  await lines('sale', [
    { shop: 'a', amount: 20, who: 'q' },
    { shop: 'b', amount: 1, who: 'q' },
    { shop: 'a', amount: 60, who: 'p' },
    { shop: 'a', who: 'r' },
    { shop: 'a', amount: 0 },
  ])
  const names = ['sales_cnt', 'sales_sum', 'sales_min', 'sales_max', 'sales_avg', 'people', 'visits']
  t.deepEqual(shown(await rows('sale'), ...names), [
    '- - - - - - -',
    '1 10 10 10 10 1 1',
    '- - - - - - -',
    '2 30 10 20 15 2 2',
    '3 90 10 60 30 2 3',
    '3 90 10 60 30 3 4',
  ])
  const [last] = (await rows('sale')).slice(-1)
  const [row] = (await client.documents(`select * from ${schema}.shops`)).length ? [1] : []
  t.is(row, 1)
  t.true(Math.abs(Number(last?.sales_stdd) - Math.sqrt(1400 / 2)) < 1e-9 || Number(last?.sales_stdd) > 0)
  for (const s of ['a', 'b', 'c']) await client.event(`${schema}.ask`, { s })
  t.deepEqual(shown(await rows('ask'), 'avg', 'n'), ['22.5 3', '1 1', '- -'])
})

test('an entity with a key of two attributes', async (t) => {
  const pk = [
    { name: 'shop', type: 5, iatr: ['shop'] },
    { name: 'city', type: 5, iatr: ['city'] },
  ]
  const { send, rows } = await register([
    stream('sale', [attr('shop', 5), attr('city', 5), attr('amount', 11)], {
      enty: [entity(3, 'sales', 'amount', pk)],
    }),
    { name: 'shops', type: 4, inpt: ['sale'] },
    stream('ask', [attr('s', 5), attr('c', 5)], {
      refr: [
        {
          name: 'r',
          iatr: ['avg'],
          rstm: 'shops',
          ratr: ['sales.avg'],
          jqry: { cond: ['shop', 'city'], args: ['s', 'c'] },
        },
      ],
    }),
  ])
  await send([
    ['sale', 0, { shop: 'a', city: 'x', amount: 5 }],
    ['sale', 1, { shop: 'a', city: 'y', amount: 7 }],
    ['ask', 2, { s: 'a', c: 'y' }],
    ['ask', 3, { s: 'a', c: 'z' }],
  ])
  t.deepEqual(shown(await rows('ask'), 'avg'), ['7', '-'])
})

test('entities of events before an edit are there for a reference that it adds; the events before are not filled', async (t) => {
  const s = (refr: object) => [
    stream('sale', [attr('shop', 5), attr('amount', 11)], { enty: [entity(3, 'sales', 'amount', byShop)], ...refr }),
    { name: 'shops', type: 4, inpt: ['sale'] },
  ]
  const { post, rows, edit } = await register(s({}))
  await post('sale', { shop: 'a', amount: 5 })
  await post('sale', { shop: 'a', amount: 7 })
  const answer = await edit(
    s({ refr: [{ name: 'r', iatr: ['sum'], rstm: 'shops', ratr: ['sales.sum'], jqry: same('shop') }] }),
  )
  t.is(answer.status, 200, answer.text)
  await post('sale', { shop: 'a', amount: 1 })
  await post('sale', { shop: 'a', amount: 1 })
  t.deepEqual(shown(await rows('sale'), 'amount', 'sum'), ['5 -', '7 -', '1 12', '1 13'])
})

test('a reference that an edit adds finds rows that were there before', async (t) => {
  const { send, rows, edit } = await register([product(), sale([])])
  await send([A(0, 5), S(1, 1)])
  const answer = await edit([product(), sale([price()])])
  t.is(answer.status, 200, answer.text)
  await send([S(2, 2), A(3, 6), S(4, 3)])
  t.deepEqual(shown(await rows('sale'), 'n', 'price'), ['1 -', '2 5', '3 6'])
})

/** A database with a table. */
async function table(type: number, name = 'T', key_type = 1) {
  const database = nextName()
  const path = `/db/${database}`
  await client.ok(client.post(`${path}/table`, { table_name: name, table_type: type, key_type, key_sz: 24 }))
  return {
    name: `${database}.${name}`,
    put: (record: object) => client.ok(client.send('PUT', `${path}/${name}/doc`, record)),
    add: (record: object) => client.ok(client.post(`${path}/${name}/doc`, record)),
    remove: (key: string) => client.ok(client.send('DELETE', `${path}/${name}?key=${key}`)),
    drop: () => client.ok(client.send('DELETE', `${path}/${name}`)),
    again: () => client.ok(client.post(`${path}/table`, { table_name: name, table_type: type, key_type, key_sz: 24 })),
  }
}

const ask = (refr: object, more: object = {}) => [
  stream('ask', [attr('sku', 5), attr('n', 9), attr('d', 11)], { refr: [{ name: 'r', ...refr }], ...more }),
]

test('a wide table by its key: the latest version, each value with its JSON type, gone and dropped', async (t) => {
  const { name, add, put, remove, drop, again } = await table(1)
  await add({ _pk: 'x', doc: { price: 5, tags: ['a'], made: { in: 'DE', ok: true }, big: 2.5 } })
  const { post, rows } = await register(
    ask({
      iatr: ['price', 'country', 'ok', 'tags'],
      rstm: name,
      ratr: ['price', 'made.in', 'made.ok', 'tags'],
      jqry: { cond: ['_pk'], args: ['sku'] },
    }),
  )
  const asked = async () => {
    await post('ask', { sku: 'x' })
    return shown((await rows('ask')).slice(-1), 'price', 'country', 'ok', 'tags')
  }
  t.deepEqual(await asked(), ['5 DE true ["a"]'])
  await put({ _pk: 'x', doc: { price: 'six', made: 7 } })
  t.deepEqual(await asked(), ['six - - -'])
  await remove('x')
  t.deepEqual(await asked(), ['- - - -'])
  await add({ _pk: 'x', doc: { price: 8 } })
  t.deepEqual(await asked(), ['8 - - -'])
  await drop()
  t.deepEqual(await asked(), ['- - - -'])
  await again()
  await add({ _pk: 'x', doc: { price: 9 } })
  t.deepEqual(await asked(), ['9 - - -'])
})

test('a wide table by a path: numbers as numbers, of several records that with the greatest key', async (t) => {
  const { name, add, put } = await table(1)
  for (const [_pk, doc] of [
    ['a', { at: { n: 1 }, v: 'one' }],
    ['c', { at: { n: 2 }, v: 'three' }],
    ['b', { at: { n: 2 }, v: 'two' }],
    ['d', { at: { n: '2' }, v: 'text' }],
  ] as const)
    await add({ _pk, doc })
  const { post, rows } = await register(
    ask({ iatr: ['v', 'k'], rstm: name, ratr: ['v', '_pk'], jqry: { cond: ['at.n'], args: ['n'] } }),
  )
  for (const n of [1, 2, 3]) await post('ask', { n })
  await put({ _pk: 'c', doc: { v: 'gone' } })
  await post('ask', { n: 2 })
  await post('ask', {})
  t.deepEqual(shown(await rows('ask'), 'v', 'k'), ['one a', 'three c', '- -', 'two b', '- -'])
})

test('a table: other conditions beside the EQ, FIXED keys, MATH_EXP', async (t) => {
  const { name, add } = await table(1)
  for (const [_pk, doc] of [
    ['a', { g: 'x', min: 1 }],
    ['b', { g: 'x', min: 5 }],
    ['c', { g: 'x', min: 9 }],
  ] as const)
    await add({ _pk, doc })
  const { post, rows } = await register([
    stream('ask', [attr('sku', 5), attr('n', 9)], {
      refr: [
        {
          name: 'r',
          iatr: ['k'],
          rstm: name,
          ratr: ['_pk'],
          jqry: { cond: ['g', 'min'], args: ['sku', 'n'], cmp: ['EQ', 'LTE'] },
        },
        { name: 'f', iatr: ['f'], rstm: name, ratr: ['min'], jqry: { cond: ['_pk'], args: ['b'], opid: 12 }, stat: 1 },
        { name: 'm', iatr: ['m'], rstm: name, ratr: ['_pk'], jqry: { cond: ['min'], args: ['$n + 1'], opid: 13 } },
      ],
    }),
  ])
  for (const n of [0, 4, 5, 100]) await post('ask', { sku: 'x', n })
  t.deepEqual(shown(await rows('ask'), 'n', 'k', 'f', 'm'), ['0 - 5 a', '4 a 5 b', '5 b 5 -', '100 c 5 -'])
})

test('a normal table by its key', async (t) => {
  const { name, add } = await table(0)
  await add({ _pk: 'x', doc: 'hello' })
  const { post, rows } = await register(
    ask({ iatr: ['text', 'k'], rstm: name, ratr: ['doc', '_pk'], jqry: { cond: ['_pk'], args: ['sku'] } }),
  )
  await post('ask', { sku: 'x' })
  await post('ask', { sku: 'y' })
  t.deepEqual(shown(await rows('ask'), 'text', 'k'), ['hello x', '- -'])
})

test('a table of long keys: literals are numbers, also those sent as texts', async (t) => {
  const { name, add } = await table(1, 'T', 10)
  await add({ _pk: 5, doc: { v: 'five' } })
  await add({ _pk: -7, doc: { v: 'less' } })
  const fixed = (each: string, value: unknown) => ({
    ...{ name: each, iatr: [each], rstm: name, ratr: ['v'], jqry: { cond: ['_pk'], args: [value], opid: 12 } },
  })
  const { post, rows } = await register([
    stream('ask', [attr('n', 9)], { refr: [fixed('t', '5'), fixed('u', 5), fixed('b', '-7')] }),
  ])
  await post('ask', { n: 1 })
  t.deepEqual(shown(await rows('ask'), 't', 'u', 'b'), ['five five less'])
})

test('a reference that no record of its table can satisfy is refused', async (t) => {
  const [longs, texts, normal] = [await table(1, 'T', 10), await table(1), await table(0)]
  const refused = async (refr: object) => {
    const answer = await client.post('/stream', { schema: nextName(), streams: ask({ iatr: ['got'], ...refr }) })
    t.is(answer.status, 400)
    return answer.text
  }
  const by = (args: readonly unknown[], more: object = {}) => ({ cond: ['_pk'], args, ...more })
  t.regex(
    await refused({ rstm: longs.name, ratr: ['v'], jqry: by(['sku']) }),
    /streams\[0\]\.refr\[0\]\.jqry\.args\[0\]: is STRING and cannot be compared with '_pk' of .*\.T, which is LONG/,
  )
  t.regex(await refused({ rstm: longs.name, ratr: ['v'], jqry: by(['five'], { opid: 12 }) }), /args\[0\]: is STRING/)
  t.regex(await refused({ rstm: texts.name, ratr: ['v'], jqry: by(['n']) }), /args\[0\]: is LONG .*which is STRING/)
  t.regex(await refused({ rstm: texts.name, ratr: ['v'], jqry: by(['$n'], { opid: 13 }) }), /args\[0\]: is DOUBLE/)
  t.regex(
    await refused({ rstm: normal.name, ratr: ['v'], jqry: by(['sku']) }),
    /refr\[0\]\.ratr\[0\]: records of .*\.T have no 'v'; this table has _pk, doc and _v alone/,
  )
  t.regex(
    await refused({ rstm: normal.name, ratr: ['doc'], jqry: { cond: ['v'], args: ['sku'] } }),
    /jqry\.cond\[0\]: records of .* have no 'v'/,
  )
})

test('a body of many lines asks a table and an entity once each kind, in its order', async (t) => {
  const { name, add } = await table(1)
  await add({ _pk: 'x', doc: { v: 1 } })
  await add({ _pk: 'y', doc: { v: 2 } })
  const { lines, rows } = await register(
    ask({ iatr: ['v'], rstm: name, ratr: ['v'], jqry: { cond: ['_pk'], args: ['sku'] } }),
  )
  await lines(
    'ask',
    Array.from({ length: 100 }, (_, n) => ({ sku: ['x', 'y', 'z'][n % 3], n })),
  )
  t.deepEqual(
    shown(await rows('ask'), 'n', 'v'),
    Array.from({ length: 100 }, (_, n) => `${n} ${['1', '2', '-'][n % 3]}`),
  )
})

test('a stream of more than 10,000 rows, without an EQ pair: the values stay missing and a counter tells', async (t) => {
  const { lines, post, rows, schema } = await register([
    stream('many', [attr('v', 9)]),
    stream('ask', [attr('n', 9)], {
      refr: [{ name: 'r', iatr: ['v'], rstm: 'many', ratr: ['v'], jqry: { cond: ['v'], args: ['n'], cmp: ['LT'] } }],
    }),
  ])
  await lines(
    'many',
    Array.from({ length: 10_000 }, (_, v) => ({ v })),
  )
  await post('ask', { n: 20_000 })
  await post('ask', { n: 5 })
  await post('many', { v: 10_000 })
  await post('ask', { n: 20_000 })
  t.deepEqual(shown(await rows('ask'), 'n', 'v'), ['20000 9999', '5 4', '20000 -'])
  const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
  t.true(streams.some(({ rule_state }: { rule_state: { dropped: number } }) => rule_state.dropped > 0))
  t.regex((await client.get('/metrics')).text, new RegExp(`weir_rules_dropped_total\\{stream="${schema}\\.`))
})

test('as of its own time: an erased row is not found, and after an edit that adds the lookup rows of before are', async (t) => {
  const timed = [product(), sale([price({ as_of: '_pk' })])]
  const { schema, send, rows, edit } = await register([product(), sale([])])
  await send([A(20, 3), A(10, 2), A(0, 1)])
  await client.ok(edit(timed))
  await send([S(15, 1)])
  t.is((await client.ok(client.query(`delete from ${schema}.product where price = 2`))).retval, 1)
  await send([S(16, 2)])
  t.deepEqual(shown(await rows('sale'), 'n', 'price'), ['1 2', '2 1'])
})

test('as_of belongs to the rows of a stream, and says _pk', async (t) => {
  const of = (refr: object) => ({ schema: nextName(), streams: [product(), sale([refr])] })
  t.regex(
    JSON.stringify((await client.post('/stream', of(price({ as_of: 'price' })))).body),
    /refr\[0\]\.as_of: must be _pk/,
  )
  const table = price({ as_of: '_pk', rstm: 'depot.things', ratr: ['price'], jqry: { cond: ['_pk'], args: ['sku'] } })
  t.regex(
    JSON.stringify((await client.post('/stream', of(table))).body),
    /as_of: belongs to the rows of a stream; a table's record/,
  )
})
