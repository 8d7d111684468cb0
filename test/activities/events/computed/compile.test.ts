import test from 'ava'
import { compileComputed } from '../../../../activities/events/computed/compile.ts'
import type { Event } from '../../../../base/json.ts'
import type { PresentRule } from '../../../../sql/schema/schema.ts'
import { attribute, computed, noModel } from './compute.ts'

test('computed attributes see each other, in whatever order they are declared', (t) => {
  const attributes = [
    attribute('MUL', ['gross', 2], { name: 'twice' }),
    attribute('ADD', ['net', 'tax'], { name: 'gross' }),
    attribute('MATH_EXP', ['$net * 0.5'], { name: 'tax' }),
  ]
  t.deepEqual(computed(attributes, { net: 100 }), { net: 100, tax: 50, gross: 150, twice: 300 })
})

test('an attribute that reads its own name works on the posted value, and others on its result', (t) => {
  const attributes = [
    attribute('ADD', ['price', 1], { name: 'more' }),
    attribute('MUL', ['price', 2], { name: 'price' }),
  ]
  t.deepEqual(computed(attributes, { price: 10 }), { price: 20, more: 21 })
})

test('what a missing attribute feeds is missing too', (t) => {
  const attributes = [
    attribute('DIV', ['a', 'b'], { name: 'ratio' }),
    attribute('MUL', ['ratio', 2], { name: 'twice' }),
  ]
  t.deepEqual(computed(attributes, { a: 1, b: 0 }), { a: 1, b: 0 })
})

const rules: readonly (readonly [PresentRule, Event, Event])[] = [
  ['add', { a: 1 }, { a: 1, x: 2 }],
  ['add', { a: 1, x: 9 }, { a: 1, x: 2 }],
  ['add', { x: 9 }, { x: 9 }],
  ['replace', { a: 1 }, { a: 1, x: 2 }],
  ['replace', { a: 1, x: 9 }, { a: 1, x: 2 }],
  ['replace', { x: 9 }, { x: 9 }],
  ['add if missing', { a: 1 }, { a: 1, x: 2 }],
  ['add if missing', { a: 1, x: 9 }, { a: 1, x: 9 }],
  ['add if missing', { a: 1, x: 0 }, { a: 1, x: 0 }],
  ['add if missing', { a: 1, x: null }, { a: 1, x: 2 }],
]

for (const [whenPresent, before, after] of rules) {
  test(`"${whenPresent}" makes ${JSON.stringify(before)} into ${JSON.stringify(after)}`, (t) => {
    t.deepEqual(computed([attribute('ADD', ['a', 1], { whenPresent })], before), after)
  })
}

test('members may be called like those that every object has', (t) => {
  const attributes = [attribute('ADD', ['valueOf', 1], { name: 'constructor', whenPresent: 'add if missing' })]
  const bare: Event = Object.create(null)
  Object.assign(bare, { valueOf: 1 })
  t.is(Reflect.get(computed(attributes, bare), 'constructor'), 2)
  t.is(Reflect.get(computed(attributes, JSON.parse('{"valueOf": 1}')), 'constructor'), 2)
  t.deepEqual(computed([attribute('ADD', ['toString', 1]), attribute('COPY', ['__proto__.x'], { name: 'y' })], {}), {})
})

test('a cycle and a broken expression are refused before any event', (t) => {
  const cycle = [attribute('ADD', ['b'], { name: 'a' }), attribute('ADD', ['a'], { name: 'b' })]
  t.throws(() => compileComputed(cycle, { attributes: [] }, noModel), {
    name: 'Refusal',
    message: 'computed attributes read each other: a, b',
  })
  t.throws(() => compileComputed([attribute('MATH_EXP', ['1 +'])], { attributes: [] }, noModel), { name: 'Refusal' })
})
