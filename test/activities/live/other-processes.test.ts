import test from 'ava'
import { createOtherProcesses } from '../../../activities/live/other-processes.ts'
import { deferred } from '../../../base/deferred.ts'
import type { Horizon } from '../../../infra/catalogue/catalogue.ts'
import { createClock } from '../../../infra/clock.ts'
import { createArrivals } from '../../../infra/log/arrivals.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { until } from '../../support/until.ts'

/** Two processes that write into one catalogue: the first one's queues are fed as a test says. */
function createProcesses() {
  const written = new Map<string, Horizon>()
  const slow = new Set<string>()
  const living = new Set(['one', 'two'])
  const clock = createClock()
  const arrivals = createArrivals(clock)
  const open = (id: string) =>
    createOtherProcesses({
      catalogue: {
        putHorizon: async (of, horizon) => {
          written.set(of, JSON.parse(JSON.stringify(horizon)))
        },
        horizons: async () => written,
        forgetHorizons: async () => {},
      },
      sharing: { id, living: async () => new Set([...living].filter((other) => other !== id)) } as never,
      arrivals,
      feeder: {
        followed: (queues) => (queues.some((queue) => slow.has(queue)) ? deferred<void>().promise : Promise.resolve()),
        failures: () => [],
      },
      registry: { queues: () => ['s.x', 's.y'] },
      logger: silentLogger(),
    })
  const [one, two] = [open('one'), open('two')]
  return { one, two, arrivals, clock, slow, living }
}

for (const what of ['is slow to be fed', 'has a batch that waits before it is in the log'] as const) {
  test(`a stream that ${what} at one process holds up its own readers at another one, and those of no other stream`, async (t) => {
    const { one, two, arrivals, clock, slow } = createProcesses()
    void one.run()
    t.teardown(one.close)
    await until('both are written down', async () => ((await two.settled(['s.x', 's.y'])) ?? 0) > 0)
    const arrival = what === 'is slow to be fed' ? undefined : arrivals.begin('s.x')
    if (!arrival) slow.add('s.x')
    const seq = clock.next()
    await until('the other stream goes on', async () => ((await two.settled(['s.y'])) ?? 0) > seq)
    const ofSlow = (await two.settled(['s.x'])) ?? 0
    t.true(ofSlow <= seq, 'of the slow one no more is said than is there')
    t.is(await two.settled(['s.x', 's.y']), ofSlow)
    arrival?.end()
    if (arrival) await until('it goes on', async () => ((await two.settled(['s.x'])) ?? 0) > seq)
  })
}

test('a process that is gone is waited for by no reader', async (t) => {
  const { one, two, living } = createProcesses()
  void one.run()
  t.teardown(one.close)
  await until('it is written down', async () => ((await two.settled(['s.x'])) ?? 0) > 0)
  living.delete('one')
  await until('it is gone', async () => (await two.settled(['s.x'])) === undefined)
  t.pass()
})
