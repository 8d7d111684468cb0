import test from 'ava'
import { withoutContent } from '../../infra/logger.ts'

const secret = 'ann@example.org'

for (const [name, text, kept] of [
  [
    'an excerpt of a line',
    `Code: 27. DB::Exception: Cannot parse input: expected '"' before: ':1795886823176011,"_seq":1,"w":"${secret}"}\\n': (while reading the value of key _pk): (at row 1)\n. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)`,
    /CANNOT_PARSE_INPUT_ASSERTION_FAILED/,
  ],
  ['an excerpt with marks of its own', `Cannot read: before: 'it's ${secret}': (at row 7)`, /Cannot read/],
  [
    'a value',
    `Code: 6. DB::Exception: Cannot parse string '${secret}' as UInt8: syntax error at position 0. (CANNOT_PARSE_TEXT)`,
    /^Code: 6\..*CANNOT_PARSE_TEXT/,
  ],
  ['a whole line', `no such column in {"_pk":1,"w":"${secret}"}`, /no such column/],
  ['a line that is cut off', `no such column in {"_pk":1,"w":"${secret}`, /no such column/],
  [
    "a statement's literal",
    `Code: 62. DB::Exception: Syntax error: failed at position 8 ('x'): SELECT x FROM y WHERE mail = '${secret}'. (SYNTAX_ERROR)`,
    /Syntax error/,
  ],
] as const) {
  test(`${name} does not get into the log, the rest of the text does`, (t) => {
    t.false(withoutContent(text).includes(secret), withoutContent(text))
    t.regex(withoutContent(text), kept)
  })
}

test('texts without content stay as they are', (t) => {
  for (const text of [
    'Code: 241. DB::Exception: Memory limit (total) exceeded: would use 5 GiB. (MEMORY_LIMIT_EXCEEDED)',
    "Code: 60. DB::Exception: Table s.st does not exist. Maybe you meant 's.st2'? (UNKNOWN_TABLE)",
    "ENOENT: no such file or directory, open '/data/log/log.mdb'",
  ]) {
    t.is(withoutContent(text), text)
  }
})

test('a text that is all quotation marks is read in linear time', (t) => {
  const text = `Code: 27. ${"before: '".repeat(20_000)}${'{"'.repeat(20_000)}`
  const before = process.cpuUsage()
  withoutContent(text)
  t.true(process.cpuUsage(before).user < 500_000)
})
