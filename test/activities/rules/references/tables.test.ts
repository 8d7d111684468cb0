/** References over the records of tables, against a walk over the documents that were put. */
import { join } from 'node:path'
import test from 'ava'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import { createRecordWriter } from '../../../../activities/tables/record-writer.ts'
import type { Event, Json } from '../../../../base/json.ts'
import { runAll } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createClock } from '../../../../infra/clock.ts'
import type { Operator } from '../../../../sql/query/ast.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { PairTerm, Reference, Schema } from '../../../../sql/schema/schema.ts'
import { createTable } from '../../../../sql/table/ddl.ts'
import type { Table } from '../../../../sql/table/table.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { randomFor, runs } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => clickhouse.run('CREATE DATABASE weir_records'))
test.after.always(() => clickhouse.close())

const base: Table = {
  ...{ database: 'd', name: 't', storage: '', kind: 'WIDE', keyKind: 'NORMAL_KEY', keyBytes: 24 },
  ...{ duplicates: false, versioned: true, words: [], indexes: [], nextIndex: 1 },
}
const index = { number: 1, ready: true, keyKind: 'NORMAL_KEY', keyBytes: 24, duplicates: true } as const
const clock = createClock(0)

/** A table of its own, and the writer of its records. */
async function open(storage: string, more: Partial<Table> = {}) {
  const table: Table = { ...base, ...more, name: storage, storage: `d__${storage}__1` }
  await runAll(clickhouse, createTable(table))
  const writer = createRecordWriter({ clickhouse, clock, isShared: false, table: () => table })
  return {
    table,
    put: (key: string, document: string) => writer.write({ kind: 'put', key, document }),
    insert: (key: string, document: string) => writer.write({ kind: 'insert', key, document }),
    remove: (key: string) => writer.write({ kind: 'remove', key }),
  }
}

const attribute = (name: string) => ({ name, type: 'OBJECT' as const, granularity: 60, primaryKey: false })
const term = (other: string, operator: Operator, name: string): PairTerm => ({
  other,
  operator,
  value: { kind: 'attribute', name },
})

function schemaWith(table: string, terms: readonly PairTerm[], sources: readonly string[]): Schema {
  const schema = decodeSchema({
    schema: 's',
    streams: [
      {
        ...{ name: 'main', type: 1 },
        attr: [
          ...[{ name: 'k', type: 'STRING' }],
          ...['n', 'm'].map((name) => ({ name, type: 'LONG' })),
          { name: 'd', type: 'DOUBLE' },
          { name: 'b', type: 'BOOL' },
        ],
      },
    ],
  })
  const reference: Reference = {
    name: 'x',
    source: { kind: 'table', database: 'd', table },
    results: sources.map((_, place) => `r${place}`),
    sources,
    condition: { terms, between: 'any' },
    whenPresent: 'add',
  }
  return {
    ...schema,
    streams: schema.streams.map((stream) => ({
      ...stream,
      attributes: [...stream.attributes, ...reference.results.map(attribute)],
      references: [reference],
    })),
  }
}

/** The values that each event of one turn gets, and how often ClickHouse was asked. */
async function look(
  table: Table | undefined,
  terms: readonly PairTerm[],
  sources: readonly string[],
  events: readonly Event[],
) {
  const schema = schemaWith(table?.name ?? 'gone', terms, sources)
  const references = compileReferences(schema)
  let asked = 0
  const outside = createOutside({
    clickhouse: {
      rows: (statement) => {
        asked++
        return clickhouse.rows(statement)
      },
    },
    caughtUp: () => Promise.reject(new Error('a record is no event')),
    tableOf: (_database, name) => (table?.name === name ? table : undefined),
  })
  for (;;) {
    const { state } = createPlainState()
    const found = events.map((event, seq) => {
      const one = { event: { ...event }, pk: '1700000000000000', seq }
      references.resolve('main', one, state, outside)
      return sources.map((_, place): Json | undefined => one.event[`r${place}`])
    })
    if (!outside.lacks()) return { found, asked }
    await outside.fetch()
  }
}

test('the latest version of the record of a key gives its members, with the type that they have', async (t) => {
  const { table, put, remove } = await open('keyed')
  await put('a', '{"x":1}')
  await put('a', '{"x":{"y":[5,"six"]},"name":"A","great":9007199254740993,"on":true,"none":null}')
  await put('b', '{"name":2.5}')
  await put('c', '{"name":"C"}')
  await remove('c')
  const sources = ['_pk', '_v', 'name', 'x.y.1', 'great', 'on', 'none', 'absent', 'x']
  const { found, asked } = await look(table, [term('_pk', '=', 'k')], sources, [
    ...['a', 'b', 'c', 'd', null, 'a'].map((k) => ({ k })),
  ])
  const nothing = sources.map(() => undefined)
  const a = ['a', 1, 'A', 'six', 9_007_199_254_740_993n, true, undefined, undefined, { y: [5, 'six'] }]
  t.deepEqual(found, [
    a.with(1, found[0]?.[1] as number),
    ['b', found[1]?.[1], 2.5, ...nothing.slice(3)],
    nothing,
    nothing,
    nothing,
    a.with(1, found[0]?.[1] as number),
  ])
  t.true(Number(found[0]?.[1]) > Number(found[1]?.[1]))
  t.is(asked, 1)
})

test('long keys are found by numbers, and in a table with duplicates the newest record counts', async (t) => {
  const { table, insert } = await open('long', { keyKind: 'NORMAL_KEY_LONG', duplicates: true })
  for (const name of ['old', 'new']) await insert('7', `{"name":"${name}"}`)
  const { found } = await look(table, [term('_pk', '=', 'n')], ['_pk', 'name'], [{ n: 7 }, { n: 8 }])
  t.deepEqual(found, [
    [7, 'new'],
    [undefined, undefined],
  ])
  const { found: none } = await look(table, [term('_pk', '=', 'k')], ['name'], [{ k: '7' }])
  t.deepEqual(none, [[undefined]])
})

test('of several records on one path the one of the greatest key counts, with an index and without', async (t) => {
  for (const indexes of [[], [{ ...index, path: 'city.name' }]]) {
    const { table, put, remove } = await open(indexes.length === 0 ? 'plain' : 'indexed', { indexes, nextIndex: 2 })
    await put('a', '{"city":{"name":"Rome"},"n":1}')
    await put('b', '{"city":{"name":"Rome"},"n":2}')
    await put('c', '{"city":{"name":"Rome"},"n":3}')
    await put('d', '{"city":{"name":"Rome"},"n":4}')
    await put('d', '{"city":{"name":"Paris"},"n":4}')
    await put('e', '{"city":{"name":7},"n":5}')
    await put('f', `{"city":{"name":"${'long '.repeat(30)}1"},"n":6}`)
    await put('g', `{"city":{"name":"${'long '.repeat(30)}2"},"n":7}`)
    await remove('c')
    const texts = ['Rome', 'Paris', '7', 'Oslo', `${'long '.repeat(30)}1`]
    const { found, asked } = await look(
      table,
      [term('city.name', '=', 'k')],
      ['n', '_pk'],
      texts.map((k) => ({ k })),
    )
    t.deepEqual(found, [
      [2, 'b'],
      [4, 'd'],
      [undefined, undefined],
      [undefined, undefined],
      [6, 'f'],
    ])
    t.is(asked, 1)
    t.deepEqual((await look(table, [term('city.name', '=', 'n')], ['n'], [{ n: 7 }])).found, [[5]])
  }
})

test('further terms are part of the question, and texts, numbers and truths each meet their like', async (t) => {
  const { table, put } = await open('terms')
  const kept: [string, Record<string, Json>][] = []
  for (const [place, from] of [5, '5', 1, 3, true, null, 4.5].entries()) {
    for (const city of ['x', 'y']) kept.push([`${city}${place}`, { city, from, n: place }])
  }
  for (const [key, document] of kept) await put(key, JSON.stringify(document))
  const holds: Record<string, (a: number, b: number) => boolean> = {
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
    '=': (a, b) => a === b,
    '!=': (a, b) => a !== b,
  }
  for (const operator of ['<', '<=', '>', '>=', '=', '!='] as const) {
    const events = [0, 1, 3, 4, 5, 6].flatMap((n) => ['x', 'y', 'z'].map((k) => ({ k, n })))
    const { found } = await look(table, [term('city', '=', 'k'), term('from', operator, 'n')], ['n', '_pk'], events)
    const expected = events.map(({ k, n }) => {
      const [last] = kept
        .filter(([, { city, from }]) => city === k && typeof from === 'number' && holds[operator]?.(from, n))
        .sort(([a], [b]) => (a < b ? 1 : -1))
      return [last?.[1].n, last?.[0]]
    })
    t.deepEqual(found, expected, operator)
  }
  const { found } = await look(table, [term('from', '=', 'b')], ['n'], [{ b: true }, { b: false }])
  t.deepEqual(found, [[4], [undefined]])
})

test('a table of texts or numbers gives its value as doc', async (t) => {
  const normal = await open('normal', { kind: 'NORMAL' })
  await normal.put('a', 'some "text"')
  t.deepEqual((await look(normal.table, [term('_pk', '=', 'k')], ['doc', 'else'], [{ k: 'a' }])).found, [
    ['some "text"', undefined],
  ])
  const numbers = await open('numbers', { kind: 'PRIMITIVE_LONG' })
  await numbers.put('a', '9007199254740993')
  await numbers.put('b', '12')
  t.deepEqual((await look(numbers.table, [term('_pk', '=', 'k')], ['doc'], [{ k: 'a' }])).found, [
    [9_007_199_254_740_993n],
  ])
  t.deepEqual((await look(numbers.table, [term('doc', '<', 'n')], ['_pk'], [{ n: 13 }])).found, [['b']])
})

test('whole numbers beyond 2^53 are told apart', async (t) => {
  const { table, put } = await open('great')
  await put('a', '{"id":9007199254740993}')
  await put('b', '{"id":9007199254740992}')
  const events = [9_007_199_254_740_993n, 9_007_199_254_740_995n].map((n) => ({ n }))
  t.deepEqual((await look(table, [term('id', '=', 'n')], ['_pk'], events)).found, [['a'], [undefined]])
})

test('texts of every kind, and numbers at the ends of their range, find the records that have them and no others', async (t) => {
  const { table, put } = await open('ends')
  const texts = ['', "'", '\\', '\\n', '\n', '\0', '"', '😀', '\u2028', '{p0:String}', ' a', 'a ', 'inf', 'null']
  const numbers = [
    0,
    -0,
    1,
    5e-324,
    -5e-324,
    0.1,
    0.30000000000000004,
    0.3,
    1.797e308,
    -1.797e308,
    2 ** 53,
    123456789.125,
  ]
  for (const [place, x] of texts.entries()) await put(`t${place}`, JSON.stringify({ x }))
  for (const [place, x] of numbers.entries()) await put(`u${place}`, JSON.stringify({ x }))
  const byText = await look(
    table,
    [term('x', '=', 'k')],
    ['_pk'],
    texts.map((k) => ({ k })),
  )
  t.deepEqual(
    byText.found,
    texts.map((_, place) => [`t${place}`]),
  )
  const byNumber = await look(
    table,
    [term('x', '=', 'd')],
    ['_pk'],
    numbers.map((d) => ({ d })),
  )
  // Both zeros are one number, and the second has the greater key.
  t.deepEqual(
    byNumber.found,
    numbers.map((n, place) => [`u${n === 0 ? 1 : place}`]),
  )
})

test('random questions have the answers of a walk over the records', async (t) => {
  const operators: readonly Operator[] = ['=', '=', '<', '<=', '>', '>=', '!=']
  const random = randomFor(t)
  const value = (): string | number => random.pick(['a', 'b', 'c', '1', 1, 2, 2.5, 3])
  const { table, put } = await open('random')
  const kept = Array.from({ length: 60 }, (_, n) => ({ key: `r${random.whole(10, 40)}${n}`, x: value(), y: value() }))
  for (const { key, x, y } of kept) await put(key, JSON.stringify({ x, y }))
  const holds: Record<Operator, (a: string | number, b: string | number) => boolean> = {
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
    '=': (a, b) => a === b,
    '!=': (a, b) => a !== b,
  }
  for (let round = 0; round < runs(8, 80); round++) {
    const [first, second] = [random.pick(operators), random.pick(operators)]
    const [text, number] = random.pick([['x', 'y'] as const, ['y', 'x'] as const])
    const events = Array.from({ length: 50 }, () => ({
      k: random.pick(['a', 'b', 'c', '1']),
      d: random.pick([1, 2, 2.5, 3]),
    }))
    const { found } = await look(table, [term(text, first, 'k'), term(number, second, 'd')], ['_pk'], events)
    const expected = events.map(({ k, d }) => [
      kept
        .filter(
          ({ [text]: a, [number]: b }) =>
            typeof a === 'string' && typeof b === 'number' && holds[first](a, k) && holds[second](b, d),
        )
        .map(({ key }) => key)
        .sort()
        .at(-1),
    ])
    t.deepEqual(found, expected, `${text} ${first} k, ${number} ${second} d`)
  }
})

test('a table that was dropped has no record, and a thousand events are asked for by one statement', async (t) => {
  t.deepEqual((await look(undefined, [term('_pk', '=', 'k')], ['x'], [{ k: 'a' }])).found, [[undefined]])
  const { table, put } = await open('dropped')
  await put('k150', '{"x":1}')
  const events = Array.from({ length: 1_100 }, (_, n) => ({ k: `k${n}` }))
  const { found, asked } = await look(table, [term('_pk', '=', 'k')], ['x'], events)
  t.deepEqual(
    found.flatMap(([x], place) => (x === undefined ? [] : [place])),
    [150],
  )
  t.is(asked, 2)
  const byPath = await look(table, [term('x', '=', 'n')], ['_pk'], events.map((_, n) => ({ n }))) // biome-ignore format: a line
  t.deepEqual(
    [byPath.found[1], byPath.asked],
    [['k150'], 5],
    'records that no key finds are asked for by fewer events at once',
  )
  await clickhouse.run(`DROP TABLE weir_records.${table.storage} SYNC`)
  t.deepEqual((await look(table, [term('_pk', '=', 'k')], ['x'], [{ k: 'a' }])).found, [[undefined]])
})
