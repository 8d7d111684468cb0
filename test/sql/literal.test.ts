import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/client.ts'
import { type LiteralType, literal } from '../../sql/literal.ts'
import { bind } from '../../sql/statement.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import '../support/random/seed.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.after.always(() => clickhouse.close())

/** Values as ClickHouse reads them, each as text; many go in one statement. */
async function through(
  values: readonly (string | number)[],
  type: LiteralType,
  shown = (sql: string) => `toString(${sql})`,
): Promise<string[]> {
  const params = Object.fromEntries(values.map((value, index) => [`v${index}`, value]))
  const list = values.map((_, index) => shown(`{v${index}:${type}}`))
  const [row] = await clickhouse.rows<{ list: string[] }>({ text: `SELECT [${list.join(', ')}] AS list`, params })
  return row?.list ?? []
}

const wellFormed = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^['"\\`{}?%;\-\n\r\t\0 nrt0bxu1]{0,20}$/),
  )
  .filter((text) => text.isWellFormed())

test('any string as a literal comes back equal through ClickHouse', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(wellFormed, { minLength: 20, maxLength: 40 }), async (strings) => {
      t.deepEqual(await through(strings, 'String'), strings)
    }),
    { numRuns: 100 },
  )
})

test('every character of the first planes comes back equal, alone and behind a backslash', async (t) => {
  const characters = Array.from({ length: 0x600 }, (_, code) => String.fromCodePoint(code))
  for (const strings of [characters, characters.map((each) => `\\${each}`), characters.map((each) => `'${each}`)]) {
    t.deepEqual(await through(strings, 'String'), strings)
  }
})

test('what would end a string or start a parameter stays text', async (t) => {
  const strings = [
    "'); DROP TABLE x; --",
    "\\'",
    "\\\\'",
    "''",
    '{p0:String}',
    '{p1:Int64}',
    '?',
    '%s',
    '\\x41\\101\\N',
    '/* */ -- #',
    '\u2028\u2029\ufeff',
  ]
  t.deepEqual(await through(strings, 'String'), strings)
})

test('half a surrogate pair has no UTF-8 and is refused', (t) => {
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800'])
    t.throws(() => literal(text, 'String'), { message: /surrogate/ })
})

test('64-bit integers come back equal', async (t) => {
  const signed = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
  await fc.assert(
    fc.asyncProperty(fc.array(signed, { minLength: 20, maxLength: 40 }), async (integers) => {
      const texts = integers.map(String)
      t.deepEqual(await through(texts, 'Int64'), texts)
    }),
    { numRuns: 30 },
  )
  const edges = ['-9223372036854775808', '9223372036854775807', '0', '9007199254740993']
  t.deepEqual(await through(edges, 'Int64'), edges)
  t.deepEqual(await through(['18446744073709551615', '0'], 'UInt64'), ['18446744073709551615', '0'])
})

test('what is no integer, or out of range, is refused', (t) => {
  for (const text of ['', ' 1', '1 ', '1.0', '1e3', '0x10', '--1', '1;2', 'NaN', '+1', '1'.repeat(21)]) {
    t.throws(() => literal(text, 'Int64'), undefined, text)
    t.throws(() => literal(text, 'UInt64'), undefined, text)
  }
  t.throws(() => literal('9223372036854775808', 'Int64'))
  t.throws(() => literal('-9223372036854775809', 'Int64'))
  t.throws(() => literal('-1', 'UInt64'))
  t.throws(() => literal('18446744073709551616', 'UInt64'))
  t.throws(() => literal(1.5, 'Int64'))
})

test('doubles come back equal, bit for bit, -0 as 0', async (t) => {
  const bits = (value: number) => new BigInt64Array(new Float64Array([value + 0]).buffer)[0]
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
  await fc.assert(
    fc.asyncProperty(fc.array(doubles, { minLength: 50, maxLength: 100 }), async (values) => {
      const told = await through(values, 'Float64', (sql) => `toString(reinterpretAsInt64(${sql}))`)
      t.deepEqual(
        told,
        values.map((value) => String(bits(value))),
      )
    }),
    { numRuns: 50 },
  )
})

test('infinity has a literal, NaN has none', async (t) => {
  t.deepEqual(await through([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], 'Float64'), ['inf', '-inf'])
  t.throws(() => literal(Number.NaN, 'Float64'))
  t.throws(() => literal('three', 'Float64'))
})

test('a parameter without a value is refused, and a value is put in once', (t) => {
  t.throws(() => bind({ text: 'SELECT {a:String}', params: {} }), { message: /parameter a/ })
  t.is(bind({ text: '{a:String} {b:Int64}', params: { a: '{b:Int64}$1$&', b: 7 } }), "'{b:Int64}$1$&' 7")
})
