import test from 'ava'
import { read } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { differences } from './compare.ts'
import type { Event, WireSchema } from './oracle.ts'

const { client, close } = await startService()
test.after.always(close)

const pk = 1_700_000_000_000_000

test.serial('attributes may be called like words of JavaScript, of SQL and of the service', async (t) => {
  const names = [
    ...['constructor', 'toString', 'hasOwnProperty', 'st', 'et', 'skey', 'order', 'group', 'select', 'from', 'limit'],
    ...[
      'a__b',
      'k',
      'v',
      't',
      'ts',
      'e',
      'start',
      'parts',
      'label',
      'name',
      'entry',
      'member',
      'minute',
      'name_cnt',
      'TRUE',
      'count',
    ],
  ]
  const schema: WireSchema = {
    schema: 'words',
    streams: [
      {
        name: 'select',
        type: 1,
        swsz: 0,
        attr: names.map((name, i) =>
          i % 2 === 0 ? { name, type: 9, stat: 'RSTAT' } : { name, type: 5, stat: 'UCOUNT' },
        ),
        gpby: names.map((name, i) => ({
          gpat: [name, names[(i + 1) % names.length] ?? ''],
          iatr: name,
          stat: 'COUNT',
        })),
        rels: [{ sub: 'name', obj: 'label', rel: 'IS', rel_props: names.slice(0, 9) }],
        enty: [
          {
            name: 'a',
            opid: 1,
            ratr: ['c'],
            iatr: ['k'],
            pkatr: [{ name: 'k', type: 9, iatr: ['constructor'] }],
            rstm: 'table',
          },
          {
            name: 'b',
            opid: 3,
            ratr: ['order'],
            iatr: ['constructor'],
            pkatr: [
              { name: 'v', type: 5, iatr: ['toString'] },
              { name: 'parts', type: 5, iatr: ['skey'] },
            ],
            rstm: 'where',
          },
        ],
      },
      { name: 'table', type: 4, inpt: ['select'], attr: [] },
      { name: 'where', type: 4, inpt: ['select'], attr: [] },
    ],
  }
  await client.register(schema)
  const events = Array.from(
    { length: 25 },
    (_, i): Event => ({
      _pk: pk + i,
      ...Object.fromEntries(names.map((name, j) => [name, j % 2 === 0 ? (i % 12) + j : `${i % 4}`])),
    }),
  )
  await client.lines('words.select', events)
  t.deepEqual(await differences(client, schema, { select: events }), [])
  for (const name of ['constructor', 'k', 'order', 'group', 'select', 'limit', 'count']) {
    const type = names.indexOf(name) % 2 === 0 ? '>= 0' : "!= ''"
    t.is(await client.count(`select count(*) from words.select where ${name} ${type}`), 25, name)
  }
})

test.serial('an OBJECT and its fields may be called like anything in a statement', async (t) => {
  const object = (name: string) => ({
    name,
    type: 3,
    fields: [
      { name: 'n', type: 9 },
      { name: '_x'.slice(1), type: 5 },
    ],
  })
  const names = ['e', 'k', 'row', 'rows']
  await client.register({
    schema: 'objects',
    streams: [
      {
        name: 's',
        type: 1,
        swsz: 0,
        attr: [{ name: 'n', type: 9, stat: 'RSTAT' }, ...names.map(object), { name: 'free', type: 3 }],
        gpby: [
          { gpat: ['e.n'], iatr: 'n', stat: 'COUNT' },
          { gpat: ['n'], iatr: 'e.n', stat: 'RSTAT' },
        ],
        fltr: [
          {
            name: 'f',
            fqry: { name: '{"query":[{"key":"free.deep.er","cmp_op":4,"val":"x"}]}', type: 1 },
            fatr: ['n'],
            ostm: 'found',
          },
          {
            name: 'g',
            fqry: { name: '{"query":[{"key":"e.n","cmp_op":0,"val":5}]}', type: 1 },
            fatr: ['e'],
            ostm: 'large',
          },
        ],
      },
      { name: 'found', type: 2, inpt: ['s'], swsz: 0, attr: [] },
      { name: 'large', type: 2, inpt: ['s'], swsz: 0, attr: [] },
    ],
  })
  await client.lines('objects.s', [
    { n: 1, e: { n: 10 }, free: { deep: { er: 'x' } } },
    { n: 2, e: { n: 3, more: [1] }, free: { deep: { er: 'y' } } },
    { n: 3, k: { n: 1 }, free: [] },
  ])
  t.deepEqual(
    (await client.rows('select aggr(n) from objects.s groupby e.n')).map(({ k, v }) => [k, v]),
    [
      ['3', 1],
      ['10', 1],
    ],
  )
  const byN = await client.rows('select aggr(e.n) from objects.s groupby n')
  t.deepEqual(
    byN.map(({ k, v }) => [k, read(String(v)).sum]),
    [
      ['1', 10],
      ['2', 3],
    ],
  )
  t.deepEqual(
    (await client.documents('select * from objects.found')).map(({ n }) => n),
    [1],
  )
  t.deepEqual(
    (await client.documents('select * from objects.large')).map(({ e, n }) => [e, n]),
    [[{ n: 10 }, undefined]],
  )
})

test.serial(
  'names of 63 bytes are taken, and refused where a table would be named after too many of them',
  async (t) => {
    const long = (letter: string) => letter.repeat(63)
    const makesLongNames = {
      gpby: [{ gpat: [long('a')], iatr: long('b'), stat: 'RSTAT', gran: 31_622_400 }],
      rels: [{ sub: long('a'), obj: long('b'), rel: long('R') }],
    }
    const schemaWith = (more: Partial<typeof makesLongNames>): WireSchema => ({
      schema: long('S'),
      streams: [
        {
          name: long('s'),
          type: 1,
          swsz: 0,
          attr: [
            { name: long('a'), type: 5, stat: 'UCOUNT' },
            { name: long('b'), type: 9, stat: 'RSTAT', gran: 31_622_400 },
          ],
          ...more,
          enty: [
            {
              name: long('e'),
              opid: 3,
              ratr: [long('r')],
              iatr: [long('b')],
              pkatr: [{ name: long('k'), type: 5, iatr: [long('a')] }],
              rstm: long('t'),
            },
          ],
          fltr: [
            {
              name: long('f'),
              fqry: { name: `{"query":[{"key":"${long('b')}","cmp_op":0,"val":1}]}`, type: 1 },
              fatr: [long('b')],
              ostm: long('o'),
            },
          ],
        },
        { name: long('o'), type: 2, inpt: [long('s')], swsz: 0, attr: [{ name: long('b'), type: 9, stat: 'RSTAT' }] },
        { name: long('t'), type: 4, inpt: [long('s')], attr: [] },
      ],
    })
    const refused = await client.post('/stream', schemaWith(makesLongNames))
    t.is(refused.status, 400)
    t.regex(refused.body.error[0], /gpby\[0\]\.gpat: makes a table name of 209 bytes, .*shorten the names/)
    t.regex(refused.body.error[1], /rels\[0\]: makes a table name of 217 bytes, .*shorten the names/)
    const schema = schemaWith({})
    await client.register(schema)
    const events = Array.from(
      { length: 6 },
      (_, i): Event => ({ _pk: pk + i, [long('a')]: `${i % 2}`, [long('b')]: i }),
    )
    await client.lines(`${long('S')}.${long('s')}`, events)
    t.deepEqual(await differences(client, schema, { [long('s')]: events }), [])
  },
)

test.serial('a stream of 1,000 attributes', async (t) => {
  const attr = Array.from({ length: 1000 }, (_, i) => ({
    name: `a${i}`,
    type: i % 2 === 0 ? 9 : 5,
    ...(i % 50 === 0 ? { stat: 'RSTAT' } : {}),
  }))
  await client.register({ schema: 'wide', streams: [{ name: 's', type: 1, attr }] })
  await client.event('wide.s', Object.fromEntries(attr.map(({ name, type }, i) => [name, type === 9 ? i : `${i}`])))
  const [document] = await client.documents('select * from wide.s where a998 = 998')
  t.is(document.a999, '999')
  t.regex(String((await client.rows('select aggr(a950) from wide.s')).at(-1)?.v), /"sum":950,/)
})

test.serial('a stream of 100 group-bys', async (t) => {
  const attr = Array.from({ length: 101 }, (_, i) => ({ name: `a${i}`, type: 9 }))
  const gpby = Array.from({ length: 100 }, (_, i) => ({ gpat: [`a${i}`], iatr: `a${i + 1}`, stat: 'RSTAT' }))
  const schema: WireSchema = { schema: 'groups', streams: [{ name: 's', type: 1, swsz: 0, attr, gpby }] }
  await client.register(schema)
  await client.lines(
    'groups.s',
    [1, 2, 1].map((each, i) => ({
      _pk: pk + i,
      ...Object.fromEntries(attr.map(({ name }, j) => [name, each + (j % 3)])),
    })),
  )
  for (const i of [0, 50, 99]) {
    const rows = await client.rows(`select aggr(a${i + 1}) from groups.s groupby a${i}`)
    t.deepEqual(
      rows.map(({ v }) => read(String(v)).cnt),
      [2, 1],
    )
  }
})

test.serial('values of 1 MB and group keys of 100 kB', async (t) => {
  const big = (letter: string, bytes: number) => letter.repeat(bytes)
  await client.register({
    schema: 'big',
    streams: [
      {
        name: 's',
        type: 1,
        attr: [
          { name: 'text', type: 5 },
          { name: 'key', type: 5 },
          { name: 'n', type: 9 },
        ],
        gpby: [{ gpat: ['key'], iatr: 'n', stat: 'COUNT' }],
      },
    ],
  })
  for (let i = 0; i < 12; i++) await client.event('big.s', { text: big('x', 1_000_000), n: i })
  for (const letter of ['a', 'b', ':']) await client.event('big.s', { key: big(letter, 100_000), n: 1 })
  let more: Record<string, unknown> = {}
  const seen: number[] = []
  for (let pages = 0; pages < 9; pages++) {
    const answer = await client.query('select * from big.s where text != ""', more)
    t.true(answer.text.length < 8_000_000, `a page of ${answer.text.length} bytes`)
    seen.push(...answer.body.rows.map(({ v }: { v: string }) => read(v).n))
    if (answer.body.more_data_to_come === 0) break
    more = { levk: answer.body.levk, sec_buf: answer.body.sec_buf }
  }
  t.deepEqual(seen, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  const first = await client.ok(client.query('select aggr(n) from big.s groupby key limit 1'))
  const second = await client.ok(client.query('select aggr(n) from big.s groupby key limit 1', { levk: first.levk }))
  t.deepEqual([first.rows[0].k.slice(0, 3), second.rows[0].k.slice(0, 3)], ['\\:\\', 'aaa'])
  t.is((await client.rows(`select aggr(n) from big.s where skey = "${big('b', 100_000)}" groupby key`)).length, 1)
})

test.serial('filters twenty deep, each with its statistic', async (t) => {
  const streams = Array.from({ length: 21 }, (_, i) => ({
    name: `f${i}`,
    type: i === 0 ? 1 : 2,
    swsz: 0,
    inpt: i === 0 ? [] : [`f${i - 1}`],
    attr: [{ name: 'n', type: 9, stat: 'RSTAT' }],
    ...(i < 20
      ? {
          fltr: [
            {
              name: 'f',
              fqry: { name: `{"query":[{"key":"n","cmp_op":0,"val":${i}}]}`, type: 1 },
              fatr: ['n'],
              ostm: `f${i + 1}`,
            },
          ],
        }
      : {}),
  }))
  const schema: WireSchema = { schema: 'deep', streams }
  await client.register(schema)
  const events = Array.from({ length: 25 }, (_, i): Event => ({ _pk: pk + i, n: i }))
  await client.lines('deep.f0', events)
  t.deepEqual(await differences(client, schema, { f0: events }), [])
})

test.serial('names that are taken are refused', async (t) => {
  for (const schema of [
    'system',
    'INFORMATION_SCHEMA',
    'default',
    'weir',
    'weir_records',
    'graph',
    '__proto__x.y',
    '1a',
    '',
    'a b',
  ]) {
    const { status } = await client.post('/stream', { schema, streams: [{ name: 's', type: 1, attr: [] }] })
    t.is(status, 400, schema)
  }
  for (const name of ['a__b', 'a_by_60s', 'x.y', '', '1a']) {
    const { status } = await client.post('/stream', { schema: 'fine', streams: [{ name, type: 1, attr: [] }] })
    t.is(status, 400, name)
  }
})
