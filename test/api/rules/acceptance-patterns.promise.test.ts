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

const { client, register, nextName } = await startSchemas('patterns')

const car = attr('car', 5)
const rising = { cond: ['car', 'temp'], args: ['car', 'temp'], opid: 11, cmp: ['EQ', 'LT'] }
const alone = { cond: ['temp'], args: ['temp'], cmp: ['LT'] }
const NUMT = (val: number) => ({ name: 'NUMT', val, opid: 1 })
const DUR = (val: number) => ({ name: 'DUR', val })
const cqry = (...query: object[]) => ({ name: 'cqry', fqry: passing(query) })
const over = { fqry: passing([where('temp', 0, 70.5)]) }

/** A stream with one pattern over itself. */
const run = (more: object = {}, attrs: readonly object[] = []) => [
  stream('s', [car, attr('temp', 11), attr('n', 9), ...attrs], {
    cepq: [
      { name: 'up', type: 1, iatr: ['car', 'temp'], rstm: 's', ratr: ['temp'], jqry: rising, ostm: 'ups', ...more },
    ],
  }),
  joined('ups', ['s']),
]
const V = (at_s: number, temp: number | undefined, car = 'a', more: Row = {}): Sent => [
  's',
  at_s,
  { car, temp, ...more },
]
const list = (...temps: number[]): Sent[] => temps.map((temp, i) => V(i, temp))

for (const [what, streams, sent, expected] of [
  [
    'the example',
    run({ ...over, cond: [NUMT(3)] }),
    list(70.1, 71.6, 72.1, 72.2, 72.4, 72.7, 73.1),
    ['72.4 72.2', '72.7 72.4', '73.1 72.7'],
  ],
  ['without NUMT each join is a row', run(), list(1, 2, 3), ['2 1', '3 2']],
  ['the oldest candidate is taken', run(), list(5, 3, 4, 6, 7), ['4 3', '6 5', '7 4']],
  ['an event without a candidate begins a run of 0', run({ cond: [NUMT(2)] }), list(5, 3, 4, 6, 7, 8), ['7 4', '8 6']],
  [
    'NUMT 2 over two keys',
    run({ cond: [NUMT(2)] }),
    [V(0, 1), V(1, 1, 'b'), V(2, 2), V(3, 2, 'b'), V(4, 3), V(5, 3, 'b')],
    ['3 2', '3 2'],
  ],
  [
    'DUR is inclusive',
    run({ cond: [NUMT(2), DUR(4)] }),
    [V(0, 1), V(2, 2), V(4, 3), V(7, 4), V(9, 5), V(10, 6)],
    ['3 2', '6 5'],
  ],
  ['DUR of one join', run({ cond: [DUR(1)] }), [V(0, 1), V(2, 2), V(3, 3), V(5, 4)], ['3 2']],
  [
    'cqry holds for the event',
    run({ cond: [NUMT(2), cqry(where('n', 'EQ', 1))] }),
    [V(0, 1), V(1, 2), V(2, 3), V(3, 4, 'a', { n: 1 }), V(4, 5), V(5, 6, 'a', { n: 1 })],
    ['4 3', '6 5'],
  ],
  ['an event that fails fqry may come between', run({ ...over, cond: [NUMT(1)] }), list(71, 10, 72), ['72 71']],
  ['not farther than tloc', run({ tloc: 2 }), [V(0, 1), V(2, 2), V(5, 3), V(6, 4)], ['2 1', '4 3']],
  ['a missing value satisfies nothing', run(), [V(0, 1), V(1, undefined), V(2, 2)], ['2 1']],
  [
    'seq 0: others come between',
    run({ jqry: { ...rising, seq: 0 }, cond: [NUMT(2)] }),
    [V(0, 1), V(1, 1, 'b'), V(2, 2), V(3, 0.5), V(4, 3)],
    ['3 2'],
  ],
  [
    'seq 1: the event immediately before',
    run({ jqry: { ...rising, seq: 1 }, cond: [NUMT(2)] }),
    [V(0, 1), V(1, 2), V(2, 3), V(3, 9, 'b'), V(4, 4), V(5, 5), V(6, 6)],
    ['3 2', '6 5'],
  ],
  [
    'seq 1: one that fails fqry ends the run',
    run({ ...over, jqry: { ...rising, seq: 1 }, cond: [NUMT(1)] }),
    list(71, 72, 1, 73, 74),
    ['72 71', '74 73'],
  ],
  [
    'seq 1: one that falls ends the run',
    run({ jqry: { ...rising, seq: 1 }, cond: [NUMT(2)] }),
    list(1, 2, 1.5, 3, 4),
    ['4 3'],
  ],
  [
    'seq 1 without an EQ pair',
    run({ jqry: { ...alone, seq: 1 }, cond: [NUMT(2)] }),
    [V(0, 1), V(1, 2, 'b'), V(2, 3, 'c'), V(3, 1), V(4, 2)],
    ['3 2'],
  ],
  [
    'seq 2: consecutive of the key',
    run({ jqry: { ...rising, seq: 2 }, cond: [NUMT(2)] }),
    [V(0, 1), V(1, 9, 'b'), V(2, 2), V(3, 1, 'b'), V(4, 3), V(5, 1), V(6, 2), V(7, 3)],
    ['3 2', '3 2'],
  ],
  [
    'seq 2: one of the key that fails fqry ends the run',
    run({ ...over, jqry: { ...rising, seq: 2 }, cond: [NUMT(1)] }),
    [V(0, 71), V(1, 1, 'b'), V(2, 72), V(3, 1), V(4, 73), V(5, 74)],
    ['72 71', '74 73'],
  ],
  ['no EQ pair', run({ jqry: alone, cond: [NUMT(2)] }), [V(0, 1), V(1, 2, 'b'), V(2, 3, 'c')], ['3 2']],
  [
    'fqry over attributes (qtype 2)',
    run({ fqry: passing([where('temp', 'GT', '$n')], 2) }),
    [V(0, 1, 'a', { n: 0 }), V(1, 2, 'a', { n: 5 }), V(2, 3, 'a', { n: 1 })],
    ['3 1'],
  ],
] as const) {
  test(`a run: ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.deepEqual(shown(await rows('ups'), 'temp', '_j1.temp'), [...expected])
  })
}

test('a run: the row has both times, and each row goes on with the latest', async (t) => {
  const { send, rows } = await register(
    run({
      cond: [NUMT(2)],
      ratr: ['temp', 'n'],
      catr: [{ name: 'rise', type: 11, opnm: 'MATH_EXP', iatr: ['$_pk - $_jpk1'] }],
    }),
  )
  await send([V(0, 1), V(2, 2, 'a', { n: 4 }), V(5, 3)])
  t.deepEqual(await rows('ups'), [
    { _pk: at(5), _v: 1, car: 'a', temp: 3, n: 4, rise: 3_000_000, _jpk1: at(2), _j1: { temp: 2, n: 4 } },
  ])
})

const skipped = { skip: 'past', cond: [NUMT(2)] }
for (const [what, streams, sent, expected] of [
  ['the next run begins behind a match', run(skipped), list(1, 2, 3, 4, 5, 6, 7), ['3 2', '6 5']],
  ['each key by itself', run(skipped), [V(0, 1), V(1, 1, 'b'), V(2, 2), V(3, 3), V(4, 2, 'b'), V(5, 4), V(6, 3, 'b')], ['3 2', '3 2']], // biome-ignore format: a list
  ['runs that began before the end of the match are gone with it', run(skipped), list(5, 6, 1, 7, 2, 3), ['7 6']],
  ['without skip they go on', run({ cond: [NUMT(2)] }), list(5, 6, 1, 7, 2, 3), ['7 6', '3 2']],
  ['a run that its last condition does not let end goes on', run({ skip: 'past', cond: [NUMT(1), cqry(where('n', 'EQ', 1))] }), [V(0, 1), V(1, 2), V(2, 3, 'a', { n: 1 }), V(3, 4, 'a', { n: 1 })], ['3 2']], // biome-ignore format: a list
  ['seq 1', run({ ...skipped, jqry: { ...rising, seq: 1 } }), [V(0, 1), V(1, 2), V(2, 3), V(3, 4), V(4, 9, 'b'), V(5, 5), V(6, 6), V(7, 7)], ['3 2', '7 6']], // biome-ignore format: a list
  ['seq 2', run({ ...skipped, jqry: { ...rising, seq: 2 } }), [V(0, 1), V(1, 2), V(2, 9, 'b'), V(3, 3), V(4, 4), V(5, 5), V(6, 6)], ['3 2', '6 5']], // biome-ignore format: a list
] as const) {
  test(`a run with skip past: ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.deepEqual(shown(await rows('ups'), 'temp', '_j1.temp'), [...expected])
  })
}

test('a run: the row has values of its first event and over all of it, by which it can be asked', async (t) => {
  const ratr = ['temp', 'first.temp', 'first._pk', 'first.o.m', 'count', 'sum.n', 'min.temp', 'max.temp', 'avg.n']
  const [s, ups] = run(
    {
      ...{ cond: [NUMT(2)], ratr },
      catr: [{ name: 'rise', type: 11, opnm: 'SUB', iatr: ['temp', 'first.temp'] }],
    },
    [attr('o', 3), attr('o.m', 5)],
  )
  const { schema, send, rows } = await register([
    s as object,
    { ...ups, attr: [attr('first', 3), attr('first.temp', 11, { stat: 3 })] },
  ])
  await send([V(0, 1, 'a', { n: 5, o: { m: 'x' } }), V(1, 2), V(2, 4, 'a', { n: 2 }), V(3, 0, 'b'), V(4, 5)])
  const row = { _v: 1, car: 'a', first: { temp: 1, _pk: at(0), o: { m: 'x' } }, sum: { n: 7 }, avg: { n: 3.5 } }
  t.deepEqual(await rows('ups'), [
    { ...row, _pk: at(2), temp: 4, rise: 3, count: 3, min: { temp: 1 }, max: { temp: 4 }, _jpk1: at(1), _j1: { temp: 2 } },
    { ...row, _pk: at(4), temp: 5, rise: 4, count: 4, min: { temp: 1 }, max: { temp: 5 }, _jpk1: at(2), _j1: { temp: 4 } },
  ]) // biome-ignore format: rows
  t.is((await rows('ups', " where first.o.m = 'x' and count > 3 and max.temp = 5")).length, 1)
  const [counted] = await client.rows(`select aggr(first.temp) from ${schema}.ups rollup 1`)
  t.is(JSON.parse(String(counted?.v)).aggr_val.sum, 2)
})

for (const [what, end, expected] of [
  ['count', where('count', 'GTE', 4), ['4', '5']],
  ['a value of the first event', where('temp', 'GT', '$first.temp'), ['2', '3', '4', '5']],
  ['an average', where('temp', 'GT', '$avg.n'), ['4', '5']],
  ['a sum', where('sum.n', 'LTE', 9), ['2', '3']],
] as const) {
  test(`a run: its last condition reads ${what}`, async (t) => {
    const { send, rows } = await register(run({ cond: [{ name: 'cqry', fqry: passing([end], 2) }] }))
    await send(list(1, 2, 3, 4, 5).map(([to, at_s, event]): Sent => [to, at_s, { ...event, n: 3 }]))
    t.deepEqual(shown(await rows('ups'), 'temp'), [...expected])
  })
}

test('a run: an attribute of that name is the attribute', async (t) => {
  const { send, rows } = await register(run({ ratr: ['temp', 'count'] }, [attr('count', 9)]))
  await send([V(0, 1, 'a', { count: 77 }), V(1, 2)])
  t.deepEqual(shown(await rows('ups'), 'temp', 'count', '_j1.count'), ['2 77 77'])
})

const single = (more: object = {}, attrs: readonly object[] = []) => [
  stream('s', [car, attr('temp', 11, { stat: 3 }), ...attrs], {
    cepq: [
      { name: 'one', type: 6, iatr: ['car', 'temp'], ostm: 'ones', fqry: passing([where('temp', 'GT', 10)]), ...more },
    ],
  }),
  joined('ones', ['s']),
]

for (const [what, streams, sent, expected] of [
  ['every event that passes', single(), list(5, 15, 10, 11), ['15', '11']],
  [
    'qtype 2',
    single({ fqry: passing([where('temp', 'GT', '$low')], 2) }, [attr('low', 9)]),
    [V(0, 5, 'a', { low: 4 }), V(1, 5, 'a', { low: 6 }), V(2, 5)],
    ['5'],
  ],
  [
    'qtype 3',
    single({ fqry: passing([where('temp', 'GT', 'avg(s.temp, m_5)')], 3) }),
    list(5, 15, 10, 11),
    ['15', '11'],
  ],
] as const) {
  test(`type 6: ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.deepEqual(shown(await rows('ones'), 'temp'), [...expected])
  })
}

const sends = async (notifid: number, count: number) => {
  await until(
    `${count} sends`,
    async () => (await client.count(`select count(*) from notif where notifid = ${notifid}`)) >= count,
    30_000,
  )
  return (await client.documents(`select * from notif where notifid = ${notifid}`)).reverse()
}

test('type 6: its notification tells of the event', async (t) => {
  const { ostm: _, ...rest } = { ostm: 1, notf: 8201, iatr: ['car'] }
  await client.ok(client.post('/db/notification/register', { notifid: 8201, name: 'x' }))
  const [s] = single({ ...rest, ostm: undefined })
  const { send } = await register([s ?? {}])
  await send(list(5, 15))
  const [first] = await sends(8201, 1)
  t.deepEqual(first.notif_event, { _pk: at(1), _v: 1, car: 'a', temp: 15 })
})

test('a run tells of its row', async (t) => {
  await client.ok(client.post('/db/notification/register', { notifid: 8202, name: 'x' }))
  const [s] = run({ ostm: undefined, notf: 8202, cond: [NUMT(2)] })
  const { send } = await register([s ?? {}])
  await send(list(5, 15, 20))
  const [first] = await sends(8202, 1)
  t.deepEqual(first.notif_event, { _pk: at(2), _v: 1, car: 'a', temp: 20, _jpk1: at(1), _j1: { temp: 15 } })
})

/** Patterns of two streams. */
function sides(
  types: readonly [number, number | undefined],
  { t = {}, p = {}, both = {} }: { t?: object; p?: object; both?: object } = {},
) {
  const [first, second] = types
  return [
    stream('t', [point, attr('temp', 11)], {
      cepq: [
        {
          name: 'c',
          type: first,
          iatr: ['point', 'temp'],
          rstm: 'p',
          ratr: ['pres'],
          jqry: same('point'),
          ostm: 'tp',
          ...both,
          ...t,
        },
      ],
    }),
    stream(
      'p',
      [point, attr('pres', 11)],
      second === undefined
        ? {}
        : {
            cepq: [
              {
                name: 'c',
                type: second,
                iatr: ['pres'],
                rstm: 't',
                ratr: ['point', 'temp'],
                jqry: same('point'),
                ostm: 'tp',
                ...both,
                ...p,
              },
            ],
          },
    ),
    joined('tp', ['t', 'p']),
  ]
}
const T = (at_s: number, temp: number, point = 1): Sent => ['t', at_s, { point, temp }]
const P = (at_s: number, pres: number, point = 1): Sent => ['p', at_s, { point, pres }]

for (const [what, streams, sent, expected] of [
  [
    '(1,1), NUMT 2: the second and each later row',
    sides([1, 1], { both: { cond: [NUMT(2)] } }),
    [T(0, 1), P(1, 1), T(2, 2), P(3, 2), P(4, 3), T(5, 3)],
    ['2 2', '3 3'],
  ],
  [
    '(1,1), NUMT 2: counted by key',
    sides([1, 1], { both: { cond: [NUMT(2)] } }),
    [T(0, 1), P(1, 1), T(2, 2, 2), P(3, 2, 2), T(4, 3), P(5, 3)],
    ['3 3'],
  ],
  [
    '(1,1), NUMT 2 within DUR',
    sides([1, 1], { both: { cond: [NUMT(2), DUR(3)] } }),
    [T(0, 1), P(1, 1), T(4, 2), P(5, 2), T(6, 3), P(7, 3)],
    ['3 3'],
  ],
  [
    '(1, alone): the others wait unfiltered',
    sides([1, undefined]),
    [P(0, 1), P(1, 2), T(2, 1), T(3, 2), T(4, 3)],
    ['1 1', '2 2'],
  ],
  [
    '(3,5), NUMT 2: those that met the same',
    sides([3, 5], { both: { cond: [NUMT(2)] } }),
    [T(0, 1), P(1, 1), P(2, 2), P(3, 3), T(4, 2), P(5, 4), P(6, 5)],
    ['1 2', '1 3', '2 5'],
  ],
  [
    '(2,4), NUMT 2: those that met the same',
    sides([2, 4], { both: { cond: [NUMT(2)] } }),
    [T(0, 1), P(1, 1), P(2, 2), T(4, 2), P(5, 4), P(6, 5)],
    ['1 2', '2 5'],
  ],
  [
    '(2,4), NUMT 2 within DUR: of the last two',
    sides([2, 4], { both: { cond: [NUMT(2), DUR(2)] } }),
    [T(0, 1), P(1, 1), P(4, 2), P(6, 3), P(9, 4)],
    ['1 3'],
  ],
  [
    '(3,5) with cqry',
    sides([3, 5], { p: { cond: [NUMT(2), cqry(where('pres', 'GT', 2))] }, t: { cond: [NUMT(2)] } }),
    [T(0, 1), P(1, 1), P(2, 2), P(3, 3)],
    ['1 3'],
  ],
] as const) {
  test(`a pattern of two streams, ${what}`, async (t) => {
    const { send, rows } = await register(streams)
    await send(sent)
    t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), [...expected])
  })
}

test('a pattern that one side declares alone: its own events alone trigger', async (t) => {
  const { send, rows } = await register(sides([1, undefined]))
  await send([T(0, 1), P(1, 7), P(2, 8), T(3, 2)])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['2 7'])
})

test('a name of both a join and a pattern of one stream is refused', async (t) => {
  const [first, second, third] = sides([1, 1])
  const join = (rstm: string, iatr: string[], ratr: string[]) => ({
    join: [{ name: 'c', type: 1, iatr, rstm, ratr, jqry: same('point'), ostm: 'tp' }],
  })
  const answer = await client.post('/stream', {
    schema: 'twonames',
    streams: [{ ...first, ...join('p', ['temp'], ['pres']) }, { ...second, ...join('t', ['pres'], ['temp']) }, third],
  })
  t.is(answer.status, 400)
  t.regex(answer.text, /streams\[0\]\.cepq\[0\]\.name/)
})

test('what only the passive side says of rows is told: it does nothing', async (t) => {
  const side = (rstm: string, type: number, own: string, other: string, more: object) => ({
    cepq: [{ name: 'p', type, rstm, iatr: ['car', own], ratr: ['car', other], jqry: same('car'), ostm: 'J', ...more }],
  })
  const told = async (passive: object, active: object) => {
    const streams = [
      stream('a', [car, attr('x', 11)], side('b', 2, 'x', 'y', passive)),
      stream('b', [car, attr('y', 11)], side('a', 4, 'y', 'x', active)),
      joined('J', ['a', 'b']),
    ]
    const answer = await client.post('/stream', { schema: nextName(), streams })
    t.is(answer.status, 200, answer.text)
    return answer.body.error
  }
  const counts = { cond: [NUMT(3)] }
  t.deepEqual(await told(counts, {}), [
    'streams[0].cepq[0].cond does nothing: events of a make no rows here; it belongs into streams[1].cepq[0]',
  ])
  t.is(await told(counts, counts), undefined)
  t.is(await told({}, counts), undefined)
  t.regex(
    String(await told({ catr: [{ name: 'z', type: 11, opnm: 'ADD', iatr: ['x', 'y'] }] }, {})),
    /catr does nothing/,
  )
})

test('rows come from lines with bad ones among them, in their order', async (t) => {
  const { schema, rows } = await register(run())
  const body = `${JSON.stringify({ car: 'a', temp: 1 })}\n{"car":\n${JSON.stringify({ car: 'a', temp: 'x' })}\n${JSON.stringify({ car: 'a', temp: 2 })}\n\n${JSON.stringify({ car: 5, temp: 1 })}\n${JSON.stringify({ car: 'a', temp: 3 })}\n`
  const answer = await client.send('POST', `/stream/${schema}/s`, body, { 'content-type': 'application/x-ndjson' })
  t.deepEqual(
    answer.body.errors.map(({ line }: { line: number }) => line),
    [2, 3, 6],
  )
  t.deepEqual(shown(await rows('ups'), 'temp', '_j1.temp'), ['2 1', '3 2'])
})
