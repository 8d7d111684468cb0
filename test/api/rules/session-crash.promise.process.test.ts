import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { isTaken, randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { views } from './session-cases.ts'

const DATA_DIR = temporaryFolder()
/** So many are acknowledged before each kill, however slow the machine is. */
const amid = 30
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))

const session_us = 1_000_000

/**
 * The person and the number of events of each session, found in one pass over the times of the stored events. A kill, or a machine
 * that stands still, may come between two parts of one body: the second part then has its own, later time.
 */
function sessionsOf(times: ReadonlyMap<string, readonly number[]>): string[] {
  return [...times].flatMap(([who, unsorted]) => {
    const sorted = [...unsorted].sort((a, b) => a - b)
    const starts = sorted.flatMap((time, index) =>
      index === 0 || time - (sorted[index - 1] ?? 0) > session_us ? [index] : [],
    )
    return starts.map((start, index) => `${who} ${(starts[index + 1] ?? sorted.length) - start}`)
  })
}

test.serial(
  'after kill -9 between events and the end of their session each session is told once, with all events',
  async (t) => {
    const random = randomFor(t)
    await service.client.register({ schema: 'seen', streams: views(1) })
    let [made, isStopped] = [0, false]
    /** By person the number of events, all of one body. */
    const acknowledged = new Map<string, number>()
    async function load(): Promise<void> {
      while (!isStopped) {
        const people = Array.from(
          { length: random.pick([1, 1, 30]) },
          () => [`p${++made}`, random.whole(1, 3)] as const,
        )
        const lines = people.flatMap(([who, events]) =>
          Array.from({ length: events }, (_, index) => ({ who, ms: index, _id: `${who}.${index}` })),
        )
        for (;;) {
          const answer = await service.client.lines('seen.views', lines).catch(() => undefined)
          if (answer !== undefined) break
          await sleep(20)
        }
        for (const [who, events] of people) acknowledged.set(who, events)
        await sleep(random.whole(1, 40))
      }
    }
    const loading = Promise.all([load(), load(), load()])
    for (const wait_ms of [1_500, 600, 2_500, 1_200].filter((_, index) => isTaken(index, 2))) {
      const before = acknowledged.size
      await sleep(wait_ms)
      while (acknowledged.size < before + amid) await sleep(5)
      await service.end('SIGKILL')
      service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
    }
    isStopped = true
    await loading
    const rows = async (): Promise<string[]> =>
      (await service.client.documents('select * from seen.visits')).map(({ who, cnt }) => `${who} ${cnt}`)
    const stored = await service.client.documents('select * from seen.views')
    const times = new Map<string, number[]>()
    for (const { who, _pk } of stored) times.set(String(who), [...(times.get(String(who)) ?? []), Number(_pk)])
    t.deepEqual(
      [...times].map(([who, { length }]) => `${who} ${length}`).sort(),
      [...acknowledged].map(([who, events]) => `${who} ${events}`).sort(),
      'each event is there once',
    )
    const sessions = sessionsOf(times).sort()
    await until('a row of each', async () => (await rows()).length >= sessions.length, 60_000)
    await sleep(1_500)
    t.deepEqual((await rows()).sort(), sessions)
    t.true(acknowledged.size > 50, `${acknowledged.size}`)
  },
)
