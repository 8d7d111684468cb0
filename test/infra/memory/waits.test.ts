import test from 'ava'
import fc from 'fast-check'
import { waitSpace } from '../../../infra/memory/spaces.ts'
import { createWaits } from '../../../infra/memory/waits.ts'
import { runs } from '../../support/random/seed.ts'

const space = waitSpace('s', 'st', {})

test('waits are there in the order in which they came, and in that of their times, whatever begins and ends them', (t) => {
  const change = fc.record({
    key: fc.integer({ min: 0, max: 20 }).map(String),
    pk: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: 'max' }), fc.integer({ min: 1, max: 30 }), (changes, most) => {
      const waits = createWaits()
      const open = waits.of(space)
      const plain: (readonly [string, number])[] = []
      for (const { key, pk } of changes) {
        const at = plain.findIndex(([each]) => each === key)
        if (at >= 0) plain.splice(at, 1)
        if (pk !== undefined) plain.push([key, pk])
        open?.committed(key, pk)
        const order = waits.orderOf(space)
        const earliest = order.earliest(most)
        const times = plain.map(([, time]) => time).sort((one, other) => one - other)
        const isRight =
          order.size === plain.length &&
          JSON.stringify([...order.oldest()]) === JSON.stringify(plain) &&
          JSON.stringify(earliest.map(([, time]) => time)) === JSON.stringify(times.slice(0, most)) &&
          earliest.every(([key, time]) => plain.some((each) => each[0] === key && each[1] === time)) &&
          new Set(earliest.map(([key]) => key)).size === earliest.length
        if (!isRight) return false
      }
      return true
    }),
    { numRuns: runs(200, 5_000) },
  )
  t.pass()
})

test('waits that are renewed again and again are those that are open, with their last times', (t) => {
  const waits = createWaits()
  const open = waits.of(space)
  for (let round = 0; round < 20; round++)
    for (let key = 0; key < 2_000; key++) open?.committed(String(key), round * 2_000 + key)
  const order = waits.orderOf(space)
  t.is(order.size, 2_000)
  t.deepEqual(order.earliest(2), [
    ['0', 38_000],
    ['1', 38_001],
  ])
  waits.drop(space)
  t.is(waits.orderOf(space).size, 0)
})

test('other spaces have no order', (t) => {
  const waits = createWaits()
  t.is(waits.of('s.st/run:abc'), undefined)
  t.deepEqual([...waits.orderOf('s.st/run:abc').oldest()], [])
})
