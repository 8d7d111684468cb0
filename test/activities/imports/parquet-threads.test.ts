/** Parquet files that ClickHouse writes, decoded in threads. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ParquetSource } from '../../../activities/imports/parquet-rows.ts'
import { openParquetThreads } from '../../../activities/imports/threads/open-parquet-threads.ts'
import { Refusal } from '../../../base/refusal.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
const threads = openParquetThreads(1)
test.after.always(async () => {
  await threads.close()
  await clickhouse.close()
})

/** The answer of a SELECT as a file. */
async function written(name: string, select: string, settings = ''): Promise<ParquetSource> {
  const file = join(folder, `${name}.parquet`)
  await clickhouse.run(`INSERT INTO FUNCTION file('${file}', Parquet) ${select}${settings && ` SETTINGS ${settings}`}`)
  const bytes = readFileSync(file)
  return { bytes: bytes.length, slice: async (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer }
}

const numbers = (count: number) =>
  `SELECT number AS n, if(number % 3 = 0, NULL, toString(number)) AS s FROM numbers(${count})`

async function read(source: ParquetSource, after = 0, columns?: ReadonlySet<string>, by = threads) {
  const all: unknown[] = []
  for await (const { rows } of by.rows(source, { ...(columns && { columns }) }, after)) all.push(...rows)
  return all
}

test.serial('all rows come once and in order, over row groups and parts, from any row on', async (t) => {
  const source = await written('groups', numbers(5_000), 'output_format_parquet_row_group_size = 1300')
  const expected = Array.from({ length: 5_000 }, (_, n) => ({
    row: n + 1,
    value: { n: BigInt(n), ...(n % 3 !== 0 && { s: String(n) }) },
  }))
  const same = (rows: unknown[], from: number) => t.deepEqual(plain(rows), plain(expected.slice(from)))
  same(await read(source), 0)
  for (const after of [1, 999, 1_000, 1_300, 4_999, 5_000]) same(await read(source, after), after)
  t.deepEqual(
    plain(await read(source, 4_998, new Set(['n']))),
    plain(expected.slice(4_998).map(({ row, value: { n } }) => ({ row, value: { n } }))),
  )
})

/** Small integers may come as numbers. */
const plain = (rows: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))

test.serial('a reader that stops amid a file leaves the thread to the next one', async (t) => {
  const source = await written('stops', numbers(5_000))
  for await (const { rows } of threads.rows(source, {}, 0)) {
    t.true(rows.length < 5_000)
    break
  }
  t.is((await read(source)).length, 5_000)
})

test.serial('an error of the store is that error, and the thread goes on', async (t) => {
  const source = await written('store', numbers(10))
  const away = new Error('the store is away')
  const slice = async () => Promise.reject(away)
  t.is(await t.throwsAsync(read({ ...source, slice })), away)
  t.is((await read(source)).length, 10)
})

test.serial('bytes that are no Parquet are refused, and the thread goes on', async (t) => {
  const bytes = new TextEncoder().encode('this is a text of some length, and no Parquet')
  const slice = async (start: number, end: number) => bytes.slice(start, end).buffer
  await t.throwsAsync(read({ bytes: bytes.length, slice }), {
    instanceOf: Refusal,
    message: /^the Parquet cannot be read/,
  })
  t.is((await read(await written('good', numbers(10)))).length, 10)
})

test.serial('a file whose pages take more memory than a thread has is refused, and the process goes on', async (t) => {
  const small = openParquetThreads(1, 24)
  t.teardown(small.close)
  const many = 'SELECT repeat(toString(number), 10) AS s FROM numbers(500000)'
  const source = await written('large', many, 'output_format_parquet_row_group_size = 500000')
  await t.throwsAsync(read(source, 0, undefined, small), {
    instanceOf: Refusal,
    message: /^its pages take over 24 MB of memory once they are decoded/,
  })
  t.is((await read(await written('small', numbers(10)), 0, undefined, small)).length, 10)
  t.is((await read(source)).length, 500_000)
})

test.serial('a small file of a great many equal rows is decoded a part at a time', async (t) => {
  const source = await written(
    'equal',
    'SELECT toInt64(1) AS n FROM numbers(50000000)',
    'output_format_parquet_row_group_size = 50000000, output_format_parquet_row_group_size_bytes = 100000000000, max_block_size = 50000000',
  )
  t.true(source.bytes < 100_000)
  let rows = 0
  for await (const some of threads.rows(source, {}, 25_000_000)) {
    rows += some.rows.length
    t.is(some.total, 50_000_000)
    if (rows >= 10_000) break
  }
  t.is(rows, 10_000)
})

const valuesOf = async (name: string, select: string, settings = '') =>
  (await read(await written(name, select, settings))).map((row) =>
    typeof row === 'object' && row !== null && 'value' in row ? row.value : row,
  )

test.serial('decimals keep their digits where they are whole, at any depth', async (t) => {
  const select = `SELECT toDecimal128('12345678901234567890123456789', 0) AS great, toDecimal64(9007199254740993, 2) AS whole,
    toDecimal64('-1.25', 2) AS part, toDecimal128('-0.1234567890123456789', 19) AS near, toDecimal32('7', 3) AS small,
    [toDecimal128('9007199254740993', 5), NULL] AS list, map('a', toDecimal64(9007199254740993, 0)) AS map,
    CAST(tuple([toDecimal64(9007199254740993, 0)]), 'Tuple(x Array(Decimal64(0)))') AS struct`
  t.deepEqual(await valuesOf('decimals', select), [
    {
      ...{ great: 12345678901234567890123456789n, whole: 9007199254740993n, part: -1.25, near: -0.12345678901234568 },
      ...{ small: 7, list: [9007199254740993n, null], map: { a: 9007199254740993n } },
      struct: { x: [9007199254740993n] },
    },
  ])
})

test.serial('a decimal of too great a scale costs its row', async (t) => {
  const column = { converted_type: 'DECIMAL', precision: 9, repetition_type: 'OPTIONAL' } as const
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      statistics: false,
      schema: [
        { name: 'root', num_children: 2 },
        { name: 'fine', type: 'INT32', scale: 300, ...column },
        { name: 'steep', type: 'INT32', scale: 301, ...column },
      ],
      columnData: [
        { name: 'fine', data: [0, null, null] },
        { name: 'steep', data: [null, 0, null] },
      ],
    }),
  )
  t.deepEqual(await read({ bytes: bytes.length, slice: async (start, end) => bytes.slice(start, end).buffer }), [
    { row: 1, value: { fine: 0 } },
    { row: 2, reason: 'column "steep": the scale of a decimal must be a whole number from 0 to 300, and is 301' },
    { row: 3, value: {} },
  ])
})

/** The mark of a column in the file's foot: 0 is UTF-8, 19 JSON, in the form of Thrift. */
async function markedAsJson(source: ParquetSource): Promise<ParquetSource> {
  const bytes = new Uint8Array(await source.slice(0, source.bytes))
  const mark = Buffer.from([1, 0x6a, 0x25, 0x00])
  const at = Buffer.from(bytes).lastIndexOf(mark)
  if (at < 0) throw new Error('the column j has no mark')
  bytes[at + mark.length - 1] = 2 * 19
  return { bytes: bytes.length, slice: async (start, end) => bytes.slice(start, end).buffer }
}

test.serial('a column of JSON keeps its integers, and a row whose JSON is none is refused', async (t) => {
  const select = `SELECT arrayJoin(['{"id":9007199254740993,"x":[1.5,null]}', '{"id":', '[1e999]', '"é"']) AS j`
  const found = await read(await markedAsJson(await written('json', select)))
  t.deepEqual(found[0], { row: 1, value: { j: { id: 9007199254740993n, x: [1.5, null] } } })
  t.like(found[1], {
    row: 2,
    reason: 'column "j": the JSON is no JSON: Unexpected end of JSON input at position 6 (line 1, column 7)',
  })
  t.like(found[2], { row: 3, reason: 'column "j": 1e999 is a number that neither a double nor an int64 holds' })
  t.deepEqual(found[3], { row: 4, value: { j: 'é' } })
})

test.serial('a text that is no UTF-8 costs its row, and bytes without a mark are text or base64', async (t) => {
  const select = "SELECT arrayJoin([unhex('ff00'), 'é', '']) AS s, toFixedString('abc', 3) AS fixed"
  t.deepEqual(await read(await written('texts', select)), [
    { row: 1, reason: 'column "s": its bytes are no UTF-8' },
    { row: 2, value: { s: 'é', fixed: 'YWJj' } },
    { row: 3, value: { s: '', fixed: 'YWJj' } },
  ])
  t.deepEqual(await valuesOf('bytes', select, 'output_format_parquet_string_as_string = 0'), [
    { s: '/wA=', fixed: 'YWJj' },
    { s: 'é', fixed: 'YWJj' },
    { s: '', fixed: 'YWJj' },
  ])
  const maps = ["[map('é', ['x'], 'b', [unhex('ff')])]", "[map(unhex('ff'), ['x'])]", "[map('é', ['x'])]"]
  t.deepEqual(await read(await written('nested', `SELECT arrayJoin([${maps}]) AS m`)), [
    { row: 1, reason: 'column "m": its bytes are no UTF-8' },
    { row: 2, reason: 'column "m": its bytes are no UTF-8' },
    { row: 3, value: { m: [{ é: ['x'] }] } },
  ])
  t.deepEqual(await valuesOf('keys', "SELECT map('é', 'x') AS m", 'output_format_parquet_string_as_string = 0'), [
    { m: { é: 'x' } },
  ])
})

test.serial('a date and a time of any year come whole, and one that no text has costs its row', async (t) => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const utc = (unit: 'MILLIS' | 'MICROS' | 'NANOS') => ({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit }) as const
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      statistics: false,
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'd', type: 'INT32', converted_type: 'DATE', ...optional },
        { name: 'ms', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...optional },
        { name: 'us', type: 'INT64', logical_type: utc('MICROS'), ...optional },
      ],
      columnData: [
        { name: 'd', data: [2_932_897, -719_529, 100_000_001, null, null] },
        { name: 'ms', data: [null, 253_402_300_800_000n, null, 8_640_000_000_001_000n, null] },
        { name: 'us', data: [null, -1n, null, null, 2n ** 63n - 1n] },
      ],
    }),
  )
  const years = 'is outside the years -271821 to 275760'
  t.deepEqual(await read({ bytes: bytes.length, slice: async (start, end) => bytes.slice(start, end).buffer }), [
    { row: 1, value: { d: '+010000-01-01' } },
    { row: 2, value: { d: '-000001-12-31', ms: '+010000-01-01T00:00:00Z', us: '1969-12-31T23:59:59.999999Z' } },
    { row: 3, reason: `column "d": the date 100000001 (days since 1970) ${years}` },
    { row: 4, reason: `column "ms": the time 8640000000001000000 (microseconds since 1970) ${years}` },
    { row: 5, reason: `column "us": the time 9223372036854775807 (microseconds since 1970) ${years}` },
  ])
})

test.serial('an infinite number costs its row, NaN is missing, and a text keeps the mark before it', async (t) => {
  const select = `SELECT arrayJoin([inf, -inf, nan, 1.5]) AS f, [if(f = 1.5, f, nan), if(f = 1.5, inf, 0)] AS list, '\ufeffé' AS s`
  t.deepEqual(await read(await written('floats', select)), [
    { row: 1, reason: 'column "f": Infinity is a number that JSON does not have' },
    { row: 2, reason: 'column "f": -Infinity is a number that JSON does not have' },
    { row: 3, value: { list: [null, 0], s: '\ufeffé' } },
    { row: 4, reason: 'column "list": Infinity is a number that JSON does not have' },
  ])
  const unmarked = 'output_format_parquet_string_as_string = 0'
  t.deepEqual(await valuesOf('mark', "SELECT '\ufeffé' AS s", unmarked), [{ s: '\ufeffé' }])
})
