import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { differences } from './compare.ts'
import { bare, next, whole } from './crash-schema.ts'
import type { Event, WireSchema } from './oracle.ts'

const DATA_DIR = temporaryFolder()
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))
const again = async () => {
  service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
}

/** Posts until the service is gone; every event bears an id, so that what was not answered can be posted again. */
async function load(name: string, taken: Event[], clients: number): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      for (;;) {
        const events = Array.from({ length: index === 0 ? 1 : 20 }, () => ({ ...next(), _id: `${name} ${sent++}` }))
        // Whether the log has what was not answered cannot be told: it is posted again.
        taken.push(...events)
        for (;;) {
          const { client } = service
          const answer = await client.lines(`${name}.s`, events).catch(() => undefined)
          if (answer) break
          if (stopped) return
          await after(20)
        }
        if (stopped) return
      }
    }),
  )
}
let stopped = false
let sent = 0

test.serial('after kill -9 under load every event is in everything, exactly once', async (t) => {
  await service.client.register(whole('load'))
  const taken: Event[] = []
  stopped = false
  const loading = load('load', taken, 3)
  for (const wait of [400, 250, 600]) {
    await after(wait)
    await service.end('SIGKILL')
    await again()
  }
  await after(200)
  stopped = true
  await loading
  const unsure: Event[] = taken.filter((event) => event._pk > 0)
  for (let from = 0; from < unsure.length; from += 200)
    await service.client.lines('load.s', unsure.slice(from, from + 200))
  t.true(taken.length > 50)
  t.deepEqual(await differences(service.client, whole('load'), { s: taken }), [])
})

test.serial('after kill -9 amid registrations and edits each schema is there entirely or not at all', async (t) => {
  const kept = new Map<string, { schema: WireSchema; events: Event[] }>()
  for (let round = 0; round < 4; round++) {
    const [fresh, edited] = [`fresh${round}`, `edited${round}`]
    await service.client.register(bare(edited))
    const events = Array.from({ length: 30 }, next)
    await service.client.lines(`${edited}.s`, events)
    const changes = [service.client.send('PUT', '/stream', whole(edited)), service.client.post('/stream', whole(fresh))]
    await after([15, 80, 200, 450][round] ?? 0)
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
    t.true(half.schemas.length >= round + 2)
    await client.ok(client.send('DELETE', `/stream/${fresh}`))
  }
  for (const { schema, events } of kept.values())
    t.deepEqual(await differences(service.client, schema, { s: events }), [])
})
