import test from 'ava'
import fc from 'fast-check'
import { compileExpression, parseExpression } from '../../../sql/expression/index.ts'
import type { Value } from '../../../sql/expression/values.ts'
import '../../support/random/seed.ts'

const values: Readonly<Record<string, Value>> = {
  a: 7,
  b: 2,
  zero: 0,
  big: 1e308,
  half: -2.5,
  'prod.price': 12.5,
  s: 'Grüße',
  yes: true,
  long: 9007199254740993n,
  emoji: 'a😀b😀',
}

const computed = (text: string) => compileExpression(parseExpression(text))((name) => values[name])

const results: readonly (readonly [string, Value | undefined])[] = [
  ['1', 1],
  ['.5', 0.5],
  ['1.', 1],
  ['2.5e-1', 0.25],
  ['$a', 7],
  ['$prod.price * 2', 25],
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['10 - 4 - 3', 3],
  ['100 / 10 / 5', 2],
  ['17 % 10 % 4', 3],
  ['-7 % 3', -1],
  ['2 * 17 % 10', 4],
  ['-$a', -7],
  ['--$a', 7],
  ['2 - -3', 5],
  ['2 * -3', -6],
  ['-2 * -3', 6],
  ['  ( $a\n+\t$b )  ', 9],
  ['abs(-3)', 3],
  ['Sqrt(16)', 4],
  ['POW(2, 10)', 1024],
  ['EXP(0)', 1],
  ['LN(EXP(1))', 1],
  ['LOG2(8)', 3],
  ['LOG10(1000)', 3],
  ['FLOOR($half)', -3],
  ['CEIL($half)', -2],
  ['ROUND($half)', -3],
  ['ROUND(2.4)', 2],
  ['MIN(3, 1, 2)', 1],
  ['MAX(3)', 3],
  ['MAX(1, $a, $b)', 7],
  // Missing values, and expressions without a finite value.
  ['$nothing', undefined],
  ['$a + $nothing', undefined],
  ['POW($nothing, 0)', undefined],
  ['MIN(1, $nothing)', undefined],
  ['$a / $zero', undefined],
  ['1 / (1 / $zero)', undefined],
  ['$a % 0', undefined],
  ['SQRT(-1)', undefined],
  ['LN(0)', undefined],
  ['LOG2(-1)', undefined],
  ['$big * 10', undefined],
  ['1 / ($big * 10)', undefined],
  ['MIN(1, $big * 10)', undefined],
  ['EXP(1000)', undefined],
  // Conditions: a missing value makes them missing, unless the rest decides.
  ['$a > 5', true],
  ['$a = 7.0', true],
  ['$a <> 7', false],
  ["$s = 'Grüße'", true],
  ["'b' > 'a'", true],
  ["'\uffff' < '😀'", true],
  ['$long > 9007199254740992', true],
  ['$long = 9007199254740992', false],
  ['$nothing = $nothing', undefined],
  ['$nothing > 1 or $a > 1', true],
  ['$nothing > 1 and $a > 100', false],
  ['$nothing > 1 and $a > 1', undefined],
  ['not $yes', false],
  ['NOT not $yes AND true', true],
  ['not $nothing', undefined],
  ['1 + 1 = 2 and 2 * 3 >= 6', true],
  ['false or ($a < 1 or $b = 2)', true],
  ["if($a > 5, 'dear', 'cheap')", 'dear'],
  ['IF($a > 5, $long)', 9007199254740993n],
  ['IF($a > 50, 1)', undefined],
  ['IF($nothing > 5, 1, 2)', undefined],
  ['IF($yes, 1, 1 / $zero)', 1],
  ['IF($a, 1, 2)', undefined],
  ['COALESCE($nothing, $s, 1)', 'Grüße'],
  ['COALESCE($nothing)', undefined],
  ['COALESCE($nothing, 0) + 1', 1],
  // Texts, by code points.
  ["CONCAT($s, ' ', $a, ' ', $yes, ' ', $long)", 'Grüße 7 true 9007199254740993'],
  ["CONCAT('a', $nothing)", undefined],
  ["'it''s'", "it's"],
  ["''", ''],
  ['SUBSTR($s, 2, 3)', 'rüß'],
  ['SUBSTR($s, -2)', 'ße'],
  ['SUBSTR($s, -20, 2)', 'Gr'],
  ['SUBSTR($s, 9)', ''],
  ['SUBSTR($s, 0)', undefined],
  ['SUBSTR($s, 1.5)', undefined],
  ['SUBSTR($s, 1, -1)', undefined],
  ['SUBSTR($emoji, 2, 2)', '😀b'],
  ['LENGTH($emoji)', 4],
  ["LENGTH('')", 0],
  ["SPLIT('/shop/cart', '/', 2)", 'shop'],
  ["SPLIT('/shop/cart', '/', 1)", ''],
  ["SPLIT('/shop/cart', '/', -1)", 'cart'],
  ["SPLIT('/shop/cart', '/', 4)", undefined],
  ["SPLIT('/shop/cart', '/', 0)", undefined],
  ["SPLIT('abc', '', 1)", undefined],
  ["REPLACE('a.b.c', '.', '')", 'abc'],
  ["REPLACE('aaa', 'aa', 'b')", 'ba'],
  ["REPLACE('$&', '$&', '$1')", '$1'],
  ["REPLACE('a', '', 'x')", 'a'],
  ["REGEX('/shop/cart?id=17', 'id=([0-9]+)')", '17'],
  ["REGEX('v2.10.0', '[0-9]+')", '2'],
  ["regex('a-b', '(x)?-(b)')", undefined],
  ["REGEX('ab', '()b')", ''],
  ["REGEX('ab', 'c')", undefined],
  ["REGEX('one\ntwo', 'one(.*)')", '\ntwo'],
  ["REGEX('one\ntwo', '(?-s)one(.*)')", ''],
  ["REGEX('it''s', '''(.)')", 's'],
  ["REGEX($emoji, 'a(.)b')", '😀'],
  ["REGEX('KELVIN', '(?i)^k(.)')", 'E'],
  ["REGEX($nothing, 'a')", undefined],
  ["REGEX($a, '7')", undefined],
  ["COALESCE(REGEX($s, '^x'), 'none')", 'none'],
  ["TRIM('  a b\t')", 'a b'],
  ["UPPER('ß')", 'SS'],
  ["LOWER('ÀB')", 'àb'],
  ["UPPER(CONCAT('a', 1))", 'A1'],
  ['LENGTH($a)', undefined],
  ['$s + 1', undefined],
  ['MAX(LENGTH($s), 3)', 5],
  // The first 53 bits of SHA-256, of 's5:alice', by another program.
  ["HASH('alice')", 5226398082519685],
  ["HASH('1') = HASH(1)", false],
  ["HASH('a', 'bc') = HASH('ab', 'c')", false],
  ['HASH($nothing)', undefined],
]

for (const [text, result] of results) {
  test(`${text.trim()} is ${result}`, (t) => {
    t.is(computed(text), result)
  })
}

/** Text and value side by side, the value by JavaScript's own operators. */
type Sample = { readonly text: string; readonly value: number }

const binary: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}
const unary: Readonly<Record<string, (x: number) => number>> = { abs: Math.abs, Floor: Math.floor, SQRT: Math.sqrt }

const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN)

const { expression } = fc.letrec<{ expression: Sample }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 6 },
    fc
      .constantFrom('a', 'b', 'zero', 'half', 'nothing')
      .map((name) => ({ text: `$${name}`, value: Number(values[name] ?? Number.NaN) })),
    fc.nat(1000).map((value) => ({ text: `${value}`, value })),
    tie('expression').map(({ text, value }) => ({ text: `-(${text})`, value: -value })),
    fc
      .tuple(fc.constantFrom(...Object.entries(unary)), tie('expression'))
      .map(([[name, apply], { text, value }]) => ({ text: `${name}( ${text} )`, value: finite(apply(value)) })),
    fc
      .tuple(fc.constantFrom(...Object.entries(binary)), tie('expression'), tie('expression'))
      .map(([[operator, apply], left, right]) => ({
        text: `(${left.text}) ${operator} (${right.text})`,
        value: finite(apply(left.value, right.value)),
      })),
  ),
}))

test('computes what a naive evaluator computes', (t) => {
  fc.assert(fc.property(expression, ({ text, value }) => Object.is(computed(text) ?? Number.NaN, value)))
  t.pass()
})

/** Without brackets, against JavaScript's precedence: `% * /` bind alike and before `+ -`, from the left. */
test('precedence and direction are those of JavaScript', (t) => {
  const chain = fc.array(fc.tuple(fc.constantFrom('+', '-', '*', '/', '%'), fc.integer({ min: 1, max: 50 })), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(chain, (parts) => {
      const text = `3 ${parts.map(([operator, value]) => `${operator} ${value}`).join(' ')}`
      const value: unknown = new Function(`return ${text}`)()
      return Object.is(computed(text), Number.isFinite(value) ? value : undefined)
    }),
  )
  t.pass()
})

test('a text that would be longer than a million characters is missing', (t) => {
  const long = 'x'.repeat(1 << 19)
  const of = (text: string) => compileExpression(parseExpression(text))(() => long)
  t.is((of('CONCAT($a, $a)') as string).length, 1 << 20)
  t.is(of("CONCAT($a, $a, '!')"), undefined)
  t.is(of("REPLACE($a, 'x', 'yyy')"), undefined)
})

test('thousands of terms compute without a deep stack', (t) => {
  t.is(computed(`1${'+1'.repeat(4_000)}`), 4001)
})

test('any text is either computed or refused with a Refusal', (t) => {
  const piece = fc.constantFrom(
    "'",
    '<',
    '=',
    'and',
    'not',
    'IF(',
    ',',
    'CONCAT(',
    '(',
    ')',
    '-',
    '+',
    '%',
    ',',
    '$a',
    '$',
    '1',
    '.',
    'e',
    'MAX',
    'abs(',
    ' ',
    '💥',
    '\0',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        const value = computed(pieces.join(''))
        return value === undefined || typeof value !== 'number' || Number.isFinite(value)
      } catch (error) {
        return error instanceof Error && error.name === 'Refusal'
      }
    }),
    { numRuns: 2000 },
  )
  t.pass()
})
