import { gzipSync } from 'node:zlib'
import test from 'ava'
import { until } from '../../support/until.ts'
import {
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

const { client, register, nextName } = await startSchemas('edits')

const side = (rstm: string, iatr: string[], ratr: string[], more: object = {}) => ({
  name: 'j',
  type: 1,
  iatr,
  rstm,
  ratr,
  jqry: same('point'),
  ostm: 'tp',
  ...more,
})
const T_side = (more: object = {}) => side('p', ['point', 'temp'], ['pres'], more)
const P_side = (more: object = {}) => side('t', ['pres'], ['point', 'temp'], more)
const pair = (more: object = {}, t: object = {}, p: object = {}) => [
  stream('t', [point, attr('temp', 11)], { join: [T_side(more)], ...t }),
  stream('p', [point, attr('pres', 11)], { join: [P_side(more)], ...p }),
  joined('tp', ['t', 'p']),
]
const bare = [stream('t', [point, attr('temp', 11)]), stream('p', [point, attr('pres', 11)]), joined('tp', ['t', 'p'])]
const T = (at_s: number, temp: number, more: Row = {}): Sent => ['t', at_s, { point: 1, temp, ...more }]
const P = (at_s: number, pres: number, more: Row = {}): Sent => ['p', at_s, { point: 1, pres, ...more }]

test('a rule that an edit adds, changes, drops and adds again begins anew each time; ostm keeps its rows', async (t) => {
  const { send, rows, edit, schema } = await register([
    stream('t', [point, attr('temp', 11)]),
    stream('p', [point, attr('pres', 11)]),
  ])
  const change = async (streams: readonly object[], query = '') => {
    const answer = await edit(streams, query)
    t.is(answer.status, 200, answer.text)
  }
  const seen = async () => shown(await rows('tp'), 'temp', 'pres').join(', ')
  await send([T(0, 1)])
  await change(pair())
  await send([P(1, 1), T(2, 2)])
  t.is(await seen(), '2 1')
  await send([T(3, 3)])
  await change(pair({ tloc: 50 }))
  await send([P(4, 4), T(5, 5), T(6, 6)])
  t.is(await seen(), '2 1, 5 4')
  await change(bare)
  await send([P(7, 7)])
  t.is(await seen(), '2 1, 5 4')
  await change(pair({ tloc: 50 }))
  await send([P(8, 8), T(9, 9)])
  t.is(await seen(), '2 1, 5 4, 9 8')
  await send([T(10, 10)])
  await change(pair({ tloc: 50 }, { attr: [point, attr('temp', 11), attr('more', 9)] }))
  await send([P(11, 11)])
  t.is(await seen(), '2 1, 5 4, 9 8, 10 11')
  await change(
    pair(
      { tloc: 50 },
      {
        attr: [point, attr('temp', 11), attr('more', 9)],
        refr: [{ name: 'r', iatr: ['last'], rstm: 't', ratr: ['temp'], jqry: same('point') }],
      },
    ),
  )
  await send([T(12, 12), T(13, 13)])
  t.is(shown(await rows('t'), 'last').slice(-1)[0], '12')
  await send([P(14, 14), P(15, 15)])
  t.is(await seen(), '2 1, 5 4, 9 8, 10 11, 12 14, 13 15')
  t.is(await client.count(`select count(*) from ${schema}.tp`), 6)
})

test('a stream of type 3 that an edit leaves without a filler stays; only a registration refuses one', async (t) => {
  const { send, rows, edit } = await register(pair())
  await send([T(0, 1), P(1, 1)])
  const answer = await edit(bare)
  t.is(answer.status, 200, answer.text)
  t.is((await rows('tp')).length, 1)
  const refused = await client.post('/stream', { schema: nextName(), streams: bare })
  t.is(refused.status, 400)
  t.regex(refused.text, /streams\[2\]/)
})

test('delete from takes remembered candidates and free events', async (t) => {
  const { send, rows, schema } = await register(pair())
  await send([T(0, 1), T(1, 2), T(2, 3)])
  const answer = await client.ok(client.query(`delete from ${schema}.t where temp < 3`))
  t.is(answer.retval, 2)
  t.deepEqual(answer.error, [
    `rows and values that joins, patterns and references took from the erased events stay in ${schema}.tp: erase those there too`,
  ])
  await send([P(3, 1), P(4, 2), T(5, 4)])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['3 1', '4 2'])
})

test('delete from takes what a reference would find, and copies and rows', async (t) => {
  const { send, rows, schema } = await register([
    stream('a', [point, attr('v', 9)], {
      fltr: [
        {
          name: 'f',
          fqry: passing([where('v', 'GT', 0)]),
          fatr: ['point', 'v'],
          catr: [{ name: 'w', type: 9, opnm: 'MATH_EXP', iatr: ['$v + 1'] }],
          ostm: 'copy',
        },
      ],
    }),
    { name: 'copy', type: 2, swsz: 0, inpt: ['a'], attr: [] },
    stream('b', [point], {
      refr: [
        { name: 'r', iatr: ['v'], rstm: 'a', ratr: ['v'], jqry: same('point') },
        { name: 'c', iatr: ['w'], rstm: 'copy', ratr: ['w'], jqry: same('point') },
      ],
    }),
  ])
  await send([
    ['a', 0, { point: 1, v: 1 }],
    ['a', 1, { point: 1, v: 2 }],
    ['b', 2, { point: 1 }],
  ])
  const { retval, error } = await client.ok(client.query(`delete from ${schema}.a where v = 2`))
  t.deepEqual([retval, error.length], [1, 1])
  t.regex(error[0], /references took from the erased events stay in \w+\.b:/)
  t.is((await rows('copy')).length, 1)
  await send([['b', 3, { point: 1 }]])
  t.deepEqual(shown(await rows('b'), 'v', 'w'), ['2 3', '1 2'])
})

test('delete from takes each of the copies that several filters made of an event, also from what rules remember', async (t) => {
  const copying = (name: string) => ({ name, fqry: passing([where('v', 'GT', 0)]), fatr: ['point', 'v'], ostm: 'copy' })
  const rising = {
    ...{ name: 'rising', type: 1, iatr: ['v'], rstm: 'copy', ratr: ['v'], ostm: 'rows' },
    jqry: { cond: ['point', 'v'], args: ['point', 'v'], cmp: ['EQ', 'LT'] },
  }
  const { send, rows, schema } = await register([
    stream('a', [point, attr('v', 9)], { fltr: ['f', 'g', 'h', 'i'].map(copying) }),
    { name: 'copy', type: 2, swsz: 0, inpt: ['a'], attr: [], cepq: [rising] },
    joined('rows', ['copy']),
  ])
  await send([['a', 0, { point: 1, v: 1 }]])
  t.is((await rows('copy')).length, 4)
  await client.ok(client.query(`delete from ${schema}.a where v = 1`))
  await send([['a', 1, { point: 1, v: 2 }]])
  t.deepEqual(shown(await rows('rows'), '_j1'), [])
  await send([['a', 2, { point: 1, v: 3 }]])
  t.is((await rows('rows')).length, 4)
})

test('references to an entity follow an erasure of its row, and a rebuild', async (t) => {
  const visit = stream('visit', [attr('user', 5), attr('amount', 11)], {
    enty: [
      {
        ...{ name: 'sales', opid: 'RSTAT', ratr: ['sales'], iatr: ['amount'], rstm: 'profile' },
        pkatr: [{ name: 'user', type: 5, iatr: ['user'] }],
      },
    ],
  })
  const { send, post, rows, schema } = await register([
    visit,
    { name: 'profile', type: 4, inpt: ['visit'] },
    stream('order', [attr('user', 5)], {
      refr: [{ name: 'r', iatr: ['n'], rstm: 'profile', ratr: ['sales.cnt'], jqry: same('user') }],
    }),
  ])
  const order = async (): Promise<unknown> => {
    await post('order', { user: 'ann' })
    return (await rows('order')).at(-1)?.n
  }
  await send(Array.from({ length: 5 }, (_, amount): Sent => ['visit', amount, { user: 'ann', amount }]))
  t.is(await order(), 5)
  t.is((await client.ok(client.query(`delete from ${schema}.profile where user = "ann"`))).retval, 1)
  t.is(await order(), undefined)
  await send([['visit', 5, { user: 'ann', amount: 5 }]])
  t.is(await order(), 1)
  const sql = `delete from ${schema}.visit where amount = 4`
  await client.ok(client.send('POST', '/db/mydb/query?rebuild=1', { sql }))
  await until('a rebuilt row is seen', async () => (await order()) === 5)
})

test('a deletion with a way back, and the way back: rules go on', async (t) => {
  const { send, rows, schema } = await register(pair())
  await send([T(0, 1), P(1, 1), T(2, 2)])
  await client.ok(client.send('DELETE', `/stream/${schema}?undo=1`))
  await client.ok(client.post(`/stream/${schema}/undelete`, {}))
  await send([T(3, 3), P(4, 4), P(5, 5)])
  const [first, ...others] = shown(await rows('tp'), 'temp', 'pres')
  t.is(first, '1 1')
  t.true(others.length > 0)
})

test('a schema that is deleted and registered again begins anew', async (t) => {
  const { send, schema, rows } = await register(pair())
  await send([T(0, 1)])
  await client.ok(client.send('DELETE', `/stream/${schema}`))
  await client.register({ schema, streams: pair() })
  await send([P(1, 1), T(2, 2)])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['2 1'])
})

test('a repeat by Idempotency-Key or by _id makes no row again', async (t) => {
  const { schema, rows } = await register(pair())
  const post = (name: string, event: object, headers: Record<string, string> = {}) =>
    client.send('POST', `/stream/${schema}/${name}`, event, headers)
  const first = await post('t', { point: 1, temp: 1 }, { 'idempotency-key': 'one' })
  const repeat = await post('t', { point: 1, temp: 1 }, { 'idempotency-key': 'one' })
  t.deepEqual(repeat.body, first.body)
  await post('p', { point: 1, pres: 1, _id: 'p1' })
  t.is((await post('p', { point: 1, pres: 1, _id: 'p1' })).status, 200)
  await post('p', { point: 1, pres: 2, _id: 'p2' })
  await post('t', { point: 1, temp: 3 })
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['1 1', '3 2'])
  t.is(await client.count(`select count(*) from ${schema}.t`), 2)
  t.is(await client.count(`select count(*) from ${schema}.p`), 2)
  const lines = '{"point":1,"temp":7,"_id":"x"}\n{"point":1,"temp":7,"_id":"x"}\n{"point":1,"temp":8,"_id":"y"}\n'
  for (let n = 0; n < 2; n++) {
    await client.send('POST', `/stream/${schema}/t`, lines, { 'content-type': 'application/x-ndjson' })
  }
  t.is(await client.count(`select count(*) from ${schema}.t`), 4)
})

test('gzip, bad lines among good ones: line numbers and errors in the order of the lines', async (t) => {
  const { schema, rows } = await register(
    pair(
      {},
      {
        attr: [
          { ...point, required: 1 },
          { ...attr('temp', 11), min: 0, max: 100 },
        ],
      },
    ),
  )
  const body = gzipSync(
    '{"point":1,"temp":1}\n{"temp":2}\n\nnope\n{"point":1,"temp":101}\n{"point":1,"temp":3}\n[1]\n{"point":"a","temp":3}\n',
  )
  const answer = await client.send('POST', `/stream/${schema}/t`, body, {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
  })
  t.is(answer.status, 200, answer.text)
  t.deepEqual([answer.body.accepted, answer.body.rejected], [2, 5])
  t.deepEqual(
    answer.body.errors.map(({ line }: { line: number }) => line),
    [2, 4, 5, 7, 8],
  )
  t.regex(answer.body.errors[0].error, /point/)
  t.regex(answer.body.errors[2].error, /temp/)
  const pressures = gzipSync('{"point":1,"pres":1}\n{"point":1,"pres":2}\n')
  await client.ok(
    client.send('POST', `/stream/${schema}/p`, pressures, {
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
    }),
  )
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['1 1', '3 2'])
  t.is((await client.post(`/stream/${schema}/t`, { temp: 1 })).status, 400)
  t.is((await client.get(`/stream/${schema}/t/refused`)).body.num_refused, 6)
})

test('a strict stream takes what its references bring, and no other members', async (t) => {
  const { schema, post, rows } = await register([
    stream('a', [point, attr('v', 9)]),
    stream('b', [point, attr('n', 9)], {
      strict: 1,
      refr: [{ name: 'r', iatr: ['v'], rstm: 'a', ratr: ['v'], jqry: same('point') }],
    }),
  ])
  await post('a', { point: 1, v: 5 })
  await post('b', { point: 1, n: 1 })
  t.is((await client.post(`/stream/${schema}/b`, { point: 1, zzz: 1 })).status, 400)
  t.deepEqual(shown(await rows('b'), 'v'), ['5'])
})

test('a PRED whose model is absent, on a stream with rules: the event is stored, and its rules meet it', async (t) => {
  const pred = {
    name: 'kind',
    type: 5,
    opnm: 'PRED',
    algo: 'SVM',
    attr_type: 'HYB',
    model: 'absent',
    iatr: ['temp', 'last'],
  }
  const { send, rows } = await register(
    pair({}, { catr: [pred], refr: [{ name: 'r', iatr: ['last'], rstm: 't', ratr: ['temp'], jqry: same('point') }] }),
  )
  await send([T(0, 1), T(1, 2), P(2, 1)])
  t.deepEqual(shown(await rows('t'), 'temp', 'last', 'kind'), ['1 - -', '2 1 -'])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['1 1'])
})

test('forty clients at once: each event is in one row', async (t) => {
  const { rows, post } = await register(pair())
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      post(n % 2 ? 't' : 'p', n % 2 ? { point: 1, temp: n } : { point: 1, pres: n }),
    ),
  )
  const made = await rows('tp')
  t.is(made.length, 20)
  t.is(new Set(made.map(({ temp }) => temp)).size, 20)
  t.is(new Set(made.map(({ pres }) => pres)).size, 20)
})

test('info tells the state of rules; depgraph their names', async (t) => {
  const { send, schema } = await register(
    pair(
      {},
      {
        refr: [{ name: 'r', iatr: ['last'], rstm: 't', ratr: ['temp'], jqry: same('point') }],
        cepq: [{ name: 'c', type: 6, iatr: ['temp'], fqry: passing([where('temp', 'GT', 1)]), ostm: 'tp' }],
      },
    ),
  )
  await send([T(0, 1)])
  const { streams } = await client.ok(client.get(`/stream/${schema}/info`))
  const t_state = streams.find(({ name }: { name: string }) => name === 't').rule_state
  t.true(t_state.bytes > 0)
  t.is(t_state.dropped, 0)
  const graph = JSON.stringify(await client.ok(client.get(`/stream/${schema}/depgraph`)))
  t.regex(graph, /"joins":\[\{"name":"j","type":1,"rstm":"p","ostm":"tp"\}\]/)
  t.regex(graph, /"patterns":\[\{"name":"c"/)
  t.regex(graph, /"references":\[\{"name":"r"/)
})

type Change = (streams: readonly Row[]) => void
const s0 = (streams: readonly Row[], name = 0) => streams[name] as Row
const rule = (streams: readonly Row[], n = 0): Row => (s0(streams, n).join as Row[])[0] as Row
const run = { name: 'u', type: 1, iatr: ['temp'], rstm: 't', ratr: ['temp'], jqry: same('point'), ostm: 'tp' }
const refr = { name: 'r', iatr: ['last'], rstm: 't', ratr: ['temp'], jqry: same('point') }
for (const [what, change, path] of [
  ['an unknown rstm', (s) => Object.assign(rule(s), { rstm: 'nope' }), /streams\[0\]\.join\[0\]\.rstm/],
  ['an unknown ostm', (s) => Object.assign(rule(s), { ostm: 'nope' }), /streams\[0\]\.join\[0\]\.ostm/],
  ['an ostm of type 1', (s) => Object.assign(rule(s), { ostm: 'p' }), /streams\[0\]\.join\[0\]\.ostm/],
  ['no mirror', (s) => Object.assign(s0(s, 1), { join: [] }), /streams\[0\]\.join\[0\]/],
  ['types that do not pair', (s) => Object.assign(rule(s), { type: 2 }), /streams\[[01]\]\.join\[0\]/],
  ['an unknown iatr', (s) => Object.assign(rule(s), { iatr: ['nope', 'temp'] }), /streams\[0\]\.join\[0\]\.iatr\[0\]/],
  ['an unknown ratr', (s) => Object.assign(rule(s), { ratr: ['nope'] }), /streams\[0\]\.join\[0\]\.ratr\[0\]/],
  [
    'an unknown cond',
    (s) => Object.assign(rule(s), { jqry: { cond: ['nope'], args: ['point'] } }),
    /join\[0\]\.jqry\.cond\[0\]/,
  ],
  [
    'an unknown args',
    (s) => Object.assign(rule(s), { jqry: { cond: ['point'], args: ['nope'] } }),
    /join\[0\]\.jqry\.args\[0\]/,
  ],
  [
    'lengths that differ',
    (s) => Object.assign(rule(s), { jqry: { cond: ['point'], args: ['point', 'temp'] } }),
    /join\[0\]\.jqry/,
  ],
  ['no pair at all', (s) => Object.assign(rule(s), { jqry: { cond: [], args: [] } }), /join\[0\]\.jqry/],
  [
    'types that cannot be compared',
    (s) => {
      Object.assign(s0(s), { attr: [point, attr('temp', 11), attr('tag', 5)] })
      Object.assign(rule(s), { jqry: { cond: ['pres'], args: ['tag'] } })
    },
    /join\[0\]\.jqry/,
  ],
  [
    'an unknown cmp',
    (s) => Object.assign(rule(s), { jqry: { ...same('point'), cmp: ['LIKE'] } }),
    /join\[0\]\.jqry\.cmp\[0\]/,
  ],
  [
    'a user function',
    (s) => Object.assign(rule(s), { jqry: { ...same('point'), opnm: 'MYFUNC' } }),
    /join\[0\]\.jqry\.opnm/,
  ],
  [
    'an unknown seq',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, jqry: { ...same('point'), seq: 3 } }] }),
    /cepq\[0\]\.jqry\.seq/,
  ],
  [
    'seq over two streams',
    (s) => {
      for (const n of [0, 1]) Object.assign(rule(s, n), { jqry: { ...same('point'), seq: 1 } })
    },
    /streams\[0\]\.join\[0\]\.jqry\.seq/,
  ],
  [
    'seq 2 without an EQ pair',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, jqry: { cond: ['temp'], args: ['temp'], cmp: ['LT'], seq: 2 } }] }),
    /cepq\[0\]\.jqry/,
  ],
  [
    'NUMT of 0',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, cond: [{ name: 'NUMT', val: 0 }] }] }),
    /cepq\[0\]\.cond\[0\]/,
  ],
  [
    'NUMT of a fraction',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, cond: [{ name: 'NUMT', val: 1.5 }] }] }),
    /cepq\[0\]\.cond\[0\]/,
  ],
  [
    'DUR of 0',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, cond: [{ name: 'DUR', val: 0 }] }] }),
    /cepq\[0\]\.cond\[0\]/,
  ],
  [
    'DUR above the bound',
    (s) => Object.assign(s0(s), { cepq: [{ ...run, cond: [{ name: 'DUR', val: 604_801 }] }] }),
    /cepq\[0\]\.cond\[0\]/,
  ],
  [
    'tloc below 0',
    (s) => {
      for (const n of [0, 1]) Object.assign(rule(s, n), { tloc: -1 })
    },
    /join\[0\]\.tloc/,
  ],
  [
    'tloc above the bound',
    (s) => {
      for (const n of [0, 1]) Object.assign(rule(s, n), { tloc: 604_801 })
    },
    /join\[0\]\.tloc/,
  ],
  ['tloc that differs', (s) => Object.assign(rule(s), { tloc: 5 }), /join\[0\]\.tloc/],
  ['cond in a join', (s) => Object.assign(rule(s), { cond: [{ name: 'NUMT', val: 2 }] }), /join\[0\]\.cond/],
  ['a join with its own stream', (s) => Object.assign(rule(s), { rstm: 't', ratr: ['temp'] }), /join\[0\]\.rstm/],
  [
    'type 6 without fqry',
    (s) => Object.assign(s0(s), { cepq: [{ name: 'c', type: 6, iatr: ['temp'], ostm: 'tp' }] }),
    /cepq\[0\]/,
  ],
  ['a name twice', (s) => Object.assign(s0(s), { refr: [{ ...refr, name: 'j' }] }), /name/],
  ['refr: lengths that differ', (s) => Object.assign(s0(s), { refr: [{ ...refr, iatr: ['a', 'b'] }] }), /refr\[0\]/],
  ['refr: an unknown rstm', (s) => Object.assign(s0(s), { refr: [{ ...refr, rstm: 'nope' }] }), /refr\[0\]\.rstm/],
  [
    'refr: a table that is not there',
    (s) => Object.assign(s0(s), { refr: [{ ...refr, rstm: 'mydb.nope', jqry: { cond: ['_pk'], args: ['point'] } }] }),
    /refr\[0\]\.rstm/,
  ],
  [
    'refr: an unknown ratr',
    (s) => Object.assign(s0(s), { refr: [{ ...refr, ratr: ['nope'] }] }),
    /refr\[0\]\.ratr\[0\]/,
  ],
  [
    'refr: RSTAT over a text',
    (s) => {
      Object.assign(s0(s), {
        attr: [point, attr('temp', 11), attr('tag', 5)],
        refr: [{ ...refr, ratr: ['tag'], stat: 3 }],
      })
    },
    /refr\[0\]\.stat/,
  ],
  [
    'a moving condition without its statistic',
    (s) =>
      Object.assign(s0(s), {
        cepq: [
          {
            name: 'c',
            type: 6,
            iatr: ['temp'],
            ostm: 'tp',
            fqry: passing([where('temp', 'GT', 'avg(t.temp, m_5)')], 3),
          },
        ],
      }),
    /cepq\[0\]\.fqry/,
  ],
  [
    'a moving condition of an unknown stream',
    (s) =>
      Object.assign(s0(s), {
        cepq: [
          {
            name: 'c',
            type: 6,
            iatr: ['temp'],
            ostm: 'tp',
            fqry: passing([where('temp', 'GT', 'avg(x.temp, m_5)')], 3),
          },
        ],
      }),
    /cepq\[0\]\.fqry/,
  ],
  [
    'a cycle',
    (s) => {
      Object.assign(s0(s, 2), {
        cepq: [{ name: 'c', type: 6, iatr: ['temp'], ostm: 'tp', fqry: passing([where('temp', 'GT', 1)]) }],
      })
    },
    /cycle/,
  ],
  ['a type 3 stream with a type that differs', (s) => Object.assign(s0(s, 2), { attr: [attr('temp', 5)] }), /temp/],
  [
    'PRED of a type 3 stream',
    (s) =>
      Object.assign(s0(s, 2), {
        catr: [{ name: 'k', type: 5, opnm: 'PRED', algo: 'SVM', attr_type: 'HYB', model: 'm', iatr: ['temp'] }],
      }),
    /streams\[2\]\.catr\[0\]/,
  ],
  [
    'a filter whose ostm is of type 3',
    (s) =>
      Object.assign(s0(s), {
        fltr: [{ name: 'f', fqry: passing([where('temp', 'GT', 1)]), fatr: ['temp'], ostm: 'tp' }],
      }),
    /fltr\[0\]\.ostm/,
  ],
  [
    'rules of a stream of type 4',
    (s) => (s as Row[]).push({ name: 'keys', type: 4, attr: [attr('id', 5, { pk: 1 })], refr: [refr] }),
    /streams\[3\]/,
  ],
  ['a cvar that is used', (s) => Object.assign(s0(s), { cvar: [{ name: 'x', val: 1 }] }), /cvar/],
  ['fqry of type 2', (s) => Object.assign(rule(s), { fqry: { name: 'myfunc', type: 2 } }), /join\[0\]\.fqry/],
] as readonly (readonly [string, Change, RegExp])[]) {
  test(`refused with its path: ${what}`, async (t) => {
    const streams = structuredClone(pair()) as Row[]
    change(streams)
    const answer = await client.post('/stream', { schema: nextName(), streams })
    t.is(answer.status, 400, answer.text)
    t.regex(answer.text, path)
  })
}

test('members that are kept, taken or passed over', async (t) => {
  const streams = structuredClone(pair()) as Row[]
  Object.assign(s0(streams), { cvar: [{}], cepq: [{ ...run, cond: [{ name: 'NUMT', val: 2, opid: 5 }] }] })
  const schema = nextName()
  const answer = await client.post('/stream', {
    schema,
    streams,
    udfs: [{ name: 'unused' }],
    notifs: [{ notifid: 8401, name: 'n', colour: 'red' }],
  })
  t.is(answer.status, 200, answer.text)
  const kept = await client.ok(client.get(`/stream/${schema}/schema`))
  const templates = await client.documents('select * from reg_notif')
  t.is(templates.find(({ notifid }) => notifid === 8401).colour, 'red')
  t.is(kept.streams[0].cepq[0].cond[0].opid, 5)
})
