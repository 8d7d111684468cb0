import test from 'ava'
import fc from 'fast-check'
import type { Json } from '../../../base/json.ts'
import { parse } from '../../../sql/query/index.ts'
import { decodeQuestion, questionToWire, trialValues } from '../../../sql/saved/definition.ts'
import { bindInWeir, isCombined, placeholdersOfWeir, withoutEnd } from '../../../sql/saved/placeholders.ts'
import { jsonOf, readValue, typeOf } from '../../../sql/saved/types.ts'
import { valuesOf } from '../../../sql/saved/values.ts'
import { seed } from '../../support/random/seed.ts'
import { staysQuick } from '../../support/stays-quick.ts'

test('a definition that is shown is the same definition', (t) => {
  const wire: Json = {
    sql: 'SELECT {a:String}, {b:Array(Int64)}, {c:DateTime64(3)}, {d:Nullable(Float64)} FROM t',
    db: 'mydb',
    description: 'what it is',
    cache_s: 5,
    params: {
      a: { type: 'text', values: ['x', 'y'], default: 'x', description: 'a letter' },
      b: { type: 'Array(Int64)', default: [1, 2] },
      c: { type: 'time', default: '2026-11-29T10:00:00Z' },
      d: { min: 0, max: 1.5, default: null },
    },
  }
  const shown = questionToWire(decodeQuestion(wire))
  t.deepEqual(questionToWire(decodeQuestion(shown as Json)), shown)
  t.deepEqual(shown.params, {
    a: { type: 'text', values: ['x', 'y'], default: 'x', description: 'a letter' },
    b: { type: 'Array(Int64)', default: [1, 2] },
    c: { type: 'time', default: '2026-11-29T10:00:00Z' },
    d: { type: 'Nullable(Float64)', min: 0, max: 1.5, default: null },
  })
})

for (const [sql, names] of [
  ["select * from a.b where x = {x:String} and y = 'not {z:String}'", ['x']],
  ['select * from a.b where x in {x:Int64}', ['x']],
  ['select * from a.b', []],
  ['select * from a.b where t > { t : DateTime64( 6 ) }', ['t']],
] as const) {
  test(`the parameters of ${sql} are ${names.join() || 'none'}`, (t) => {
    t.deepEqual(
      placeholdersOfWeir(sql).map(({ name }) => name),
      [...names],
    )
  })
}

test('a text of any characters, bound in the other language, is the text that its statement compares with', (t) => {
  const sql = 'select * from a.b where x = {x:String} and y > {y:Float64}'
  const property = fc.property(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    (x, y) => {
      const statement = parse(bindInWeir(sql, { x, y }))
      const shown = JSON.stringify(statement)
      t.true(shown.includes(JSON.stringify(x)), shown)
    },
  )
  fc.assert(property, { seed, numRuns: 2_000 })
})

for (const [sql, is] of [
  ['SELECT 1 UNION ALL SELECT 2', true],
  ['(SELECT 1) except (SELECT 2)', true],
  ['SELECT * FROM (SELECT 1 UNION ALL SELECT 2)', false],
  ["SELECT 'union' AS x", false],
] as const) {
  test(`${sql} ${is ? 'combines' : 'does not combine'} statements`, (t) => t.is(isCombined(sql), is))
}

for (const [type, texts, value] of [
  ['Int64', ['5'], 5],
  ['Int64', ['+5'], 5],
  ['Int64', ['9223372036854775807'], 9223372036854775807n],
  ['Int64', ['5.0'], undefined],
  ['Int64', [''], undefined],
  ['Int64', ['1', '2'], undefined],
  ['Float64', ['1e3'], 1000],
  ['Float64', ['0x10'], undefined],
  ['Bool', ['1'], true],
  ['Bool', ['false'], false],
  ['Bool', ['no'], undefined],
  ['Array(String)', ['a', 'b'], ['a', 'b']],
  ['Array(String)', ['["a","b"]'], ['a', 'b']],
  ['Array(Int8)', ['1', 'x'], undefined],
  ['Array(Int64)', ['[9223372036854775807]'], [9223372036854775807n]],
  ['Array(Int64)', ['[1'], undefined],
  ['String', ['[1]'], '[1]'],
] as const) {
  test(`${JSON.stringify(texts)} in an address is ${String(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)))} as ${type}`, (t) => {
    const read = typeOf(type)
    t.truthy(read)
    if (read) t.deepEqual(jsonOf(texts, read) as unknown, value)
  })
}

for (const [type, value, problem] of [
  ['UInt8', 255, undefined],
  ['UInt8', 256, 'must be from 0 to 255'],
  ['Int8', -129, 'must be from -128 to 127'],
  ['Int64', 1.5, 'must be a whole number'],
  ['Date', '2026-13-01', 'must be a date, 2026-11-29'],
  ['Date', '2026-02-31', 'must be a date, 2026-11-29'],
  ['Date', '1960-01-01', 'must be from 1970-01-01 to 2149-06-06'],
  ['Date', '2149-06-06', undefined],
  ['Date32', '1960-01-01', undefined],
  ['Date32', '2300-01-01', 'must be from 1900-01-01 to 2299-12-31'],
  ['DateTime', '2026-11-29 10:00:00', undefined],
  ['DateTime', '2026-11-29T10:00:00.000Z', undefined],
  ['DateTime', '2026-11-29T10:00:00.5Z', 'has a fraction of a second, and a DateTime has whole seconds'],
  ['DateTime', '2026-02-31', 'must be a time, 2026-11-29T12:00:00Z'],
  ['DateTime', '2106-02-07T06:28:16Z', 'must be from 1970-01-01 to 2106-02-07T06:28:15Z'],
  ['DateTime64(3)', '9999-12-31T23:59:59.999Z', undefined],
  ['Float32', 1e39, 'must be from -3.4028234663852886e+38 to 3.4028234663852886e+38'],
  ['Float64', 1e39, undefined],
  ['UUID', 'x', 'must be a UUID'],
  ['Nullable(String)', null, undefined],
  ['String', null, 'must be a text, and not null'],
  ['Array(UInt8)', [1, 300], 'item 1 must be from 0 to 255'],
] as const) {
  test(`${JSON.stringify(value)} as ${type}: ${problem ?? 'good'}`, (t) => {
    const read = typeOf(type)
    const found = read && readValue(value as Json, read)
    t.is(found && 'problem' in found ? found.problem : undefined, problem)
  })
}

test('a value that there may be lies between the bounds', (t) => {
  const params = { n: { min: 5, values: [3] } }
  t.throws(() => decodeQuestion({ sql: 'SELECT {n:Int64}', params }), {
    message: /params\.n\.values\[0\]: must be at least 5/,
  })
})

test('a question that an earlier Weir kept is read, and its answers say what is wrong with it', (t) => {
  const wire = { sql: 'SELECT {d:Date}', params: { d: { default: '2026-02-31' } } }
  t.throws(() => decodeQuestion(wire), { message: /params\.d\.default: must be a date/ })
  const question = decodeQuestion(wire, { isKept: true })
  t.throws(() => valuesOf(question, { inAddress: {}, inBody: {}, fixed: {} }), { message: /^d must be a date/ })
})

for (const [sql, inBrackets] of [
  ['SELECT 1', 'SELECT 1'],
  ["SELECT ';' -- the end;", "SELECT ';' -- the end;"],
  ['SELECT 1 UNION ALL SELECT 2 ; ;', 'SELECT 1 UNION ALL SELECT 2'],
] as const)
  test(`${sql} stands in brackets as ${inBrackets}`, (t) => t.is(withoutEnd(sql), inBrackets))

test('trial values are those that a definition names', (t) => {
  const { params } = decodeQuestion({
    sql: 'SELECT {a:String}, {b:Int64}, {c:Int64}, {d:UInt8}',
    params: { a: { values: ['x'] }, b: { min: 7 }, c: { default: 3 } },
  })
  t.deepEqual(trialValues(params), { a: 'x', b: 7, c: 3, d: 1 })
})

test('names and values of a request, however long, are looked at in time', (t) => {
  const question = decodeQuestion({ sql: 'SELECT {a:String}, {n:Float64}', params: {} })
  const asked = (inAddress: Record<string, string[]>) => {
    try {
      valuesOf(question, { inAddress, inBody: {}, fixed: {} })
    } catch {}
  }
  staysQuick(t, 'digits', (count) => asked({ a: ['x'], n: [`${'1'.repeat(count)}x`] }), 64 * 1024)
  staysQuick(
    t,
    'names',
    (count) => asked(Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, ['1']]))),
    4 * 1024,
  )
  staysQuick(t, 'placeholders', (count) => placeholdersOfWeir('{a:'.repeat(count)), 8 * 1024)
  staysQuick(t, 'types', (count) => typeOf(`${'Array('.repeat(count)}String`), 16 * 1024)
})
