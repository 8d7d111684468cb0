import test from 'ava'
import { createClock, secondsAhead } from '../../infra/clock.ts'

test('each value is greater than every one before, while the wall clock stands still or goes back', (t) => {
  const wall = [5_000, 5_000, 5_000, 4_000, 6_000, 1_000]
  const clock = createClock(0, () => wall.shift() ?? 0)
  const told = Array.from({ length: 6 }, () => clock.next())
  t.deepEqual(told, [5_000, 5_001, 5_002, 5_003, 6_000, 6_001])
  t.is(clock.last(), 6_001)
})

test('it goes on behind the last value of an earlier run', (t) => {
  const clock = createClock(9_000, () => 5_000)
  t.is(clock.next(), 9_001)
})

test('after a jump ahead and back it goes on at half the speed of time until that has caught up, from any of its values', (t) => {
  const second = 1_000_000
  let now = 1_000 * second
  const clock = createClock(0, () => now)
  clock.next()
  now += 300 * second
  const ahead = clock.next()
  now -= 300 * second
  t.is(clock.next(), ahead + 1)
  const told = Array.from({ length: 599 }, () => {
    now += second
    return clock.next() - ahead
  })
  t.deepEqual(
    told.map((value) => Math.round((value / second) * 2)),
    told.map((_, i) => i + 1),
  )
  now += 2 * second
  t.is(clock.next(), now)

  // Neither a second jump nor the value of another process makes it wait.
  now -= 60 * second
  const again = clock.next()
  now -= 60 * second
  clock.next()
  now += 10 * second
  t.true(clock.next() - again >= 5 * second)
  clock.pass(now + 500 * second)
  clock.next()
  now += 10 * second
  t.is(Math.round((clock.next() - now) / second), 495)
})

test('many values at once make it no faster and no slower', (t) => {
  let now = 1_000_000
  const clock = createClock(0, () => now)
  for (let i = 0; i < 5_000; i++) clock.next()
  t.is(clock.last(), 1_004_999)
  now += 1_000
  t.is(clock.next(), 1_005_000)
  now += 4_000
  t.is(clock.next(), 1_005_001)
  now += 10
  t.is(clock.next(), 1_005_010)
})

test('it tells microseconds since 1970', (t) => {
  const before = Date.now() * 1000
  const now = createClock().next()
  t.true(now >= before && now <= (Date.now() + 1) * 1000)
})

test('clocks that share time hand out no value twice, and each still grows', (t) => {
  const wall = () => 1_000
  const [a, b, c] = [createClock(0, wall), createClock(0, wall), createClock(0, wall)]
  const told = a.next()
  for (const [slot, clock] of [a, b, c].entries()) clock.share(slot, 4)
  const values = [a, b, c].flatMap((clock) => Array.from({ length: 50 }, () => clock.next()))
  t.is(new Set([told, ...values]).size, 151)
  t.deepEqual(
    values.slice(0, 50),
    [...values.slice(0, 50)].sort((x, y) => x - y),
  )
  t.true(values.every((value) => value >= 1_000 && value < 1_210))
})

test('how far a clock is ahead of the time is told, since it never goes back', (t) => {
  let now = 2_000_000
  const clock = createClock(0, () => now)
  clock.next()
  t.is(
    secondsAhead(clock, () => now),
    0,
  )
  now += 3_600_000_000
  clock.next()
  now -= 3_600_000_000
  t.is(
    secondsAhead(clock, () => now),
    3_600,
  )
})
