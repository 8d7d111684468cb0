import test from 'ava'
import { faultOfSql } from '../../../activities/analysts/sql-fault.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'

const told = (text: string, code: number, message: string): string => {
  const { kind, message: shown } = faultOfSql(
    text,
    new ClickHouseError(code, `Code: ${code}. DB::Exception: ${message}`),
  )
  return `${kind}: ${shown}`
}

test('a syntax error is shown under its place in the statement as it was sent, bytes counted as characters', (t) => {
  t.is(
    told(
      'SELECT /* é */ a\nFORM t',
      62,
      'Syntax error: failed at position 24 (t) (line 2, col 6): t. Expected one of: token, Comma, FROM, PREWHERE, WHERE, GROUP BY, WITH, HAVING, end of query. (SYNTAX_ERROR)',
    ),
    'invalid: line 2, column 6: Syntax error: failed at position 24 (t): t. Expected one of: token, Comma, FROM, PREWHERE, WHERE, GROUP BY, ...\nFORM t\n     ^',
  )
})

test('an error at the end of a statement is shown behind it', (t) => {
  t.regex(
    told(
      'SELECT a FROM',
      62,
      'Syntax error: failed at position 14 (end of query). Expected one of: table. (SYNTAX_ERROR)',
    ),
    /^invalid: line 1, column 14: .*\nSELECT a FROM\n {13}\^$/,
  )
})

test('a name that is unknown is shown where it stands as a word of its own', (t) => {
  for (const [text, message, column] of [
    [
      'SELECT abc, ab FROM t',
      'Unknown expression identifier `ab` in scope SELECT abc, ab FROM t. (UNKNOWN_IDENTIFIER)',
      13,
    ],
    ['SELECT a FROM x.y', "Unknown table expression identifier 'x.y' in scope SELECT a FROM x.y. (UNKNOWN_TABLE)", 15],
    ['SELECT nofun(a) FROM t', 'Unknown function nofun; did you mean notIn? (UNKNOWN_FUNCTION)', 8],
    ["SELECT file('x')", 'the function file is not for analysts: a statement reads tables. (ACCESS_DENIED)', 8],
    ['SELECT 1 FROM nowhere.t', 'Database nowhere does not exist. (UNKNOWN_DATABASE)', 15],
  ] as const)
    t.regex(told(text, 47, message), new RegExp(`^invalid: line 1, column ${column}: `), text)
})

test('an error without a place is told without one', (t) => {
  t.is(
    told('SELECT 1', 6, "Cannot parse string 'x' as Int64 (CANNOT_PARSE_TEXT)"),
    "invalid: Cannot parse string 'x' as Int64",
  )
})

test('each exception is the fault that it is on all other calls', (t) => {
  const kinds = ([497, 60, 81, 159, 202, 394, 210, 241, 62, 49, 1001] as const).map((code) => [
    code,
    told('SELECT 1', code, 'x').split(':')[0],
  ])
  t.deepEqual(kinds, [
    [497, 'forbidden'],
    [60, 'missing'],
    [81, 'missing'],
    [159, 'late'],
    [202, 'limited'],
    [394, 'conflict'],
    [210, 'unavailable'],
    [241, 'invalid'],
    [62, 'invalid'],
    [49, 'unavailable'],
    [1001, 'unavailable'],
  ])
})
