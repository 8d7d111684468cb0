/** The memory of references that is filled from ClickHouse finds the same as the one that saw each event. */
import { join } from 'node:path'
import test from 'ava'
import { compileEncoder } from '../../../../activities/events/encode-event.ts'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import { compileOwnKeys, compilePartitionKeys } from '../../../../activities/rules/tasks/partition-keys.ts'
import type { Event } from '../../../../base/json.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import type { RuleState } from '../../../../infra/memory/state.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { ComputedAttribute, Schema } from '../../../../sql/schema/schema.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const begin = 1_800_000_000_000_000

const all = [
  {
    name: 'latest',
    iatr: ['l_n', 'l_d', 'l_o'],
    rstm: 'side',
    ratr: ['n', 'd', 'o'],
    jqry: { cond: ['k'], args: ['k'] },
  },
  { name: 'two', iatr: ['t_k'], rstm: 'side', ratr: ['k'], jqry: { cond: ['n', 'b'], args: ['n', 'b'] } },
  {
    name: 'less',
    iatr: ['s_n'],
    rstm: 'side',
    ratr: ['n'],
    jqry: { cond: ['k', 'n'], args: ['k', 'n'], cmp: ['EQ', 'LT'] },
  },
  { name: 'any', iatr: ['a_n'], rstm: 'side', ratr: ['n'], jqry: { cond: ['n'], args: ['n'], cmp: ['GT'] } },
  {
    name: 'fixed',
    iatr: ['f_n'],
    rstm: 'side',
    ratr: ['n'],
    jqry: { cond: ['k', 'd'], args: ['b', '0.5'], opid: 12, cmp: ['EQ', 'GT'] },
  },
  {
    name: 'entity',
    iatr: ['e_avg', 'e_cnt'],
    rstm: 'sums',
    ratr: ['sum_n.avg', 'ks.cnt'],
    jqry: { cond: ['k'], args: ['k'] },
  },
]

function schemaOf(name: string, refr: readonly object[] = all): Schema {
  const attr = [
    { name: 'k', type: 'STRING' },
    { name: 'n', type: 'LONG' },
    { name: 'd', type: 'DOUBLE' },
    { name: 'b', type: 'BOOL' },
  ]
  const key = [{ name: 'k', iatr: ['k'] }]
  return decodeSchema({
    schema: name,
    streams: [
      {
        ...{ name: 'side', type: 1, swsz: 100, attr: [...attr, { name: 'o', type: 'OBJECT' }] },
        enty: [
          { name: 'a', opid: 'RSTAT', ratr: ['sum_n'], iatr: ['n'], rstm: 'sums', pkatr: key },
          { name: 'b', opid: 'UCOUNT', ratr: ['ks'], iatr: ['d'], rstm: 'sums', pkatr: key },
        ],
      },
      { name: 'main', type: 1, attr, refr },
      { name: 'sums', type: 4, inpt: ['side'] },
    ],
  })
}

const never = () => Promise.reject(new Error('nothing is asked'))

test('an index, an entity and a series that are filled anew give what they gave', async (t) => {
  const plain = schemaOf('seeded')
  const prediction = { name: 'p', inputs: ['n'], lag: 3, uid: 'k' } as unknown as ComputedAttribute // The rest is not read.
  const schema: Schema = {
    ...plain,
    streams: plain.streams.map((stream) => (stream.name === 'side' ? { ...stream, computed: [prediction] } : stream)),
  }
  for (const statement of createSchema(plain)) await clickhouse.run(statement)
  const references = compileReferences(schema)
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const side = schema.streams.find(({ name }) => name === 'side')
  if (!side) throw new Error('no stream side')
  const encode = compileEncoder(
    plain,
    side,
    createPivots(plain, side, new Map(), () => {}),
  )

  const kept = createPlainState()
  for (const { name } of references.spaces) kept.state.set(name, 'whole', true)
  const lines: string[] = []
  for (let seq = 1; seq <= 400; seq++) {
    const event: Event = {
      k: seq % 7 === 0 ? null : (['a', 'b', 'c:"'][seq % 3] ?? ''),
      n: seq % 11 === 0 ? null : seq % 10,
      d: (seq % 4) / 4,
      b: seq % 2 === 0,
      o: { seq },
    }
    // Rows of one key come newest first.
    const time = begin + (seq % 3 === 2 ? Math.floor((400 - seq) / 2.2) : (seq * 37) % 90) * 1_000_000
    const one = { event: { ...event, _pk: time } as Event, pk: String(time), seq }
    lines.push(encode(one.event, one.pk, seq))
    references.observe('side', one, kept.state, outside)
  }
  await clickhouse.insert({ table: 'seeded.side__in', rows: Buffer.from(lines.join('')), token: 'one' })

  const filled = createPlainState()
  for (const space of references.spaces) for await (const fill of space.seed(clickhouse)) fill(filled.state)

  const asked: Event[] = []
  for (const k of ['a', 'b', 'c:"', 'd'])
    for (const b of [true, false]) for (let n = -1; n < 11; n++) asked.push({ k, b, n })
  const resolved = (state: RuleState, time: number): Event[] =>
    asked.map((event) => {
      const one = { event: { ...event }, pk: String(time), seq: 500 }
      references.resolve('main', one, state, outside)
      return one.event
    })
  for (const ahead of [80, 150, 185, 300]) {
    t.deepEqual(resolved(filled.state, begin + ahead * 1_000_000), resolved(kept.state, begin + ahead * 1_000_000))
  }
  const now = resolved(kept.state, begin)
  for (const name of ['l_n', 'l_d', 'l_o', 't_k', 's_n', 'a_n', 'f_n', 'e_avg', 'e_cnt']) {
    t.true(
      now.some((event) => event[name] !== undefined),
      name,
    )
  }
  t.false(outside.lacks())

  const lagged = references.lagged('side', prediction)
  for (const uid of ['a', 'b', 'c:"'])
    t.deepEqual(lagged?.(filled.state).last(uid, 3), lagged?.(kept.state).last(uid, 3))
  t.is(lagged?.(kept.state).last('a', 3)?.length, 3)
  t.is(lagged?.(kept.state).last('d', 1), undefined)
})

test('a stream of more rows than a reference without a key searches is told apart from one of as many', async (t) => {
  const plain = schemaOf('great')
  for (const statement of createSchema(plain)) await clickhouse.run(statement)
  const references = compileReferences(plain)
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const found = async (): Promise<unknown> => {
    const { state } = createPlainState()
    for (const space of references.spaces) for await (const fill of space.seed(clickhouse)) fill(state)
    const one = { event: { n: 5 } as Event, pk: String(begin), seq: 20_000 }
    references.resolve('main', one, state, outside)
    return one.event.a_n
  }
  const rows = (from: number, to: number): Buffer =>
    Buffer.from(
      Array.from({ length: to - from }, (_, index) => `{"_pk":${begin},"_seq":${from + index},"n":9}\n`).join(''),
    )
  await clickhouse.insert({ table: 'great.side__in', rows: rows(1, 10_001), token: 'one' })
  t.is(await found(), 9)
  await clickhouse.insert({ table: 'great.side__in', rows: rows(10_001, 10_002), token: 'two' })
  t.is(await found(), undefined)
})

test('values of a series are those of the events before, by series and in the order of the log', (t) => {
  const plain = schemaOf('series')
  const one = { name: 'p', inputs: ['n'], lag: 2 } as unknown as ComputedAttribute // The rest is not read.
  const both = { ...one, lag: 3, uid: 'k' }
  const references = compileReferences({
    ...plain,
    streams: plain.streams.map((stream) => ({ ...stream, computed: stream.name === 'main' ? [one, both] : [] })),
  })
  const { state } = createPlainState()
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const events: Event[] = [
    { k: 'a', n: 1 },
    { k: 'b', n: 2 },
    { k: 'a', n: null },
    { k: 'a', n: 3 },
    { n: 4 },
    { k: 'a', n: 5 },
  ]
  for (const [seq, event] of events.entries()) references.observe('main', { event, pk: '1', seq }, state, outside)
  t.deepEqual(references.lagged('main', one)?.(state).last(undefined, 2), [4, 5])
  t.deepEqual(references.lagged('main', both)?.(state).last('a', 3), [1, 3, 5])
  t.is(references.lagged('main', both)?.(state).last('b', 2), undefined)
  t.is(references.lagged('side', one), undefined)
})

test('of a schema that is shared out by a key each partition is filled with its own keys, and they find the same there', async (t) => {
  const byKey = all.filter(({ name }) => ['latest', 'less', 'entity'].includes(name))
  const plain = schemaOf('shared', byKey)
  const prediction = { name: 'p', inputs: ['n'], lag: 2, uid: 'k' } as unknown as ComputedAttribute // The rest is not read.
  const schema: Schema = {
    ...plain,
    streams: plain.streams.map((stream) => (stream.name === 'side' ? { ...stream, computed: [prediction] } : stream)),
  }
  for (const statement of createSchema(plain)) await clickhouse.run(statement)
  const keys = Array.from({ length: 300 }, (_, at) => `k${at}`)
  const rows = keys.flatMap((k, at) => [
    { _pk: begin, _seq: 2 * at + 1, k, n: at, d: 0.5 },
    { _pk: begin + 1, _seq: 2 * at + 2, k, n: at + 1, d: 0.25 },
  ])
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await clickhouse.insert({ table: 'shared.side__in', rows: Buffer.from(lines), token: 'one' })

  const references = compileReferences(schema)
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const keyOf = compilePartitionKeys(schema)
  const partitionOf = (key: string): number => [...Buffer.from(key)].reduce((sum, byte) => sum + byte, 0) % 3
  const filled = await Promise.all(
    [undefined, 0, 1, 2].map(async (partition) => {
      const state = createPlainState()
      const ownIn = compileOwnKeys(schema, (key) => partitionOf(key) === partition)
      for (const space of references.spaces) {
        for await (const fill of space.seed(clickhouse, partition === undefined ? undefined : ownIn(space)))
          fill(state.state)
      }
      return state
    }),
  )
  const [whole, ...parts] = filled
  const found = (state: RuleState | undefined, k: string): unknown => {
    if (!state) return undefined
    const one = { event: { k, n: 1_000 } as Event, pk: String(begin + 2), seq: 1_000 }
    references.resolve('main', one, state, outside)
    return [one.event, references.lagged('side', prediction)?.(state).last(k, 2)]
  }
  for (const k of keys) {
    const own = parts[partitionOf(keyOf('main', { k }, 1))]
    t.deepEqual(found(own?.state, k), found(whole?.state, k), k)
  }
  t.like(found(whole?.state, 'k7'), [{ l_n: 8, s_n: 8, e_cnt: 2 }, [7, 8]])
  const size = (state: typeof whole): number => (state ? state.values.size + state.lists.size : 0)
  for (const part of parts) t.true(size(part) < 0.5 * size(whole), `${size(part)} of ${size(whole)}`)
})
