import test from 'ava'
import {
  createConsumerState,
  isBehind,
  isStuck,
  lagOf,
  noteCommitted,
  noteProduced,
} from '../../../../../infra/log/kafka/consume/consumer-state.ts'

const at = (offset: number): ReadonlyMap<number, number> => new Map([[0, offset]])

test('a queue of which nothing is consumed for a day takes no more memory than one of a minute, and knows its lag', (t) => {
  const state = createConsumerState('s.a')
  const day = 5 * 86_400
  for (let i = 1; i <= day; i++) noteProduced(state, at(i), i * 200)
  t.true(state.marks.length <= 100, `${state.marks.length} marks`)
  state.learned_ms = day * 200
  t.is(lagOf(state, day * 200), (day - 1) * 200)
})

test('while a consumer catches up, its lag is that of the oldest events it has not taken, within a sixteenth', (t) => {
  const state = createConsumerState('s.a')
  const [count, now] = [10_000, 10_000 * 200]
  for (let i = 1; i <= count; i++) noteProduced(state, at(i), i * 200)
  for (const consumed of [1, 1234, 5000, 7777]) {
    noteCommitted(state, at(consumed + 1), now)
    state.learned_ms = now
    const real = now - (consumed + 1) * 200
    t.true(lagOf(state, now) <= real)
    t.true(lagOf(state, now) >= real - now / 16, `${lagOf(state, now)} ms instead of ${real}`)
  }
  noteCommitted(state, at(count + 1), now)
  t.is(lagOf(state, now), 0)
})

test('a lag by a consumer that moves delays producers, one by a consumer that stands still is a failure', (t) => {
  const state = createConsumerState('s.a')
  noteProduced(state, at(1), 10_000)
  noteCommitted(state, at(1), 10_500)
  state.asked_ms = 9_000 // and Kafka tells nothing since
  t.deepEqual([isBehind(state, 10_600, 800), isStuck(state, 10_600)], [false, false])
  t.deepEqual([isBehind(state, 11_000, 800), isStuck(state, 11_000)], [true, false])
  t.deepEqual([isBehind(state, 16_000, 800), isStuck(state, 16_000)], [false, true])
})

test('what was produced since Kafka was last asked is no lag yet', (t) => {
  const state = createConsumerState('s.a')
  noteProduced(state, at(1), 10_000)
  noteCommitted(state, at(1), 10_100)
  state.learned_ms = 10_090
  t.is(lagOf(state, 14_000), 90)
  t.false(isBehind(state, 14_000, 800))
  noteCommitted(state, at(2), 14_010)
  noteProduced(state, at(2), 14_020)
  state.learned_ms = 14_005
  t.is(lagOf(state, 20_000), 0)
})

test('who waits for offsets of several partitions goes on when the last of them is committed', async (t) => {
  const state = createConsumerState('s.a')
  let isOver = false
  const offsets = new Map([
    [0, 4],
    [1, 9],
  ])
  const waiting = state.waiters
    .wait(offsets, 5_000, () => new Error('late'))
    .then(() => {
      isOver = true
    })
  noteCommitted(state, new Map([[0, 5]]), 1)
  await Promise.resolve()
  t.false(isOver)
  noteCommitted(state, new Map([[1, 10]]), 2)
  await waiting
  t.is(state.waiters.count(), 0)
})
