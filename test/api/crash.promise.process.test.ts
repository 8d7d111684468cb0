/** A real process, killed and stopped while clients post to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { stopServers } from '../support/clickhouse/server-mode.ts'
import { killServices, NotStarted, type ServiceProcess, spawnService } from '../support/process.ts'
import { isTaken, randomFor, rounds } from '../support/random/seed.ts'
import { checkWhole, createIds, eventOf, schema, startLoad } from '../support/requests/load.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.after.always(killServices)
test.after.always(stopServers)

/** A service with the schema of `startLoad`, and what it has acknowledged of its events. */
type Place = {
  service: ServiceProcess
  readonly folder: string
  readonly ids: ReturnType<typeof createIds>
  readonly acknowledged: number[]
}
let left: Place | undefined

/**
 * The one that the test before has left, or a new one with two events: a start takes two seconds of a processor. A failed test
 * leaves none.
 */
async function takePlace(): Promise<Place> {
  const place = left
  left = undefined
  if (place) return place
  const folder = temporaryFolder()
  const service = await spawnService({ DATA_DIR: folder })
  await service.client.register(schema)
  const ids = createIds()
  const acknowledged = [ids.next(), ids.next()]
  for (const id of acknowledged) await service.client.event('load.st', eventOf(id))
  return { service, folder, ids, acknowledged }
}

test.serial(
  'after kill -9 at any moment under load every acknowledged event is there exactly once, everywhere',
  async (t) => {
    t.timeout(450_000)
    const random = randomFor(t)
    const place = await takePlace()
    const { folder, ids, acknowledged } = place
    // The seed picks which of both kinds of kill the gate has.
    const tried = [1, 2, 3, 4, 5].slice(0, rounds(5, 2)).filter((round) => isTaken(round, 2))
    const isAmidEvents = (round: number) => round % 2 === 1
    for (const round of tried) {
      const load = startLoad(place.service.client, 'load.st', ids)
      await sleep(random.whole(20, 900))
      // Every other kill is one amid events that came in, however slow the machine is.
      while (isAmidEvents(round) && load.acknowledged.length < 170) await sleep(1)
      await place.service.end('SIGKILL')
      await load.stop()
      acknowledged.push(...load.acknowledged)
      t.deepEqual(load.refused, [])

      const service = await spawnService({ DATA_DIR: folder })
      place.service = service
      t.true(service.started_ms < 20_000, `started in ${service.started_ms} ms`)
      const there = await checkWhole(t, service.client, acknowledged)
      t.log(
        `round ${round}: ${load.acknowledged.length} acknowledged, ${there} there, up in ${Math.round(service.started_ms)} ms`,
      )
    }
    t.true(acknowledged.length >= 2 + 170 * tried.filter(isAmidEvents).length, `${acknowledged.length} events`)
    const health = (await place.service.client.get('/health/ready')).body
    t.deepEqual([health.status, health.parts.clickhouse.rejected_events], ['ready', 0])
    left = place
  },
)

test.serial('killed again while it takes up what the last kill left, it loses and doubles nothing', async (t) => {
  t.timeout(300_000)
  const random = randomFor(t)
  const place = await takePlace()
  const { service: first, folder, ids, acknowledged } = place
  const load = startLoad(first.client, 'load.st', ids)
  await sleep(600)
  await first.end('SIGKILL')
  await load.stop()
  acknowledged.push(...load.acknowledged)
  for (let round = 0; round < 2; round++) {
    const service = await spawnService({ DATA_DIR: folder })
    await sleep(random.whole(0, 60))
    await service.end('SIGKILL')
  }
  place.service = await spawnService({ DATA_DIR: folder })
  await checkWhole(t, place.service.client, acknowledged)
  left = place
})

test.serial(
  'a second process on the same data folder is refused with a clear message, and the first goes on',
  async (t) => {
    const place = await takePlace()
    const { service: first, folder, ids, acknowledged } = place
    const [one, other] = [ids.next(), ids.next()]
    const before = await first.client.count('select count(*) from load.st')
    await first.client.event('load.st', eventOf(one))
    const fault = await t.throwsAsync(spawnService({ DATA_DIR: folder }), { instanceOf: NotStarted })
    t.is(fault?.code, 1)
    t.regex(fault?.said ?? '', /weir cannot start: another process \(\d+\) uses the data folder .*DATA_DIR/)
    t.false(/\bat .*\.(ts|js):\d+|Code: \d+|DB::Exception/.test(fault?.said ?? ''), fault?.said)
    await first.client.event('load.st', eventOf(other))
    t.is(await first.client.count('select count(*) from load.st'), before + 2)
    acknowledged.push(one, other)
    left = place
  },
)

test.serial(
  'settings that cannot be used end the process with every fault, and a port in use with its reason',
  async (t) => {
    const faults = await t.throwsAsync(spawnService({ PORT: 'x', LOG_LEVEL: 'y', DATA_DIR: temporaryFolder() }), {
      instanceOf: NotStarted,
    })
    t.is(faults?.code, 1)
    t.regex(faults?.said ?? '', /^weir cannot start: settings cannot be used:\n {2}PORT: .*\n {2}LOG_LEVEL: /)
    const place = await takePlace()
    const { service: first } = place
    const taken = await t.throwsAsync(spawnService({ DATA_DIR: temporaryFolder(), PORT: new URL(first.url).port }), {
      instanceOf: NotStarted,
    })
    t.is(taken?.code, 1)
    t.regex(taken?.said ?? '', /weir cannot start: .*EADDRINUSE/)
    left = place
  },
)

test.serial(
  'SIGTERM under load loses nothing that was acknowledged, and ends the process cleanly within 10 s',
  async (t) => {
    t.timeout(300_000)
    const place = await takePlace()
    const { folder, ids, acknowledged } = place
    let { service } = place
    for (let round = 1; round <= rounds(2, 1); round++) {
      const load = startLoad(service.client, 'load.st', ids)
      await sleep(500)
      const { code, took_ms } = await service.end('SIGTERM')
      await load.stop()
      acknowledged.push(...load.acknowledged)
      t.is(code, 0, service.errors())
      t.true(took_ms < 10_000, `${took_ms} ms`)
      t.deepEqual(load.refused, [])
      service = await spawnService({ DATA_DIR: folder })
      await checkWhole(t, service.client, acknowledged)
      t.log(`round ${round}: ended in ${Math.round(took_ms)} ms`)
    }
    const { code, took_ms } = await service.end('SIGTERM')
    t.is(code, 0)
    t.true(took_ms < 10_000, `idle: ${took_ms} ms`)
  },
)

test.serial('killed while schemas come and go, each is whole or not there after the restart', async (t) => {
  t.timeout(300_000)
  const random = randomFor(t)
  const folder = temporaryFolder()
  let service = await spawnService({ DATA_DIR: folder })
  for (let round = 0; round < rounds(2, 1); round++) {
    const { client } = service
    let cut = false
    const changing = Array.from({ length: 3 }, async (_, index) => {
      const name = `turn${index}`
      while (!cut) {
        const made = await client.post('/stream', { ...schema, schema: name }).catch(() => undefined)
        const gone = made && (await client.send('DELETE', `/stream/${name}`).catch(() => undefined))
        if (!gone) cut = true
      }
    })
    await sleep(random.whole(100, 1_500))
    await service.end('SIGKILL')
    await Promise.all(changing)

    service = await spawnService({ DATA_DIR: folder })
    const list = await service.client.ok(service.client.get('/stream/list'))
    for (const name of ['turn0', 'turn1', 'turn2']) {
      const isThere = list.schemas.some((each: { name: string }) => each.name === name)
      if (!isThere) await service.client.register({ ...schema, schema: name })
      await service.client.event(`${name}.st`, { id: 4, who: 'x', group: 1, even: true })
      t.true((await service.client.count(`select count(*) from ${name}.evens`)) >= 1)
      await service.client.ok(service.client.send('DELETE', `/stream/${name}`))
    }
  }
  await service.end('SIGKILL')
})
