import test from 'ava'
import { isAllowedFunction } from '../../../sql/analysts/functions.ts'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { limits } from '../../../sql/analysts/settings.ts'
import { admit } from '../../../sql/analysts/statement.ts'
import { acceptedStatements, refusedStatements } from './cases.ts'

const ask = (text: string, params: Record<string, string> = {}, settings: Record<string, string> = {}) =>
  admit({ text, format: 'TabSeparated', params, settings })

const written = (text: string, params: Record<string, string> = {}): string => ask(text, params).text

test('what analysts may not ask is refused with its reason', (t) => {
  const cases = refusedStatements()
  t.true(cases.length > 200)
  for (const { statement, reason } of cases) {
    const error = t.throws(() => ask(statement), { instanceOf: StatementRefusal }, statement)
    const said = `${error?.exception} ${error?.message}`
    t.true(said.includes(reason), `${statement}\n  expected ${reason}\n  said     ${said}`)
  }
})

test('what analysts may ask is admitted, and admitted again as it was written anew', (t) => {
  for (const statement of acceptedStatements()) {
    const once = written(statement)
    t.is(written(once), once, statement)
  }
})

test('a statement is written anew: no comment, names in backticks, quotes escaped', (t) => {
  const cases: [asked: string, written: string][] = [
    ["SELECT /* a */ 'it''s' -- b\n, \"x\"\n\nFROM air . flights ;", "SELECT 'it\\'s' , `x` FROM air . flights"],
    ["SELECT '\\d+', 'a\nb', '\\x41\\\\', '\\''", "SELECT '\\\\d+', 'a\\x0ab', '\\x41\\\\', '\\''"],
    ["SELECT '-- no comment', '/* nor this */'", "SELECT '-- no comment', '/* nor this */'"],
    ['SELECT 1--1\n+2', 'SELECT 1 +2'],
    ['SELECT a.b.1, x::Decimal(10,2)', 'SELECT a.b.1, x::Decimal(10,2)'],
    ['SELECT 1 SETTINGS max_threads = 1, join_use_nulls = 1 FORMAT JSON', 'SELECT 1'],
    ['SELECT * FROM (SELECT 1 SETTINGS join_use_nulls=1)', 'SELECT * FROM (SELECT 1)'],
    ['SELECT 1 SETTINGS use_query_cache, max_memory_usage = 0', 'SELECT 1'],
    ['SELECT 1 AS AS SETTINGS max_memory_usage = 0', 'SELECT 1 AS AS'],
    ['SELECT settings AS settings FROM settings', 'SELECT settings AS settings FROM settings'],
    ['SELECT a FROM t ORDER BY settings DESC, a', 'SELECT a FROM t ORDER BY settings DESC, a'],
  ]
  for (const [asked, expected] of cases) t.is(written(asked), expected)
})

test('parameters are left to ClickHouse, but for names', (t) => {
  const asked = ask('SELECT {x:String} FROM {d:Identifier}.{t:Identifier}', { x: '1', d: 'air', t: 'flights', y: '2' })
  t.is(asked.text, 'SELECT {x:String} FROM `air`. `flights`')
  t.deepEqual(asked.params, { x: '1' })
  t.throws(() => written('SELECT * FROM {d:Identifier}.secrets', { d: 'weir' }), { message: /the database weir/ })
  t.throws(() => written('SELECT * FROM {t:Identifier}', { t: 'weir.secrets' }), { message: /the database weir/ })
  t.throws(() => written("SELECT {f:Identifier}('/etc/passwd')", { f: 'file' }), { message: /function file/ })
  t.throws(() => written('SELECT * FROM {t:Identifier}', { t: 'a` FROM b' }), { message: /is no name/ })
})

test('a client lowers limits and never lifts them', (t) => {
  const given = (settings: Record<string, string>) => ask('SELECT 1', {}, settings).settings
  t.is(given({}).max_execution_time, limits.max_execution_time)
  t.is(given({ max_execution_time: '5' }).max_execution_time, 5)
  for (const value of ['0', '-1', '100000', 'abc', '']) {
    t.is(given({ max_execution_time: value }).max_execution_time, limits.max_execution_time)
  }
  t.is(given({ readonly: '0' }).readonly, 2)
  t.is(ask('SELECT 1 SETTINGS max_memory_usage = 0').settings.max_memory_usage, limits.max_memory_usage)
  t.is(ask("SELECT 1 SETTINGS timeout_overflow_mode = 'break'").settings.timeout_overflow_mode, 'throw')
  t.is(
    ask("SELECT 1 SETTINGS timeout_overflow_mode = 'break', max_execution_time = 5").settings.timeout_overflow_mode,
    'break',
  )
  t.is(given({ output_format_json_quote_64bit_integers: '0' }).output_format_json_quote_64bit_integers, '0')
})

test('the format is the one that the statement names, else the one that was asked for', (t) => {
  t.is(ask('SELECT 1').format, 'TabSeparated')
  t.is(ask('SELECT 1 format json').format, 'JSON')
  t.is(ask('SELECT 1 FORMAT Native SETTINGS max_threads = 1').format, 'Native')
  t.throws(() => ask('SELECT 1 FORMAT Template'), { message: /Unknown format/ })
})

test('combinators go with the aggregates that are allowed', (t) => {
  for (const name of ['sumIf', 'uniqCombined64StateForEach', 'AVGORNULL', 'countMergeState', 'argMaxArrayIf']) {
    t.true(isAllowedFunction(name), name)
  }
  for (const name of ['fileIf', 'fileState', 'sumfile', '']) t.false(isAllowedFunction(name), name)
})
