/** Messages of ClickHouse are as long as their asker likes: `throwIf(1, repeat(' ', 1000000))`. */
import test from 'ava'
import { faultOfSql } from '../../../activities/analysts/sql-fault.ts'
import { ClickHouseError, clickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { asAnalystsSee } from '../../../infra/clickhouse/exceptions.ts'
import { staysQuick } from '../../support/stays-quick.ts'

const thrown = (message: string) =>
  new Error(`Code: 395. DB::Exception: ${message}. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)`)
const reach = { databases: new Set<string>(), graphs: new Set<string>(), hides: () => false }

const pieces: Readonly<Record<string, string>> = {
  blanks: ' ',
  parentheses: ' (A',
  versions: ' (version ',
  'lists of what was expected': 'Expected one of: a, ',
  guesses: ' Maybe you meant [',
  places: "OUTFILE '/",
  'own places': "('/a'): '/a' TRUNCATE",
  scopes: ' in scope ',
  names: "Identifier 'a.",
  quotes: 'identifier `',
  codes: 'Code: 1',
}

for (const [name, piece] of Object.entries(pieces))
  test(`a long message of ClickHouse's is worked on in time: ${name}`, (t) => {
    staysQuick(
      t,
      name,
      (count) => faultOfSql('SELECT 1', asAnalystsSee(thrown(piece.repeat(count)), reach)),
      256 * 1024,
    )
    // The same where the message was not cut before.
    staysQuick(t, name, (count) => faultOfSql('SELECT 1', new ClickHouseError(62, piece.repeat(count))), 16 * 1024)
  })

test('a name that a message quotes is looked for in the statement in time', (t) => {
  const name = 'a'.repeat(150)
  const message = `Syntax error: failed at position 1000 (${name}): b. Expected one of: c. (SYNTAX_ERROR)`
  staysQuick(t, 'a name', (count) => faultOfSql('a'.repeat(count), new ClickHouseError(62, message)), 1024 * 1024)
})

test('of a long message the begin and the end stay', (t) => {
  const { message, code } = clickHouseError(thrown(`see ${'x'.repeat(100_000)} here`))
  t.is(code, 395)
  t.true(message.length <= 8192)
  t.regex(message, /^Code: 395\. DB::Exception: see x+ \.\.\. x+ here\. \(FUNCTION_THROW/)
})
