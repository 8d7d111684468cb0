import test from 'ava'
import fc from 'fast-check'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { compileExpression, parseExpression } from '../../../sql/expression/index.ts'
import { randomFor, runs } from '../../support/random/seed.ts'
import { staysQuick } from '../../support/stays-quick.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.after.always(() => clickhouse.close())

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const searched = (pattern: string, text: string) =>
  compileExpression(parseExpression(`REGEX($text, ${literal(pattern)})`))(() => text)

const one = fc.constantFrom(
  ...['a', 'b', 'é', '😀', '.', '\\d', '\\W', '[ab1]', '[^b]', '[[:alpha:]]', '\\pL', '\\P{Greek}', '\\n', "'", '-'],
)
/** Without `\B`, which ClickHouse's RE2 finds amid the bytes of a character, too. */
const place = fc.constantFrom('^', '$', '\\b', '\\A', '\\z')
const repeats = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?')
/** In a group: of 'é?' ClickHouse 26.7 wants the first byte of é in the text, before it asks RE2. */
const repeated = (piece: string, times: string) => (/[^\0-\x7f]/.test(piece) ? `(?:${piece})${times}` : piece + times)
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    one,
    place,
    fc.tuple(one, repeats).map(([piece, times]) => repeated(piece, times)),
    tie('pattern').map((inner) => `(${inner})`),
    fc.tuple(fc.constantFrom('?:', '?i:', '?-s:', '?U:', '?m:'), tie('pattern')).map((parts) => `(${parts.join('')})`),
    fc.tuple(tie('pattern'), repeats).map(([inner, times]) => `(${inner})${times}`),
  ),
  pattern: fc.oneof(
    fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('piece'), tie('piece')).map((pieces) => pieces.join('|')),
  ),
}))
const text = fc.array(fc.constantFrom('a', 'b', 'A', '1', '-', "'", 'é', '😀', '\n', ' ', 'π'), { maxLength: 12 })

test("REGEX finds what ClickHouse's extract finds", async (t) => {
  const random = randomFor(t)
  const isTaken = (made: string) => {
    try {
      return parseExpression(`REGEX($text, ${literal(made)})`) !== undefined
    } catch {
      return false
    }
  }
  const pairs = fc.sample(
    fc.tuple(
      pattern.filter(isTaken),
      text.map((pieces) => pieces.join('')),
    ),
    { numRuns: runs(400, 10_000), seed: random.whole(1, 2 ** 30) },
  )
  let found = 0
  for (let from = 0; from < pairs.length; from += 50) {
    const asked = pairs.slice(from, from + 50)
    const params = Object.fromEntries(
      asked.flatMap((pair, at) => pair.map((value, which) => [`v${at}_${which}`, value])),
    )
    const values = asked.map((_, at) => `extract({v${at}_1:String}, {v${at}_0:String})`)
    const [row] = await clickhouse.rows<{ found: readonly string[] }>({
      text: `SELECT [${values.join(', ')}] AS found`,
      params,
    })
    const ours = asked.map((pair) => searched(...pair) ?? '')
    found += ours.filter((value) => value !== '').length
    t.deepEqual(
      asked.map((pair, at) => [...pair, ours[at]]),
      asked.map((pair, at) => [...pair, row?.found[at]]),
    )
  }
  t.true(found > pairs.length / 10, `${found} of ${pairs.length} found something`)
})

const evil: readonly (readonly [pattern: string, piece: string])[] = [
  ['(a*)*b', 'a'],
  ['(a+a+)+b', 'a'],
  ['((a|b|ab)*)c', 'ab'],
  ['(.*)(.*)(.*)(.*)(.*)z', 'a'],
  ['(?:a?){60}a{60}$', 'a'],
  ['(a|a)*(a|a)*(a|a)*$.', 'a'],
  ['(a{100}){1,2}$b', 'a'],
]
for (const [pattern, piece] of evil) {
  test(`the time of ${pattern} is linear in the text`, (t) => {
    const compiled = compileExpression(parseExpression(`REGEX($text, ${literal(pattern)})`))
    staysQuick(t, pattern, (pieces) => compiled(() => piece.repeat(pieces)), 4096)
  })
}

test('nothing is looked for in a text of more than 10000 characters', (t) => {
  t.is(searched('b', `${'a'.repeat(9_999)}b`), 'b')
  t.is(searched('b', `${'a'.repeat(10_000)}b`), undefined)
})

test('patterns are bounded by their characters and by their classes of Unicode', (t) => {
  const refusal = (made: string) => t.throws(() => parseExpression(`REGEX($text, ${literal(made)})`)).message
  t.notThrows(() => parseExpression(`REGEX($text, '${'(?:a)'.repeat(100)}')`))
  t.regex(refusal('(?:a)'.repeat(101)), /a pattern has at most 500 characters, this one has 505\n/)
  t.notThrows(() => parseExpression(`REGEX($text, '${'\\pL'.repeat(10)}')`))
  t.regex(refusal('\\pL'.repeat(11)), /column 45: a pattern has at most 10 classes of Unicode, such as \\pL\n/)
})
