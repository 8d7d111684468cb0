import { isWord } from './clauses.ts'
import type { Token } from './lexer.ts'

/** Hints for a statement that is not for analysts, by its first words: each says how a client does the same. */
const insteads: readonly (readonly [words: readonly (readonly string[])[], instead: string])[] = [
  [[['USE']], 'the database comes with the request (?database=air), or stands before the table (air.flights)'],
  [[['SET']], 'settings come with the request (?name=value) or behind the statement (SETTINGS name = value)'],
  [
    [['EXPLAIN'], ['ANALYZE']],
    'EXPLAIN PIPELINE and EXPLAIN ESTIMATE say what a query would do, and statistics.rows_read of FORMAT JSON what it did',
  ],
  [[['EXPLAIN']], 'EXPLAIN takes a SELECT'],
  [[['SHOW'], ['PROCESSLIST']], 'queries of others are not shown'],
  [[['SHOW'], ['GRANTS', 'ACCESS', 'USERS', 'ROLES']], 'GET /keys of the API has the keys and their scopes'],
  [[['SHOW'], ['SETTING']], "SELECT value FROM system.settings WHERE name = '...' has a setting"],
  [[['SHOW'], ['DICTIONARIES']], 'there are none'],
  [[['TABLE']], 'SELECT * FROM the table'],
  [[['VALUES']], "SELECT * FROM values('a Int64, b String', (1, 'x'))"],
  [[['INSERT']], 'the API takes events (POST /stream/S/ST) and records (POST /db/D/T/doc)'],
  [[['UPDATE', 'DELETE', 'TRUNCATE']], 'the API changes records (POST /db/D/query)'],
  [
    [['CREATE', 'REPLACE', 'ATTACH']],
    'WITH name AS (SELECT ...) names a query within a statement, and schemas make tables (POST /stream)',
  ],
  [[['ALTER', 'DROP', 'RENAME', 'OPTIMIZE', 'DETACH', 'EXCHANGE']], 'the API changes schemas, tables and graphs'],
  [[['BEGIN', 'START', 'COMMIT', 'ROLLBACK']], 'there are no transactions'],
]

export function insteadOf(tokens: readonly Token[]): string | undefined {
  return insteads.find(([words]) => words.every((names, i) => isWord(tokens[i], ...names)))?.[1]
}

/** The same for messages of ClickHouse. */
const failures: readonly (readonly [message: RegExp, instead: string])[] = [
  [
    /first argument of aggregate function windowFunnel/,
    'toDateTime(_time) is what windowFunnel takes, or toUInt64(_pk) with a window in microseconds',
  ],
  [/doesn't support sampling/, 'WHERE cityHash64(_pk) % 10 = 0 takes a tenth of the rows'],
  [/[Ii]dentifier [`'](?:\w+\.)*doc\.\w/, "doc is a text: doc::JSON.state, or JSONExtractString(doc, 'state')"],
]

/** A message of ClickHouse's with what would do instead, before the exception's name at its end. */
export function withInstead(message: string): string {
  const instead = failures.find(([pattern]) => pattern.test(message))?.[1]
  if (instead === undefined) return message
  const end = / \([A-Z_]+\)\s*$/.exec(message)?.index ?? message.length
  return `${message.slice(0, end).replace(/\.$/, '')}; ${instead}.${message.slice(end)}`
}
