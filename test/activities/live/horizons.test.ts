import test from 'ava'
import { createHorizons } from '../../../activities/live/horizons.ts'
import { createClock } from '../../../infra/clock.ts'
import { createArrivals } from '../../../infra/log/arrivals.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { until } from '../../support/until.ts'

/** A log of one queue, whose events are in ClickHouse as soon as they are in the log. */
function createStream() {
  const clock = createClock()
  const arrivals = createArrivals(clock)
  let appended = 0
  const feeder = { mark: () => String(appended), followed: async () => {} }
  const horizon = createHorizons({ feeder, arrivals, logger: silentLogger() }).join(['s.a'])
  return {
    horizon,
    /** An event that has its `_seq`, and is not in the log yet. */
    begin() {
      const arrival = arrivals.begin('s.a')
      return {
        seq: clock.next(),
        accept(): void {
          appended++
          arrival.end()
        },
        refuse: (): void => arrival.end(),
      }
    },
  }
}

for (const end of ['accept', 'refuse'] as const) {
  test(`readers pass no event that is on its way, and hear of those behind it once the log has it: ${end}`, async (t) => {
    const { horizon, begin } = createStream()
    t.teardown(horizon.leave)
    const first = begin()
    first.accept()
    await until('the first event', () => horizon.hasNews(first.seq - 1) && horizon.reached() >= first.seq)
    const slow = begin()
    const quick = begin()
    quick.accept()
    await until('news that something came', () => horizon.hasNews(first.seq))
    t.true(horizon.reached() < slow.seq)
    slow[end]()
    await until('news of both', () => horizon.hasNews(quick.seq - 1))
    t.true(horizon.reached() >= quick.seq)
  })
}

test('a stream to which nothing comes has no news, and its horizon goes on all the same', async (t) => {
  const { horizon, begin } = createStream()
  t.teardown(horizon.leave)
  const { seq, accept } = begin()
  accept()
  await until('the event', () => horizon.hasNews(seq - 1) && horizon.reached() >= seq)
  const reached = horizon.reached()
  await until('a later look', () => horizon.reached() > reached)
  t.false(horizon.hasNews(reached))
})

test('readers that began at different moments read on from one place, behind which is all that came since', async (t) => {
  const { horizon, begin } = createStream()
  t.teardown(horizon.leave)
  const first = begin()
  first.accept()
  await until('the first event', () => horizon.hasNews(first.seq - 1))
  const early = horizon.reached()
  await until('a later look', () => horizon.reached() > early)
  const second = begin()
  second.accept()
  await until('the second event', () => horizon.hasNews(second.seq - 1))
  const [place, ...others] = [early, early + 1, second.seq].map((seq) => horizon.togetherFrom({ seq }))
  t.deepEqual(others, [place, place])
  t.true(place && place.seq >= early && place.seq < second.seq)
  for (const alone of [{ seq: first.seq - 1 }, { seq: early, seen: 1 }]) t.is(horizon.togetherFrom(alone), alone)
})

test('a reader that waits is woken by news, by the end of its time, and when it leaves', async (t) => {
  const { horizon, begin } = createStream()
  t.teardown(horizon.leave)
  // The timers of readers keep no process alive.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const leaving = new AbortController()
  const waiting = horizon.wait(600_000, leaving.signal)
  begin().accept()
  await waiting
  await horizon.wait(1, leaving.signal)
  const last = horizon.wait(600_000, leaving.signal)
  leaving.abort()
  await last
  await horizon.wait(600_000, leaving.signal)
  t.pass()
})
