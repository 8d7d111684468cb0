import test from 'ava'
import { findCycle, inputsOf, orderComputed } from '../../../../sql/schema/check/computed-order.ts'
import type { ComputedAttribute } from '../../../../sql/schema/schema.ts'

const attribute = (
  name: string,
  inputs: ComputedAttribute['inputs'],
  rest: Partial<ComputedAttribute> = {},
): ComputedAttribute => ({
  name,
  type: 'DOUBLE',
  operation: 'ADD',
  inputs,
  order: 0,
  whenPresent: 'add',
  ...rest,
})

const orderOf = (...attributes: readonly ComputedAttribute[]) => {
  const result = orderComputed(attributes)
  return 'order' in result ? result.order.map(({ name }) => name).join(' ') : `cycle ${result.cycle.join(' ')}`
}

test('an attribute comes after those that it reads', (t) => {
  t.is(orderOf(attribute('c', ['b']), attribute('b', ['a', 'x']), attribute('a', ['x'])), 'a b c')
  t.is(
    orderOf(
      attribute('top', ['left', 'right']),
      attribute('right', ['base']),
      attribute('left', ['base']),
      attribute('base', []),
    ),
    'base right left top',
  )
})

test('among those that may come in any order, `order` decides, then the declaration', (t) => {
  t.is(orderOf(attribute('a', ['x']), attribute('b', ['x']), attribute('c', ['x'])), 'a b c')
  t.is(
    orderOf(
      attribute('a', ['x'], { order: 3 }),
      attribute('b', ['x'], { order: -1 }),
      attribute('c', ['x'], { order: 1.5 }),
    ),
    'b c a',
  )
  t.is(
    orderOf(
      attribute('a', ['c'], { order: 1 }),
      attribute('b', ['x'], { order: 2 }),
      attribute('c', ['x'], { order: 9 }),
    ),
    'c a b',
  )
})

test('an attribute that reads its own name reads the posted value', (t) => {
  t.is(orderOf(attribute('tax', ['price', 'rate']), attribute('price', ['price', 'factor'])), 'price tax')
})

test('a cycle is told by its names, without what leads to it', (t) => {
  const attributes = [attribute('start', ['a']), attribute('a', ['b']), attribute('b', ['c']), attribute('c', ['a'])]
  t.deepEqual(findCycle(attributes), ['a', 'b', 'c'])
  t.is(findCycle([attribute('a', ['b']), attribute('b', ['x'])]), undefined)
})

test('an expression reads its attributes, a literal value none, everything else its names', (t) => {
  t.deepEqual(inputsOf(attribute('e', ['($a + $b.c) * $a'], { operation: 'MATH_EXP' })), ['a', 'b.c'])
  t.deepEqual(inputsOf(attribute('e', ['($a + '], { operation: 'MATH_EXP' })), [])
  t.deepEqual(inputsOf(attribute('v', ['a'], { operation: 'COPY_VAL' })), [])
  t.deepEqual(inputsOf(attribute('p', ['a', 'b'], { operation: 'PRED' })), ['a', 'b'])
  t.deepEqual(inputsOf(attribute('s', ['a', 5, 'a', true])), ['a'])
  t.deepEqual(findCycle([attribute('a', ['1 + $b'], { operation: 'MATH_EXP' }), attribute('b', ['a'])]), ['a', 'b'])
})

test('a chain as long as a hostile schema is put in order', (t) => {
  const count = 50_000
  const chain = Array.from({ length: count }, (_, i) => attribute(`a${i}`, [`a${i + 1}`]))
  const result = orderComputed(chain)
  t.is('order' in result ? result.order[0]?.name : '', `a${count - 1}`)
  t.is(findCycle([...chain, attribute(`a${count}`, ['a0'])])?.length, count + 1)
})
