import { createClient } from '../../test/support/requests/client.ts'
import type { Loader } from '../load/load.ts'
import { connections } from '../load/rounds.ts'
import { orders } from '../load/workload.ts'
import { startService } from '../service.ts'

export type VariantOptions = {
  readonly folder: string
  /** Keys are required, and requests are counted by key. */
  readonly isKeyed?: boolean
  /** Orders below a price are notified, to these endpoints. */
  readonly notifies?: { readonly below: number; readonly endpoints: readonly string[] }
}

/** A round of single events, up to the moment when all can be queried and all their notifications are made. */
export type Round = {
  readonly events: number
  /** Events a second, by their answers. */
  readonly rate: number
  /** Core microseconds that the service took for an event, and all that follows it. */
  readonly cpu_us: number
  readonly sendsASecond: number
}

const adminKey = 'the-key-of-the-benchmark-which-may-do-all'
const bodies = Array.from({ length: 1_000 }, (_, i) => orders.event(i))
const patience_ms = 120_000

function schemaOf({ notifies }: VariantOptions): object {
  const condition = JSON.stringify({ query: [{ key: 'price', cmp_op: 2, val: notifies?.below }], qtype: 1 })
  const fltr = notifies ? [{ name: 'cheap', fqry: { name: condition, type: 1 }, notf: 1 }] : []
  const { streams, ...schema } = orders.schemaBody as typeof orders.schemaBody & { readonly streams: readonly object[] }
  return { ...schema, streams: streams.map((stream) => ({ ...stream, fltr })) }
}

/** A service of its own, on which single events are measured in turn with those of the others. */
export async function startVariant(loader: Loader, options: VariantOptions) {
  const { folder, isKeyed = false, notifies } = options
  const settings = { API_KEYS: 'require', ADMIN_KEY: adminKey, RATE_LIMIT: '1000000' }
  const service = await startService(folder, { NOTIFY_PRIVATE: '1', ...(isKeyed && settings) })
  const client = createClient(service.base)
  const admin = { 'x-api-key': adminKey }
  const wanted = { name: 'bench', scopes: ['write'], on: ['schema:bench'] }
  const key = isKeyed ? (await client.ok(client.post('/keys', wanted, admin))).key : undefined
  if (notifies) {
    await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: notifies.endpoints }, admin))
  }
  await client.ok(client.post('/stream', schemaOf(options), admin))
  const isMatch = bodies.map((body) => notifies !== undefined && (body as { price: number }).price < notifies.below)
  let events = 0
  let sends = 0

  const count = async (sql: string): Promise<number> =>
    (await client.ok(client.send('POST', '/db/mydb/query', { sql }, admin))).retval

  async function settled(): Promise<void> {
    const end = performance.now() + patience_ms
    for (;;) {
      const [held, sent] = [
        await count(`select count(*) from ${orders.path.replace('/', '.')}`),
        notifies ? await count('select count(*) from notif where notifid = 1') : sends,
      ]
      if (held === events && sent === sends) return
      if (performance.now() > end) throw new Error(`${held} of ${events} events, ${sent} of ${sends} notifications`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  return {
    async round(seconds: number): Promise<Round> {
      const cpu = service.cpuSeconds()
      const started = performance.now()
      const result = await loader.run({
        port: service.port,
        path: `/stream/${orders.path}`,
        contentType: 'application/json',
        ...(key !== undefined && { key }),
        bodies: bodies.map((body) => JSON.stringify(body)),
        connections,
        until: { seconds },
      })
      const matches = Array.from({ length: result.requests }, (_, i) => isMatch[i % isMatch.length]).filter(Boolean)
      events += result.requests
      sends += matches.length
      await settled()
      const took_s = (performance.now() - started) / 1000
      return {
        events: result.requests,
        rate: result.requests / result.seconds,
        cpu_us: ((service.cpuSeconds() - cpu) * 1e6) / result.requests,
        sendsASecond: matches.length / took_s,
      }
    },
    close: service.close,
  }
}
