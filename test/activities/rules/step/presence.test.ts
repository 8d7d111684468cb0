import test from 'ava'
import { createPresence } from '../../../../activities/rules/step/presence.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { createMemoryState } from './memory-state.ts'

test('indexes that come and go are found one behind the other, as a sorted list has them', (t) => {
  const random = randomFor(t)
  for (let round = 0; round < 30; round++) {
    const state = createMemoryState({ isPacked: true })
    const presence = createPresence('s.st/moving')
    const there = new Set<number>()
    const range = random.pick([40, 3_000, 2 ** 53 - 1])
    for (let step = 0; step < 200; step++) {
      const index = random.pick([random.whole(0, range), ...there])
      if (there.has(index) && random.whole(0, 1) === 0) {
        presence.remove(state, index)
        there.delete(index)
      } else {
        presence.add(state, index)
        there.add(index)
      }
      const from = random.pick([random.whole(0, range), index, index + 1])
      const expected = [...there].filter((each) => each >= from).sort((a, b) => a - b)[0]
      t.is(presence.nextFrom(state, from), expected)
    }
    for (const index of there) presence.remove(state, index)
    t.is(state.size(), 0)
  }
})
