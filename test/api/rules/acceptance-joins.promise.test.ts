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

const { client, register, nextName } = await startSchemas('joins')

type Sides = { readonly t?: object; readonly p?: object; readonly both?: object; readonly tp?: object }

/** Streams t and p that are joined into tp. */
function sides(types: readonly [number, number], { t = {}, p = {}, both = {}, tp = {} }: Sides = {}) {
  const [temperature, pressure] = types
  const t_atr = ['point', 'temp']
  const p_atr = ['pres']
  return [
    stream('t', [point, attr('temp', 11), attr('tag', 5)], {
      join: [
        {
          name: 'j',
          type: temperature,
          iatr: t_atr,
          rstm: 'p',
          ratr: p_atr,
          jqry: same('point'),
          ostm: 'tp',
          ...both,
          ...t,
        },
      ],
    }),
    stream('p', [point, attr('pres', 11), attr('tag', 5)], {
      join: [
        {
          name: 'j',
          type: pressure,
          iatr: p_atr,
          rstm: 't',
          ratr: t_atr,
          jqry: same('point'),
          ostm: 'tp',
          ...both,
          ...p,
        },
      ],
    }),
    joined('tp', ['t', 'p'], tp),
  ]
}

const T = (at_s: number, temp: number | undefined, more: Row = {}): Sent => ['t', at_s, { point: 1, temp, ...more }]
const P = (at_s: number, pres: number | undefined, more: Row = {}): Sent => ['p', at_s, { point: 1, pres, ...more }]
const gt = { jqry: { cond: ['point', 'pres'], args: ['point', 'temp'], cmp: ['EQ', 'GT'] } }
const lt = { jqry: { cond: ['point', 'temp'], args: ['point', 'pres'], cmp: ['EQ', 'LT'] } }

for (const [what, streams, sent, expected] of [
  [
    '(1,1): the oldest free one, once',
    sides([1, 1]),
    [T(0, 70), P(1, 10), P(2, 11), P(3, 12), T(4, 71), T(5, 72), T(6, 73)],
    ['70 10', '71 11', '72 12'],
  ],
  ['(1,1): events of a stream never meet each other', sides([1, 1]), [T(0, 1), T(1, 2), T(2, 3)], []],
  ['(1,1): other keys wait', sides([1, 1]), [T(0, 1, { point: 2 }), P(1, 5), P(2, 6, { point: 2 })], ['1 6']],
  [
    '(1,1): a missing key meets nothing',
    sides([1, 1]),
    [T(0, 1, { point: undefined }), P(1, 5, { point: undefined })],
    [],
  ],
  [
    '(1,1): not farther than tloc',
    sides([1, 1], { both: { tloc: 10 } }),
    [T(0, 1), P(11, 5), T(12, 2), T(15, 3), P(22, 6)],
    ['2 5', '3 6'],
  ],
  ['(1,1): as far as tloc', sides([1, 1], { both: { tloc: 10 } }), [T(0, 1), P(10, 5)], ['1 5']],
  ['(1,1): an older time within tloc', sides([1, 1], { both: { tloc: 10 } }), [T(10, 1), P(1, 5)], ['1 5']],
  [
    '(1,1): tloc 0 is a day',
    sides([1, 1], { both: { tloc: 0 } }),
    [T(0, 1), P(86400, 5), T(86401, 2), P(86401 + 86401, 6)],
    ['1 5'],
  ],
  [
    '(1,1): only events that pass take part',
    sides([1, 1], { t: { fqry: passing([where('temp', 'GT', '10')]) } }),
    [T(0, 5), T(1, 15), P(2, 1), P(3, 2)],
    ['15 1'],
  ],
  [
    '(1,1): the side with its own jqry',
    sides([1, 1], { t: gt, p: lt }),
    [T(0, 5), P(1, 3), P(2, 9), P(3, 12), T(4, 4), T(5, 2), T(6, 8)],
    ['5 9', '4 12', '2 3'],
  ],
  [
    '(2,4): the latest, whatever its values',
    sides([2, 4], { p: lt }),
    [T(0, 5), P(1, 7), T(2, 9), P(3, 8), P(4, 10)],
    ['5 7', '9 10'],
  ],
  [
    '(2,4): the latest whatever its key',
    sides([2, 4]),
    [T(0, 5), T(1, 6, { point: 2 }), P(2, 1), P(3, 2, { point: 2 })],
    ['6 2'],
  ],
  [
    '(2,4): an active one that finds nothing is gone',
    sides([2, 4]),
    [P(0, 1), T(1, 5), P(2, 2), P(3, 3)],
    ['5 2', '5 3'],
  ],
  [
    '(2,4): the very latest of those that pass',
    sides([2, 4], { t: { fqry: passing([where('temp', 'GT', 10)]) } }),
    [T(0, 15), T(1, 5), P(2, 1)],
    ['15 1'],
  ],
  ['(4,2): mirrored', sides([4, 2]), [P(0, 1), T(1, 5), T(2, 6), P(3, 2), T(4, 7)], ['5 1', '6 1', '7 2']],
  [
    '(6,6): every pair, whichever comes first',
    sides([6, 6]),
    [T(0, 70), P(1, 10), P(2, 11), T(3, 71), T(4, 72, { point: 2 }), P(5, 12, { point: 2 }), P(6, 13)],
    ['70 10', '70 11', '71 10', '71 11', '72 12', '70 13', '71 13'],
  ],
  ['(6,6): events of a stream never meet each other', sides([6, 6]), [T(0, 1), T(1, 2), T(2, 3)], []],
  [
    '(6,6): not farther than tloc, as far as tloc, and an older time within tloc',
    sides([6, 6], { both: { tloc: 10 } }),
    [T(0, 1), P(10, 5), P(11, 6), T(2, 2), T(20, 3)],
    ['2 5', '2 6', '1 5', '3 5', '3 6'],
  ],
  [
    '(6,6): each side by its own jqry and fqry',
    sides([6, 6], { t: { ...gt, fqry: passing([where('temp', 'LT', '100')]) }, p: lt }),
    [T(0, 5), T(1, 200), P(2, 3), P(3, 9), T(4, 4), T(5, 9)],
    ['5 9', '4 9'],
  ],
  ['(2,4): tloc', sides([2, 4], { both: { tloc: 5 } }), [T(0, 5), P(5, 1), P(6, 2)], ['5 1']],
  [
    '(3,5): the latest that satisfies',
    sides([3, 5], { p: lt }),
    [T(0, 5), P(1, 7), T(2, 9), P(3, 8), P(4, 10), P(5, 4)],
    ['5 7', '5 8', '9 10'],
  ],
  [
    '(3,5): each key of its own',
    sides([3, 5]),
    [T(0, 5), T(1, 6, { point: 2 }), P(2, 1), P(3, 2, { point: 2 }), P(4, 3)],
    ['5 1', '6 2', '5 3'],
  ],
  ['(5,3): mirrored', sides([5, 3], { t: gt }), [P(0, 5), T(1, 7), P(2, 9), T(3, 8), T(4, 3)], ['8 9', '3 9']],
  ['(3,5): tloc', sides([3, 5], { both: { tloc: 5 } }), [T(0, 5), P(5, 1), P(6, 2)], ['5 1']],
  [
    'FIXED by side',
    sides([3, 5], { p: { jqry: { cond: ['point'], args: ['7'], opid: 12 } } }),
    [T(0, 5), T(1, 6, { point: 7 }), P(2, 1), P(3, 2, { point: 3 })],
    ['6 1', '6 2'],
  ],
  [
    'FIXED of a text',
    sides([3, 5], { p: { jqry: { cond: ['tag'], args: ['a'], opnm: 'FIXED' } } }),
    [T(0, 5, { tag: 'a' }), T(1, 6, { tag: 'b' }), P(2, 1)],
    ['5 1'],
  ],
  [
    'MATH_EXP',
    sides([3, 5], { p: { jqry: { cond: ['temp'], args: ['$pres * 2 + 1'], opid: 13, cmp: ['EQ'] } } }),
    [T(0, 5), T(1, 7), P(2, 2), P(3, 3), P(4, 4)],
    ['5 2', '7 3'],
  ],
  [
    'HYBRID: an attribute and a literal',
    sides([3, 5], { p: { jqry: { cond: ['point', 'tag'], args: ['point', 'hot'], opid: 14 } } }),
    [T(0, 5, { tag: 'hot' }), T(1, 6, { tag: 'cold' }), P(2, 1)],
    ['5 1'],
  ],
  [
    'opid wins over opnm',
    sides([3, 5], { p: { jqry: { cond: ['point'], args: ['point'], opid: 11, opnm: 'FIXED' } } }),
    [T(0, 5), P(1, 1)],
    ['5 1'],
  ],
  [
    'the shorter cmp list',
    sides([3, 5], { p: { jqry: { cond: ['temp', 'point'], args: ['pres', 'point'], cmp: ['GTE'] } } }),
    [T(0, 5), P(1, 5), P(2, 6), P(3, 1, { point: 2 })],
    ['5 5'],
  ],
  [
    'NE with a missing value',
    sides([3, 5], { p: { jqry: { cond: ['point', 'tag'], args: ['point', 'tag'], cmp: ['EQ', 'NE'] } } }),
    [T(0, 5, { tag: 'a' }), T(1, 6), P(2, 1, { tag: 'b' }), P(3, 2, { tag: 'a' }), P(4, 3)],
    ['5 1'],
  ],
  [
    'GT',
    sides([3, 5], { p: { jqry: { cond: ['point', 'temp'], args: ['point', 'pres'], cmp: ['EQ', 'GT'] } } }),
    [T(0, 5), P(1, 5), P(2, 4)],
    ['5 4'],
  ],
  [
    'GTE',
    sides([3, 5], { p: { jqry: { cond: ['point', 'temp'], args: ['point', 'pres'], cmp: ['EQ', 'GTE'] } } }),
    [T(0, 5), P(1, 5), P(2, 4), P(3, 6)],
    ['5 5', '5 4'],
  ],
  [
    'LTE',
    sides([3, 5], { p: { jqry: { cond: ['point', 'temp'], args: ['point', 'pres'], cmp: ['EQ', 'LTE'] } } }),
    [T(0, 5), P(1, 5), P(2, 4), P(3, 6)],
    ['5 5', '5 6'],
  ],
  [
    'LONG with DOUBLE',
    sides([3, 5], { p: { jqry: { cond: ['point'], args: ['pres'] } } }),
    [T(0, 5), P(1, 1), P(2, 1.5)],
    ['5 1'],
  ],
  [
    'no EQ pair at all',
    sides([1, 1], {
      t: { jqry: { cond: ['pres'], args: ['temp'], cmp: ['GT'] } },
      p: { jqry: { cond: ['temp'], args: ['pres'], cmp: ['LT'] } },
    }),
    [T(0, 5), T(1, 3, { point: 9 }), P(2, 4), P(3, 6), T(4, 1)],
    ['3 4', '5 6'],
  ],
  [
    'one object in place of the array',
    sides([1, 1]).map((each) => ('join' in each ? { ...each, join: (each.join as object[])[0] } : each)),
    [T(0, 1), P(1, 5)],
    ['1 5'],
  ],
] as const) {
  test(`join, ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), [...expected])
  })
}

test('the row: both times, the version, the object of the other; catr see all of it', async (t) => {
  const catr = [
    { name: 'total', type: 11, opnm: 'ADD', iatr: ['temp', 'pres'] },
    { name: 'late', type: 11, opnm: 'MATH_EXP', iatr: ['$_pk - $_jpk1'] },
  ]
  const { send, rows, schema } = await register(sides([1, 1], { both: { catr } }))
  await send([T(0, 5), P(2, 7), P(3, 8), T(5, 9)])
  t.deepEqual(await rows('tp'), [
    {
      _pk: at(2),
      _v: 1,
      pres: 7,
      point: 1,
      temp: 5,
      total: 12,
      late: 2_000_000,
      _jpk1: at(0),
      _j1: { point: 1, temp: 5 },
    },
    { _pk: at(5), _v: 1, point: 1, temp: 9, pres: 8, total: 17, late: 2_000_000, _jpk1: at(3), _j1: { pres: 8 } },
  ])
  t.deepEqual(shown(await rows('tp', ` where total > 13`), 'total'), ['17'])
  t.deepEqual(shown(await rows('tp', ` where _j1.pres = 8`), 'total'), ['17'])
  t.deepEqual(shown(await rows('tp', ` where _jpk1 = ${at(0)}`), 'total'), ['12'])
  t.is(await client.count(`select count(*) from ${schema}.tp where temp = 5`), 1)
})

test('a name of both lists keeps the value of the trigger, and _j1 that of the other', async (t) => {
  const both = ['point', 'tag']
  const side = { iatr: both, ratr: both }
  const { send, rows } = await register(sides([1, 1], { both: side }))
  await send([T(0, 1, { tag: 'a' }), P(1, 2, { tag: 'b' }), P(2, 2, { tag: 'c' }), T(3, 2)])
  t.deepEqual(shown(await rows('tp'), 'tag', '_j1.tag', '_j1.point'), ['b a 1', '- c 1'])
})

test('catr of a rule and of its stream read what the other event had, under a name of both as well', async (t) => {
  const both = ['point', 'level']
  const catr = (...inputs: string[]) => ({
    catr: [
      { name: 'rise', type: 11, opnm: 'SUB', iatr: ['level', inputs[0]] },
      { name: 'share', type: 11, opnm: 'MATH_EXP', iatr: [`100 * $level / $${inputs[1] ?? inputs[0]}`] },
    ],
  })
  const of = (name: string, other: string, read: object): object => ({
    ...stream(name, [attr('point', 9), attr('level', 9)]),
    join: [{ name: 'both', type: 1, rstm: other, iatr: both, ratr: both, jqry: same('point'), ostm: 'pairs', ...read }],
  })
  const streams = (read: object, own: string) => [
    of('t', 'p', read),
    of('p', 't', read),
    {
      ...{ name: 'pairs', type: 3, swsz: 0, inpt: ['t', 'p'], attr: [] },
      catr: [{ name: 'twice', type: 11, opnm: 'ADD', iatr: [own, own] }],
    },
  ]
  const { send, rows } = await register(streams(catr('_j1.level'), '_j1.level'))
  await send([
    ['t', 0, { point: 1, level: 8 }],
    ['p', 1, { point: 1, level: 10 }],
    ['p', 2, { point: 1 }],
    ['t', 3, { point: 1, level: 4 }],
  ])
  t.deepEqual(shown(await rows('pairs'), 'level', 'rise', 'share', 'twice'), ['10 2 125 16', '4 - - -'])
  for (const [read, own] of [
    [catr('_j1.other'), '_j1.level'],
    [catr('_j1.level', '_j1.other'), '_j1.level'],
    [catr('_j1.level'), '_j1.other'],
  ] as const) {
    const refused = await client.post('/stream', { schema: nextName(), streams: streams(read, own) })
    t.is(refused.status, 400)
    t.regex(refused.text, /catr\[[01]\].iatr: '_j1\.other' is no attribute of/)
  }
})

const sends = async (notifid: number, count: number): Promise<Row[]> => {
  const asked = `from notif where notifid = ${notifid}`
  await until(`${count} sends`, async () => (await client.count(`select count(*) ${asked}`)) >= count)
  return (await client.documents(`select * ${asked}`)).reverse()
}

test('a match of the notification a row, told with the attributes of the other; ostm is optional then', async (t) => {
  const notifid = 8101
  await client.ok(client.post('/db/notification/register', { notifid, name: 'pair', freq: 0 }))
  const both = { notf: notifid, ostm: undefined }
  const [first, second] = sides([2, 4], { both })
  const { send } = await register([first ?? {}, second ?? {}])
  await send([T(0, 5), P(1, 7), P(2, 8)])
  t.deepEqual(
    (await sends(notifid, 2)).map(({ notif_event }) => notif_event),
    [
      { _pk: at(1), _v: 1, pres: 7, point: 1, temp: 5, _jpk1: at(0), _j1: { point: 1, temp: 5 } },
      { _pk: at(2), _v: 1, pres: 8, point: 1, temp: 5, _jpk1: at(0), _j1: { point: 1, temp: 5 } },
    ],
  )
})

test('each side has its own notf, and tells with a row as well', async (t) => {
  for (const notifid of [8102, 8103]) await client.ok(client.post('/db/notification/register', { notifid, name: 'x' }))
  const { send, rows } = await register(sides([1, 1], { t: { notf: 8102 }, p: { notf: 8103 } }))
  await send([T(0, 5), P(1, 7), P(2, 8), T(3, 9), T(4, 10), P(5, 11)])
  t.is((await rows('tp')).length, 3)
  t.is((await sends(8102, 1)).length, 1)
  t.is((await sends(8103, 2)).length, 2)
})

test('two rows of one event are both kept', async (t) => {
  const join = (name: string, rstm: string, iatr: string[], ratr: string[]) => ({
    ...{ name, type: 1, iatr, rstm, ratr, jqry: same('point'), ostm: 'out' },
  })
  const { send, rows, schema } = await register([
    stream('t', [point, attr('temp', 11)], {
      join: [join('a', 'p', ['temp'], ['pres']), join('b', 'q', ['temp'], ['flow'])],
    }),
    stream('p', [point, attr('pres', 11)], { join: join('a', 't', ['pres'], ['temp']) }),
    stream('q', [point, attr('flow', 11)], { join: join('b', 't', ['flow'], ['temp']) }),
    joined('out', ['t', 'p', 'q'], { attr: [attr('temp', 11, { stat: 3 })] }),
  ])
  await send([P(0, 1), ['q', 1, { point: 1, flow: 2 }], T(2, 5)])
  t.deepEqual(shown(await rows('out'), 'temp', 'pres', 'flow').sort(), ['5 - 2', '5 1 -'])
  t.is(await client.count(`select count(*) from ${schema}.out`), 2)
  const [aggregate] = await client.rows(`select aggr(temp) from ${schema}.out rollup 1`)
  t.is(JSON.parse(String(aggregate?.v)).aggr_val.sum, 10)
})

test('a row goes through all of its stream: statistics, groups, filters, entities, relations, further joins', async (t) => {
  const streams = sides([1, 1], {
    tp: {
      attr: [attr('temp', 11, { stat: 3 })],
      catr: [{ name: 'twice', type: 11, opnm: 'MATH_EXP', iatr: ['$temp * 2'] }],
      gpby: [{ gpat: ['point'], iatr: 'temp', stat: 3 }],
      enty: [
        {
          name: 'e',
          opid: 3,
          ratr: ['temps'],
          iatr: ['temp'],
          pkatr: [{ name: 'id', type: 9, iatr: ['point'] }],
          rstm: 'points',
        },
      ],
      rels: [{ sub: 'point', obj: 'temp', rel: 'HAD', obj_props: ['pres'] }],
      node: [{ sub: 'pres', label: 'pressure', props: ['twice'], updt: 1 }],
      fltr: [
        {
          name: 'hot',
          fqry: passing([where('twice', 'GT', 100)]),
          fatr: ['temp'],
          catr: [{ name: 'k', type: 11, opnm: 'ADD', iatr: ['temp', 'pres'] }],
          ostm: 'hot',
        },
      ],
      cepq: [
        {
          name: 'up',
          type: 1,
          iatr: ['temp'],
          rstm: 'tp',
          ratr: ['temp'],
          jqry: { cond: ['point', 'temp'], args: ['point', 'temp'], cmp: ['EQ', 'LT'] },
          ostm: 'ups',
        },
      ],
    },
  })
  const { send, rows, schema } = await register([
    ...streams,
    { name: 'points', type: 4, inpt: ['tp'] },
    { name: 'hot', type: 2, swsz: 0, inpt: ['tp'], attr: [attr('temp', 11, { stat: 3 })] },
    joined('ups', ['tp'], {
      fltr: [{ name: 'far', fqry: passing([where('temp', 'GT', 60)]), fatr: ['temp'], ostm: 'far' }],
    }),
    { name: 'far', type: 2, swsz: 0, inpt: ['ups'], attr: [] },
  ])
  await send([T(0, 50), P(1, 1), T(2, 60), P(3, 2), T(4, 70), P(5, 3), T(6, 20, { point: 2 }), P(7, 4, { point: 2 })])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres', 'twice'), ['50 1 100', '60 2 120', '70 3 140', '20 4 40'])
  t.deepEqual(shown(await rows('hot'), 'temp', 'k'), ['60 62', '70 73'])
  t.deepEqual(shown(await rows('ups'), 'temp', '_j1.temp'), ['60 50', '70 60'])
  t.deepEqual(shown(await rows('far'), 'temp'), ['70'])
  const [aggregate] = await client.rows(`select aggr(temp) from ${schema}.tp rollup 1`)
  t.is(JSON.parse(String(aggregate?.v)).aggr_val.sum, 200)
  const [hot] = await client.rows(`select aggr(temp) from ${schema}.hot rollup 1`)
  t.is(JSON.parse(String(hot?.v)).aggr_val.cnt, 2)
  const groups = await client.rows(`select aggr(temp) from ${schema}.tp groupby point`)
  t.deepEqual(groups.map(({ k, v }) => `${k} ${JSON.parse(String(v)).sum}`).sort(), ['1 180', '2 20'])
  const entities = await client.rows(`select * from ${schema}.points`)
  t.deepEqual(entities.map(({ k, v }) => [k, JSON.parse(String(v)).temps.cnt]).sort(), [
    [1, 3],
    [2, 1],
  ])
  const triples = await client.ok(client.graph(`${schema}.tp`, 's=>(point:*)-[HAD]->(temp:*)'))
  t.deepEqual(triples.triple.map(({ sub, obj }: { sub: string; obj: string }) => `${sub} ${obj}`).sort(), [
    'point:1 temp:50',
    'point:1 temp:60',
    'point:1 temp:70',
    'point:2 temp:20',
  ])
  const { nodes } = await client.ok(client.graph(`${schema}.tp`, 's=>(pressure:*)'))
  t.deepEqual(nodes.map(({ name, twice }: Row) => `${name} ${twice}`).sort(), ['1 100', '2 120', '3 140', '4 40'])
})

test('streams of type 2 are joined, and a row is joined further', async (t) => {
  const above = (ostm: string) => [{ name: 'f', fqry: passing([where('v', 'GT', 10)]), fatr: ['point', 'v'], ostm }]
  const join = (rstm: string) => [
    { name: 'j', type: 1, iatr: ['v'], rstm, ratr: ['v'], jqry: same('point'), ostm: 'out' },
  ]
  const { post, rows } = await register([
    stream('s', [point, attr('v', 9)], { fltr: above('a') }),
    stream('r', [point, attr('v', 9)], { fltr: above('b') }),
    { name: 'a', type: 2, swsz: 0, inpt: ['s'], attr: [], join: join('b') },
    { name: 'b', type: 2, swsz: 0, inpt: ['r'], attr: [], join: join('a') },
    joined('out', ['a', 'b']),
  ])
  for (const v of [5, 15]) await post('s', { point: 1, v })
  for (const v of [6, 16]) await post('r', { point: 1, v })
  t.deepEqual(shown(await rows('out'), 'v', '_j1.v'), ['16 15'])
})

test('objects, truths, texts and large numbers come whole into a row', async (t) => {
  const all = ['point', 'o', 'big', 'ok', 'tx']
  const like = { cond: ['point', 'ok', 'big'], args: ['point', 'ok', 'big'] }
  const { post, rows } = await register([
    stream('s', [point, attr('o', 3), attr('big', 9), attr('ok', 12), attr('tx', 5)], {
      cepq: [{ name: 'r', type: 1, iatr: all, rstm: 's', ratr: all, jqry: like, ostm: 'out' }],
    }),
    joined('out', ['s']),
  ])
  const event = {
    ...{ point: 1, o: { a: [1, null, { b: 'x' }], n: 2 ** 40 } },
    ...{ big: 2n ** 62n, ok: true, tx: 'Zoë "/" \n' },
  }
  for (const big of [event.big, event.big + 1n, event.big]) await post('s', { ...event, big })
  const made = await rows('out')
  t.is(made.length, 1)
  t.deepEqual(made[0]?._j1, event)
  t.deepEqual(made[0]?.o, event.o)
})

test('of 10,000 free events of a key the oldest go, and info counts them', async (t) => {
  const { lines, rows, schema } = await register(sides([1, 1]))
  await lines(
    't',
    Array.from({ length: 10_005 }, (_, temp) => ({ point: 1, temp })),
  )
  await lines('p', [
    { point: 1, pres: 1 },
    { point: 1, pres: 2 },
  ])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['5 1', '6 2'])
  t.is((await client.ok(client.get(`/stream/${schema}/info`))).streams[0].rule_state.dropped, 5)
})
