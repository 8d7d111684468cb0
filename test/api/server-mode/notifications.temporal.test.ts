import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { serverOf, stopServers } from '../../support/clickhouse/server-mode.ts'
import { openHook } from '../../support/hook.ts'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { schema, sendsOnce } from '../notifications/exactly-once.ts'

test.after.always(async () => {
  killServices()
  await stopServers()
})

test.serial('two processes on one ClickHouse, each killed in its turn, send each match once', async (t) => {
  t.timeout(750_000)
  const { url: CLICKHOUSE_URL } = await serverOf(temporaryFolder())
  const settings = () => ({ DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', CLICKHOUSE_URL })
  const each = [settings(), settings()]
  const start = (place: number) => spawnService(each[place] ?? settings())
  await sendsOnce(t, { start, processes: 2, batches: 8, killedAt: 3 })
})

withTemporal.serial(
  'with Temporal the workers send, as others are killed and ClickHouse stands still for 20 s, and an API process sends nothing',
  async (t) => {
    t.timeout(1_500_000)
    const [server, { address }] = [await serverOf(temporaryFolder()), await sharedTemporal()]
    const spawn = (ROLE: string) =>
      spawnService({
        ROLE,
        DATA_DIR: temporaryFolder(),
        NOTIFY_PRIVATE: ROLE === 'worker' ? '1' : '0',
        CLICKHOUSE_URL: server.url,
        TEMPORAL_ADDRESS: address,
      })
    // A delivery that fails once waits as pending for the second worker.
    const known = new Set<unknown>()
    const hook = await openHook(({ headers }, response) => {
      const id = headers['webhook-id']
      response.writeHead(known.has(id) ? 200 : 500).end()
      known.add(id)
    })
    t.teardown(hook.close)
    const [{ client, end }, first] = await Promise.all([spawn('api'), spawn('worker')])
    const template = { notifid: 1, endpoints: [hook.url('/each').replace('127.0.0.1', hostname())] }
    await client.ok(client.post('/db/notification/register', template))
    await client.register(schema)
    const sends = async (worker: typeof first, total: number): Promise<void> => {
      const lines = Array.from({ length: 10 }, (_, n) => ({ n }))
      await client.lines('s.st', lines)
      await until('the first of them', () => hook.ids('/each').size > total - 10, 150_000)
      await worker.end('SIGKILL')
    }
    await sends(first, 10)
    const second = await spawn('worker')
    await sends(second, 20)
    const third = await spawn('worker')
    await until('all of them', () => hook.ids('/each').size === 20, 150_000)

    await server.pause()
    const posted = Array.from({ length: 40 }, (_, n) => client.post('/stream/s/st', { n }))
    await sleep(20_000)
    server.resume()
    for (const { status } of await Promise.all(posted)) t.is(status, 200)
    await until(
      'all are noted',
      async () => {
        const { deliveries } = await client.ok(client.get('/db/notification/1/deliveries'))
        return deliveries.length === 60 && deliveries.every(({ state }: { state: string }) => state === 'delivered')
      },
      150_000,
    )
    t.is(hook.ids('/each').size, 60)
    t.is((await third.end('SIGTERM')).code, 0)
    t.is((await end('SIGTERM')).code, 0)
  },
)
