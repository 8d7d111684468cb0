import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { type Asked, remembered } from '../../../../console/pages/query/asked.ts'
import { chooseChart, drawnOf, eachCombination } from '../../../../console/pages/query/chart-choice.ts'
import { columnsOf, createLines, kindOf, namesFormat } from '../../../../console/pages/query/sql-rows.ts'
import { formOf, objectsOf } from '../../../../console/pages/query/weir-rows.ts'
import { cellText, columnTitle, fullCell, timeOf } from '../../../../console/parts/result/cells.ts'
import { csvOf, fileOf, ndjsonOf } from '../../../../console/parts/result/files.ts'
import { createRowTable } from '../../../../console/parts/result/rows.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const tableOf = (text: string, rows: Parameters<typeof objectsOf>[1]) => {
  const table = createRowTable()
  table.add(objectsOf(formOf(text), rows))
  return table.now()
}
const shown = (text: string, rows: Parameters<typeof objectsOf>[1]) => {
  const { columns, rows: cells } = tableOf(text, rows)
  return { columns: columns.map(({ name, kind }) => `${name} ${kind}`), cells }
}
const time = 1_700_000_000_000_000
const statistic = (avg: number) => JSON.stringify({ cnt: 2, avg })

test('rows of each kind of answer are columns with names', (t) => {
  t.deepEqual(shown('select * from a.b', [{ k: time, v: `{"_pk":${time},"_v":1,"who":"ann","at":{"x":1}}` }]), {
    columns: ['_pk time', '_v number', 'who text', 'at.x number'],
    cells: [[time, 1, 'ann', 1]],
  })
  t.deepEqual(shown('select aggr(x) from a.b', [{ k: time, v: 5 }]), {
    columns: ['ts time', 'value number'],
    cells: [[time, 5]],
  })
  t.deepEqual(shown('select aggr(x) from a.b groupby c rollup 0', [{ k: 'DE', v: statistic(3), ts: time }]), {
    columns: ['ts time', 'group text', 'cnt number', 'avg number'],
    cells: [[time, 'DE', 2, 3]],
  })
  t.deepEqual(
    shown('select aggr(x) from a.b rollup 1', [{ k: time, v: '{"fromts":1,"tots":9,"aggr_val":{"cnt":4}}' }]),
    {
      columns: ['ts time', 'cnt number', 'fromts number', 'tots number'],
      cells: [[time, 4, 1, 9]],
    },
  )
  t.deepEqual(shown('select * from a.people', [{ k: 'ann', v: '{"spent":{"cnt":1,"sum":2}}' }]), {
    columns: ['key text', 'spent.cnt number', 'spent.sum number'],
    cells: [['ann', 1, 2]],
  })
  t.deepEqual(shown('select * from notes', [{ k: 7, v: 'plain {text' }]).cells, [[7, 'plain {text']])
})

test('rows that lack members, and long numbers, stay what they are', (t) => {
  const { columns, rows } = tableOf('select * from a.b', [
    { k: 1, v: '{"_pk":1,"a":9007199254740993}' },
    { k: 2, v: '{"_pk":2,"b":"x,\\"y\\""}' },
  ])
  t.deepEqual(
    columns.map(({ name }) => name),
    ['_pk', 'a', 'b'],
  )
  // The browsers that the page is for tell the text of a number to JSON.parse; Node 20 does not.
  t.is(csvOf({ columns, rows: rows.slice(1) }), '_pk,a,b\r\n2,,"x,""y"""\r\n')
  t.is(ndjsonOf({ columns, rows: [[1n << 60n, undefined, null]] }), '{"_pk":1152921504606846976,"b":null}\n')
})

test("rows of analysts' SQL come in pieces that are cut anywhere", (t) => {
  const lines = createLines()
  const whole = '["n", "s"]\n["Int64", "String"]\n[1, "a\\nb"]\n[2, "c"]'
  const found = [...whole].flatMap((character) => lines.take(character))
  t.deepEqual(
    [...found, ...lines.end()],
    [
      ['n', 's'],
      ['Int64', 'String'],
      [1, 'a\nb'],
      [2, 'c'],
    ],
  )
  t.deepEqual(columnsOf(found[0], found[1]), [
    { name: 'n', kind: 'number' },
    { name: 's', kind: 'text' },
  ])
  t.is(kindOf('Nullable(Decimal(10, 2))'), 'number')
  t.is(kindOf("LowCardinality(Nullable(DateTime64(6, 'UTC')))"), 'time')
  t.is(kindOf('Array(Int64)'), 'text')
  t.true(namesFormat('SELECT 1 FORMAT CSV ;'))
  t.false(namesFormat('SELECT format FROM a.b'))
})

test('times are microseconds, or texts in UTC', (t) => {
  t.is(timeOf('2023-11-14 22:13:20.5'), 1_700_000_000_500_000)
  t.is(timeOf('2023-11-14'), 1_699_920_000_000_000)
  t.is(timeOf('next week'), undefined)
  t.regex(cellText(time, 'time'), /^2023-11-14 22:13:20/)
  t.is(cellText(null, 'number'), 'NULL')
  t.is(cellText(9_223_372_036_854_775_807n, 'time'), '9223372036854775807')
})

test('numbers of rows have six digits, and all of them over the cell', (t) => {
  const shown = (value: number) => [cellText(value, 'number'), fullCell(value)]
  t.deepEqual(shown(463_069.009_999_999_95), ['463069.01', '463069.00999999995'])
  t.deepEqual(shown(46.505_375_646_355_07), ['46.5054', '46.50537564635507'])
  t.deepEqual(shown(2024), ['2024', undefined])
  t.is(cellText(9_007_199_254_740_993n, 'number'), '9007199254740993')
})

test('a chart is chosen by what the columns are', (t) => {
  const intervals = tableOf('select aggr(x) from a.b', [
    { k: time + 60_000_000, v: statistic(4) },
    { k: time, v: statistic(3) },
  ])
  t.deepEqual(chooseChart(intervals), { kind: 'line', x: 'ts', y: ['avg'] })
  t.deepEqual(drawnOf(intervals, { kind: 'line', x: 'ts', y: ['avg'] }), {
    form: 'plot',
    isTime: true,
    x: [time, time + 60_000_000],
    series: [{ name: 'avg', values: [3, 4] }],
    left: 0,
    leftPoints: 0,
  })
  const groups = tableOf('select aggr(x) from a.b groupby c', [
    { k: 'DE', v: 2 },
    { k: 'FR', v: 5 },
  ])
  t.deepEqual(chooseChart(groups), { kind: 'names', x: 'group', y: ['value'] })
  t.deepEqual(drawnOf(groups, { kind: 'names', x: 'group', y: ['value'] }), {
    form: 'names',
    names: [
      { name: 'FR', value: 5 },
      { name: 'DE', value: 2 },
    ],
  })
  const both = tableOf('select aggr(x) from a.b groupby c rollup 0', [
    { k: 'DE', v: 2, ts: time },
    { k: 'FR', v: 5, ts: time },
    { k: 'DE', v: 3, ts: time + 1 },
  ])
  const choice = chooseChart(both)
  t.deepEqual(choice, { kind: 'line', x: 'ts', y: ['value'], by: 'group' })
  t.deepEqual(choice && drawnOf(both, choice), {
    form: 'plot',
    isTime: true,
    x: [time, time + 1],
    series: [
      { name: 'DE', values: [2, 3] },
      { name: 'FR', values: [5, null] },
    ],
    left: 0,
    leftPoints: 0,
  })
  t.is(chooseChart(tableOf('select * from t', [{ k: 'a', v: 'only texts' }])), undefined)
})

const table = (names: Readonly<Record<string, 'text' | 'number' | 'time'>>, ...rows: unknown[][]) => ({
  columns: Object.entries(names).map(([name, kind]) => ({ name, kind })),
  rows,
})

test('rows of one name are a bar each, and become one only as the reader says', (t) => {
  const prices = table(
    { hub: 'text', step: 'text', p: 'number' },
    ['Köln', 'in', 46],
    ['Köln', 'out', 47],
    ['Ulm', 'in', 45],
    [null, '', 1],
  )
  const choice = chooseChart(prices)
  t.deepEqual(choice, { kind: 'names', x: 'hub', y: ['p'] })
  const bars = (more: object) => {
    const drawn = choice && drawnOf(prices, { ...choice, ...more })
    return drawn?.form === 'names' ? drawn.names.map(({ name, value }) => `${name} ${value}`) : drawn
  }
  t.deepEqual(bars({}), ['Köln · out 47', 'Köln · in 46', 'Ulm · in 45', 'NULL · (empty) 1'])
  t.deepEqual(bars({ join: 'sum' }), ['Köln 93', 'Ulm 45', 'NULL 1'])
  t.deepEqual(bars({ join: 'mean' }), ['Köln 46.5', 'Ulm 45', 'NULL 1'])
  t.deepEqual(bars({ join: 'greatest' }), ['Köln 47', 'Ulm 45', 'NULL 1'])
})

test('of several rows of one place none is drawn in silence for the others', (t) => {
  const rows = table(
    { ts: 'time', hub: 'text', p: 'number' },
    [time, 'Köln', 46],
    [time, 'Ulm', 45],
    [time + 1, 'Ulm', 44],
  )
  const chosen = chooseChart(rows)
  t.deepEqual(chosen, { kind: 'line', x: 'ts', y: ['p'], by: 'hub' })
  const alone = { kind: 'line', x: 'ts', y: ['p'] } as const
  t.deepEqual(drawnOf(rows, alone), { form: 'several', place: '2023-11-14 22:13:20.000', count: 2 })
  const joined = drawnOf(rows, { ...alone, join: 'mean' })
  t.deepEqual(joined.form === 'plot' && joined.series, [{ name: 'p', values: [45.5, 44] }])
  const both = table(
    { ts: 'time', hub: 'text', step: 'text', p: 'number' },
    [time, 'Köln', 'in', 1],
    [time, 'Köln', 'out', 2],
    [time + 1, 'Ulm', 'in', 3],
  )
  t.is(chooseChart(both)?.by, 'step')
  both.rows.push([time, 'Ulm', 'out', 4])
  t.is(chooseChart(both)?.by, eachCombination)
})

test('no line goes over intervals without rows', (t) => {
  const minute = 60_000_000
  const rows = table({ ts: 'time', p: 'number' }, ...[0, 1, 2, 5, 6].map((n) => [time + n * minute, n]))
  const drawn = drawnOf(rows, { kind: 'line', x: 'ts', y: ['p'] })
  t.deepEqual(drawn.form === 'plot' && drawn.series[0]?.values, [0, 1, 2, null, 5, 6])
})

test('times in another zone than UTC, and days, are shown as they are written', (t) => {
  const columns = columnsOf(['a', 'b', 'c'], ["DateTime64(6, 'UTC')", "Nullable(DateTime('Europe/Berlin'))", 'Date'])
  t.deepEqual(
    columns.map(({ zone }) => zone),
    [undefined, 'Europe/Berlin', ''],
  )
  t.deepEqual(columns.map(columnTitle), ['a (UTC)', 'b (Europe/Berlin)', 'c'])
})

test('the history has each statement once, the latest first, and none with a key in it', (t) => {
  const asked = (text: string): Asked => ({ language: 'weir', text, place: 'mydb', at_ms: 1 })
  const all = ['a', 'b', 'a', ' ', 'x = "weir_k1_abcdefghijkl"'].reduce<readonly Asked[]>(
    (before, text) => remembered(before, asked(text)),
    [],
  )
  t.deepEqual(
    all.map(({ text }) => text),
    ['a', 'b'],
  )
  const many = Array.from({ length: 200 }, (_, at) => asked(`s${at}`)).reduce<readonly Asked[]>(remembered, [])
  t.is(many.length, 60)
  t.is(many[0]?.text, 's199')
})

test.serial('a Parquet file has every value of its columns, those that are not there as NULL', async (t) => {
  const table = createRowTable()
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    n: at % 3 === 0 ? null : BigInt(at) + 9_007_199_254_740_993n,
    x: at / 8,
    isOdd: at % 2 === 1,
    ...(at % 5 === 0 && { text: `é "${at}"` }),
  }))
  table.add(rows)
  const folder = temporaryFolder()
  const file = join(folder, 'rows.parquet')
  writeFileSync(file, Buffer.from(await (await fileOf('parquet', table.now())).arrayBuffer()))
  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'data') })
  t.teardown(() => clickhouse.close())
  const read = await clickhouse.rows<{
    readonly n: string | null
    readonly x: number
    readonly isOdd: boolean
    readonly text: string | null
  }>({
    text: `SELECT toString(n) AS n, x, isOdd, text FROM file('${file}', Parquet) ORDER BY x`,
    params: {},
  })
  t.deepEqual(
    read.map(({ n, x, isOdd, text }) => [n, Number(x), Boolean(isOdd), text]),
    rows.map(({ n, x, isOdd, text }) => [n === null ? null : String(n), x, isOdd, text ?? null]),
  )
})

test.serial('a Parquet file of no values, of one row, or of numbers beyond 64 bits can be read', async (t) => {
  const folder = temporaryFolder()
  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'data') })
  t.teardown(() => clickhouse.close())
  const [most, more] = [2n ** 63n - 1n, 2n ** 63n]
  const cases = [
    [[{ a: null }, { a: null }], 'Nullable(String)'],
    [[{ a: most }, { a: -most - 1n }], 'Nullable(Int64)'],
    [[{ a: most }, { a: more }, { a: 18_446_744_073_709_551_615n }], 'Nullable(String)'],
    [[{ a: 0.1 }, { a: 2 }, { a: null }], 'Nullable(Float64)'],
    [[{ a: '' }], 'Nullable(String)'],
    [[{ a: true }], 'Nullable(Bool)'],
  ] as const
  for (const [at, [rows, type]] of cases.entries()) {
    const table = createRowTable()
    table.add([...rows])
    // ClickHouse remembers the types of a file by its name and second.
    const file = join(folder, `${at}.parquet`)
    writeFileSync(file, Buffer.from(await (await fileOf('parquet', table.now())).arrayBuffer()))
    const read = await clickhouse.rows<{ readonly type: string; readonly text: string | null }>({
      text: `SELECT toTypeName(a) AS type, toString(a) AS text FROM file('${file}', Parquet)`,
      params: {},
    })
    t.deepEqual(
      read,
      rows.map(({ a }) => ({ type, text: a === null ? null : String(a).toLowerCase() })),
    )
  }
})
