import test from 'ava'
import { isAllowedFunction } from '../../../sql/analysts/functions.ts'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { limits } from '../../../sql/analysts/settings.ts'
import { admit } from '../../../sql/analysts/statement.ts'
import { acceptedStatements, refusedStatements } from './cases.ts'

/** Names that stand for those of ClickHouse's functions. */
const known = new Set('count countif dictget file lambda plus sleep tuple uniqexact url'.split(' '))

const ask = (text: string, params: Record<string, string> = {}, settings: Record<string, string> = {}) =>
  admit({ text, format: 'TabSeparated', params, settings }, undefined, known)

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
  for (const value of ['0', '-1', '100000']) {
    t.is(given({ max_execution_time: value }).max_execution_time, limits.max_execution_time)
  }
  for (const value of ['abc', '']) {
    t.throws(() => given({ max_execution_time: value }), { message: /max_execution_time is a number/ })
  }
  t.is(given({ readonly: '0' }).readonly, 2)
  t.is(ask('SELECT 1 SETTINGS max_memory_usage = 0').settings.max_memory_usage, limits.max_memory_usage)
  t.is(ask("SELECT 1 SETTINGS timeout_overflow_mode = 'break'").settings.timeout_overflow_mode, 'throw')
  t.is(
    ask("SELECT 1 SETTINGS timeout_overflow_mode = 'break', max_execution_time = 5").settings.timeout_overflow_mode,
    'break',
  )
  t.is(given({ max_recursive_cte_evaluation_depth: '50' }).max_recursive_cte_evaluation_depth, 50)
  t.is(given({ max_recursive_cte_evaluation_depth: '1000000' }).max_recursive_cte_evaluation_depth, 10_000)
  t.is(given({ max_bytes_before_external_sort: '1e12' }).max_bytes_before_external_sort, 1024 * 1024 * 1024)
  t.is(given({ enable_analyzer: '1' }).enable_analyzer, undefined)
  t.is(given({ output_format_json_quote_64bit_integers: '0' }).output_format_json_quote_64bit_integers, '0')
})

test('the format is the one that the statement names, else the one that was asked for', (t) => {
  t.is(ask('SELECT 1').format, 'TabSeparated')
  t.is(ask('SELECT 1 format json').format, 'JSON')
  t.is(ask('SELECT 1 FORMAT Native SETTINGS max_threads = 1').format, 'Native')
  t.throws(() => ask('SELECT 1 FORMAT Template'), { message: /Unknown format/ })
})

test('a lambda with a name can be called by it', (t) => {
  for (const text of [
    'WITH x -> x+1 AS inc SELECT inc(2)',
    'WITH (x, y) -> x * y AS area, 3 AS side SELECT area(side, side)',
    'WITH x -> (x + 1) AS inc SELECT arrayMap(v -> inc(v), [1])',
  ])
    t.is(written(text), text)
})

test('a function that ClickHouse does not have is unknown, and not forbidden', (t) => {
  for (const [text, message] of [
    ['SELECT cuont()', 'Unknown function cuont; did you mean count?'],
    ['SELECT cuontIf(1)', 'Unknown function cuontIf; did you mean count?'],
    ['SELECT uniqTheta(1)', 'Unknown function uniqTheta: this ClickHouse has none of that name'],
    ['SELECT * APPLY uniqExat FROM t', 'Unknown function uniqExat; did you mean uniqExact?'],
  ] as const) {
    const error = t.throws(() => ask(text), { instanceOf: StatementRefusal }, text)
    t.deepEqual([error?.code, error?.exception, error?.message], [46, 'UNKNOWN_FUNCTION', message], text)
  }
})

test('a refusal says what does instead', (t) => {
  for (const [text, instead] of [
    ['USE air', '?database=air'],
    ['SET max_threads = 1', 'SETTINGS name = value'],
    ['EXPLAIN ANALYZE SELECT 1', 'EXPLAIN PIPELINE'],
    ['SHOW PROCESSLIST', 'queries of others'],
    ['SHOW GRANTS', 'GET /keys'],
    ['SHOW SETTING max_threads', 'FROM system.settings'],
    ['TABLE air.flights', 'SELECT * FROM the table'],
    ['INSERT INTO air.flights VALUES (1)', 'POST /stream/S/ST'],
    ['CREATE TEMPORARY TABLE x (a Int64)', 'WITH name AS'],
    ["SELECT * FROM merge('air', 'f.*')", 'there are numbers, numbers_mt, zeros, zeros_mt, generate_series'],
    ["SELECT * FROM merge('air', 'f.*')", 'UNION ALL'],
    ['SELECT * FROM generateRandom(1)', 'rand() over numbers(n)'],
    ["SELECT dictGet('a', 'b', 1)", 'join a table'],
    ['SELECT 1 AS größe', '"größe" at position 13'],
    ['SELEC 1', 'SELEC begins no statement; did you mean SELECT?'],
    ['DESCRIB air.flights', 'did you mean DESCRIBE?'],
    ['SELECT 1; SELECT 2', 'one statement a request'],
    ['SELECT 1 #x', '-- or with # and a space'],
    ['SELECT * FROM system.processes', 'system there are'],
    ['SELECT 1 SETTINGS max_partitions_to_read = 1', 'formats, what expressions mean, and lower limits'],
  ] as const) {
    const error = t.throws(() => ask(text), { instanceOf: StatementRefusal }, text)
    t.true(error?.message.includes(instead), `${text}: ${error?.message}`)
  }
})

test('rejected lines are for keys of their schema, and so are filters', (t) => {
  const reach = { databases: new Set(['air']), graphs: new Set<string>(), hides: (name: string) => name === 'sea' }
  const settings = (table: string) => ({ additional_table_filters: `{'${table}': '1'}` })
  const asked = (text: string, more = {}) => admit({ text, format: 'TSV', params: {}, settings: more }, reach, known)
  t.notThrows(() => asked('SELECT reason FROM air.flights__rejected', settings('air.flights')))
  t.throws(() => asked('SELECT reason FROM sea.st__rejected'), { message: /scope read on sea/ })
  t.throws(() => asked('SELECT 1', settings('sea.st')), { message: /scope read on sea/ })
  t.throws(() => asked('SELECT 1', { additional_result_filter: '1 IN (SELECT a FROM sea.st)' }), {
    message: /scope read on sea/,
  })
})

test('filters are written anew, by the tables that they are of', (t) => {
  const filters = (settings: Record<string, string>) => ask('SELECT 1', {}, settings).filters
  t.deepEqual(
    filters({ additional_table_filters: "{'air.flights' : ' delay > 60 ', 'f': 'b = \\'it\\\\\\'s\\' -- x'}" })?.tables,
    [
      ['air.flights', 'delay > 60'],
      ['f', "b = 'it\\'s'"],
    ],
  )
  t.is(filters({ additional_result_filter: ' a /* b */ > 1' })?.result, 'a > 1')
  t.is(filters({ additional_table_filters: '{}', additional_result_filter: '' }), undefined)
  t.deepEqual(ask("SELECT 1 SETTINGS additional_table_filters = {'t': 'a'}, max_threads = 1").filters?.tables, [
    ['t', 'a'],
  ])
})

test('combinators go with the aggregates that are allowed', (t) => {
  for (const name of ['sumIf', 'uniqCombined64StateForEach', 'AVGORNULL', 'countMergeState', 'argMaxArrayIf']) {
    t.true(isAllowedFunction(name), name)
  }
  for (const name of ['fileIf', 'fileState', 'sumfile', '']) t.false(isAllowedFunction(name), name)
})
