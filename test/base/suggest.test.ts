import test from 'ava'
import { hint, suggest } from '../../base/suggest.ts'

const cases = [
  ['pric', ['price', 'prize', 'visitor'], 'price'],
  ['PRICE', ['visitor', 'price'], 'price'],
  ['vistor', ['price', 'visitor'], 'visitor'],
  ['x', ['y'], undefined],
  ['ab', ['b'], 'b'],
  ['delay', ['price'], undefined],
  ['', ['a'], undefined],
] as const

test('the nearest known name is suggested, or none where none is near', (t) => {
  for (const [name, known, meant] of cases) t.is(suggest(name, known), meant, name)
})

test('advice on an unknown name is the one that was meant, else the known ones', (t) => {
  const many = Array.from({ length: 12 }, (_, index) => `attribute${index}`)
  t.is(hint('pric', ['price']), '; did you mean price?')
  t.is(hint('delay', ['price', 'visitor']), '; known are price, visitor')
  t.is(hint('delay', many), `; known are ${many.slice(0, 10).join(', ')} and 2 more`)
  t.is(hint('delay', []), ', which has none')
})
