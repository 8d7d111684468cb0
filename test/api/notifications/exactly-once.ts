import type { ExecutionContext } from 'ava'
import { type Delivered, openHook } from '../../support/hook.ts'
import type { ServiceProcess } from '../../support/process.ts'
import { json } from '../../support/requests/client.ts'
import { until } from '../../support/until.ts'

/** A filter a notification: 1 and 2 for numbers that are not negative, 3 for negative ones. */
export const schema = {
  schema: 's',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [{ name: 'n', type: 'LONG' }],
      fltr: [1, 2, 3].map((notf) => ({
        name: `f${notf}`,
        fqry: { name: json({ query: [{ key: 'n', cmp_op: notf === 3 ? 2 : 1, val: 0 }] }), type: 1 },
        notf,
      })),
    },
  ],
}

const patience_ms = 90_000
const rows = 10

export type Load = {
  /** Starts one of the processes of the service, again. */
  readonly start: (place: number) => Promise<ServiceProcess>
  readonly processes: number
  readonly batches: number
  /** A process is killed at one batch in this many. */
  readonly killedAt: number
}

/** Posts events while processes are killed, and compares the notifications with them. */
export async function sendsOnce(t: ExecutionContext, { start, processes, batches, killedAt }: Load): Promise<void> {
  const known = new Set<unknown>()
  const hook = await openHook(({ headers }: Delivered, response) => {
    const id = headers['webhook-id']
    response.writeHead(known.has(id) ? 200 : 500).end()
    known.add(id)
  })
  t.teardown(hook.close)
  const services: ServiceProcess[] = []
  for (let place = 0; place < processes; place++) services.push(await start(place))
  const at = (place: number): ServiceProcess => {
    const service = services[place % processes]
    if (!service) throw new Error('no such process')
    return service
  }
  const { client } = at(0)
  const register = (body: unknown) => client.ok(client.post('/db/notification/register', body))
  await register({ notifid: 1, endpoints: [hook.url('/each')] })
  await register({ notifid: 2, freq: 1, endpoints: [hook.url('/gathered')] })
  await register({ notifid: 3, endpoints: [hook.url('/never')] })
  await client.register(schema)

  for (let batch = 0; batch < batches; batch++) {
    const lines = Array.from({ length: rows }, (_, i) => ({ n: batch * rows + i, _id: `${batch}:${i}` }))
    const posted = at(batch)
      .client.lines('s.st', lines)
      .catch(() => undefined)
    if (batch % killedAt === killedAt - 1) {
      if (batch % (2 * killedAt) === killedAt - 1) await posted
      await at(batch).end('SIGKILL')
      await posted
      services[batch % processes] = await start(batch % processes)
    }
    // Events that were not answered are sent again, under the same keys.
    if ((await posted) === undefined || batch % killedAt === killedAt - 1) await at(batch).client.lines('s.st', lines)
  }
  const count = (notifid: number) => at(0).client.count(`select count(*) from notif where notifid = ${notifid}`)
  const documents = (notifid: number) => at(0).client.documents(`select * from notif where notifid = ${notifid}`)
  const gathered = async () => (await documents(2)).reduce((sum, { count: each }) => sum + each, 0)
  const total = batches * rows
  await until('all are sent', async () => (await count(1)) >= total, patience_ms)
  await until('all are gathered', async () => (await gathered()) >= total, patience_ms)
  t.is(await at(0).client.count('select count(*) from s.st'), total)
  const each = await documents(1)
  t.is(each.length, total)
  t.is(new Set(each.map(({ notif_event }) => notif_event.n)).size, total)
  t.deepEqual(
    each.map(({ count_this_notif }) => count_this_notif).sort((a, b) => a - b),
    Array.from({ length: total }, (_, i) => i + 1),
  )
  t.is(await gathered(), total)
  t.is((await documents(2))[0].count_this_notif, total)
  t.is(await count(3), 0)
  await until(
    'all are delivered',
    async () => hook.ids('/each').size === total && hook.ids('/gathered').size === (await count(2)),
    patience_ms,
  )
  await until(
    'all are noted',
    async () => {
      const { deliveries } = await at(0).client.ok(at(0).client.get('/db/notification/1/deliveries'))
      return deliveries.every(({ state }: { state: string }) => state === 'delivered')
    },
    patience_ms,
  )
  for (const service of services) t.is((await service.end('SIGTERM')).code, 0)
}
