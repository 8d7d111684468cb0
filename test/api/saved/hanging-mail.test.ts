/** A mail server that takes connections and says nothing. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const sockets = new Set<Socket>()
let mostSockets = 0
const mute = createServer((socket) => {
  sockets.add(socket)
  mostSockets = Math.max(mostSockets, sockets.size)
  socket.on('close', () => sockets.delete(socket)).on('error', () => {})
})
mute.listen(0, '127.0.0.1')
await once(mute, 'listening')
const { port } = mute.address() as AddressInfo
const hook = await openHook()
const { client, close } = await startService({
  NOTIFY_PRIVATE: '1',
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'weir@example.org',
})

test.after.always(async () => {
  await close()
  for (const socket of sockets) socket.destroy()
  mute.close()
  hook.close()
})

test('a mail server that hangs holds up no other send, has few connections, and its silence is told', async (t) => {
  t.timeout(180_000)
  const mails = 40
  const schedule: object[] = []
  for (let n = 0; n < 20; n++) {
    await client.ok(
      client.post('/db/notification/register', {
        notifid: 100 + n,
        mailto: [`a${n}@example.org`, `b${n}@example.org`],
      }),
    )
    schedule.push({ cron: '0 0 29 2 *', notf: 100 + n })
  }
  await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/sent')] }))
  const sql = 'SELECT 1 AS n'
  await client.ok(client.send('PUT', '/saved/mails', { sql, schedule }))
  await client.ok(client.send('PUT', '/saved/hooks', { sql, schedule: [{ cron: '0 0 29 2 *', notf: 1 }] }))
  await client.ok(client.post('/saved/mails/run', {}))
  await client.ok(client.post('/saved/mails/run', {}))
  await until('the mail server is asked', () => sockets.size > 0, 60_000)
  const began = performance.now()
  for (let n = 1; n <= 5; n++) {
    await client.ok(client.post('/saved/hooks/run', {}))
    await until(
      'the webhook has its send',
      () => new Set(hook.at('/sent').map(({ body }) => body.id)).size >= n,
      30_000,
    )
  }
  t.log(`five sends beside ${mails} mails that hang: ${Math.round(performance.now() - began)} ms`)
  const told = await until(
    'it is told',
    async () => {
      const { deliveries } = await client.ok(client.get('/db/notification/100/deliveries'))
      return deliveries.find(({ tries }: { tries: number }) => tries > 0)
    },
    90_000,
  )
  t.is(told.state, 'pending')
  t.regex(JSON.stringify(told), /no answer within 15 s|[Gg]reeting never received/)
  t.true(mostSockets <= 4, `${mostSockets} connections`)
  await until(
    'all runs have ended',
    async () => (await client.ok(client.get('/saved/mails/runs'))).num_runs === mails,
    60_000,
  )
})
