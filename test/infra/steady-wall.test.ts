import test from 'ava'
import { pino } from 'pino'
import { createClock, secondsAhead } from '../../infra/clock.ts'
import { createSteadyWall } from '../../infra/steady-wall.ts'

const [second, hour] = [1e6, 3_600 * 1e6]

/** A machine whose clocks go on by hand. */
function createMachine() {
  let [wall, awake, asleep] = [1_790_000_000 * second, 0, 0]
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const now = createSteadyWall({ logger, wall_us: () => wall, awake_us: () => awake, asleep_us: () => asleep })
  return {
    now,
    lines,
    wall: () => wall,
    pass(time: number): void {
      wall += time
      awake += time
    },
    set(by: number): void {
      wall += by
    },
    sleep(time: number): void {
      wall += time
      asleep += time
    },
  }
}

test('a clock that is 25 hours ahead for a second leaves the times of events as they are, and is told at once', (t) => {
  const machine = createMachine()
  const clock = createClock(0, machine.now)
  const before = clock.next()
  machine.set(25 * hour)
  machine.pass(second)
  t.is(clock.next(), before + second)
  t.regex(machine.lines.join(), /"ahead_s":90000,.*jumped ahead/)
  machine.pass(second)
  t.is(clock.next(), before + 2 * second)
  machine.set(-25 * hour)
  machine.pass(second)
  t.is(clock.next(), machine.wall())
  t.is(secondsAhead(clock, machine.wall), 0)
  t.is(machine.lines.length, 2)
})

test('a clock that was wrong before and is set right is believed after a minute', (t) => {
  const machine = createMachine()
  machine.set(2 * hour)
  t.is(machine.now(), machine.wall() - 2 * hour)
  machine.pass(59 * second)
  t.is(machine.now(), machine.wall() - 2 * hour)
  machine.pass(second)
  t.is(machine.now(), machine.wall())
  t.regex(machine.lines.join(), /stays ahead/)
  machine.pass(second)
  t.is(machine.now(), machine.wall())
})

test('a machine that slept, a service without events for hours and small steps are no jumps', (t) => {
  const machine = createMachine()
  machine.sleep(9 * hour)
  t.is(machine.now(), machine.wall())
  machine.pass(30 * hour)
  t.is(machine.now(), machine.wall())
  machine.set(hour / 2)
  t.is(machine.now(), machine.wall())
  machine.set(-3 * hour)
  t.is(machine.now(), machine.wall())
  t.deepEqual(machine.lines, [])
})
