import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { until } from '../../support/until.ts'
import { at, attr, type createSchemas, joined, type Row, stream } from './acceptance.ts'

type Schemas = ReturnType<typeof createSchemas>
type Case = (t: ExecutionContext, schemas: Schemas) => Promise<void>

const [who, page, ms] = [attr('who', 5), attr('page', 5), attr('ms', 9)]

/** Views of people; `visits` has a row of each session. */
export const views = (session: number, more: object = {}, statistics: unknown = 'RSTAT') => [
  stream('views', [who, page, ms], {
    gpby: [{ gpat: ['who'], iatr: 'ms', stat: statistics, session, ostm: 'visits', ...more }],
  }),
  joined('visits', ['views']),
]

const peopleOf = (session: number) => [
  stream('views', [who, page, ms], {
    enty: [
      {
        ...{ name: 'people', iatr: ['page', 'ms'], ratr: ['seen', 'time'], rstm: 'people' },
        ...{ pkatr: [{ name: 'person', type: 5, iatr: ['who'] }] },
        ...{ session, ostm: 'visits', opid: ['COUNT', 'LAST'] },
      },
    ],
  }),
  {
    ...{ name: 'people', type: 4, inpt: ['views'] },
    attr: [attr('person', 5, { pk: 1 }), attr('seen', 9), attr('time', 9)],
  },
  joined('visits', ['views']),
]

const seconds = (us: unknown): number => (Number(us) - at(0)) / 1e6

/** `60 a 0..30 cnt=2`: the time of the row, the key, from and to, in seconds, and other members. */
export const shownSessions = (rows: readonly Row[], ...names: readonly string[]): string[] =>
  rows
    .map((row) =>
      [
        ...[seconds(row._pk), row.who, `${seconds(row.from)}..${seconds(row.to)}`],
        ...names.map((name) => `${name}=${JSON.stringify(row[name])}`),
      ].join(' '),
    )
    .sort()

/** Waits until as many rows are there, and then until others would be there, too. */
async function settled(rows: () => Promise<readonly Row[]>, count: number): Promise<readonly Row[]> {
  await until(`${count} rows`, async () => (await rows()).length >= count, 20_000)
  await sleep(600)
  return rows()
}

/** Cases in which the events of one key move the time of others: over Kafka they do so within a partition. */
export const casesOfOneOrder: Readonly<Record<string, Case>> = {
  'a session is closed by the time of the stream, whoever its events are of, and once': async (t, { register }) => {
    const { send, rows } = await register(views(60))
    await send([
      ['views', 0, { who: 'a', ms: 5 }],
      ['views', 10, { who: 'b', ms: 1 }],
      ['views', 60, { who: 'a', ms: 7 }],
      ['views', 71, { who: 'c', ms: 2 }],
    ])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1), 'cnt', 'sum'), ['70 b 10..10 cnt=1 sum=1'])
    await send([['views', 400, { who: 'c' }]])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 3), 'cnt', 'sum', 'avg'), [
      '120 a 0..60 cnt=2 sum=12 avg=6',
      '131 c 71..71 cnt=1 sum=2 avg=2',
      '70 b 10..10 cnt=1 sum=1 avg=1',
    ])
  },

  'events that come late extend, join and make sessions, and one that is closed takes no more': async (
    t,
    { register },
  ) => {
    const { send, rows } = await register(views(60, {}, ['COUNT', 'FIRST', 'LAST']))
    await send([
      ['views', 100, { who: 'a', ms: 1 }],
      ['views', 50, { who: 'a', ms: 2 }],
      ['views', 75, { who: 'a', ms: 3 }],
      ['views', 500, { who: 'z' }],
    ])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1), 'cnt', 'first', 'last'), [
      '160 a 50..100 cnt=3 first=2 last=1',
    ])
    await send([
      ['views', 90, { who: 'a', ms: 4 }],
      ['views', 95, { who: 'a', ms: 5 }],
      ['views', 600, { who: 'y' }],
    ])
    const [first, ...others] = shownSessions(await settled(() => rows('visits'), 3), 'cnt')
    t.is(first, '155 a 90..95 cnt=2')
    t.deepEqual(others, ['160 a 50..100 cnt=3', '560 z 500..500 cnt=0'])
  },
}

export const cases: Readonly<Record<string, Case>> = {
  'a query tells which sessions are open, and those that are closed are rows': async (t, { client, register }) => {
    const { schema, send, rows } = await register(views(600))
    const open = async (more = '') =>
      (await rows('visits', ` where open = 1${more}`)).map(
        ({ from, to, ...row }): Row => ({ ...row, span: [seconds(from), seconds(to)] }),
      )
    await send([
      ['views', 0, { who: 'a', ms: 1 }],
      ['views', 10, { who: 'a' }],
      ['views', 20, { who: 'b', ms: 2 }],
    ])
    const [a, b] = [
      { who: 'a', cnt: 1, open: true, span: [0, 10] },
      { who: 'b', cnt: 1, open: true, span: [20, 20] },
    ]
    t.deepEqual(await open(), [a, b])
    t.deepEqual(await open(' and who = "b"'), [b])
    t.deepEqual(await open(' and to > 0 limit 1'), [b])
    const one = await client.query(`select * from ${schema}.visits where open = 1 limit 1`)
    t.regex(
      String(Object(one.body).error),
      /^more sessions are open than the latest 1, which are shown: a larger limit shows more/,
    )
    const both = await client.query(`select * from ${schema}.visits where open = 1 limit 2`)
    t.false('error' in Object(both.body))
    t.is(await client.count(`select count(*) from ${schema}.visits where open = 1`), 2)
    await send([['views', 700, { who: 'a', ms: 3 }]])
    await settled(() => rows('visits'), 1)
    t.deepEqual(
      (await open()).filter(({ who: each }) => each === 'a'),
      [{ who: 'a', cnt: 1, open: true, span: [700, 700] }],
    )
    t.regex(
      JSON.stringify((await client.query(`select * from ${schema}.visits where open = 0`)).body),
      /open asks for the sessions that are open: write open = 1/,
    )
    t.regex(
      JSON.stringify((await client.query(`select * from ${schema}.visits where open = 1 and ms > 1`)).body),
      /ms is none of an open session; known are who, from, to, cnt/,
    )
  },

  'by the clock alone a session is closed, once': async (t, { register }) => {
    const { lines, rows } = await register(views(1))
    await lines('views', [
      { who: 'a', ms: 5 },
      { who: 'a', ms: 6 },
    ])
    const [row, ...more] = await settled(() => rows('visits'), 1)
    t.deepEqual(more, [])
    const { _pk, from, to, cnt, sum } = row ?? {}
    t.deepEqual({ _pk, cnt, sum }, { _pk: Number(to) + 1_000_000, cnt: 2, sum: 11 })
    t.true(Number(from) < Number(to))
  },

  'an event at the very end is of the session, one a little later begins the next': async (t, { register }) => {
    const { send, rows } = await register(views(60))
    await send([
      ['views', 0, { who: 'a', ms: 1 }],
      ['views', 60, { who: 'a', ms: 2 }],
      ['views', 120.000001, { who: 'a', ms: 3 }],
    ])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1), 'cnt', 'max'), ['120 a 0..60 cnt=2 max=2'])
  },

  'a session that would get too long is closed, and the event begins the next': async (t, { register }) => {
    const { send, rows } = await register(views(60, { smax: 100 }))
    await send([0, 50, 100, 101, 150].map((time) => ['views', time, { who: 'a', ms: time }] as const))
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1), 'cnt', 'max'), ['101 a 0..100 cnt=3 max=100'])
  },

  'a session of an entity has its values as objects, the number of events, and the key by its name': async (
    t,
    { client, register },
  ) => {
    const { schema, send, rows } = await register(peopleOf(60))
    await send([
      ['views', 0, { who: 'a', page: '/', ms: 4 }],
      ['views', 1, { who: 'a', page: '/buy' }],
      ['views', 2, { who: 'a', ms: 9 }],
      ['views', 2, { page: '/' }],
      ['views', 100, { who: 'a' }],
    ])
    const [row] = await settled(() => rows('visits'), 1)
    const { person, cnt, seen, time, from, to } = row ?? {}
    t.deepEqual(
      { person, cnt, seen, time, length: (Number(to) - Number(from)) / 1e6 },
      { person: 'a', cnt: 3, seen: { cnt: 2, last: '/buy' }, time: { cnt: 2, last: 9 }, length: 2 },
    )
    t.is(await client.count(`select count(*) from ${schema}.people`), 1)
  },

  'a row goes on in its stream: it is counted, filtered, and is a match of a notification': async (
    t,
    { client, register },
  ) => {
    const [of] = views(60, { notf: 4_511 })
    const { schema, send, rows } = await register([
      of ?? {},
      joined('visits', ['views'], {
        attr: [attr('cnt', 9, { stat: 3, gran: 3_600 })],
        fltr: [
          {
            ...{ name: 'long', fatr: ['who', 'cnt'], ostm: 'long' },
            fqry: { type: 1, name: { query: [{ key: 'cnt', cmp_op: 'GT', val: 1 }], qtype: 1 } },
          },
        ],
      }),
      { name: 'long', type: 2, swsz: 0, inpt: ['visits'], attr: [] },
    ])
    await send([
      ['views', 0, { who: 'a', ms: 1 }],
      ['views', 1, { who: 'a', ms: 1 }],
      ['views', 100, { who: 'a', ms: 1 }],
      ['views', 200, { who: 'a', ms: 1 }],
    ])
    await settled(() => rows('visits'), 2)
    t.deepEqual(
      (await rows('long')).map(({ who, cnt }) => [who, cnt]),
      [['a', 2]],
    )
    t.is(await client.count(`select count(*) from ${schema}.visits`), 2)
  },

  'the open session of a person who is erased is told to nobody': async (t, { client, register }) => {
    const { schema, send, rows } = await register(views(60))
    await send([
      ['views', 0, { who: 'ida', ms: 1 }],
      ['views', 1, { who: 'bob', ms: 1 }],
      ['views', 2, { who: 'ida', ms: 1 }],
    ])
    await client.ok(client.query(`delete from ${schema}.views where who = "ida"`))
    await send([
      ['views', 200, { who: 'ida', ms: 1 }],
      ['views', 201, { who: 'bob', ms: 1 }],
    ])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1)), ['61 bob 1..1'])
  },

  'an edit that adds sessions begins with the events after it, and one that drops them ends them': async (
    t,
    { register },
  ) => {
    const without = [
      stream('views', [who, page, ms], { gpby: [{ gpat: ['who'], iatr: 'ms', stat: 'RSTAT' }] }),
      joined('visits', ['views']),
    ]
    const { send, rows, edit } = await register(views(60))
    const open = async () => (await rows('visits', ' where open = 1')).map(({ who: each, cnt }) => [each, cnt])
    await send([['views', 0, { who: 'a', ms: 1 }]])
    t.is((await edit(without)).body.errcode, 0)
    await send([
      ['views', 10, { who: 'a', ms: 1 }],
      ['views', 300, { who: 'a', ms: 1 }],
    ])
    t.is((await edit(views(60))).body.errcode, 0)
    t.deepEqual(await open(), [], 'events of before the edit are in no session')
    await send([
      ['views', 310, { who: 'a', ms: 7 }],
      ['views', 400, { who: 'a', ms: 1 }],
    ])
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1), 'sum'), ['370 a 310..310 sum=7'])
  },

  'what was acknowledged before its stream was OFF is closed all the same': async (t, { client, register }) => {
    const { schema, send, rows } = await register(views(1))
    await send([['views', 0, { who: 'a', ms: 1 }]])
    await client.ok(client.send('PUT', `/stream/${schema}/views/state`, { state: 'OFF' }))
    t.deepEqual(shownSessions(await settled(() => rows('visits'), 1)), ['1 a 0..0'])
  },
}
