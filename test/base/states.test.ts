import test from 'ava'
import { deliveryStates } from '../../activities/notifications/delivery/delivery.ts'
import { isOver, move, moveUnlessOver, type States } from '../../base/states.ts'
import { createQueueState, feedingStates, moveFeeding } from '../../infra/log/embedded/queue-state.ts'

const states: States<'asleep' | 'awake' | 'gone'> = { asleep: ['awake'], awake: ['asleep', 'gone'], gone: [] }
const thing = (state: keyof typeof states) => ({ state })

test('a thing goes from a state to one that follows, and stays as it is where the table has no such step', (t) => {
  const one = thing('asleep')
  move(states, one, 'awake', 'the cat')
  t.is(one.state, 'awake')
  const other = thing('asleep')
  t.throws(() => move(states, other, 'gone', 'the cat'), { message: 'the cat is asleep and cannot become gone' })
  t.throws(() => move(states, other, 'asleep', 'the cat'), { message: 'the cat is asleep and cannot become asleep' })
  t.is(other.state, 'asleep')
})

test('work that goes on behind the end of its thing changes nothing of it', (t) => {
  const gone = thing('gone')
  t.true(isOver(states, gone))
  moveUnlessOver(states, gone, 'awake', 'the cat')
  t.is(gone.state, 'gone')
  t.throws(() => move(states, gone, 'awake', 'the cat'))
  t.throws(() => moveUnlessOver(states, thing('asleep'), 'gone', 'the cat'))
})

test('a queue takes no batch that did not wait for its place, and none once it is stopped', (t) => {
  const queue = createQueueState('s.st')
  t.throws(() => moveFeeding(queue, 'feeding'), {
    message: 'the feeding of s.st is idle and cannot become feeding',
  })
  for (const state of ['waiting', 'feeding', 'failing', 'waiting', 'feeding', 'resting', 'stopped', 'waiting'] as const)
    moveFeeding(queue, state)
  t.is(queue.state, 'stopped')
})

test('each state but the first is one that follows another, and a delivered delivery is over', (t) => {
  for (const table of [feedingStates, deliveryStates] as const) {
    const [first, ...others] = Object.keys(table)
    const following = new Set<string>(Object.values(table).flat())
    t.truthy(first)
    t.deepEqual(
      others.filter((state) => !following.has(state)),
      [],
    )
  }
  t.true(isOver(deliveryStates, { state: 'delivered' }))
  t.false(isOver(deliveryStates, { state: 'failed' }))
})
