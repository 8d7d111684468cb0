import test from 'ava'
import fc from 'fast-check'
import { Refusal } from '../../../base/refusal.ts'
import { type Condition, parse, print, type Statement } from '../../../sql/query/index.ts'
import { endOfJson } from '../../../sql/query/json-text.ts'
import { createSourceText } from '../../../sql/query/source-text.ts'
import { withoutPositions } from './without-positions.ts'
import '../../support/random/seed.ts'

const at = { offset: 0, line: 1, column: 1 }

const keywords = [
  'select',
  'from',
  'where',
  'and',
  'OR',
  'like',
  'limit',
  'group',
  'by',
  'null',
  'true',
  'set',
  'values',
]
const name = fc.oneof(fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,8}$/), fc.constantFrom(...keywords))
const path = fc
  .tuple(name, fc.array(fc.stringMatching(/^[A-Za-z0-9_$]{1,4}$/), { maxLength: 3 }))
  .map((parts) => parts.flat().join('.'))
const nastyCharacter = fc.constantFrom(...('"\'\\\n\r\t\0;:*$%{}()u0n é😀\u2028\u007f\u0085'.match(/./gsu) ?? []))
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: nastyCharacter }))
const wholeNumber = fc.maxSafeNat()
const source = fc.record({ schema: name, name, at: fc.constant(at) }, { requiredKeys: ['name', 'at'] })

const stringLiteral = fc.record({ kind: fc.constant('string' as const), value: text })
const integerLiteral = fc.record({
  kind: fc.constant('number' as const),
  text: fc.stringMatching(/^[+-]?[0-9]{1,25}$/),
})
const numberLiteral = fc.record({
  kind: fc.constant('number' as const),
  text: fc.stringMatching(/^[+-]?[0-9]{1,20}(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?$/),
})
const booleanLiteral = fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() })

const comparison = fc.record({
  kind: fc.constant('compare' as const),
  path,
  operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<='),
  value: fc.oneof(stringLiteral, numberLiteral, booleanLiteral),
  at: fc.constant(at),
})
const like = fc.record({ kind: fc.constant('like' as const), path, prefix: text, at: fc.constant(at) })

/** No node has a child of its own kind: the form in which conditions come from the parser. */
const { condition } = fc.letrec<{ condition: Condition; and: Condition; or: Condition }>((tie) => {
  const joined = (kind: 'and' | 'or', other: 'and' | 'or') =>
    fc.record({
      kind: fc.constant(kind),
      terms: fc.array(fc.oneof({ maxDepth: 4 }, comparison, like, tie(other)), { minLength: 2, maxLength: 4 }),
    })
  return {
    and: joined('and', 'or'),
    or: joined('or', 'and'),
    condition: fc.oneof(comparison, like, tie('and'), tie('or')),
  }
})

const json = fc
  .tuple(fc.dictionary(text, fc.jsonValue()), fc.constantFrom('', ' ', '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const document = fc.oneof(
  fc.record({ kind: fc.constant('json' as const), text: json }),
  fc.record({ kind: fc.constant('text' as const), text }),
)

const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record(
    { kind: fc.constant('rows' as const), from: source, where: condition, limit: wholeNumber },
    { requiredKeys: ['kind', 'from'] },
  ),
  fc.record(
    { kind: fc.constant('count' as const), from: source, where: condition },
    { requiredKeys: ['kind', 'from'] },
  ),
  fc.record(
    {
      kind: fc.constant('aggregate' as const),
      attribute: path,
      from: source,
      where: condition,
      groupBy: fc.array(path, { minLength: 1, maxLength: 4 }),
      rollup: wholeNumber,
      limit: wholeNumber,
      at: fc.constant(at),
    },
    { requiredKeys: ['kind', 'attribute', 'from', 'at'] },
  ),
  fc.record({
    kind: fc.constant('usage' as const),
    from: name.map((word) => ({ name: `${word}_stream`, at })),
  }),
  fc.record(
    {
      kind: fc.constant('insert' as const),
      into: source,
      key: fc.oneof(stringLiteral, integerLiteral),
      document,
      reverseIndex: fc.array(path, { maxLength: 3 }),
    },
    { requiredKeys: ['kind', 'into', 'document', 'reverseIndex'] },
  ),
  fc.record(
    { kind: fc.constant('update' as const), table: source, document, where: condition },
    { requiredKeys: ['kind', 'table', 'document'] },
  ),
  fc.record(
    { kind: fc.constant('delete' as const), from: source, where: condition },
    { requiredKeys: ['kind', 'from'] },
  ),
)

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'select * from where and or like limit groupby rollup insert into values update set val delete'.split(' '),
      ),
      fc.constantFrom(
        'count(*)',
        'aggr(a)',
        'usage',
        'null',
        'revidx',
        's.t',
        'a',
        'weir_stream',
        '(',
        ')',
        '=',
        '<>',
        ':',
        ',',
        ';',
      ),
      fc.constantFrom(
        '"x*"',
        "'",
        '"',
        '\\',
        '{"a": 1}',
        '{',
        '[',
        '1',
        '-1.5e3',
        '1.',
        '\n',
        '\0',
        'é',
        '\ud800',
        '\u00a0',
      ),
    ),
  )
  .chain((pieces) => fc.constantFrom('', ' ').map((between) => pieces.join(between)))

function endsWellOrIsRefused(query: string): boolean {
  try {
    const parsed = parse(query)
    return print(parse(print(parsed))) === print(parsed)
  } catch (error) {
    return (
      error instanceof Refusal &&
      error.problems.length === 1 &&
      /^line \d+, column \d+: .*\n.*\n *\^$/s.test(error.message)
    )
  }
}

test('parsing what was printed gives the same statement', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(statement, (original) => {
        t.deepEqual(withoutPositions(parse(print(original))), withoutPositions(original))
      }),
      { numRuns: 2000 },
    ),
  )
})

test('any text is a statement or is refused with its place', (t) => {
  const anyText = fc.oneof(
    soup,
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  )
  t.notThrows(() => fc.assert(fc.property(anyText, endsWellOrIsRefused), { numRuns: 5000 }))
})

test('a statement with one character changed is a statement or is refused with its place', (t) => {
  const spoiled = fc
    .tuple(statement, fc.nat(), fc.oneof(nastyCharacter, fc.constant('')))
    .map(([original, place, character]) => {
      const whole = print(original)
      const index = place % whole.length
      return whole.slice(0, index) + character + whole.slice(index + 1)
    })
  t.notThrows(() => fc.assert(fc.property(spoiled, endsWellOrIsRefused), { numRuns: 3000 }))
})

test('a document is taken whole exactly where JSON.parse takes it', (t) => {
  const nearlyJson = fc
    .tuple(
      json,
      fc.nat(),
      fc.constantFrom('', '', '0', '.', '-', 'e', '"', '\\', ',', ':', '{', '}', '[', ']', 'u', ' ', '\n', '\u0085'),
    )
    .map(([whole, place, character]) => {
      const index = place % whole.length
      return whole.slice(0, index) + character + whole.slice(index + (place % 2))
    })
  const taken = (candidate: string) => {
    try {
      return endOfJson(createSourceText(candidate), 0) === candidate.length
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  const parses = (candidate: string) => {
    try {
      JSON.parse(candidate)
      return true
    } catch {
      return false
    }
  }
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.oneof(json, nearlyJson), (candidate) => taken(candidate.trim()) === parses(candidate.trim())),
      { numRuns: 5000 },
    ),
  )
})
