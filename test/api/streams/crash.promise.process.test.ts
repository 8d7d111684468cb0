import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * Posts until it is stopped; every event bears an id. An event that was not answered may be in the log or not, so it
 * is posted again until it is answered, and then never again. Resolves to the events that the service has answered.
 */
async function load(name: string, clients: number, isStopped: () => boolean): Promise<Event[]> {
  const answered: Event[] = []
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
  return answered
}

test.serial('after kill -9 under load every answered event is in everything, exactly once', async (t) => {
  await service.client.register(whole('load'))
  let stopped = false
  const loading = load('load', 3, () => stopped)
  for (const wait of [400, 250, 600]) {
    await sleep(wait)
    await service.end('SIGKILL')
    await again()
  }
  await sleep(200)
  stopped = true
  const answered = await loading
  t.true(answered.length > 50)
  t.deepEqual(await differences(service.client, whole('load'), { s: answered }), [])
})

test.serial('after kill -9 amid registrations and edits each schema is there entirely or not at all', async (t) => {
  const kept = new Map<string, { schema: WireSchema; events: Event[] }>()
  for (let round = 0; round < 4; round++) {
    const [fresh, edited] = [`fresh${round}`, `edited${round}`]
    await service.client.register(bare(edited))
    const events = Array.from({ length: 30 }, next)
    await service.client.lines(`${edited}.s`, events)
    const changes = [service.client.send('PUT', '/stream', whole(edited)), service.client.post('/stream', whole(fresh))]
    await sleep([15, 80, 200, 450][round] ?? 0)
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
