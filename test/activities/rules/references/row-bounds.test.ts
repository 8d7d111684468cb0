/** The search through blocks of rows, against one through all of them. */
import test from 'ava'
import { comparisons } from '../../../../activities/events/compare.ts'
import type { Scalar } from '../../../../activities/events/values.ts'
import { createRowBlocks, type RowTest } from '../../../../activities/rules/references/row-bounds.ts'
import type { Remembered } from '../../../../infra/memory/state.ts'
import { randomFor } from '../../../support/random/seed.ts'

const operators = ['=', '!=', '<', '<=', '>', '>='] as const

test('whatever rows come, go and are undone, the search finds what a look at each finds', (t) => {
  const random = randomFor(t)
  const scalar = (): Scalar | null =>
    random.pick<Scalar | null>([null, 1, 2, 2.5, 2n ** 60n, 'a', 'b', true, false, random.whole(-5, 5)])
  for (let round = 0; round < 40; round++) {
    const items: Remembered[] = []
    const blocks = createRowBlocks([0, 2])
    // Of most streams the values of an attribute are of one kind, and go up.
    const isMixed = random.whole(0, 3) === 0
    let seq = 0
    const next = (): Remembered => {
      seq++
      const value = isMixed ? [scalar(), 0, scalar()] : [seq + random.whole(-20, 20), 'x', random.whole(0, 5)]
      return { seq, pk: seq + random.whole(-50, 50), value }
    }
    for (let step = 0; step < 60; step++) {
      for (let added = random.whole(0, 150); added > 0; added--) {
        items.push(next())
        if (items.length > 700) items.shift()
      }
      const choice = random.whole(0, 5)
      if (choice === 0) items.splice(0, random.whole(0, 100))
      if (choice === 1) items.splice(random.whole(0, items.length), random.whole(0, 3))
      if (choice === 2) {
        // A turn is undone, and taken again with the same places.
        const undone = items.splice(Math.max(0, items.length - random.whole(0, 100)))
        items.push(...undone.map(({ seq: same, pk }) => ({ seq: same, pk, value: next().value })))
      }
      if (choice === 3) {
        const gone = items.splice(0, random.whole(0, 70))
        blocks.findLast(items, 0, [], () => false)
        items.unshift(...gone)
      }
      for (let asked = 0; asked < 5; asked++) {
        const tests = Array.from(
          { length: random.whole(0, 2) },
          (): RowTest => ({
            place: random.pick([0, 2]),
            operator: random.pick(operators),
            operand: isMixed ? (scalar() ?? 0) : random.whole(0, seq + 10),
          }),
        )
        const from = random.whole(0, seq)
        const expected = items.findLast(
          ({ pk, value }) =>
            pk >= from &&
            tests.every(({ place, operator, operand }) => {
              const known = (value as (Scalar | null)[])[place] ?? null
              return known !== null && comparisons[operator](known, operand)
            }),
        )
        t.is(
          blocks.findLast(items, from, tests, () => true),
          expected,
        )
      }
    }
  }
})

test('a search of 10,000 rows in the order of what they are compared by looks at some dozens', (t) => {
  let looks = 0
  const items = Array.from({ length: 10_000 }, (_, seq): Remembered => {
    const value = new Proxy([seq], {
      get(target, name, receiver) {
        looks++
        return Reflect.get(target, name, receiver)
      },
    })
    return { seq, pk: seq, value }
  })
  const blocks = createRowBlocks([0])
  const find = (operand: number) => blocks.findLast(items, 0, [{ place: 0, operator: '<=', operand }], () => true)?.seq
  t.is(find(9_999), 9_999)
  looks = 0
  t.deepEqual([find(17), find(5_000), find(-1)], [17, 5_000, undefined])
  t.true(looks < 200, `${looks} looks`)
})
