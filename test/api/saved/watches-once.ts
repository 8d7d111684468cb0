import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { type Delivered, openHook } from '../../support/hook.ts'
import type { ServiceProcess } from '../../support/process.ts'
import { createRandom } from '../../support/random/random.ts'
import { seed } from '../../support/random/seed.ts'
import { until } from '../../support/until.ts'

export type Load = {
  /** Starts one of the processes of the service, again. */
  readonly start: (place: number) => Promise<ServiceProcess>
  readonly processes: number
  readonly rounds: number
}

const patience_ms = 120_000
/** Between two looks at the states, each of which asks ClickHouse several times. */
const look_ms = 250
const attr = [
  { name: 'key', type: 'STRING' },
  { name: 'v', type: 'LONG' },
]

/** Lets alerts fire and resolve while processes are killed, and compares what was sent with the changes of states. */
export async function watchesOnce(t: ExecutionContext, { start, processes, rounds }: Load): Promise<void> {
  t.log(`seed ${seed}`)
  const { next } = createRandom(seed)
  const hook = await openHook()
  t.teardown(hook.close)
  const services = await Promise.all(Array.from({ length: processes }, (_, place) => start(place)))
  const at = (place: number): ServiceProcess => {
    const service = services[place % processes]
    if (!service) throw new Error('no such process')
    return service
  }
  const { client } = at(0)
  await client.register({ schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/all')] }))
  const sql = 'SELECT key, argMax(v, _pk) AS last FROM s.st GROUP BY key'
  const watch = { every: 1, when: 'last > 0', key: ['key'], notf: 1, error: 'keep' }
  await client.ok(client.send('PUT', '/saved/q', { sql, watch }))
  const keys = ['a', 'b', 'c']
  type Told = { readonly state: string; readonly key: { readonly key: string } }
  const state = (place: number) =>
    at(place)
      .client.send('GET', '/saved/q/state')
      .catch(() => undefined)

  for (let round = 0; round < rounds; round++) {
    const isOver = round % 2 === 0
    for (const key of keys)
      await until('the event is taken', async () => {
        const sent = at(round).client.send('POST', '/stream/s/st', { key, v: isOver ? 1 : 0 })
        return (await sent.catch(() => undefined))?.status === 200
      })
    // Amid an evaluation, between it and its send, or after both.
    await sleep(next() * 2_000)
    const place = Math.floor(next() * processes)
    await at(place).end('SIGKILL')
    services[place] = await start(place)
    const wanted = isOver ? 'firing' : 'resolved'
    await until(
      `all are ${wanted}`,
      async () => {
        await sleep(look_ms)
        const found = await state(place)
        const alerts: Told[] = found?.status === 200 ? found.body.alerts : []
        return alerts.length === keys.length && alerts.every((alert) => alert.state === wanted)
      },
      patience_ms,
    )
  }
  const last = await state(0)
  const changes: (Told & { readonly at: number })[] = last?.body.changes
  const wanted = changes.map(({ state, key, at }) => `${key.key} ${state} ${at}`).toSorted()
  t.is(wanted.length, rounds * keys.length)
  const sent = () => {
    const byId = new Map(hook.at('/all').map((each: Delivered) => [each.headers['webhook-id'], each.body]))
    return [...byId.values()].map(({ state, key, at }) => `${key.key} ${state} ${at}`).toSorted()
  }
  await until('all is sent', () => sent().length >= wanted.length, patience_ms)
  t.deepEqual(sent(), wanted)
}
