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

const second = 1_000_000

/** A computer whose time passes, and whose clock is set, by hand. */
function createComputer() {
  let [wall, passed] = [1_000 * second, 0]
  return {
    clock: createClock(
      0,
      () => wall,
      () => passed,
    ),
    wall: () => wall,
    pass(time: number): void {
      wall += time
      passed += time
    },
    set(by: number): void {
      wall += by
    },
  }
}

test('after a jump ahead and back it goes on at half the speed of time until the wall clock has caught up', (t) => {
  const { clock, wall, pass, set } = createComputer()
  clock.next()
  set(300 * second)
  const ahead = clock.next()
  set(-300 * second)
  t.is(clock.next(), ahead + 1)
  for (let passed = 1; passed < 599; passed++) {
    pass(second)
    t.is(clock.next(), ahead + (passed * second) / 2)
  }
  pass(2 * second)
  t.is(clock.next(), wall())
})

test('jumps while it is ahead neither push it nor stop it, nor does the value of another process', (t) => {
  const { clock, wall, pass, set } = createComputer()
  set(3_600 * second)
  const ahead = clock.next()
  set(-3_600 * second)
  clock.next()
  for (let swing = 0; swing < 100; swing++) {
    set(swing % 2 === 0 ? 1_200 * second : -1_200 * second)
    pass(second)
    clock.next()
  }
  t.is(clock.next(), ahead + 50 * second + 1)
  clock.pass(wall() + 9_000 * second)
  clock.next()
  pass(10 * second)
  t.is(clock.next(), wall() + 8_995 * second)
})

test('many values at once make it no faster', (t) => {
  const { clock, wall, pass } = createComputer()
  const first = clock.next()
  for (let i = 1; i < 5_000; i++) clock.next()
  t.is(clock.last(), first + 4_999)
  pass(1_000)
  t.is(clock.next(), first + 5_000)
  pass(4_010)
  t.is(clock.next(), wall())
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
