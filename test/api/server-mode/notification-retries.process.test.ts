/** A delivery is tried again by the process that delivers, whichever process is asked for it. */
import test from 'ava'
import { serverOf, stopServers } from '../../support/clickhouse/server-mode.ts'
import { openHook } from '../../support/hook.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { schema } from '../notifications/exactly-once.ts'

test.after.always(async () => {
  killServices()
  await stopServers()
})

test('of two processes on one ClickHouse either may be asked for a try, also after the other was killed', async (t) => {
  t.timeout(750_000)
  const { url: CLICKHOUSE_URL } = await serverOf(temporaryFolder())
  const settings = () => ({ DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', CLICKHOUSE_URL })
  const processes = [await spawnService(settings()), await spawnService(settings())]
  let status = 500
  const hook = await openHook((_, response) => {
    response.writeHead(status).end()
  })
  t.teardown(hook.close)
  const [first] = processes
  if (!first) throw new Error('no process was started')
  await first.client.ok(first.client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/each')] }))
  await first.client.register(schema)
  await first.client.event('s.st', { n: 1 })

  type Listed = { readonly id: string; readonly endpoint: string; readonly state: string; readonly tries: number }
  const listed = async ({ client } = first): Promise<Listed> =>
    (await client.ok(client.get('/db/notification/1/deliveries'))).deliveries[0]
  const triedThrice = await until('three tries', async () => {
    const told = await listed()
    return told && told.tries >= 3 ? told : undefined
  })
  const { id, endpoint } = triedThrice
  // The next try by itself is 30 s away, and later ones further.
  let { tries } = triedThrice
  for (const asked of [...processes, ...processes]) {
    const began = Date.now()
    const before = hook.at('/each').length
    await asked.client.ok(asked.client.post('/db/notification/1/deliveries/retry', { id, endpoint }))
    await until('it is tried', () => hook.at('/each').length > before)
    tries = await until('its result is there', async () => {
      const told = await listed(asked)
      return told.tries > tries ? told.tries : undefined
    })
    t.log(`${Date.now() - began} ms`)
  }
  t.is(hook.at('/each').length, tries, 'a request is one try')

  status = 200
  await first.end('SIGKILL')
  const [, second] = processes
  if (!second) throw new Error('no second process was started')
  await second.client.ok(second.client.post('/db/notification/1/deliveries/retry', { id, endpoint }))
  await until('it is delivered', async () => (await listed(second)).state === 'delivered', 60_000)
  t.is((await second.client.post('/db/notification/1/deliveries/retry', { id, endpoint })).status, 409)
})
