import test from 'ava'
import { createElapsedClock } from '../../infra/elapsed-clock.ts'

const second = 1_000_000

/** A clock over a wall clock that can be set, and time that passes. */
function started(maxStep_us?: number) {
  let [wall, passed] = [1_000 * second, 5 * second]
  const now = createElapsedClock({
    wall_us: () => wall,
    passed_us: () => passed,
    ...(maxStep_us !== undefined && { maxStep_us }),
  })
  return {
    now: () => now() / second,
    pass(seconds: number, byWall = seconds) {
      wall += byWall * second
      passed += seconds * second
    },
  }
}

test('the clock begins at the time of the wall clock and goes on with it', (t) => {
  const { now, pass } = started()
  t.is(now(), 1_000)
  pass(2)
  t.is(now(), 1_002)
  pass(1, 1.001)
  t.is(now(), 1_003.001)
})

test('a wall clock that is set ahead or back, or stands still, changes nothing', (t) => {
  const { now, pass } = started()
  for (const [index, byWall] of [3_600, -3_600, 0, 86_400 * 400].entries()) {
    pass(1, byWall)
    t.is(now(), 1_001 + index)
  }
})

test('a wall clock that stands still, or goes at another rate, takes half a second at most, however often it is asked', (t) => {
  for (const rate of [0, 0.5, 3, -1]) {
    const { now, pass } = started()
    for (let i = 0; i < 240; i++) {
      pass(0.25, 0.25 * rate)
      now()
    }
    t.true(Math.abs(now() - 1_060) <= 0.5 + 0.01 * 60 + 1e-6, `${rate}: ${now()}`)
  }
})

test('the clock never goes back, whatever small steps the wall clock makes', (t) => {
  const { now, pass } = started()
  let before = now()
  for (let i = 0; i < 100; i++) {
    pass(0.1, i % 2 === 0 ? -0.3 : 0.2)
    const next = now()
    t.true(next >= before)
    before = next
  }
})

test('time in which the process stood still counts as one step', (t) => {
  const { now, pass } = started(second)
  pass(60)
  t.is(now(), 1_001)
  pass(0.25)
  t.is(now(), 1_001.25)
})
