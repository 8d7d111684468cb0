import test from 'ava'
import fc from 'fast-check'
import { operations } from '../../../../activities/events/computed/operations/index.ts'
import type { Event } from '../../../../base/json.ts'
import { operations as codes } from '../../../../sql/schema/codes.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'
import { result } from './compute.ts'
import '../../../support/random/seed.ts'

const event: Event = {
  seven: 7,
  two: 2,
  zero: 0,
  minus: -2.5,
  part: 87.5,
  max: 9007199254740991,
  big: 9007199254740993n,
  most: 9223372036854775807n,
  huge: 1e300,
  word: 'Jfk',
  digits: ' 87.5 ',
  longDigits: '9007199254740993',
  yes: true,
  none: null,
  prod: { name: 'Lamp', price: 12.5, tags: ['a'] },
}

type Case = readonly [string, ComputedAttribute['inputs'], ComputedAttribute['type'], unknown]

const cases: readonly Case[] = [
  ['CONCAT', ['word', "' of '", 'seven', 2.5, true], 'STRING', 'Jfk of 72.5true'],
  ['CONCAT', ['word', 'absent'], 'STRING', undefined],
  ['CONCAT', ['prod.name', 'big'], 'STRING', 'Lamp9007199254740993'],
  ['SUBSTR', ['word', 2], 'STRING', 'fk'],
  ['SUBSTR', ['word', 1, 1], 'STRING', 'J'],
  ['SPLIT', ['word', "'f'", -1], 'STRING', 'k'],
  ['REPLACE', ['word', "'f'", "''''"], 'STRING', "J'k"],
  ['TRIM', ['digits'], 'STRING', '87.5'],
  ['LENGTH', ['digits'], 'LONG', 6],
  ['IF', ['$seven > 5 and $yes', 'big', 'two'], 'LONG', 9007199254740993n],
  ['IF', ["$word = 'Jfk'", "'yes'", "'no'"], 'STRING', 'yes'],
  ['IF', ['$absent > 5', 1, 2], 'LONG', undefined],
  ['COALESCE', ['none', 'absent', 'seven', 'two'], 'LONG', 7],
  ['COALESCE', ['none', "'?'"], 'STRING', '?'],
  ['COALESCE', ['none', 'most'], 'LONG', 9223372036854775807n],
  ['HASH', ['word'], 'LONG', 8406736311800801],
  ['REGEX', ['word', "'(?i)^j(.)'"], 'STRING', 'f'],
  ['REGEX', ['word', "'[0-9]'"], 'STRING', undefined],
  ['REGEX', ['absent', "'.'"], 'STRING', undefined],
  ['MATH_EXP', ["if($seven > 100, 'dear', 'cheap')"], 'STRING', 'cheap'],
  ['MATH_EXP', ['$seven > 5'], 'BOOL', true],
  ['MATH_EXP', ['$big'], 'LONG', 9007199254740993n],
  ['COPY', ['seven'], 'LONG', 7],
  ['COPY', ['seven'], 'DOUBLE', 7],
  ['COPY', ['seven'], 'STRING', '7'],
  ['COPY', ['part'], 'LONG', 87],
  ['COPY', ['minus'], 'LONG', -2],
  ['COPY', ['word'], 'STRING', 'Jfk'],
  ['COPY', ['word'], 'LONG', undefined],
  ['COPY', ['digits'], 'LONG', 87],
  ['COPY', ['digits'], 'DOUBLE', 87.5],
  ['COPY', ['longDigits'], 'LONG', 9007199254740993n],
  ['COPY', ['big'], 'LONG', 9007199254740993n],
  ['COPY', ['big'], 'STRING', '9007199254740993'],
  ['COPY', ['big'], 'DOUBLE', 9007199254740992],
  ['COPY', ['huge'], 'LONG', undefined],
  ['COPY', ['yes'], 'BOOL', true],
  ['COPY', ['yes'], 'LONG', undefined],
  ['COPY', ['seven'], 'BOOL', undefined],
  ['COPY', ['prod.name'], 'STRING', 'Lamp'],
  ['COPY', ['prod.tags'], 'STRING', undefined],
  ['COPY', ['prod.tags.length'], 'LONG', undefined],
  ['COPY', ['prod'], 'STRING', undefined],
  ['COPY', ['none'], 'STRING', undefined],
  ['COPY', ['absent'], 'STRING', undefined],
  ['COPY', ['word.length'], 'LONG', undefined],
  ['COPY', ['constructor.name'], 'STRING', undefined],
  ['COPY_VAL', ['word'], 'STRING', 'word'],
  ['COPY_VAL', [4.5], 'DOUBLE', 4.5],
  ['COPY_VAL', ['4.5'], 'LONG', 4],
  ['COPY_VAL', [false], 'BOOL', false],
  ['ADD', ['seven', 'two', 'part'], 'DOUBLE', 96.5],
  ['ADD', ['seven', 3], 'LONG', 10],
  ['ADD', ['word', 'word'], 'STRING', 'JfkJfk'],
  ['ADD', ['word', 'seven', 'big', 'yes'], 'STRING', 'Jfk79007199254740993true'],
  ['ADD', ['digits', 'digits'], 'LONG', undefined],
  ['ADD', ['word', 'none'], 'STRING', undefined],
  ['ADD', ['seven', 'absent'], 'LONG', undefined],
  ['ADD', ['seven', 'prod'], 'LONG', undefined],
  ['ADD', ['max', 'two'], 'LONG', 9007199254740993n],
  ['ADD', ['max', 'two', -10], 'LONG', 9007199254740983],
  ['ADD', ['most', 1], 'LONG', undefined],
  ['ADD', ['most', 1], 'DOUBLE', 2 ** 63],
  ['ADD', ['most', 'part'], 'DOUBLE', 2 ** 63],
  ['SUB', ['seven', 'two', 'two'], 'LONG', 3],
  ['SUB', ['big', 'two'], 'LONG', 9007199254740991],
  ['SUB', ['most', 'most'], 'LONG', 0],
  ['SUB', ['word', 'two'], 'LONG', undefined],
  ['MUL', ['seven', 'two', 'minus'], 'DOUBLE', -35],
  ['MUL', ['max', 3], 'LONG', 27021597764222973n],
  ['MUL', ['big', 'two'], 'LONG', 18014398509481986n],
  ['MUL', ['most', 'two'], 'LONG', undefined],
  ['MUL', ['huge', 'huge', 'zero'], 'DOUBLE', undefined],
  ['DIV', ['seven', 'two'], 'DOUBLE', 3.5],
  ['DIV', ['seven', 'two'], 'LONG', 3],
  ['DIV', ['minus', 'two'], 'LONG', -1],
  ['DIV', ['seven', 'two', 'two'], 'DOUBLE', 1.75],
  ['DIV', ['seven', 'zero'], 'DOUBLE', undefined],
  ['DIV', ['zero', 'zero'], 'STRING', undefined],
  ['DIV', ['big', 'two'], 'DOUBLE', 4503599627370496],
  ['DIV', ['big', 1], 'LONG', 9007199254740993n],
  ['DIV', ['max', 'big'], 'LONG', 0],
  ['DIV', ['most', 'seven', -2], 'LONG', -658812288346769700n],
  ['DIV', ['most', 'zero'], 'LONG', undefined],
  ['DIV', ['most', 0.5], 'LONG', undefined],
  ['DIV', ['big', 0.5], 'LONG', 18014398509481984n],
  ['DIV', ['most', 'absent'], 'LONG', undefined],
  ['PERCENT', ['two', 8], 'DOUBLE', 25],
  ['PERCENT', ['big', 100], 'LONG', 9007199254740993n],
  ['PERCENT', ['most', 'most'], 'LONG', 100],
  ['PERCENT', [29, 100], 'LONG', 29],
  ['PERCENT', ['two', 'zero'], 'DOUBLE', undefined],
  ['UPPER', ['word'], 'STRING', 'JFK'],
  ['UPPER', ['part'], 'LONG', 88],
  ['UPPER', ['minus'], 'DOUBLE', -2],
  ['UPPER', ['big'], 'LONG', 9007199254740993n],
  ['UPPER', ['yes'], 'STRING', undefined],
  ['LOWER', ['word'], 'STRING', 'jfk'],
  ['LOWER', ['minus'], 'DOUBLE', -3],
  ['LOG_E', [1], 'DOUBLE', 0],
  ['LOG_2', [8], 'DOUBLE', 3],
  ['LOG_10', [1000], 'LONG', 3],
  ['LOG_10', ['zero'], 'DOUBLE', undefined],
  ['LOG_2', ['minus'], 'DOUBLE', undefined],
  ['LOG_E', ['word'], 'DOUBLE', undefined],
  ['ABS', ['minus'], 'DOUBLE', 2.5],
  ['ABS', [-7], 'LONG', 7],
  ['ABS', ['big'], 'LONG', 9007199254740993n],
  ['ABS', ['word'], 'LONG', undefined],
  ['MATH_EXP', ['($seven + $two) * $prod.price'], 'DOUBLE', 112.5],
  ['MATH_EXP', ['$seven / 2'], 'LONG', 3],
  ['MATH_EXP', ['$seven / 2'], 'STRING', '3.5'],
  ['MATH_EXP', ['$seven / $zero'], 'DOUBLE', undefined],
  ['MATH_EXP', ['$seven + $absent'], 'DOUBLE', undefined],
  ['MATH_EXP', ['$seven + $word'], 'DOUBLE', undefined],
  ['MATH_EXP', ['MAX($big, 1)'], 'DOUBLE', 9007199254740992],
  ['MATH_EXP', ['-$zero'], 'LONG', 0],
]

for (const [operation, inputs, type, value] of cases) {
  test(`${operation} of ${JSON.stringify(inputs)} into ${type} is ${typeof value} ${value}`, (t) => {
    t.is(result(operation, inputs, type, event), value)
  })
}

/** By its name and as a function of an expression: the same path, whatever the values are. */
test('an operation of values by its name gives what it gives as a function', (t) => {
  const value = fc.oneof(
    fc.constantFrom('', 'a', "it's", '😀 b', ' x ', '$a', 'true'),
    fc.constantFrom(0, 1, -2, 2.5, 1e300, 9007199254740993n),
    fc.boolean(),
    fc.constant(undefined),
  )
  const texts = ['CONCAT', 'SUBSTR', 'SPLIT', 'REPLACE', 'TRIM', 'LENGTH', 'COALESCE', 'HASH'] as const
  const counts: Readonly<Record<(typeof texts)[number], number>> = {
    ...{ CONCAT: 3, SUBSTR: 3, SPLIT: 3, REPLACE: 3, TRIM: 1, LENGTH: 1, COALESCE: 2, HASH: 2 },
  }
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(value, { minLength: 3, maxLength: 3 }), (operation, all) => {
      const names = ['a', 'b', 'c'].slice(0, counts[operation])
      const sent = Object.fromEntries(names.map((name, place) => [name, all[place]])) as Event
      const text = `${operation}(${names.map((name) => `$${name}`).join(', ')})`
      return (['STRING', 'LONG'] as const).every((type) =>
        Object.is(result(operation, names, type, sent), result('MATH_EXP', [text], type, sent)),
      )
    }),
  )
  t.pass()
})

test('every operation of the wire is there, but for PRED, which asks a model', (t) => {
  t.deepEqual([...operations.keys(), 'PRED'].toSorted(), codes.entries.map(([, name]) => name).toSorted())
})

test('joining stops at a mebi of characters', (t) => {
  const text = 'x'.repeat(600_000)
  t.is(String(result('ADD', ['text'], 'STRING', { text })).length, 600_000)
  t.is(result('ADD', ['text', 'text'], 'STRING', { text }), undefined)
})

const member = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const integers: Readonly<Record<string, (left: bigint, right: bigint) => bigint | undefined>> = {
  ADD: (left, right) => left + right,
  SUB: (left, right) => left - right,
  MUL: (left, right) => left * right,
  DIV: (left, right) => (right === 0n ? undefined : left / right),
}

test('integers are exact over all of int64, and missing beyond it', (t) => {
  const int64 = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
    fc.bigInt({ min: -1000n, max: 1000n }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(integers)),
      fc.tuple(int64, int64, int64),
      ([name, apply], [a, b, c]) => {
        const first = apply(a, b)
        const exact = first === undefined ? undefined : apply(first, c)
        const wanted = exact !== undefined && BigInt.asIntN(64, exact) === exact ? member(exact) : undefined
        return result(name, ['a', 'b', 'c'], 'LONG', { a: member(a), b: member(b), c: member(c) }) === wanted
      },
    ),
    { numRuns: 2000 },
  )
  t.pass()
})
