import test from 'ava'
import { until } from '../../support/until.ts'
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

const { client, register, nextName } = await startSchemas('filters')

const moving = (query: readonly object[], more: object = {}) => ({
  name: 'f',
  fqry: passing(query, 3),
  fatr: ['n', 'v'],
  ostm: 'out',
  ...more,
})
const s = (fltr: object, v: object = { stat: 3, gran: 1 }, more: object = {}) => [
  stream('s', [attr('n', 9), attr('v', 11, v), attr('low', 11)], { fltr: [fltr], ...more }),
  { name: 'out', type: 2, swsz: 0, inpt: ['s'], attr: [] },
]
/** Values at seconds; n is the place. */
const values = (...pairs: readonly (readonly [number, number | undefined, Row?])[]): Sent[] =>
  pairs.map(([at_s, v, more], n) => ['s', at_s, { n: n + 1, v, ...more }])
const tens = values([0, 10], [60, 10], [120, 10], [180, 11.5], [240, 10.5])

for (const [what, streams, sent, expected] of [
  ['the example', s(moving([where('v', 'GT', 'avg(s.v, m_5, more_10)')])), tens, '4'],
  ['in key', s(moving([where('avg(s.v, m_5)', 'LT', '10.3')])), tens, '1 2 3'],
  ['in both', s(moving([where('max(s.v, m_5)', 'GT', 'min(s.v, m_5, more_10)')])), tens, '4 5'],
  ['SUM', s(moving([where('sum(s.v, m_2)', 'GTE', '31.5')])), tens, '4 5'],
  ['MIN', s(moving([where('v', 'EQ', 'min(s.v, m_2)')])), tens, '1 2 3'],
  ['MAX', s(moving([where('v', 'GTE', 'max(s.v, m_1)')])), tens, '1 2 3 4'],
  ['COUNT', s(moving([where('count(s.v, m_5)', 'GTE', 3)])), tens, '3 4 5'],
  ['STD', s(moving([where('std(s.v, m_5)', 'GT', '0.7')])), tens, '4'],
  ['any case, historical prefixes', s(moving([where('v', 'gt', 'AVG(s.v, MIN_5, More_10)')])), tens, '4'],
  ['the whole words', s(moving([where('v', 'GT', 'Avg(s.v, minute_5, MORE_10)')])), tens, '4'],
  ['spaces or none', s(moving([where('v', 'GT', ' avg( s.v ,m_5,more_10 ) ')])), tens, '4'],
  ['LESS', s(moving([where('v', 'LT', 'max(s.v, m_5, less_5)')])), tens, '5'],
  ['ABSMORE', s(moving([where('v', 'GT', 'avg(s.v, m_5, absmore_1)')])), tens, '4'],
  ['ABSLESS', s(moving([where('v', 'LT', 'max(s.v, m_5, absless_0.9)')])), tens, '5'],
  ['a margin of a fraction', s(moving([where('v', 'GT', 'avg(s.v, m_5, more_10.8)')])), tens, '4'],
  [
    'a window of whole intervals, the first whole',
    s(moving([where('sum(s.v, m_1)', 'EQ', 3)]), { stat: 3, gran: 60 }),
    values([0, 1], [59, 1], [61, 1], [119, 1], [121, 1]),
    '3 5',
  ],
  ['AND', s(moving([where('v', 'GT', 'avg(s.v, m_5)'), { joinop: 0 }, where('v', 'LT', '11')])), tens, '5'],
  ['a plain condition in qtype 3', s(moving([where('v', 'GT', '10.2')])), tens, '4 5'],
  [
    'an attribute in qtype 3',
    s(moving([where('avg(s.v, m_5)', 'GT', '$low')])),
    values([0, 10, { low: 9 }], [1, 10, { low: 11 }], [2, 10]),
    '1',
  ],
  [
    'a missing value of the event',
    s(moving([where('v', 'GT', 'avg(s.v, m_5, less_50)')])),
    values([0, 10], [1, undefined], [2, 10]),
    '1 3',
  ],
  [
    'COUNT of an empty window is 0',
    s(moving([where('count(s.v, m_5)', 'LT', 2)])),
    values([0, undefined], [1, 5], [2, 5], [1000, undefined]),
    '1 2 4',
  ],
  ['SUM of an empty window is 0', s(moving([where('sum(s.v, m_5)', 'GTE', 0)])), values([0, undefined], [1, 5]), '1 2'],
  ['AVG of an empty window', s(moving([where('avg(s.v, m_5)', 'GTE', 0)])), values([0, undefined], [1, 5]), '2'],
  [
    'old events count in their own time',
    s(moving([where('sum(s.v, m_1)', 'GT', 10)])),
    values([1000, 9], [10, 9], [1010, 9], [20, 9]),
    '3 4',
  ],
  ['HOUR', s(moving([where('count(s.v, h_1)', 'EQ', 2)])), values([0, 1], [3599, 1], [7300, 1], [10000, 1]), '2 4'],
  ['DAY', s(moving([where('count(s.v, d_1)', 'EQ', 2)])), values([0, 1], [86000, 1], [200000, 1]), '2'],
  ['WEEK', s(moving([where('count(s.v, w_1)', 'EQ', 2)])), values([0, 1], [600000, 1]), '2'],
  ['MONTH', s(moving([where('count(s.v, mo_1)', 'EQ', 2)])), values([0, 1], [2591000, 1], [2591000 * 3, 1]), '2'],
  ['YEAR', s(moving([where('count(s.v, y_1)', 'EQ', 2)])), values([0, 1], [31_535_000, 1]), '2'],
  [
    'COUNT of a text',
    [
      stream('s', [attr('n', 9), attr('v', 11), attr('who', 5, { stat: 1 })], {
        fltr: [moving([where('count(s.who, m_5)', 'GT', 1)])],
      }),
      { name: 'out', type: 2, swsz: 0, inpt: ['s'], attr: [] },
    ],
    values([0, 1, { who: 'a' }], [1, 1], [2, 1, { who: 'b' }]),
    '3',
  ],
] as const) {
  test(`a moving condition: ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.is(
      shown(
        (await rows('out')).toSorted((a, b) => Number(a.n) - Number(b.n)),
        'n',
      ).join(' '),
      expected,
    )
  })
}

test('a moving condition over another stream; notices; catr of the filter', async (t) => {
  await client.ok(client.post('/db/notification/register', { notifid: 8301, name: 'x' }))
  const { send, rows } = await register([
    stream('other', [attr('v', 11, { stat: 3, gran: 1 })]),
    stream('s', [attr('n', 9), attr('v', 11)], {
      fltr: [
        moving([where('v', 'GT', 'avg(other.v, m_5)')], {
          catr: [
            { name: 'twice', type: 11, opnm: 'MATH_EXP', iatr: ['$v * 2 + $extra'] },
            { name: 'extra', type: 9, opnm: 'COPY_VAL', iatr: ['1'] },
          ],
          fatr: ['n'],
          notf: 8301,
        }),
      ],
    }),
    { name: 'out', type: 2, swsz: 0, inpt: ['s'], attr: [] },
  ])
  await send([
    ['s', 0, { n: 1, v: 5 }],
    ['other', 1, { v: 4 }],
    ['s', 2, { n: 2, v: 5 }],
    ['other', 3, { v: 40 }],
    ['s', 4, { n: 3, v: 5 }],
    ['s', 600, { n: 4, v: 500 }],
  ])
  t.deepEqual(await rows('out'), [{ _pk: at(2), _v: 1, n: 2, twice: 11, extra: 1 }])
  const asked = 'from notif where notifid = 8301'
  await until('a send', async () => (await client.count(`select count(*) ${asked}`)) > 0)
  const [send1] = await client.documents(`select * ${asked}`)
  t.deepEqual(send1.notif_event, { _pk: at(2), _v: 1, n: 2, v: 5 })
})

const plain = (name: string, fatr: string[], ostm: string, bound: unknown, catr?: object[]) => ({
  name,
  fqry: passing([where('v', 'GT', bound)]),
  fatr,
  ostm,
  ...(catr && { catr }),
})

test('catr of filters and of streams of type 2: over the whole event, over the row; numbers sent as texts', async (t) => {
  const { send, rows, schema } = await register([
    stream('s', [attr('n', 9), attr('v', 11), attr('name', 5)], {
      fltr: [
        plain('a', ['n'], 'out', '10', [
          { name: 'shout', type: 5, opnm: 'UPPER', iatr: ['name'] },
          { name: 'sum', type: 11, opid: 2, iatr: ['n', 'v'] },
        ]),
        plain('b', ['n', 'v'], 'other', '10'),
      ],
    }),
    {
      name: 'out',
      type: 2,
      swsz: 0,
      inpt: ['s'],
      attr: [attr('sum', 11, { stat: 3 })],
      fltr: [{ name: 'c', fqry: passing([where('sum', 'GT', 20)]), fatr: ['shout'], ostm: 'last' }],
    },
    {
      name: 'other',
      type: 2,
      swsz: 0,
      inpt: ['s'],
      attr: [],
      catr: [{ name: 'half', type: 11, opnm: 'MATH_EXP', iatr: ['$v / 2'] }],
    },
    { name: 'last', type: 2, swsz: 0, inpt: ['out'], attr: [] },
  ])
  await send([
    ['s', 0, { n: 1, v: 11, name: 'x' }],
    ['s', 1, { n: 2, v: 5, name: 'y' }],
    ['s', 2, { n: 3, v: 20, name: 'z' }],
    ['s', 3, { n: 4, v: 30 }],
  ])
  t.deepEqual(shown(await rows('out'), 'n', 'shout', 'sum', 'v'), ['1 X 12 -', '3 Z 23 -', '4 - 34 -'])
  t.deepEqual(shown(await rows('other'), 'n', 'half', 'shout'), ['1 5.5 -', '3 10 -', '4 15 -'])
  t.deepEqual(shown(await rows('last'), 'shout'), ['Z', '-'])
  const [aggregate] = await client.rows(`select aggr(sum) from ${schema}.out rollup 1`)
  t.is(JSON.parse(String(aggregate?.v)).aggr_val.sum, 69)
})

test('node: a node an event, without a relation; updt 0 keeps what is there', async (t) => {
  const { send, schema } = await register([
    stream('s', [attr('id', 5), attr('a', 9), attr('b', 9)], {
      node: [
        { sub: 'id', label: 'thing', props: ['a'], updt: 1 },
        { sub: 'b', props: ['a'], updt: 0 },
      ],
    }),
  ])
  await send([
    ['s', 0, { id: 'x', a: 1, b: 5 }],
    ['s', 1, { id: 'x', a: 2, b: 5 }],
    ['s', 2, { a: 3 }],
  ])
  const nodes = async (label: string) => (await client.ok(client.graph(`${schema}.s`, `s=>(${label}:*)`))).nodes
  t.deepEqual(await nodes('thing'), [{ label: 'thing', name: 'x', a: 2 }])
  t.deepEqual(await nodes('b'), [{ label: 'b', name: '5', a: 1 }])
})

test('a type 3 stream that is OFF, an input that is OFF, a rebuild, events posted to it', async (t) => {
  const join = (rstm: string, iatr: string[], ratr: string[]) => ({
    name: 'j',
    type: 1,
    iatr,
    rstm,
    ratr,
    jqry: same('point'),
    ostm: 'tp',
  })
  const { send, rows, schema } = await register([
    stream('t', [point, attr('temp', 11)], { join: [join('p', ['point', 'temp'], ['pres'])] }),
    stream('p', [point, attr('pres', 11)], { join: [join('t', ['pres'], ['point', 'temp'])] }),
    joined('tp', ['t', 'p'], { attr: [attr('temp', 11, { stat: 3 })] }),
  ])
  const set = (name: string, state: number) =>
    client.ok(client.send('PUT', `/stream/${schema}/${name}/state`, { state }))
  const T = (at_s: number, temp: number): Sent => ['t', at_s, { point: 1, temp }]
  const P = (at_s: number, pres: number): Sent => ['p', at_s, { point: 1, pres }]
  await send([T(0, 1), P(1, 1)])
  await set('tp', 0)
  await send([T(2, 2), P(3, 2), T(4, 3)])
  await set('tp', 1)
  await send([P(5, 3), P(6, 4), T(7, 4)])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['1 1', '3 3', '4 4'])
  await set('t', 0)
  t.is((await client.post(`/stream/${schema}/t`, { point: 1, temp: 9 })).status, 409)
  await send([P(8, 5)])
  await set('t', 1)
  await send([T(9, 6)])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['1 1', '3 3', '4 4', '6 5'])
  const [aggregate] = await client.rows(`select aggr(temp) from ${schema}.tp rollup 1`)
  t.is(JSON.parse(String(aggregate?.v)).aggr_val.cnt, 4)
  await client.ok(client.send('POST', `/stream/${schema}/tp/rebuild?force=1`, {}))
  await until('the rebuild', async () => {
    const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
    return !JSON.stringify(streams).includes('running')
  })
  t.is((await rows('tp')).length, 4)
  t.is(JSON.parse(String((await client.rows(`select aggr(temp) from ${schema}.tp rollup 1`))[0]?.v)).aggr_val.cnt, 4)
  t.is((await client.post(`/stream/${schema}/tp`, { point: 1 })).status, 400)
  await client.ok(client.send('POST', `/stream/${schema}/t/rebuild?force=1`, {}))
  await until('the rebuild', async () => {
    const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
    return !JSON.stringify(streams).includes('running')
  })
  t.is((await rows('tp')).length, 4)
})

test('conditions on _jpk1 and _j1 read literals by the types of the row, and tell what no row satisfies', async (t) => {
  const rise = { name: 'p', type: 1, rstm: 'car', iatr: ['id', 'x'], ratr: ['x', 'id'], jqry: same('id'), ostm: 'J' }
  const streams = (...query: readonly object[]) => [
    stream('car', [attr('id', 5), attr('x', 11)], { cepq: [rise] }),
    joined('J', ['car'], {
      fltr: [{ name: 'f', fqry: passing(query), fatr: ['x'], ostm: 'F' }],
      cepq: [{ name: 'six', type: 6, fqry: passing(query), iatr: ['x'], ostm: 'K' }],
    }),
    { name: 'F', type: 2, swsz: 0, inpt: ['J'], attr: [] },
    joined('K', ['J']),
  ]
  const found = async (...query: readonly object[]) => {
    const { send, rows } = await register(streams(...query))
    await send([3, 1, 5].map((x, n): Sent => ['car', n, { id: 'a', x }]))
    const made = shown(await rows('F'), 'x')
    t.deepEqual(shown(await rows('K'), 'x'), made)
    return made
  }
  t.deepEqual(await found(where('_j1.x', 'GT', '2')), ['1'])
  t.deepEqual(await found(where('_jpk1', 'GTE', String(at(1)))), ['5'])
  t.deepEqual(await found(where('_j1.id', 'EQ', 'a')), ['1', '5'])

  const told = async (query: object) => {
    const answer = await client.post('/stream', { schema: nextName(), streams: streams(query) })
    t.is(answer.status, 200, answer.text)
    return answer.text
  }
  t.regex(
    await told(where('_jpk1', 'GT', 'abc')),
    /query\[0\]\.val is satisfied by no row: it must be a number, .*LONG/,
  )
  t.regex(await told(where('_j1.id', 'EQ', 5)), /val is satisfied by no row: it must be a string, .*STRING/)
  t.regex(await told(where('_j1.q', 'EQ', 5)), /key is '_j1.q', which no row has: 'q' is no attribute of J/)
})
