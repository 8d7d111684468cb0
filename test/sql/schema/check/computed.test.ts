import test from 'ava'
import { checkComputed } from '../../../../sql/schema/check/computed.ts'
import { operations } from '../../../../sql/schema/codes.ts'
import { numberFromText } from '../../../../sql/schema/number-text.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'

const problemsOf = (operation: string, inputs: ComputedAttribute['inputs'], rest: Partial<ComputedAttribute> = {}) =>
  checkComputed({ name: 'x', type: 'DOUBLE', operation, inputs, order: 0, whenPresent: 'add', ...rest })

const refused: readonly (readonly [string, ComputedAttribute['inputs'], string, Partial<ComputedAttribute>?])[] = [
  ['SUB', ['a'], 'SUB takes at least 2 inputs, got 1'],
  ['ADD', [], 'ADD takes at least 1 input, got 0'],
  ['DIV', ['a'], 'DIV takes at least 2 inputs, got 1'],
  ['PERCENT', ['a', 'b', 'c'], 'PERCENT takes exactly 2 inputs, got 3'],
  ['UPPER', ['a', 'b'], 'UPPER takes exactly 1 input, got 2'],
  ['YEAR', [], 'YEAR takes exactly 1 input, got 0'],
  ['GEOHASH', ['a'], 'GEOHASH takes 2 or 3 inputs, got 1'],
  ['GEOHASH', ['a', 'b', 13], 'the third input of GEOHASH is its length, a number from 1 to 12, got 13'],
  ['GEOHASH', ['a', 'b', 'c'], "the third input of GEOHASH is its length, a number from 1 to 12, got 'c'"],
  ['GEO_DISTANCE', ['a', 'b'], 'GEO_DISTANCE takes exactly 4 inputs, got 2'],
  [
    'MATH_EXP',
    ['$a +* $b'],
    "MATH_EXP: line 1, column 5: expected a number, a text, an attribute as $name, a function or '(', got '*'\n$a +* $b\n    ^",
  ],
  ['REGEX', ['a', 'b'], 'REGEX: line 1, column 1: the pattern of REGEX is a text in single quotes\nb\n^'],
  [
    'REGEX',
    ['a', "'it''s (x'"],
    "REGEX: line 1, column 2: no regular expression of RE2: missing closing )\n'it''s (x'\n ^",
  ],
  ['COPY_VAL', ['east'], "COPY_VAL of 'east' gives no DOUBLE"],
  ['COPY_VAL', ['true'], "COPY_VAL of 'true' gives no BOOL", { type: 'BOOL' }],
  ['COPY_VAL', [1], 'COPY_VAL of 1 gives no BOOL', { type: 'BOOL' }],
  ['PRED', ['a'], 'PRED needs the name of a model in "model"'],
  ['COPY', ['a'], 'an OBJECT cannot be computed', { type: 'OBJECT' }],
]

for (const [operation, inputs, problem, rest] of refused) {
  test(`refuses ${operation} of ${JSON.stringify(inputs)}: ${problem.slice(0, 60)}`, (t) => {
    t.deepEqual(problemsOf(operation, inputs, rest), [problem])
  })
}

const accepted: readonly (readonly [string, ComputedAttribute['inputs'], Partial<ComputedAttribute>?])[] = [
  ['ADD', ['a', 'b', 'c', 5]],
  ['MUL', ['a', 2]],
  ['GEOHASH', ['lat', 'lon'], { type: 'STRING' }],
  ['GEOHASH', ['lat', 'lon', 6], { type: 'STRING' }],
  ['COPY_VAL', ['12.5']],
  ['COPY_VAL', [true], { type: 'BOOL' }],
  ['COPY_VAL', [true], { type: 'STRING' }],
  ['MATH_EXP', ['($a+$b)']],
  ['REGEX', ['a', "'v(\\d+)'"], { type: 'STRING' }],
  ['PRED', ['a', 'b'], { model: 'delay' }],
]

for (const [operation, inputs, rest] of accepted) {
  test(`takes ${operation} of ${JSON.stringify(inputs)} into ${rest?.type ?? 'DOUBLE'}`, (t) => {
    t.deepEqual(problemsOf(operation, inputs, rest), [])
  })
}

test('every operation says how many inputs it takes', (t) => {
  for (const [, name] of operations.entries) t.regex(problemsOf(name, []).join(), new RegExp(`${name} takes`), name)
})

const texts: readonly (readonly [string, number | bigint | undefined])[] = [
  ['5', 5],
  [' -5.25 ', -5.25],
  ['+.5', 0.5],
  ['1e3', 1000],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['0x10', undefined],
  ['1e400', undefined],
  ['Infinity', undefined],
  ['', undefined],
  ['5 apples', undefined],
]

for (const [text, number] of texts) {
  test(`the text "${text}" is the number ${number}`, (t) => {
    t.is(numberFromText(text), number)
  })
}
