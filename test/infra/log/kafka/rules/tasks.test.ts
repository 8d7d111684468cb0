import test from 'ava'
import { roomOf } from '../../../../../infra/log/kafka/rules/tasks.ts'
import { randomFor } from '../../../../support/random/seed.ts'

test('the only task that remembers anything has all of the room, however many others there are', (t) => {
  t.is(roomOf(0, Array<number>(11).fill(0), 1200), 1200)
  t.is(roomOf(1100, Array<number>(11).fill(1), 1200), 1189)
  t.is(roomOf(5, [1100, 90], 1200), 10)
})

test('past the bound the largest tasks become less until all are within it, and no other loses anything', (t) => {
  const random = randomFor(t)
  for (let round = 0; round < 500; round++) {
    const most = random.whole(1, 10_000)
    let sizes = Array.from({ length: random.whole(1, 8) }, () => random.whole(0, 5_000))
    const before = sizes
    for (const [at] of sizes.entries()) {
      const others = sizes.filter((_, other) => other !== at)
      sizes = sizes.with(at, Math.min(sizes[at] ?? 0, roomOf(sizes[at] ?? 0, others, most)))
    }
    const total = (all: readonly number[]): number => all.reduce((sum, size) => sum + size, 0)
    t.true(total(sizes) <= most || total(before) <= most, `${before} within ${most}: ${sizes}`)
    if (total(before) <= most) t.deepEqual(sizes, before)
    else t.true(total(sizes) > most - sizes.length, `${before} within ${most}: ${sizes}`)
    const cut = sizes.filter((size, at) => size < (before[at] ?? 0))
    for (const [at, size] of sizes.entries()) {
      if (size === before[at])
        t.true(
          cut.every((other) => other >= size - sizes.length),
          `${before} within ${most}: ${sizes}`,
        )
    }
  }
})
