/** A schema as analysts see it: values, columns and their comments, also of one that another version made. */
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { planEdit } from '../../../../sql/schema/ddl/edit/edit.ts'
import { createRejectedTable } from '../../../../sql/schema/ddl/events.ts'
import { compileFoundColumns, type FoundColumn, renew } from '../../../../sql/schema/ddl/renew.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

const rows = (text: string) => clickhouse.rows<Record<string, unknown>>({ text, params: {} })

const shop = (name: string, more: readonly object[] = []) =>
  decodeSchema({
    schema: name,
    streams: [
      {
        ...{ name: 's', type: 1, swsz: 0 },
        attr: [
          { name: 'who', type: 5, stat: 'UCOUNT' },
          { name: 'a', type: 11, stat: 'RSTAT' },
          { name: 'b', type: 9, stat: 'RSTAT' },
          { name: 'n', type: 9, stat: 'COUNT' },
          ...more,
        ],
        gpby: [{ gpat: ['who'], iatr: 'a', stat: 'RSTAT', gran: 60 }],
        enty: [
          {
            ...{ name: 'e', opid: 3, ratr: ['ra', 'rb'], iatr: ['a', 'b'], rstm: 'people' },
            pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
          },
        ],
      },
      { name: 'people', type: 4, inpt: ['s'] },
    ],
  })

async function make(schema: Schema): Promise<void> {
  for (const statement of createSchema(schema)) await clickhouse.run(statement)
}

async function feed(schema: string, events: readonly object[]): Promise<void> {
  const lines = events.map((event, i) => `${JSON.stringify({ _seq: i + 1, ...event })}\n`)
  await clickhouse.insert({ table: `${schema}.s__in`, rows: Buffer.from(lines.join('')), token: schema })
}

const columnsOf = async (schema: Schema) => clickhouse.rows<FoundColumn>(compileFoundColumns(schema))

const minute = 60_000_000

test('a statistic of no value is NULL, as is a deviation of one, a skewness of two and a kurtosis of three', async (t) => {
  await make(shop('absent'))
  await feed('absent', [
    { _pk: 1, who: 'x', a: -5 },
    { _pk: 2, who: 'x', a: -7 },
    { _pk: minute, who: 'y', b: 4 },
    { _pk: 2 * minute, who: 'x', a: 1 },
    { _pk: 2 * minute + 1, who: 'x', a: 2 },
    { _pk: 2 * minute + 2, who: 'x', a: 4 },
    { _pk: 3 * minute, who: 'z', n: 1 },
    { _pk: 4 * minute, who: 'x', a: 3 },
    ...[5, 5, 5, 5].map((a, i) => ({ _pk: 5 * minute + i, who: 'x', a })),
  ])
  const of = (name: string) =>
    ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'].map((each) => `${name}_${each}`)
  const values = async (columns: readonly string[], view: string, order: string) =>
    (
      await rows(
        `SELECT array(${columns.map((each) => `toString(round(${each}, 4))`).join(', ')}) AS v FROM ${view} ORDER BY ${order}`,
      )
    ).map(({ v }) => (Array.isArray(v) ? v.map((each) => each ?? '').join(' ') : ''))
  t.deepEqual(await values(of('a'), 'absent.s_by_60s', 'interval_start'), [
    '2 -12 -7 -5 -6 1.4142  ',
    '0       ',
    '3 7 1 4 2.3333 1.5275 0.9352 ',
    '0       ',
    '1 3 3 3 3   ',
    '4 20 5 5 5 0 0 0',
  ])
  t.deepEqual(await values([...of('ra'), 'rb_cnt', 'rb_min'], 'absent.people', 'id'), [
    '10 18 -7 5 1.8 4.3665 -1.4229 0.8121 0 ',
    '0        1 4',
    '0        0 ',
  ])
  t.deepEqual(
    await rows(
      'SELECT max(a_max) AS most, min(a_min) AS least, sum(a_sum) AS total, sum(who_unique) AS who FROM absent.s_by_60s WHERE interval_start < fromUnixTimestamp64Micro(120000000)',
    ),
    [{ most: -5, least: -7, total: -12, who: 2 }],
  )
  t.deepEqual(await rows("SELECT min(a_min) AS least FROM absent.s_by_60s__who WHERE who != 'x'"), [{ least: null }])
})

test('a view has the columns that its text gives, and every column and table has a comment', async (t) => {
  const schema = shop('told')
  await make(schema)
  await clickhouse.run(createRejectedTable('told', 's'))
  const seen = ['s', 's_by_60s', 's_by_60s__who', 's_by_60s_states', 'people', 's__rejected']
  const found = (await columnsOf(schema)).filter(({ table }) => seen.includes(table))
  t.deepEqual(
    found.filter(({ comment }) => comment === '').map(({ table, name }) => `${table}.${name}`),
    [],
  )
  for (const view of seen.slice(1, 5)) {
    const [{ text = '' } = {}] = await rows(
      `SELECT as_select AS text FROM system.tables WHERE database = 'told' AND name = '${view}'`,
    )
    const given = await rows(`SELECT name, type FROM (DESCRIBE (${text}))`).catch(() => rows(`DESCRIBE (${text})`))
    t.deepEqual(
      found.filter(({ table }) => table === view).map(({ name, type }) => `${name} ${type}`),
      given.map(({ name, type }) => `${name} ${type}`),
      view,
    )
  }
  t.deepEqual(
    await rows(
      `SELECT name FROM system.tables WHERE database = 'told' AND name IN ('${seen.join("','")}') AND comment = ''`,
    ),
    [],
  )
})

test('SELECT * with aliases has the columns of DESCRIBE, _v and _time last, also once attributes are added', async (t) => {
  const [from, to] = [
    shop('later'),
    shop('later', [
      { name: 'c', type: 12 },
      { name: 'd', type: 11 },
    ]),
  ]
  await make(from)
  for (const statement of planEdit({ from, to }, new Set(), 'edit').prepare) await clickhouse.run(statement)
  await feed('later', [{ _pk: 1, who: 'x' }])
  const columns = (await columnsOf(to)).filter(({ table }) => table === 's')
  t.deepEqual(
    columns.map(({ name }) => name),
    ['_pk', '_seq', '_rest', 'who', 'a', 'b', 'n', 'c', 'd', '_v', '_time'],
  )
  t.is(columns.find(({ name }) => name === 'c')?.comment, 'Attribute of type BOOL; NULL where the event has none')
  const [row = {}] = await rows('SELECT * FROM later.s SETTINGS asterisk_include_alias_columns = 1')
  t.deepEqual(
    Object.keys(row),
    columns.map(({ name }) => name),
  )
})

test('a schema as an earlier version made it gets the present form, and its events stay', async (t) => {
  const schema = shop('early')
  await make(schema)
  const present = await columnsOf(schema)
  for (const statement of [
    'DROP TABLE early.s',
    `CREATE TABLE early.s (_pk Int64 CODEC(DoubleDelta, ZSTD), _seq Int64, _v Int64 ALIAS 1,
      _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk), _rest String, who Nullable(String), a Nullable(Float64),
      b Nullable(Int64), n Nullable(Int64)) ENGINE = MergeTree ORDER BY (_pk, _seq)`,
    "INSERT INTO early.s (_pk, _seq, who) VALUES (1, 1, 'x')",
    'CREATE OR REPLACE VIEW early.s_by_60s AS SELECT 0 AS a_min',
    'DROP VIEW early.people',
  ])
    await clickhouse.run(statement)
  for (const statement of renew(schema, await columnsOf(schema))) await clickhouse.run(statement)
  t.deepEqual(await columnsOf(schema), present)
  t.deepEqual(renew(schema, present), [])
  t.deepEqual(await rows('SELECT _pk, who, _v FROM early.s'), [{ _pk: 1, who: 'x', _v: 1 }])
})

test('a condition on the time of events or on the start of intervals reads that part of the table alone', async (t) => {
  const early = shop('timed')
  await make(early)
  const events = 200_000
  await clickhouse.run(
    `INSERT INTO timed.s__in (_pk, _seq, who, a) SELECT number * ${minute}, number, toString(number % 3), 1 FROM numbers(${events})`,
  )
  const readOf = async (from: string) => {
    const plan = await rows(`EXPLAIN indexes = 1 ${from}`)
    const steps = plan.flatMap(({ explain }) => {
      const found = /Granules: (\d+)\/(\d+)/.exec(String(explain))
      return found ? [{ left: Number(found[1]), of: Number(found[2]) }] : []
    })
    return { read: Math.min(...steps.map(({ left }) => left)), of: Math.max(...steps.map((step) => step.of)) }
  }
  const late = `fromUnixTimestamp64Micro(${(events - 100) * minute})`
  for (const [statement, column] of [
    ['SELECT count() FROM timed.s', '_time'],
    ['SELECT * FROM timed.s_by_60s', 'interval_start'],
    ['SELECT * FROM timed.s_by_60s__who', 'interval_start'],
    ['SELECT * FROM timed.s_by_60s_states', 'interval_start'],
  ]) {
    for (const condition of [`${column} >= ${late}`, `toStartOfHour(${column}) >= ${late}`]) {
      const { read, of } = await readOf(`${statement} WHERE ${condition}`)
      t.true(of > 10 && read <= 6, `${statement} WHERE ${condition}: ${read} of ${of} granules`)
    }
  }
  t.deepEqual(
    await rows(
      `SELECT count() AS n, min(_time) = ${late} AS same FROM timed.s WHERE _time >= ${late} AND _time = fromUnixTimestamp64Micro(_pk)`,
    ),
    [{ n: 100, same: 1 }],
  )
  // The time as versions before this one defined it reads all of the table, until it is renewed.
  await clickhouse.run(
    "ALTER TABLE timed.s MODIFY COLUMN _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk) COMMENT 'Time of the event: _pk as a time'",
  )
  t.true((await readOf(`SELECT count() FROM timed.s WHERE _time >= ${late}`)).read > 10)
  for (const statement of renew(early, await columnsOf(early))) await clickhouse.run(statement)
  t.true((await readOf(`SELECT count() FROM timed.s WHERE _time >= ${late}`)).read <= 6)
})

test('states of different values are merged over intervals and groups, each value once', async (t) => {
  const schema = decodeSchema({
    schema: 'merged',
    streams: [
      {
        ...{ name: 's', type: 1, swsz: 0 },
        attr: [
          { name: 'who', type: 5, stat: 'UCOUNT' },
          { name: 'at', type: 5 },
        ],
        gpby: [{ gpat: ['at'], iatr: 'who', stat: 'UCOUNT', gran: 60 }],
      },
    ],
  })
  await make(schema)
  const events = Array.from({ length: 300 }, (_, i) => ({ _pk: i * minute, who: `u${i % 7}`, at: i % 2 ? 'a' : 'b' }))
  await feed('merged', [...events, { _pk: 1, at: 'a' }])
  t.deepEqual(await rows('SELECT uniqCombined64Merge(who_state) AS n FROM merged.s_by_60s_states'), [{ n: 7 }])
  t.deepEqual(
    await rows(
      'SELECT at, uniqCombined64Merge(who_state) AS n FROM merged.s_by_60s_states__at GROUP BY at ORDER BY at',
    ),
    [
      { at: 'a', n: 7 },
      { at: 'b', n: 7 },
    ],
  )
  t.deepEqual(await rows('SELECT sum(who_unique) AS n FROM merged.s_by_60s'), [{ n: 300 }])
})
