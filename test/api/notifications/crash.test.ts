import test from 'ava'
import { json } from '../../support/client.ts'
import { type Delivered, openHook } from '../../support/hook.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const patience_ms = 60_000
const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1' }
const start = (): Promise<ServiceProcess> => spawnService(settings)
const schema = {
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

test.serial('kill -9 amid ingest and sends: each match is sent once, and what was pending is delivered', async (t) => {
  let isUp = false
  const hook = await openHook((_: Delivered, response) => {
    response.writeHead(isUp ? 200 : 500).end()
  })
  let service = await start()
  const register = (body: unknown) => service.client.ok(service.client.post('/db/notification/register', body))
  await register({ notifid: 1, endpoints: [hook.url('/each')] })
  await register({ notifid: 2, freq: 1, endpoints: [hook.url('/gathered')] })
  await register({ notifid: 3, endpoints: [hook.url('/never')] })
  await service.client.register(schema)

  const batches = 24
  const rows = 10
  for (let batch = 0; batch < batches; batch++) {
    const lines = Array.from({ length: rows }, (_, i) => ({ n: batch * rows + i, _id: `${batch}:${i}` }))
    // What was not answered is sent again, under the same keys.
    const posted = service.client.lines('s.st', lines).catch(() => undefined)
    if (batch % 4 === 3) {
      if (batch % 8 === 3) await posted
      await service.end('SIGKILL')
      await posted
      service = await start()
      await service.client.lines('s.st', lines)
    } else await posted
  }
  isUp = true
  const count = (notifid: number) => service.client.count(`select count(*) from notif where notifid = ${notifid}`)
  const documents = (notifid: number) => service.client.documents(`select * from notif where notifid = ${notifid}`)
  const total = batches * rows
  await until('all are sent', async () => (await count(1)) >= total, patience_ms)
  const gathered = async () => (await documents(2)).reduce((sum, { count: each }) => sum + each, 0)
  await until('all are gathered', async () => (await gathered()) >= total, patience_ms)
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
    2 * patience_ms,
  )
  await until(
    'all are noted',
    async () => {
      const { deliveries } = await service.client.ok(service.client.get('/db/notification/1/deliveries'))
      return deliveries.every(({ state }: { state: string }) => state === 'delivered')
    },
    patience_ms,
  )
  hook.close()
  t.is((await service.end('SIGTERM')).code, 0)
})

test.serial('without NOTIFY_PRIVATE internal addresses are refused, by name too', async (t) => {
  const hook = await openHook()
  const service = await spawnService({ DATA_DIR: temporaryFolder() })
  const { client } = service
  const register = (body: unknown) => client.post('/db/notification/register', body)
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.2.1',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '[fec0::1]',
    '[2001:db8::1]',
    '[4000::1]',
  ]) {
    const answer = await register({ notifid: 1, endpoints: ['https://example.org/', `http://${host}/`] })
    t.is(answer.status, 400, host)
    t.regex(answer.text, /endpoints\[1\].*NOTIFY_PRIVATE/, host)
  }
  for (const host of ['8.8.8.8', '[2606:4700::1111]', '[64:ff9b::808:808]', '[2002:808:808::]']) {
    t.is((await register({ notifid: 2, endpoints: [`http://${host}/`] })).status, 200, host)
  }
  const { port } = new URL(hook.url('/'))
  await client.ok(register({ notifid: 1, endpoints: [`http://localhost:${port}/named`] }))
  await client.register(schema)
  await client.event('s.st', { n: 1 })
  const failed = await until(
    'the delivery fails',
    async () =>
      (await client.ok(client.get('/db/notification/1/deliveries'))).deliveries.find(
        ({ state }: { state: string }) => state === 'failed',
      ),
    patience_ms,
  )
  t.deepEqual([failed.tries, failed.status, failed.next_try], [1, null, null])
  t.regex(failed.error, /internal address/)
  await client.ok(register({ notifid: 1, mailto: ['ops@example.org'] }))
  await client.event('s.st', { n: 2 })
  const unsent = await until(
    'the mail fails',
    async () =>
      (await client.ok(client.get('/db/notification/1/deliveries'))).deliveries.find(
        ({ endpoint, state }: { endpoint: string; state: string }) =>
          endpoint.startsWith('mailto') && state === 'failed',
      ),
    patience_ms,
  )
  t.regex(unsent.error, /SMTP_URL/)
  t.is(hook.all.length, 0)
  hook.close()
  t.is((await service.end('SIGTERM')).code, 0)
})
