import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { isTaken } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from './compare.ts'
import { bare, next, whole } from './crash-schema.ts'
import type { Event, WireSchema } from './oracle.ts'

const DATA_DIR = temporaryFolder()
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))
const again = async () => {
  service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
}

/**
 * Posts until it is stopped; every event bears an id. An event that was not answered may be in the log or not, so it
 * is posted again until it is answered, and then never again. Adds the events that the service has answered to `answered`.
 */
async function load(name: string, clients: number, answered: Event[], isStopped: () => boolean): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      while (!isStopped()) {
        const events = Array.from({ length: index === 0 ? 1 : 20 }, () => ({ ...next(), _id: `${name} ${sent++}` }))
        for (;;) {
          const { client } = service
          const answer = await client.lines(`${name}.s`, events).catch(() => undefined)
          if (answer) break
          await sleep(20)
        }
        answered.push(...events)
        await sleep(5)
      }
    }),
  )
}

test.serial('after kill -9 under load every answered event is in everything, exactly once', async (t) => {
  await service.client.register(whole('load'))
  let stopped = false
  const answered: Event[] = []
  const loading = load('load', 3, answered, () => stopped)
  for (const wait_ms of [400, 250, 600, 150].filter((_, index) => isTaken(index, 4))) {
    const before = answered.length
    await sleep(wait_ms)
    while (answered.length < before + 30) await sleep(5)
    await service.end('SIGKILL')
    await again()
  }
  const atLastStart = answered.length
  await until('events are answered after the last start', () => answered.length >= atLastStart + 20)
  await sleep(200)
  stopped = true
  await loading
  t.deepEqual(await differences(service.client, whole('load'), { s: answered }), [])
})

test.serial('after kill -9 amid registrations and edits each schema is there entirely or not at all', async (t) => {
  const kept = new Map<string, { schema: WireSchema; events: Event[] }>()
  for (const [round, wait_ms] of [15, 80, 200, 450].entries()) {
    if (!isTaken(round, 4)) continue
    const [fresh, edited] = [`fresh${round}`, `edited${round}`]
    await service.client.register(bare(edited))
    const events = Array.from({ length: 30 }, next)
    await service.client.lines(`${edited}.s`, events)
    const changes = [service.client.send('PUT', '/stream', whole(edited)), service.client.post('/stream', whole(fresh))]
    await sleep(wait_ms)
    await service.end('SIGKILL')
    await Promise.allSettled(changes)
    await again()
    const { client } = service
    const { status, body } = await client.get(`/stream/${fresh}/schema`)
    t.true(status === 404 || (status === 200 && body.streams.length === 5), `${fresh}: ${status}`)
    if (status === 404) await client.register(whole(fresh))
    const more = Array.from({ length: 10 }, next)
    await client.lines(`${fresh}.s`, more)
    t.deepEqual(await differences(client, whole(fresh), { s: more }), [], `round ${round}`)
    const present = await client.ok(client.get(`/stream/${edited}/schema`))
    t.true([1, 5].includes(present.streams.length))
    if (present.streams.length === 1) await client.ok(client.send('PUT', '/stream', whole(edited)))
    await client.lines(`${edited}.s`, more)
    kept.set(edited, { schema: whole(edited), events: [...events, ...more] })
    const half = await client.ok(client.get('/stream/list'))
    t.true(half.schemas.length >= kept.size + 2)
    await client.ok(client.send('DELETE', `/stream/${fresh}`))
  }
  for (const { schema, events } of kept.values())
    t.deepEqual(await differences(service.client, schema, { s: events }), [])
})
