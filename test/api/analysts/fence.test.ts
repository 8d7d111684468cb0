import { existsSync, rmSync } from 'node:fs'
import test from 'ava'
import { Session } from 'chdb'
import { becomeAnalyst, becomeBounded } from '../../../infra/clickhouse/access.ts'
import { bounds, checkUnderstood, explanation, formatting, preparations } from '../../../sql/analysts/compose.ts'
import { isAllowedFunction } from '../../../sql/analysts/functions.ts'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { grantSettings, limits } from '../../../sql/analysts/settings.ts'
import type { AnalystStatement } from '../../../sql/analysts/statement.ts'
import { acceptedStatements, refusedStatements } from '../../sql/analysts/cases.ts'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let analysts: Analysts
test.before(async () => {
  analysts = await startAnalysts()
})
test.after.always(() => analysts?.close())

test.serial('every statement of the list of what is allowed runs', async (t) => {
  for (const statement of acceptedStatements()) {
    const { status, text } = await analysts.ask(statement, { database: 'air' })
    t.is(status, 200, `${statement}\n${text}`)
    t.not(text, '', statement)
  }
})

test.serial('every attack is answered with an exception, whether it comes in the body or in the URL', async (t) => {
  for (const { statement } of refusedStatements()) {
    const inBody = await analysts.ask(statement)
    t.regex(inBody.text, /^Code: \d+\. DB::Exception: /, statement)
    t.true(inBody.status >= 400, statement)
    t.regex(inBody.headers.get('x-clickhouse-exception-code') ?? '', /^\d+$/)
    const inUrl = await analysts.ask('', { query: statement })
    t.is(inUrl.text, inBody.text, statement)
  }
  t.is((await analysts.ask('SELECT count() FROM air.flights')).text, '1000\n')
})

test.serial('a statement in two halves is one statement', async (t) => {
  const split = await analysts.ask("('/etc/passwd')", { query: 'SELECT file' })
  t.regex(split.text, /function file is not for analysts/)
  const commented = await analysts.ask("*/ file('/etc/passwd')", { query: 'SELECT /*' })
  t.regex(commented.text, /function file is not for analysts/)
  t.is((await analysts.ask('FROM air.flights', { query: 'SELECT count()' })).text, '1000\n')
})

test.serial('parameters, settings, formats and the database are no way round', async (t) => {
  const attempts: [statement: string, parameters: Record<string, string>][] = [
    ['SELECT * FROM secrets', { database: 'weir' }],
    ['SELECT * FROM processes', { database: 'system' }],
    ['SELECT * FROM t1', { database: 'weir_records' }],
    ['SELECT 1', { database: 'air` ; DROP TABLE air.flights; --' }],
    ['SELECT * FROM {d:Identifier}.secrets', { param_d: 'weir' }],
    ["SELECT {f:Identifier}('/etc/passwd')", { param_f: 'file' }],
    ['SELECT * FROM {t:Identifier}', { param_t: 'weir.secrets' }],
    ['SELECT 1', { default_format: 'Template' }],
    ['SELECT 1', { default_format: "CSV INTO OUTFILE '/tmp/weir-outfile'" }],
    ['SELECT 1', { additional_table_filters: "{'system.tables': '1'}" }],
    ['SELECT 1', { additional_table_filters: "{'air.flights': 'a IN weir.secrets'}" }],
    ['SELECT 1', { additional_result_filter: '(SELECT count() FROM weir.secrets)' }],
    ['SELECT 1', { enable_analyzer: '0' }],
    ['SELECT 1', { format_schema: '/etc/passwd' }],
    ['SELECT 1', { 'max_threads = 1, additional_table_filters': '{}' }],
    ['SELECT 1', { user_files_path: '/' }],
  ]
  for (const [statement, parameters] of attempts) {
    const { status, text } = await analysts.ask(statement, parameters)
    t.true(status >= 400, `${JSON.stringify(parameters)}: ${text}`)
    t.regex(text, /^Code: \d+\. DB::Exception: /)
  }
  // Deleted things are set aside there.
  for (const statement of ['SELECT * FROM weir_kept_0.flights', 'SHOW TABLES FROM `weir_kept_0`'])
    t.regex((await analysts.ask(statement)).text, /the database weir_kept_0 is the service's own/)
  const kept = await analysts.ask('SELECT {x:String}', {
    param_x: "'; DROP TABLE air.flights; --\\n\\nDROP TABLE air.flights",
  })
  t.is(kept.status, 200)
  t.is((await analysts.ask('SELECT count() FROM air.flights')).text, '1000\n')
})

test.serial('what is not for analysts is in no list', async (t) => {
  const lists = [
    'SHOW TABLES FROM air',
    'SELECT database, name, create_table_query FROM system.tables',
    'SELECT database, table, name FROM system.columns',
    'SELECT name FROM system.databases',
    'SHOW DATABASES',
    'SELECT database, table, name FROM system.parts',
    "SELECT database, name FROM system.tables AS t SETTINGS additional_table_filters = {'t': '1'}",
    "SELECT database, table FROM system.columns AS tables SETTINGS additional_table_filters = {'tables': '1'}",
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM information_schema.schemata',
    'SELECT * FROM INFORMATION_SCHEMA.COLUMNS',
    'SELECT (SELECT groupArray(name) FROM system.tables)',
    'WITH t AS (SELECT name FROM system.tables) SELECT * FROM t UNION ALL SELECT name FROM system.databases',
  ]
  for (const statement of lists) {
    const { text } = await analysts.ask(statement)
    t.notRegex(text.replaceAll(/CREATE VIEW[^\n]*/g, ''), /secrets|weir_records|flights__|processes/, statement)
  }
  t.is((await analysts.ask('SHOW TABLES FROM air')).text, 'flights\nflights_by_60s\n')
  t.is(
    (await analysts.ask('SHOW DATABASES')).text,
    'INFORMATION_SCHEMA\nair\ndefault\ninformation_schema\nmydb\nsystem\n',
  )
})

test.serial('without the fence the role alone keeps secrets, files, URLs and writes away', async (t) => {
  const session = new Session(analysts.path)
  t.teardown(() => session.close())
  await session.queryAsync(becomeAnalyst)
  const target = `${temporaryFolder()}/out`
  const attacks = [
    'SELECT * FROM weir.secrets',
    "SELECT * FROM file('/etc/passwd', 'LineAsString', 'x String')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString', 'x String')",
    "SELECT * FROM remote('127.0.0.1', 'weir', 'secrets')",
    "SELECT * FROM merge('weir', 'secrets')",
    "SELECT * FROM executable('ls', 'TSV', 'x String')",
    `INSERT INTO FUNCTION file('${target}', 'CSV') SELECT 1`,
    "INSERT INTO air.flights VALUES (1, 'a')",
    'CREATE TABLE air.x (a Int64) ENGINE = Memory',
    'CREATE USER eve',
    'DROP TABLE air.flights',
    'ALTER TABLE air.flights DELETE WHERE 1',
    'SYSTEM FLUSH LOGS',
    'BACKUP TABLE air.flights TO Null',
    'GRANT ALL ON *.* TO default',
  ]
  for (const attack of attacks)
    await t.throwsAsync(session.queryAsync(attack, { format: 'TSV' }), { message: /Code: \d+/ }, attack)
  t.false(existsSync(target))
  t.is((await session.queryAsync('SELECT count() FROM air.flights', { format: 'TSV' })).text(), '1000\n')
})

test.serial('a construct that the first fence does not know is refused by what ClickHouse reads', async (t) => {
  const { status, text } = await analysts.ask('SELECT a FROM air.flights AS f STREAM')
  t.is(status, 403)
  t.regex(text, /^Code: 497\. .*ClickHouse reads ASTStreamSettings in this statement/)
})

test.serial('lambdas with a name, filters and FROM in an expression do what they say', async (t) => {
  for (const [statement, answer] of [
    ['WITH x -> x + 1 AS inc SELECT inc(2), arrayMap(v -> inc(v), [1])', '3\t[2]\n'],
    ['WITH (x, y) -> x * y AS area SELECT area(2, 3)', '6\n'],
    ["SELECT count() FROM air.flights SETTINGS additional_table_filters = {'air.flights' : ' a > 600 '}", '399\n'],
    ["SELECT count() FROM flights AS f SETTINGS additional_table_filters = {'f': 'b = \\'1\\''}", '143\n'],
    ["SELECT a FROM air.flights ORDER BY a LIMIT 5 SETTINGS additional_result_filter = 'a % 2 = 1'", '1\n3\n'],
    [
      'SELECT toDate(number) AS d FROM numbers(1) ORDER BY d WITH FILL FROM toDate(0) TO toDate(2)',
      '1970-01-01\n1970-01-02\n',
    ],
    ['SELECT a, b FROM (VALUES (1, 2)) AS t (a, b)', '1\t2\n'],
    ["SELECT $$it's$$ # a comment", "it\\'s\n"],
  ] as const) {
    const { text } = await analysts.ask(statement, { database: 'air' })
    t.is(text, answer, statement)
  }
  const inUrl = { additional_table_filters: "{'air.flights': 'a < 10'}" }
  t.is((await analysts.ask('SELECT count() FROM air.flights', inUrl)).text, '10\n')
})

test.serial('an error of ClickHouse names what does instead', async (t) => {
  for (const [statement, status, message] of [
    ['SELECT cuont()', 404, /^Code: 46\..*Unknown function cuont; did you mean count\? \(UNKNOWN_FUNCTION\)/],
    ['SELECT generateULID()', 404, /Unknown function generateULID/],
    [
      'SELECT a FROM air.flights SAMPLE 0.1',
      404,
      /doesn't support sampling; WHERE cityHash64\(_pk\) % 10 = 0 takes a tenth of the rows\. \(SAMPLING_NOT_SUPPORTED\)/,
    ],
    ['SELECT doc.state FROM mydb.things', 404, /doc is a text: doc::JSON\.state/],
    [
      'SELECT windowFunnel(9)(toDateTime64(a, 6), true) FROM air.flights',
      400,
      /toDateTime\(_time\) is what windowFunnel takes/,
    ],
    ['SELECT t.doc.state FROM mydb.things AS t', 404, /doc is a text: doc::JSON\.state/],
  ] as const) {
    const { status: got, text } = await analysts.ask(statement)
    t.is(got, status, text)
    t.regex(text, message)
  }
})

test.serial('of system.parts there are the sizes of tables for analysts, and no paths', async (t) => {
  const sizes = await analysts.ask(
    'SELECT table, sum(rows) AS rows, sum(bytes_on_disk) > 0 FROM system.parts WHERE active GROUP BY table',
  )
  t.is(sizes.text, 'flights\t1000\t1\n')
  const all = await analysts.ask('SELECT * FROM system.parts AS p FORMAT JSONEachRow')
  t.is(all.status, 200)
  t.notRegex(all.text, new RegExp(`store|secrets|${analysts.path}`))
  for (const statement of [
    'SELECT path FROM system.parts',
    'SELECT p.path FROM system.parts AS p',
    'SELECT system.parts.path FROM system.parts',
    'SELECT path FROM (SELECT * FROM system.parts)',
    "SELECT COLUMNS('path') FROM system.parts",
    'SELECT 1 WHERE 1 IN system.parts',
    'SELECT * FROM view(SELECT path FROM system.parts)',
    'SELECT path FROM {t:Identifier}.parts',
  ]) {
    const { status, text } = await analysts.ask(statement, { param_t: 'system' })
    t.true(status >= 400, `${statement}: ${text}`)
    t.notRegex(text, /store/)
  }
})

test.serial('system.tables and system.databases are as they were but for their paths', async (t) => {
  const names =
    "SELECT t.name, d.engine FROM system.tables t JOIN system.databases AS d ON t.database = d.name WHERE t.database = 'air'"
  t.regex((await analysts.ask(names)).text, /^flights\tAtomic\n/)
  t.is(
    (await analysts.ask("SELECT system.tables.name FROM system.tables WHERE system.tables.name = 'flights'")).text,
    'flights\n',
  )
  t.is((await analysts.ask("SELECT name FROM system.databases WHERE name = 'air'")).text, 'air\n')
  t.regex((await analysts.ask('SHOW COLUMNS FROM system.tables')).text, /create_table_query/)
  t.regex(
    (await analysts.ask('SHOW TABLES FROM air WHERE name IN (SELECT name FROM system.tables)')).text,
    /^flights\n/,
  )
  t.is((await analysts.ask('EXISTS system.tables')).text, '1\n')
  const place = new RegExp(`store/|metadata/|${analysts.path}`)
  for (const table of ['system.tables', 'system.databases']) {
    const all = await analysts.ask(`SELECT * FROM ${table} FORMAT JSONEachRow`)
    t.is(all.status, 200)
    t.notRegex(all.text, place)
    for (const statement of [
      `SELECT * EXCEPT (name) FROM ${table}, ${table} AS other`,
      `SELECT COLUMNS('path') FROM ${table}`,
      `SELECT metadata_path FROM ${table}`,
      `SELECT ${table}.metadata_path FROM ${table}`,
      `SELECT 1 WHERE 'x' IN ${table}`,
      `SELECT count() FROM ${table} SETTINGS additional_result_filter = 'metadata_path != 1'`,
      "SHOW TABLES FROM air WHERE metadata_path LIKE '%'",
      "SHOW TABLES FROM air WHERE system.tables.`metadata_path` LIKE '%'",
      "SHOW TABLES FROM air WHERE concat(COLUMNS('metadata_path')) LIKE '%'",
      "SHOW TABLES FROM air WHERE concat(COLUMNS(metadata_path)) LIKE '%'",
      "SHOW TABLES FROM air WHERE toString(tuple(*)) LIKE '%'",
      "SHOW TABLES FROM air WHERE toString(tuple(tables.*)) LIKE '%'",
      `SHOW TABLES FROM air WHERE (SELECT any(metadata_path) FROM ${table}) LIKE '%'`,
    ]) {
      const { text } = await analysts.ask(statement)
      t.notRegex(text, place, statement)
      t.notRegex(text, /^flights$/m, statement)
    }
  }
})

/** The same statements without the first fence: none of them needs more than their text. */
const unread = (text: string): AnalystStatement => ({
  ...{ text, format: 'TSV', settings: grantSettings({}), params: {} },
  isExplain: /^EXPLAIN/i.test(text),
})

/** They hide nothing from ClickHouse: the lexer does not take them. */
const ofTheLexer = [
  'SELECT $$',
  'SELECT 1 #',
  'SELECT größe',
  'SELECT @x',
  'SELECT file$$',
  'SELECT $1',
  'SELECT ‘file’',
  'SELECT `a\\',
  'SELECT 1 /*',
  'SELECT @@version',
]

test.serial('what the first fence refuses, the second refuses by what ClickHouse reads in it', async (t) => {
  const session = new Session(analysts.path)
  t.teardown(() => session.close())
  let read = 0
  for (const { statement } of refusedStatements()) {
    const asked = unread(statement)
    const answers: string[] = []
    try {
      for (const text of [explanation(asked), formatting(asked)])
        answers.push((await session.queryAsync(text, { format: 'TabSeparatedRaw' })).text().trimEnd())
    } catch {
      continue
    }
    const [tree = '', formatted = ''] = answers
    if (ofTheLexer.some((begin) => statement.startsWith(begin)) || statement.includes('WITH `system.tables`')) continue
    read++
    t.throws(() => checkUnderstood(asked, { tree, formatted }), { instanceOf: StatementRefusal }, statement)
  }
  t.true(read > 150, String(read))
})

test.serial('without any fence no clause of a whole statement lifts a limit or changes a filter', async (t) => {
  const session = new Session(analysts.path)
  t.teardown(() => session.close())
  await session.queryAsync(`${becomeAnalyst}; ${preparations('air', {})}`)
  await session.queryAsync(bounds(unread('SELECT 1'), 'analyst x', becomeBounded))
  const ask = async (text: string) => (await session.queryAsync(text, { format: 'TSV' })).text()
  const attempts = [
    ...Object.keys(limits).flatMap((name) => [`${name} = 0`, `${name} = 4000000000000`]),
    'additional_table_filters = {}',
    "additional_result_filter = '0'",
    "log_comment = 'another'",
    'os_threads_nice_value_query = 0',
    "timeout_overflow_mode = 'break'",
    'readonly = 0',
    "profile = 'default', max_memory_usage = 0",
  ]
  for (const attempt of attempts) {
    for (const text of [`SELECT 1 SETTINGS ${attempt}`, `SELECT 1 UNION ALL SELECT 2 SETTINGS ${attempt}`])
      await t.throwsAsync(ask(text), { message: /Code: (452|164|36)\./ }, text)
    await t.throwsAsync(ask(`SET ${attempt}`), { message: /Code: (452|164|36)\./ }, attempt)
  }
  t.is(
    await ask("SELECT getSetting('max_memory_usage'), getSetting('max_execution_time'), getSetting('log_comment')"),
    `${limits.max_memory_usage}\t${limits.max_execution_time}\tanalyst x\n`,
  )
  t.is(await ask('SELECT 1 SETTINGS max_execution_time = 5'), '1\n')
})

/** Functions of the engine that were looked at and are not for analysts: families by their beginning, then names. */
const refused =
  /^(ai[A-Z]|AI|dict|region|__|_CAST|timeSeries|naiveBayes|stochastic|joinGet|mergeTree|filesystem|enabled|default|current|address|transaction|iceberg|structureTo|sleep|nothing|initialQuery|initial_query|formatRow|authenticatedUser|authUser|obfuscate)/
const refusedNames = new Set(
  `FQDN aggThrow array_concat_agg blockSerializedSize buildId caseWithExpr caseWithExpression catboostEvaluate chdb
  connection_id demangle displayName errorCodeToName evalMLMethod file flameGraph fullHostName fuzzQuery generateRandomStructure
  generateSerialID getClientHTTPHeader getMacro getMaxTableNameLengthForDatabase getMergeTreeSetting getOSKernelVersion
  getServerPort getServerSetting getSetting getSettingOrDefault getTypeSerializationStreams globalVariable groupFormat
  hasColumnInTable hasThreadFuzzer highlightQuery hostName hostname isMergeTreePartCoveredBy logTrace
  normalizeQuery normalizeQueryKeepNames normalizedQueryHash normalizedQueryHashKeepNames partitionID partitionId
  reverseDNSQuery serverUUID shardCount shardNum showCertificate tcpPort tid tokenizeQuery uptime validateNestedArraySizes
  zookeeperSessionUptime`.split(/\s+/),
)

test.serial(
  'every function of the engine is allowed or was refused by name: a new one has to be looked at',
  async (t) => {
    const rows = await analysts.clickhouse.rows<{ name: string }>({
      text: 'SELECT name FROM system.functions',
      params: {},
    })
    t.true(rows.length > 1500)
    const unknown = rows.filter(
      ({ name }) => !isAllowedFunction(name) && !refused.test(name) && !refusedNames.has(name),
    )
    t.deepEqual(unknown, [])
    const both = rows.filter(({ name }) => isAllowedFunction(name) && refusedNames.has(name))
    t.deepEqual(both, [])
  },
)

test.serial('nothing was written to where the attacks pointed', (t) => {
  t.false(existsSync('/tmp/weir-outfile'))
  rmSync('/tmp/weir-outfile', { force: true })
})
