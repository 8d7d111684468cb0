import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { parse, print, type Statement } from '../../../sql/query/index.ts'

function conditionOf(statement: Statement) {
  return 'where' in statement ? statement.where : undefined
}

function messageFor(text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return 'accepted'
}

test('nodes know where they began', (t) => {
  t.deepEqual(parse('select aggr(delay)\r\n  from air.flights\r\n  where\torigin = "JFK"'), {
    kind: 'aggregate',
    attribute: 'delay',
    at: { offset: 12, line: 1, column: 13 },
    from: { schema: 'air', name: 'flights', at: { offset: 27, line: 2, column: 8 } },
    where: {
      kind: 'compare',
      path: 'origin',
      operator: '=',
      value: { kind: 'string', value: 'JFK' },
      at: { offset: 48, line: 3, column: 9 },
    },
  })
})

test('absent parts are absent, not undefined', (t) => {
  t.deepEqual(Object.keys(parse('select * from t')), ['kind', 'from'])
  t.deepEqual(Object.keys(parse('insert into t values null {}')), ['kind', 'into', 'document', 'reverseIndex'])
})

test('numbers are kept as text, so none is rounded', (t) => {
  const condition = conditionOf(parse('select * from t where _pk = 9223372036854775807'))
  t.like(condition, { value: { kind: 'number', text: '9223372036854775807' } })
})

test('a JSON document is kept as written, up to its own closing brace', (t) => {
  const document = '{ "a" :\t1.0,\n "b": "} \\" ;", "n": 12345678901234567890 }'
  t.like(parse(`update t set val = ${document} where a = 1`), { document: { kind: 'json', text: document } })
})

test('conditions of one kind within each other are one', (t) => {
  const condition = conditionOf(parse('select * from t where (a = 1 and (b = 2 and c = 3)) or ((d = 4 or e = 5))'))
  t.like(condition, { kind: 'or', terms: [{ kind: 'and' }, { path: 'd' }, { path: 'e' }] })
})

test('escapes: known ones are decoded, others keep the backslash', (t) => {
  const cases = {
    '"\\"\\\'\\\\\\/\\n\\t\\r\\b\\f\\u0041"': '"\'\\/\n\t\r\b\fA',
    '"10\\:30:\\*:\\x"': '10\\:30:\\*:\\x',
    '"a""b"': 'a"b',
    "'a''b'": "a'b",
    '"\t\r\n"': '\t\r\n',
  }
  for (const [text, value] of Object.entries(cases)) {
    t.like(conditionOf(parse(`select * from t where a = ${text}`)), { value: { kind: 'string', value } }, text)
  }
})

test('control characters are refused wherever they are not blanks', (t) => {
  t.is(
    messageFor('select * from t\u0000'),
    'line 1, column 16: control character U+0000; in a string it is written \\u0000\nselect * from t \n               ^',
  )
  t.regex(messageFor('select * from t where a = "\u001b[2J"'), /^line 1, column 28: control character U\+001B/)
  t.regex(messageFor('insert into t values 1 ab\u0007c'), /^line 1, column 26: control character U\+0007/)
  t.regex(messageFor('insert into t values 1 {"a": "\u0001"}'), /^line 1, column 31: control character U\+0001/)
  t.regex(
    messageFor('select * from\u00a0t'),
    /^line 1, column 14: expected ASCII outside of quotes, got '\u00a0' \(U\+00A0\)/,
  )
})

test('half a surrogate pair is refused: it has no UTF-8 form', (t) => {
  for (const text of ['select * from t where a = "\ud800"', 'insert into t values 1 {"a": "\udc00"}']) {
    t.regex(messageFor(text), /one half of a surrogate pair/)
  }
})

test('a tab is one blank in the line that a message shows', (t) => {
  t.is(messageFor('select *\n\tfrom\t='), "line 2, column 7: expected a name after 'from', got '='\n from =\n      ^")
})

test('lines may end in LF, CR LF or CR', (t) => {
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    t.is(
      messageFor(`select *${lineEnd}from t${lineEnd}limit x${lineEnd}`),
      `line 3, column 7: expected a whole number from 0 to 9007199254740991 after 'limit', got 'x'\nlimit x\n      ^`,
    )
  }
})

test('of a long line about 80 characters round the caret are shown', (t) => {
  for (const [before, after] of [
    [0, 900],
    [450, 450],
    [900, 0],
  ] as const) {
    const text = `select * from t where a = "${'x'.repeat(before)}" ; ${' '.repeat(after)}y`
    const [, line = '', caret = ''] = messageFor(text).split('\n')
    t.true(line.length <= 86, line)
    t.is(line.charAt(caret.length - 1), 'y')
  }
})

test('brackets nest to 200, documents too', (t) => {
  const nested = (depth: number) => `select * from t where ${'('.repeat(depth)}a = 1${')'.repeat(depth)}`
  t.is(print(parse(nested(200))), 'select * from t where a = 1')
  t.regex(messageFor(nested(201)), /^line 1, column 223: brackets nest deeper than 200\n/)
  t.regex(messageFor(nested(1_000_000)), /^line 1, column 223: brackets nest deeper than 200\n/)
  t.regex(messageFor(`insert into t values 1 {"a": ${'['.repeat(1_000_000)}`), /the document nests deeper than 200\n/)
})

test('a condition has up to 500 comparisons, however they are joined', (t) => {
  const joined = (n: number, word: string) =>
    `select * from t where ${Array.from({ length: n }, (_, index) => `a = ${index}`).join(` ${word} `)}`
  t.like(conditionOf(parse(joined(500, 'and'))), { terms: { length: 500 } })
  t.like(conditionOf(parse(joined(500, 'or'))), { terms: { length: 500 } })
  const mixed = parse(joined(250, 'and b = 2\nor'))
  t.is(print(parse(print(mixed))), print(mixed))
  t.regex(messageFor(joined(501, 'and')), /^line 1, column 5913: a condition has at most 500 comparisons\n/)
  t.regex(messageFor(joined(251, 'and (b = 2) or')), /: a condition has at most 500 comparisons\n/)
  t.regex(messageFor(joined(20_000, 'and')), /: a statement has at most 50000 words and signs\n/)
})

test('the paths of a condition have up to 1500 steps in all, more where numbers are among them', (t) => {
  const joined = (n: number, path: string) => `select * from t where ${Array(n).fill(`${path} = 1`).join(' or ')}`
  const tooLong = /: the paths of a condition have at most 1500 steps in all; each number in a path doubles its own\n/
  t.like(conditionOf(parse(joined(500, 'a.b.c'))), { terms: { length: 500 } })
  t.regex(messageFor(joined(376, 'a.b.c.d')), tooLong)
  t.like(conditionOf(parse(joined(46, 'a.0.1.2'))), { terms: { length: 46 } })
  t.regex(messageFor(joined(47, 'a.0.1.2')), tooLong)
  t.regex(messageFor(joined(47, 'a.10.11.12')), tooLong)
  t.like(conditionOf(parse(joined(375, 'a.x1.1x.b'))), { terms: { length: 375 } })
})

test('long texts take time in proportion, and no stack', (t) => {
  const many = 100_000
  const megabyte = 'x'.repeat(1_000_000)
  const started = performance.now()
  const terms = Array.from({ length: many }, (_, index) => `a = ${index}`)
  t.true(messageFor(`select * from t where ${terms.join(' and ')}`).length < 300)
  t.true(messageFor(`select * from t where ${terms.join(' and b = 2\nor ')}`).length < 300)
  t.like(parse(`insert into t values 1 {"a": "${megabyte}"}`), { document: { kind: 'json' } })
  t.is(print(parse(`insert into t values 1 "${'""'.repeat(500_000)}"`)).length, 1_000_025)
  t.true(messageFor(`select * from t where a = "${megabyte}`).length < 300)
  t.true(messageFor(`select * from ${'a.'.repeat(500_000)}`).length < 300)
  t.true(messageFor('select * from\n'.repeat(70_000)).length < 300)
  t.true(performance.now() - started < 20_000)
})

test("a refusal names the port of analysts' SQL where there is one", (t) => {
  const message = (port?: number): string | undefined => t.throws(() => parse('select a, b from s.t', port))?.message
  t.regex(message(18999) ?? '', /; analysts' SQL on port 18999 has it: docs\/analysts\.md/)
  t.regex(message() ?? '', /; analysts' SQL has it: docs\/analysts\.md/)
})
