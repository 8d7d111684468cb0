import { hostname } from 'node:os'
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { schema } from './exactly-once.ts'

test.after.always(killServices)

const patience_ms = 60_000

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
    'localhost',
    'LOCALHOST.',
    'hook.localhost',
  ]) {
    const answer = await register({ notifid: 1, endpoints: ['https://example.org/', `http://${host}/`] })
    t.is(answer.status, 400, host)
    t.regex(answer.text, /endpoints\[1\].*NOTIFY_PRIVATE/, host)
  }
  for (const host of ['8.8.8.8', '[2606:4700::1111]', '[64:ff9b::808:808]', '[2002:808:808::]']) {
    t.is((await register({ notifid: 2, endpoints: [`http://${host}/`] })).status, 200, host)
  }
  const { port } = new URL(hook.url('/'))
  await client.ok(register({ notifid: 1, endpoints: [`http://${hostname()}:${port}/named`] }))
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

test.serial('with NOTIFY_SEND=0 sends are recorded and go nowhere, and no address is refused', async (t) => {
  const hook = await openHook()
  const { client } = await spawnService({ DATA_DIR: temporaryFolder(), NOTIFY_SEND: '0' })
  const endpoints = [hook.url('/mute')]
  const made = await client.ok(
    client.post('/db/notification/register', { notifid: 1, endpoints, mailto: ['ops@example.org'] }),
  )
  t.deepEqual(made.error, [
    'endpoints get nothing, since NOTIFY_SEND is 0',
    'mailto gets no mail, since NOTIFY_SEND is 0',
  ])
  await client.register(schema)
  await client.event('s.st', { n: 1 })
  const shown = async () => (await client.ok(client.get('/db/notification/1/deliveries'))).deliveries
  const deliveries = await until(
    'both deliveries to have failed',
    async () => {
      const found: { state: string; tries: number; error: string }[] = await shown()
      return found.filter(({ state }) => state === 'failed').length === 2 ? found : undefined
    },
    patience_ms,
  )
  for (const { tries, error } of deliveries)
    t.deepEqual({ tries, error }, { tries: 0, error: 'not tried: nothing is sent here, since NOTIFY_SEND is 0' })
  t.is((await client.rows('select * from notif')).length, 1)
  t.deepEqual(hook.all, [])
  hook.close()
})
