/** Statements that analysts may ask, with attacks put into them anywhere: food for both fences. */
import type { Random } from './random/random.ts'

/** Secrets in the tables of `hiddenTables`: values, counts of rows, and names that no statement here has. */
export const sentinels = {
  /** Never to be seen, by whatever key. */
  values: ['q7WEIRq7', 'q7INNERq7', 'all_1_1_0/'],
  rows: ['7919', '7907'],
  /** Never to be seen with a key for `air` alone. */
  others: ['q7SEAq7', '7901', 'yy8unlisted'],
  /** Reads more rows than the limit lets. */
  beyond: '3000000017',
}

export const hiddenTables = [
  'CREATE TABLE weir.hidden (v String) ENGINE = MergeTree ORDER BY v',
  "INSERT INTO weir.hidden SELECT 'q7WEIRq7' FROM numbers(7919)",
  'CREATE TABLE air.flights__300 (a Int64, v String) ENGINE = MergeTree ORDER BY a',
  "INSERT INTO air.flights__300 SELECT number, 'q7INNERq7' FROM numbers(7907)",
  'CREATE DATABASE sea',
  'CREATE TABLE sea.st (a Int64, v String) ENGINE = MergeTree ORDER BY a',
  "INSERT INTO sea.st SELECT number, 'q7SEAq7' FROM numbers(7901)",
  'CREATE DATABASE yy8unlisted',
  'CREATE TABLE yy8unlisted.yy8unlisted (a Int64) ENGINE = MergeTree ORDER BY a',
]

const tables = [
  'weir.hidden',
  'flights__300',
  'air.flights__300',
  'sea.st',
  '`sea`.`st`',
  '"air.flights__300"',
  'system.processes',
  'system.parts',
  'air.flights__rejected',
]

const attacks: readonly string[] = [
  ...tables,
  ...tables.flatMap((table) => [
    `, ${table}`,
    `JOIN ${table} AS j ON 1 = 1`,
    `ANY LEFT JOIN ${table} USING a`,
    `AS array JOIN ${table} ON 1`,
    `ARRAY JOIN ${table}`,
    `IN ${table}`,
    `IN (${table})`,
    `GLOBAL NOT IN ((${table}))`,
    `UNION ALL SELECT v FROM ${table}`,
    `EXCEPT SELECT count() FROM ${table}`,
    `FROM ${table}`,
    `(SELECT count() FROM ${table})`,
    `(SELECT any(v) FROM ${table})`,
    `toInt64((SELECT any(v) FROM ${table}))`,
    `in(1, ${table})`,
    `globalNullIn(a, ${table})`,
    `view(SELECT * FROM ${table})`,
    `loop(${table})`,
    `APPLY(x -> (SELECT any(v) FROM ${table}))`,
    `QUALIFY (SELECT count() FROM ${table}) > 0`,
    `WINDOW w AS (ORDER BY (SELECT any(v) FROM ${table}))`,
    `WITH x AS (SELECT * FROM ${table})`,
    `WHERE 1 IN (SELECT 1 FROM ${table})`,
    `DESCRIBE ${table}`,
    `SHOW CREATE TABLE ${table}`,
    `EXISTS ${table}`,
    `ORDER BY a WITH FILL FROM (SELECT count() FROM ${table})`,
    `WITH FILL FROM ${table}`,
    `IS DISTINCT FROM ${table}`,
    `IS NOT DISTINCT FROM (SELECT any(v) FROM ${table})`,
    `WITH x -> (SELECT any(v) FROM ${table}) AS inc`,
    `AS t (a, (SELECT any(v) FROM ${table}))`,
    `SETTINGS additional_table_filters = {'air.flights': '(SELECT count() FROM ${table}) > 0'}`,
    `SETTINGS additional_table_filters = {'${table.replaceAll(/[`"]/g, '')}': '1'}`,
    `SETTINGS additional_result_filter = 'toString(a) IN (SELECT v FROM ${table})'`,
    `SETTINGS additional_table_filters = {'t': '1) OR (1 IN ${table}'}`,
  ]),
  "merge('sea', '.*')",
  "merge('weir', 'hidden')",
  "remote('127.0.0.1', 'sea', 'st')",
  'mergeTreeIndex(sea, st)',
  "file('/etc/passwd')",
  "WITH x -> x AS file SELECT file('/etc/passwd')",
  "WITH FILL FROM file('/etc/passwd')",
  "IS NOT DISTINCT FROM file('/etc/passwd')",
  "AS file ('/etc/passwd')",
  "SETTINGS additional_table_filters = {'system.tables': '1', 'tables': '1', 'system.columns': '1'}",
  'SELECT path FROM system.parts AS p',
  'SELECT p.path FROM (SELECT * FROM system.parts) AS p',
  'FROM system.parts SELECT path',
  "SELECT COLUMNS('path') FROM system.parts",
  'p.path, parts.path, system.parts.path',
  "INTO OUTFILE '/dev/shm/weir-fuzz-outfile'",
  'FORMAT JSON',
  'FORMAT Template',
  ...[
    'max_rows_to_read = 0',
    'use_query_cache, max_rows_to_read = 0, max_execution_time = 0',
    'max_memory_usage = 0',
    'additional_table_filters = {}',
    "use_query_cache, additional_table_filters = {'air.flights': '(SELECT count() FROM sea.st) > 0'}",
    "additional_result_filter = '(SELECT count() FROM sea.st) = 0'",
    "log_comment = 'x', readonly = 0",
    "profile = 'default'",
    'final, max_rows_to_read = 0',
  ].flatMap((list) => [
    `SETTINGS ${list}`,
    `AS AS SETTINGS ${list}`,
    `AS SETTINGS ${list}`,
    `settings SETTINGS ${list}`,
    `(SELECT count() FROM numbers(3000000017) SETTINGS ${list})`,
    `(SELECT count() FROM system.tables SETTINGS ${list})`,
  ]),
  'numbers(3000000017)',
  '(SELECT count() FROM numbers(3000000017))',
  'SELECT table FROM system.columns AS "system.tables"',
  'system.columns AS `system.databases`',
  'system.tables',
  'system.databases',
  'information_schema.tables',
  'SHOW DATABASES',
  'SHOW TABLES FROM yy',
  '{d:Identifier}.st',
  '{t:Identifier}',
  '{y:String}',
  'STREAM',
  'PARALLEL WITH SELECT * FROM sea.st',
  'INSERT INTO air.flights',
  'EXPLAIN QUERY TREE',
  'EXPLAIN SYNTAX',
]

const parts: readonly string[] = [
  ...'SELECT FROM WHERE AS IN NOT GLOBAL ANY ALL FILL DISTINCT IS TO path JOIN ON USING ARRAY WITH UNION EXCEPT INTERSECT QUALIFY WINDOW SETTINGS FORMAT FINAL SAMPLE LIMIT OFFSET BY ORDER GROUP HAVING CASE WHEN END APPLY COLUMNS VALUES TABLE UUID settings array a b t'.split(
    ' ',
  ),
  ..."( ) [ ] { } , . ; : :: -> = * + - / ? ' \" ` $$ # -- /* */ \\ \\' '' 1 0x1F 1e3 '' 'x' `x` \"x\"".split(' '),
  '\n',
  '\u00a0',
  '\u2019',
]

export const parameters = { d: 'sea', t: 'sea.st', y: "'; SELECT v FROM sea.st --" }

/** Pieces that fit together, so that ClickHouse takes most statements made of them; `attacks` of their kind among them. */
const slots: Readonly<Record<string, readonly string[]>> = {
  expression: [
    'a',
    'f.a',
    'count()',
    'toString(a)',
    "b || 'x'",
    '1',
    'sum(a) OVER (ORDER BY a)',
    'a AS AS',
    'a AS settings',
    'a IN (1, 2)',
    'a IN (SELECT a FROM air.flights)',
    'arrayJoin([1, 2])',
    '(SELECT max(a) FROM air.flights)',
    '* EXCEPT b',
    '* APPLY toString',
    "COLUMNS('a') APPLY(x -> x + 1)",
    'CASE a WHEN 1 THEN 2 END',
    '{y:String}',
    'x -> x',
    '1 IS NOT DISTINCT FROM abs(1)',
    'a IS DISTINCT FROM toInt64(1)',
    '$$x$$',
  ],
  table: [
    'air.flights AS f',
    'flights f',
    'air.flights AS f FINAL',
    'air.flights AS array',
    'air.flights AS AS',
    'numbers(10) AS f',
    '(SELECT 1 AS a) AS f',
    '(SELECT 1) AS f (a)',
    'system.parts AS f',
    'view(SELECT 1 AS a) AS f',
    'system.tables AS f',
    'system.columns AS f',
    'system.databases AS f',
    'information_schema.tables AS f',
  ],
  join: [
    '',
    '',
    '',
    'JOIN air.flights AS g ON f.a = g.a',
    'ANY LEFT JOIN flights AS g USING a',
    'ARRAY JOIN [1, 2] AS x',
    ', air.flights AS g',
  ],
  condition: [
    '',
    '',
    'WHERE 1',
    'PREWHERE a > 1',
    'WHERE a GLOBAL NOT IN (1)',
    'WHERE a IN f.a',
    'WHERE in(a, (1, 2))',
  ],
  end: [
    '',
    '',
    '',
    'GROUP BY ALL',
    'ORDER BY 1',
    'ORDER BY 1 WITH FILL FROM toInt64(1) TO 3',
    "SETTINGS additional_table_filters = {'air.flights': 'a > 3'}",
    "SETTINGS additional_result_filter = '1'",
    'LIMIT 3',
    'LIMIT 1 BY 1',
    'QUALIFY 1',
    'WINDOW w AS (ORDER BY 1)',
    'SETTINGS use_query_cache',
    'SETTINGS join_use_nulls = 1',
    'FORMAT CSV',
  ],
}

const attacksOn: Readonly<Record<string, readonly string[]>> = {
  expression: tables.flatMap((table) => [
    `(SELECT count() FROM ${table})`,
    `(SELECT any(v) FROM ${table})`,
    `toInt64((SELECT any(v) FROM ${table}))`,
    `a IN ${table}`,
    `a IN (${table})`,
    `a GLOBAL NOT IN ((${table}))`,
    `in(a, ${table})`,
    `* APPLY(x -> (SELECT any(v) FROM ${table}))`,
    '(SELECT count() FROM numbers(3000000017) SETTINGS use_query_cache, max_rows_to_read = 0)',
    '(SELECT count() FROM system.tables SETTINGS additional_table_filters)',
    '(SELECT groupArray(table) FROM system.columns AS `system.tables`)',
    "file('/etc/passwd')",
    "getSetting('max_memory_usage')",
  ]),
  table: [
    ...tables.map((table) => `${table} AS f`),
    ...tables.map((table) => `air.flights AS f JOIN air.flights AS g ON f.a = g.a, ${table} AS h`),
    ...tables.map((table) => `air.flights AS array JOIN ${table} AS h ON array.a = h.a`),
    'system.columns AS `system.tables`',
    'system.parts AS `system.tables`',
    '(SELECT path FROM system.parts) AS f',
    'view(SELECT * FROM system.parts) AS f',
    'system.columns AS "system.databases"',
    '(SELECT count() FROM numbers(3000000017) SETTINGS use_query_cache, max_rows_to_read = 0) AS f',
    '(SELECT * FROM system.tables SETTINGS use_query_cache, additional_table_filters = {}) AS f',
    "merge('sea', '.*') AS f",
    '{d:Identifier}.st AS f',
    'air.flights AS f STREAM',
  ],
  join: tables.flatMap((table) => [
    `JOIN ${table} AS j ON 1 = 1`,
    `, ${table} AS j`,
    `PASTE JOIN ${table} AS j`,
    `CROSS JOIN ${table}`,
  ]),
  condition: tables.flatMap((table) => [`WHERE 1 IN (${table})`, `WHERE a IN (SELECT a FROM ${table})`]),
  end: [
    ...tables.map((table) => `UNION ALL SELECT any(v) FROM ${table}`),
    ...attacks.filter((attack) => attack.includes('SETTINGS')),
    "INTO OUTFILE '/dev/shm/weir-fuzz-outfile'",
  ],
}

/** A SELECT of parts that fit, an attack in one of its places. */
function composed(random: Random): string {
  const attacked = random.pick(Object.keys(slots))
  const part = (slot: string): string =>
    random.pick((slot === attacked && random.chance(0.7) ? attacksOn[slot] : slots[slot]) ?? [''])
  const select = (): string =>
    `SELECT ${part('expression')} FROM ${part('table')} ${part('join')} ${part('condition')} ${part('end')}`
  const outer = random.pick(['', '', '', 'EXPLAIN ', 'WITH x AS (SELECT 1) ', 'DESCRIBE ('])
  return `${outer}${select()}${outer === 'DESCRIBE (' ? ')' : ''}`
}

const pieces = /'(?:[^'\\]|\\.|'')*'|`[^`]*`|"[^"]*"|\w+|\s+|[^\w\s]/g

/** One of `statements` with one to four changes, or one that is composed of parts and attacks. */
export function mutated(statements: readonly string[], random: Random): string {
  if (random.chance(0.5)) return composed(random)
  let tokens: string[] = random.pick(statements).match(pieces) ?? []
  const changes = random.whole(1, random.chance(0.3) ? 4 : 2)
  for (let i = 0; i < changes; i++) tokens = changed(tokens, statements, random)
  return tokens.join('')
}

function changed(tokens: readonly string[], statements: readonly string[], random: Random): string[] {
  const at = random.whole(0, tokens.length)
  const [before, here = '', behind] = [tokens.slice(0, at), tokens[at], tokens.slice(at + 1)]
  const attack = ` ${random.pick(attacks)} `
  switch (random.whole(0, 11)) {
    case 0:
    case 1:
    case 2:
      return [...before, attack, here, ...behind]
    case 3:
    case 4:
      return [...before, attack, ...behind]
    case 5:
      return [...tokens, attack]
    case 6:
      return [...before, random.chance(0.5) ? ' ' : '', random.pick(parts), ' ', here, ...behind]
    case 7:
      return [...before, ...behind]
    case 8:
      return [
        ...before,
        random.pick([`\`${here}\``, `"${here}"`, here.toUpperCase(), `/**/${here}/* x */`, `AS ${here}`]),
        ...behind,
      ]
    case 9:
      return ['SELECT * FROM (', ...tokens, attack, ')']
    case 10:
      return [...tokens, random.pick([' UNION ALL ', ' EXCEPT ', ' INTERSECT ']), random.pick(statements)]
    default:
      return ['SELECT (', ...tokens, ')', attack, ' FROM air.flights LIMIT 1']
  }
}
