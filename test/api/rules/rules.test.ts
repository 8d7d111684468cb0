import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

type Row = Record<string, unknown>

const attr = (name: string, type: number, more: object = {}) => ({ name, type, ...more })
const point = attr('point', 9)
let made = 0

/** Registers streams, and gives them short names to be used by. */
async function registered(streams: object[], more: object = {}) {
  const schema = `rules${++made}`
  await client.register({ schema, streams, ...more })
  return {
    schema,
    post: (stream: string, event: object) => client.event(`${schema}.${stream}`, event),
    lines: (stream: string, events: readonly object[]) => client.lines(`${schema}.${stream}`, events),
    /** The events of a stream, the oldest first. */
    rows: async (stream: string, where = ''): Promise<Row[]> =>
      (await client.documents(`select * from ${schema}.${stream}${where}`)).reverse(),
  }
}

const stream = (name: string, attrs: object[], more: object = {}) => ({ name, type: 1, swsz: 0, attr: attrs, ...more })
const derived = (name: string, inpt: string[], more: object = {}) => ({
  name,
  type: 3,
  swsz: 0,
  inpt,
  attr: [],
  ...more,
})

const samePoint = { cond: ['point'], args: ['point'], opid: 11, cmp: ['EQ'] }

/** Two streams that are joined by point. */
const joined = (temperature: number, pressure: number, more: object = {}) => [
  stream('t', [point, attr('temp', 11)], {
    join: [
      {
        name: 'j',
        type: temperature,
        iatr: ['point', 'temp'],
        rstm: 'p',
        ratr: ['pres'],
        jqry: samePoint,
        ostm: 'tp',
        ...more,
      },
    ],
  }),
  stream('p', [point, attr('pres', 11)], {
    join: [
      {
        name: 'j',
        type: pressure,
        iatr: ['pres'],
        rstm: 't',
        ratr: ['point', 'temp'],
        jqry: samePoint,
        ostm: 'tp',
        ...more,
      },
    ],
  }),
  derived('tp', ['t', 'p']),
]

test('a join of two active streams takes the oldest that is free, once', async (t) => {
  const { post, rows } = await registered(joined(1, 1))
  const sent: [string, object][] = [
    ['t', { point: 1, temp: 70.1 }],
    ['p', { point: 1, pres: 10.2 }],
    ['p', { point: 1, pres: 11.1 }],
    ['p', { point: 1, pres: 11.5 }],
    ['p', { point: 1, pres: 11.8 }],
    ['t', { point: 1, temp: 71.1 }],
    ['t', { point: 1, temp: 71.2 }],
  ]
  for (const [to, event] of sent) await post(to, event)
  t.deepEqual(
    (await rows('tp')).map(({ temp, pres }) => [temp, pres]),
    [
      [70.1, 10.2],
      [71.1, 11.1],
      [71.2, 11.5],
    ],
  )
})

test('an active event meets the very latest passive one, whatever its values', async (t) => {
  const { post, rows } = await registered(joined(2, 4))
  const sent: [string, object][] = [
    ['t', { point: 1, temp: 70.1 }],
    ['p', { point: 2, pres: 10.2 }],
    ['p', { point: 1, pres: 11.1 }],
    ['p', { point: 1, pres: 11.5 }],
    ['p', { point: 1, pres: 11.8 }],
    ['t', { point: 2, temp: 71.1 }],
    ['p', { point: 1, pres: 11.9 }],
    ['p', { point: 2, pres: 12.1 }],
    ['t', { point: 1, temp: 71.2 }],
    ['p', { point: 1, pres: 12.5 }],
  ]
  for (const [to, event] of sent) await post(to, event)
  t.deepEqual(
    (await rows('tp')).map(({ temp, pres }) => [temp, pres]),
    [
      [70.1, 11.1],
      [70.1, 11.5],
      [70.1, 11.8],
      [71.1, 12.1],
      [71.2, 12.5],
    ],
  )
})

test('a row has the time of its trigger and of the other, and all of the other once more', async (t) => {
  const { post, rows, schema } = await registered(joined(1, 1))
  const first = await post('t', { point: 1, temp: 70.5 })
  const second = await post('p', { point: 1, pres: 3 })
  const [row] = await rows('tp')
  t.deepEqual(row, {
    _pk: second,
    _v: 1,
    pres: 3,
    point: 1,
    temp: 70.5,
    _jpk1: first,
    _j1: { point: 1, temp: 70.5 },
  })
  t.is((await rows('tp', ` where _jpk1 = ${first}`)).length, 1)
  t.is((await rows('tp', ' where _j1.temp > 70')).length, 1)
  t.is(await client.count(`select count(*) from ${schema}.tp`), 1)
})

test('three rises of one car in a row make a row, and the run goes on', async (t) => {
  const { post, rows } = await registered([
    stream('s', [attr('car', 5), attr('temp', 11)], {
      cepq: [
        {
          name: 'rising',
          type: 1,
          iatr: ['car', 'temp'],
          rstm: 's',
          ratr: ['temp'],
          jqry: { cond: ['car', 'temp'], args: ['car', 'temp'], opid: 11, cmp: ['EQ', 'LT'] },
          fqry: { name: { query: [{ key: 'temp', cmp_op: 0, val: 70.5 }], qtype: 1 }, type: 1 },
          cond: [{ name: 'NUMT', val: 3 }],
          ostm: 'rise',
        },
      ],
    }),
    derived('rise', ['s']),
  ])
  for (const temp of [70.1, 71.6, 72.1, 72.2, 72.4, 72.7, 73.1]) {
    await post('s', { car: 'a', temp })
    await post('s', { car: 'b', temp: 71 })
  }
  t.deepEqual(
    (await rows('rise')).map(({ car, temp, _j1 }) => [car, temp, (_j1 as Row).temp]),
    [
      ['a', 72.4, 72.2],
      ['a', 72.7, 72.4],
      ['a', 73.1, 72.7],
    ],
  )
})

test('an event finds the latest row that was acknowledged before it, of another stream and of its own', async (t) => {
  const { post, rows, lines } = await registered([
    stream('product', [attr('sku', 5), attr('price', 11)]),
    stream('sale', [attr('sku', 5), attr('n', 9)], {
      refr: [
        {
          name: 'price',
          iatr: ['price'],
          rstm: 'product',
          ratr: ['price'],
          jqry: { cond: ['sku'], args: ['sku'], opid: 11 },
          stat: 3,
        },
        {
          name: 'before',
          iatr: ['last_n'],
          rstm: 'sale',
          ratr: ['n'],
          jqry: { cond: ['sku'], args: ['sku'], opnm: 'ATTR' },
        },
      ],
      catr: [{ name: 'total', type: 11, opnm: 'MUL', iatr: ['n', 'price'] }],
    }),
  ])
  await post('product', { sku: 'x', price: 2 })
  await post('sale', { sku: 'x', n: 3 })
  await post('product', { sku: 'x', price: 2.5 })
  await lines('sale', [
    { sku: 'x', n: 4 },
    { sku: 'y', n: 1 },
    { sku: 'x', n: 5 },
  ])
  t.deepEqual(
    (await rows('sale')).map(({ sku, n, price, last_n, total }) => [sku, n, price, last_n, total]),
    [
      ['x', 3, 2, undefined, 6],
      ['x', 4, 2.5, 3, 10],
      ['y', 1, undefined, undefined, undefined],
      ['x', 5, 2.5, 4, 12.5],
    ],
  )
})

test('a moving average holds the event itself and the intervals of the last minutes', async (t) => {
  const { post, rows } = await registered([
    stream('s', [attr('car', 5), attr('speed', 11, { stat: 3 })], {
      fltr: [
        {
          name: 'fast',
          fqry: {
            name: { query: [{ key: 'speed', cmp_op: 'GT', val: 'avg(s.speed, m_5, more_10)' }], qtype: 3 },
            type: 1,
          },
          fatr: ['car', 'speed'],
          ostm: 'fast',
        },
      ],
    }),
    { name: 'fast', type: 2, swsz: 0, inpt: ['s'], attr: [] },
  ])
  const start = Date.UTC(2026, 0, 1) * 1000
  for (const [at_s, speed] of [
    [0, 100],
    [60, 100],
    [120, 120],
    [130, 150],
    [600, 150],
  ]) {
    await post('s', { car: 'a', speed, _pk: start + (at_s ?? 0) * 1_000_000 })
  }
  t.deepEqual(
    (await rows('fast')).map(({ speed }) => speed),
    [120, 150],
  )
})

test('a reference that an edit adds finds rows that were there before it', async (t) => {
  const product = stream('product', [attr('sku', 5), attr('price', 11)])
  const sale = stream('sale', [attr('sku', 5)])
  const { schema, post, rows } = await registered([product, sale])
  await post('product', { sku: 'x', price: 1 })
  await post('product', { sku: 'x', price: 2 })
  await post('sale', { sku: 'x' })
  const refr = [
    { name: 'price', iatr: ['price'], rstm: 'product', ratr: ['price'], jqry: { cond: ['sku'], args: ['sku'] } },
  ]
  await client.ok(client.send('PUT', '/stream', { schema, streams: [product, { ...sale, refr }] }))
  await post('sale', { sku: 'x' })
  await client.count(`delete from ${schema}.product where price = 2`)
  await post('sale', { sku: 'x' })
  t.deepEqual(
    (await rows('sale')).map(({ price }) => price),
    [undefined, 2, 1],
  )
})

test('an entity that a reference reads holds all events before, those of the same body too', async (t) => {
  const { lines, post, rows } = await registered([
    stream('order', [attr('customer', 5), attr('paid', 11)], {
      enty: [
        {
          name: 'totals',
          opid: 3,
          ratr: ['sales'],
          iatr: ['paid'],
          pkatr: [{ name: 'customer', type: 5, opid: 1, iatr: ['customer'] }],
          rstm: 'customers',
        },
      ],
      refr: [
        {
          name: 'known',
          iatr: ['mean', 'orders'],
          rstm: 'customers',
          ratr: ['sales.avg', 'sales.cnt'],
          jqry: { cond: ['customer'], args: ['customer'] },
        },
      ],
    }),
    { name: 'customers', type: 4, inpt: ['order'], attr: [attr('customer', 5, { pk: 1 }), attr('sales', 11)] },
  ])
  await post('order', { customer: 'ann', paid: 10 })
  await lines('order', [
    { customer: 'ann', paid: 20 },
    { customer: 'bob', paid: 5 },
    { customer: 'ann', paid: 60 },
  ])
  t.deepEqual(
    (await rows('order')).map(({ customer, paid, mean, orders }) => [customer, paid, mean, orders]),
    [
      ['ann', 10, undefined, undefined],
      ['ann', 20, 10, 1],
      ['bob', 5, undefined, undefined],
      ['ann', 60, 15, 2],
    ],
  )
})

test('an event of which rules would make more than 10,000 rows is refused, and leaves nothing behind', async (t) => {
  const times = 10
  const level = (n: number) => ({
    fltr: Array.from({ length: times }, (_, i) => ({
      name: `f${i}`,
      fqry: { name: { query: [{ key: 'n', cmp_op: 'GTE', val: n < 4 ? 1 : 2 }], qtype: 1 }, type: 1 },
      fatr: ['n'],
      catr: [{ name: 'i', type: 9, opnm: 'MATH_EXP', iatr: [`${i} + 0 * $n`] }],
      ostm: `s${n}`,
    })),
  })
  const { schema, post, rows } = await registered([
    stream('s0', [attr('n', 9)], level(1)),
    ...[1, 2, 3].map((n) => ({ name: `s${n}`, type: 2, swsz: 0, inpt: [`s${n - 1}`], attr: [], ...level(n + 1) })),
    { name: 's4', type: 2, swsz: 0, inpt: ['s3'], attr: [] },
  ])
  const counts = async () => {
    const all = [0, 1, 2, 3, 4].map((n) => client.count(`select count(*) from ${schema}.s${n}`))
    return Promise.all(all)
  }
  await post('s0', { n: 1 })
  t.deepEqual(await counts(), [1, 10, 100, 1000, 0])
  const refused = await client.send('POST', `/stream/${schema}/s0`, { n: 2 })
  t.is(refused.status, 400, refused.text)
  t.regex(refused.text, /is refused: the rules would make more than 10,000 rows and matches of it/)
  const answer = await client.send('POST', `/stream/${schema}/s0`, '{"n":1}\n{"n":2}\n{"n":0}\n{"n":2}\n', {
    'Content-Type': 'application/x-ndjson',
  })
  const { accepted, rejected, errors } = JSON.parse(answer.text)
  t.deepEqual([accepted, rejected, errors.map(({ line }: { line: number }) => line)], [2, 2, [2, 4]])
  t.deepEqual(await counts(), [3, 20, 200, 2000, 0])
  t.is((await rows('s0', ' where n = 2')).length, 0)
})
