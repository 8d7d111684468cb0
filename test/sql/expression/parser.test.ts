import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import {
  attributesOf,
  graphExpressions,
  parseExpression,
  parseExpressionIn,
  typeOfExpression,
} from '../../../sql/expression/index.ts'
import { createSourceText } from '../../../sql/query/source-text.ts'

const refusalOf = (text: string): string => {
  try {
    parseExpression(text)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return 'accepted'
}

const refused: readonly (readonly [string, string])[] = [
  ['', `line 1, column 1: expected a number, a text, an attribute as $name, a function or '(', got the end\n\n^`],
  [
    '$a +',
    `line 1, column 5: expected a number, a text, an attribute as $name, a function or '(', got the end\n$a +\n    ^`,
  ],
  ['($a+$b', `line 1, column 7: expected ')', got the end\n($a+$b\n      ^`],
  [
    '($a+)*2',
    `line 1, column 5: expected a number, a text, an attribute as $name, a function or '(', got ')'\n($a+)*2\n    ^`,
  ],
  ['$a $b', `line 1, column 4: expected an operator, got '$b'\n$a $b\n   ^`],
  ['2 $a', `line 1, column 3: expected an operator, got '$a'\n2 $a\n  ^`],
  ['1.2.3', `line 1, column 4: expected an operator, got '.3'\n1.2.3\n   ^`],
  ['+1', `line 1, column 1: expected a number, a text, an attribute as $name, a function or '(', got '+'\n+1\n^`],
  ['$', `line 1, column 1: expected a name after '$'\n$\n^`],
  ['$1', `line 1, column 1: expected a name after '$'\n$1\n^`],
  ['$a ^ 2', `line 1, column 4: unexpected '^'\n$a ^ 2\n   ^`],
  ['$a; drop', `line 1, column 3: unexpected ';'\n$a; drop\n  ^`],
  ['1e400', `line 1, column 1: 1e400 is too large for a number\n1e400\n^`],
  ['POW($a)', `line 1, column 1: POW takes exactly 2 operands, got 1\nPOW($a)\n^`],
  ['abs()', `line 1, column 1: ABS takes exactly 1 operand, got 0\nabs()\n^`],
  ['MAX()', `line 1, column 1: MAX takes at least 1 operand, got 0\nMAX()\n^`],
  [
    'MIN(1,)',
    `line 1, column 7: expected a number, a text, an attribute as $name, a function or '(', got ')'\nMIN(1,)\n      ^`,
  ],
  [
    "$a = 'x",
    "line 1, column 6: a text begins here and has no end: texts stand in single quotes, and a quote within is doubled\n$a = 'x\n     ^",
  ],
  ['REGEX($a)', 'line 1, column 1: REGEX takes exactly 2 operands, got 1\nREGEX($a)\n^'],
  ['REGEX($a, $b)', 'line 1, column 11: the pattern of REGEX is a text in single quotes\nREGEX($a, $b)\n          ^'],
  [
    "REGEX($a, CONCAT('a', 'b'))",
    "line 1, column 11: the pattern of REGEX is a text in single quotes\nREGEX($a, CONCAT('a', 'b'))\n          ^",
  ],
  [
    "REGEX($a, '''x[z-a]')",
    "line 1, column 16: no regular expression of RE2: invalid character class range\nREGEX($a, '''x[z-a]')\n               ^",
  ],
  [
    "1 + length(REGEX($a, 'x(?=y)'))",
    "line 1, column 24: no regular expression of RE2: invalid or unsupported Perl syntax\n1 + length(REGEX($a, 'x(?=y)'))\n                       ^",
  ],
  [
    "REGEX($a, '(a)\\1')",
    "line 1, column 15: no regular expression of RE2: invalid escape sequence\nREGEX($a, '(a)\\1')\n              ^",
  ],
  ["REGEX($a, '')", "line 1, column 12: the pattern is empty\nREGEX($a, '')\n           ^"],
  [
    "REGEX($a, 'a{300}')",
    "line 1, column 12: the pattern becomes 302 instructions, more than 250: repeat less in it\nREGEX($a, 'a{300}')\n           ^",
  ],
  ['IF($a)', 'line 1, column 1: IF takes 2 or 3 operands, got 1\nIF($a)\n^'],
  ['1 < 2 < 3', "line 1, column 7: expected an operator, got '<'\n1 < 2 < 3\n      ^"],
  ['SQRT 4', `line 1, column 6: expected '(', got '4'\nSQRT 4\n     ^`],
  [
    'price * 2',
    "line 1, column 1: no function 'price'; known are ABS, SQRT, POW, EXP, LN, LOG2, LOG10, FLOOR, CEIL, ROUND, MIN, MAX, CONCAT, SUBSTR, SPLIT, REPLACE, REGEX, TRIM, UPPER, LOWER, LENGTH, HASH, IF, COALESCE, and an attribute is written $name\nprice * 2\n^",
  ],
]

for (const [text, message] of refused) {
  test(`refuses "${text}" and says why`, (t) => {
    t.is(refusalOf(text), message)
  })
}

const types: Readonly<Record<string, readonly [gives: string, ...problems: string[]]>> = {
  '$n * 2': ['number'],
  "if($n > 1, 'a', $t)": ['text'],
  "if($n > 1, 'a', 2)": ['text', "IF takes values of one type: 'a' is a text, and a part of it is a number"],
  'if($n, 1, 2)': ['number', 'the condition of IF takes true or false, and n is a number'],
  "$n = 'x'": ['boolean', "'=' takes values of one type: n is a number, and 'x' is a text"],
  '$t + 1': ['number', "'+' takes a number, and t is a text"],
  'length($n)': ['number', 'LENGTH takes a text, and n is a number'],
  'abs($t)': ['number', 'ABS takes a number, and t is a text'],
  'substr($t, $t)': ['text', 'SUBSTR takes a number, and t is a text'],
  'concat($n, $b, $t)': ['text'],
  'coalesce($open, $n)': ['number'],
  'not $b and $n > 1': ['boolean'],
  'not $n': ['boolean', 'not takes true or false, and n is a number'],
  '-$t': ['number', "'-' takes a number, and t is a text"],
  'hash($t) % 10': ['number'],
  "regex($t, 'a')": ['text'],
  "regex($n, 'a')": ['text', 'REGEX takes a text, and n is a number'],
}
for (const [text, [gives, ...problems]] of Object.entries(types)) {
  test(`${text} gives ${gives}${problems.length > 0 ? ', and is refused' : ''}`, (t) => {
    const kinds = { n: 'number', t: 'text', b: 'boolean' } as const
    const found: string[] = []
    const type = typeOfExpression(
      parseExpression(text),
      (name) => kinds[name as keyof typeof kinds] ?? 'any',
      (problem) => found.push(problem),
    )
    t.deepEqual([type, ...found], [gives, ...problems])
  })
}

test('hostile nesting is refused, however it is made', (t) => {
  for (const text of [
    '('.repeat(9000),
    '-'.repeat(9000),
    'ABS('.repeat(2000),
    'IF('.repeat(2000),
    `${'('.repeat(150)}1${')'.repeat(150)}`,
  ]) {
    t.regex(refusalOf(text), /nested more than 100 deep/)
  }
})

test('a text of more than 10000 characters is refused', (t) => {
  t.is(refusalOf(`1${' '.repeat(9_999)}`), 'accepted')
  t.is(refusalOf(' '.repeat(10_001)), 'an expression has at most 10000 characters, this one has 10001')
})

test('of a text that holds an expression its own characters count, wherever they are', (t) => {
  const source = createSourceText(`${' '.repeat(9_995)}1${'+1'.repeat(5_000)}`)
  t.is(parseExpressionIn(source, 9_995, 19_994, graphExpressions).kind, 'chain')
  t.throws(() => parseExpressionIn(source, 9_995, 19_996, graphExpressions), { message: /this one has 10001$/ })
})

test('a sum of thousands of terms is no nesting', (t) => {
  t.is(refusalOf(`1${'+1'.repeat(4_000)}`), 'accepted')
})

test('tells the attributes that it reads, each once, dotted names too', (t) => {
  t.deepEqual(attributesOf(parseExpression('MAX($a, -$prod.price) * ($_pk % $a) + 2')), ['a', 'prod.price', '_pk'])
})
