import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import test from 'ava'
import { type Delivered, openHook } from '../../support/hook.ts'
import { openSmtp } from '../../support/parts/smtp.ts'
import { json } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const patience_ms = 60_000
const failures = new Map<string, number>()
/** Ends the first request of `/ranked`, which waits for it. */
let endFirst: (() => void) | undefined
const smtp = await openSmtp()
const hook = await openHook(({ path }: Delivered, response) => {
  if (path === '/redirects') {
    response.writeHead(302, { location: hook.url('/secret') }).end()
  } else if (path === '/endless') {
    response.writeHead(200)
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000))) {}
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  } else if (path.startsWith('/gone')) {
    response.writeHead(410).end()
  } else if (path === '/busy') {
    response.writeHead(503, { 'retry-after': '600' }).end()
  } else if (path === '/hangs') {
    response.on('error', () => {})
  } else if (path === '/drops') {
    response.destroy()
  } else if (path === '/ranked' && endFirst === undefined) {
    endFirst = () => response.end()
  } else if (path === '/recovers') {
    const failed = failures.get(path) ?? 0
    failures.set(path, failed + 1)
    response.writeHead(failed === 0 ? 503 : 204).end()
  } else response.end()
})
const folderOf = await startService({ NOTIFY_PRIVATE: '1', SMTP_URL: smtp.url, MAIL_FROM: 'weir@example.org' })
const { client } = folderOf

const attr = [{ name: 'n', type: 'LONG' }]
const filter = (notf: number) => ({
  name: `f${notf}`,
  fqry: { name: json({ query: [{ key: 'n', cmp_op: 4, val: notf }], qtype: 1 }), type: 1 },
  notf,
})
const numbers = Array.from({ length: 20 }, (_, n) => n + 1)
await client.register({ schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr, fltr: numbers.map(filter) }] })

test.after.always(async () => {
  await folderOf.close()
  hook.close()
  smtp.close()
})

type Shown = {
  readonly id: string
  readonly endpoint: string
  readonly state: string
  readonly tries: number
  readonly status: number | null
  readonly error: string | null
  readonly next_try: number | null
}
const register = (body: Readonly<Record<string, unknown>>) => client.ok(client.post('/db/notification/register', body))
const deliveries = async (notifid: number): Promise<Shown[]> =>
  (await client.ok(client.get(`/db/notification/${notifid}/deliveries`))).deliveries
const noted = (notifid: number, is: (shown: Shown) => boolean): Promise<Shown> =>
  until(`delivery of ${notifid}`, async () => (await deliveries(notifid)).find(is), patience_ms)
const match = (n: number) => client.event('s.st', { n })

test.serial(
  'an endpoint that fails is tried again after a second, with the same id and another timestamp',
  async (t) => {
    await register({ notifid: 1, endpoints: [hook.url('/recovers')] })
    await match(1)
    const done = await noted(1, ({ state }) => state === 'delivered')
    t.deepEqual([done.tries, done.status, done.error, done.next_try], [2, 204, null, null])
    const [first, second] = hook.at('/recovers').map(({ headers, text }) => ({
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      text,
    }))
    t.is(first?.id, second?.id)
    t.is(first?.text, second?.text)
    t.true(Number(second?.timestamp) > Number(first?.timestamp))
    t.not(first?.signature, second?.signature)
  },
)

test.serial(
  'an endpoint that answers 410 gets nothing more until its template is made active or registered',
  async (t) => {
    const template = { notifid: 20, endpoints: [hook.url('/gone?for=good'), hook.url('/stays')] }
    const off = async () => (await client.documents('select * from reg_notif where notifid = 20'))[0]?.endpoints_off
    const posts = () => hook.at('/gone?for=good').length
    const many = (count: number) => until(`${count} at /stays`, () => hook.at('/stays').length >= count, patience_ms)
    await register(template)
    t.is(await off(), undefined)
    await match(20)
    await until('the endpoint is off', off, patience_ms)
    t.deepEqual(await off(), [hook.url('/gone?for=good')])
    await match(20)
    await many(2)
    const untried = await noted(20, ({ endpoint, tries }) => endpoint.includes('/gone') && tries === 0)
    t.deepEqual([untried.state, untried.status, untried.next_try], ['failed', null, null])
    t.regex(String(untried.error), /answered 410 before.*register notification 20 again, or set its state to 1/)
    t.is(posts(), 1)
    // A try that a client asks for is made.
    await client.ok(client.post('/db/notification/20/deliveries/retry', { id: untried.id, endpoint: untried.endpoint }))
    await until('the try that was asked for', () => posts() === 2, patience_ms)
    await client.ok(client.post('/db/notification/state', { notifid: 20, state: 0 }))
    t.deepEqual(await off(), [hook.url('/gone?for=good')])
    await client.ok(client.post('/db/notification/state', { notifid: 20, state: 1 }))
    t.is(await off(), undefined)
    await match(20)
    await until('a send to the endpoint', () => posts() === 3, patience_ms)
    await until('the endpoint is off again', off, patience_ms)
    await register(template)
    t.is(await off(), undefined)
    await client.ok(client.post('/db/notification/state', { notifid: 20, state: -1 }))
  },
)

test.serial('an endpoint that is gone is not tried again, and one that names a pause is tried after it', async (t) => {
  await register({ notifid: 19, endpoints: [hook.url('/gone'), hook.url('/busy')] })
  await match(19)
  const gone = await noted(19, ({ endpoint, tries }) => endpoint.endsWith('/gone') && tries > 0)
  t.deepEqual(
    [gone.state, gone.tries, gone.status, gone.error],
    ['failed', 1, 410, 'status 410: the endpoint is gone for good, and switched off'],
  )
  const busy = await noted(19, ({ endpoint, tries }) => endpoint.endsWith('/busy') && tries > 0)
  t.deepEqual([busy.state, busy.status], ['pending', 503])
  t.true((busy.next_try ?? 0) > Date.now() * 1000 + 500e6)
  await client.ok(client.post('/db/notification/state', { notifid: 19, state: -1 }))
})

test.serial('a redirect is not followed, and one that drops the connection is tried again', async (t) => {
  await register({ notifid: 2, endpoints: [hook.url('/redirects'), hook.url('/drops')] })
  await match(2)
  const redirected = await noted(2, ({ endpoint, tries }) => endpoint.endsWith('/redirects') && tries > 0)
  t.deepEqual([redirected.state, redirected.status, redirected.error], ['pending', 302, 'status 302'])
  t.true((redirected.next_try ?? 0) > Date.now() * 1000 - 60e6)
  const dropped = await noted(2, ({ endpoint, tries }) => endpoint.endsWith('/drops') && tries > 0)
  t.deepEqual([dropped.state, dropped.status], ['pending', null])
  t.truthy(dropped.error)
  t.is(hook.at('/secret').length, 0)
  await client.ok(client.post('/db/notification/state', { notifid: 2, state: -1 }))
})

test.serial('an answer without an end is read no further than it may be', async (t) => {
  await register({ notifid: 3, endpoints: [hook.url('/endless')] })
  await match(3)
  const done = await noted(3, ({ state }) => state === 'delivered')
  t.deepEqual([done.tries, done.status], [1, 200])
})

test.serial('endpoints that hang delay no other one and no ingest', async (t) => {
  const hanging = Array.from({ length: 40 }, (_, i) => hook.url(`/hangs?${i}`))
  await register({
    notifid: 4,
    endpoints: [...hanging.map((url) => url.replace('/hangs?', '/hangs#')), hook.url('/hangs')],
  })
  await register({ notifid: 5, endpoints: [hook.url('/well')] })
  await client.lines('s.st', [...Array(30).fill({ n: 4 }), ...Array(30).fill({ n: 5 })])
  await until('thirty deliveries', () => hook.ids('/well').size === 30, patience_ms)
  t.true((await deliveries(4)).every(({ state }) => state === 'pending'))
  await client.ok(client.post('/db/notification/state', { notifid: 4, state: -1 }))
})

test.serial('of what waits for an endpoint the highest priority goes first', async (t) => {
  const endpoints = [hook.url('/ranked')]
  await register({ notifid: 6, pri: 5, endpoints })
  await register({ notifid: 7, pri: 1, endpoints })
  await match(6)
  await until('the first one', () => endFirst, patience_ms)
  await client.lines('s.st', [...Array(20).fill({ n: 6 }), { n: 7 }])
  // The matches of one filter may be there before those of the other one.
  await until('all of 6', async () => (await deliveries(6)).length === 21, patience_ms)
  await noted(7, ({ state }) => state === 'pending')
  endFirst?.()
  await until('all of them', () => hook.ids('/ranked').size === 22, patience_ms)
  t.is(
    hook.at('/ranked').findIndex(({ body }) => body.notifid === 7),
    1,
  )
})

test.serial('mail goes out by SMTP, one for all of mailto, its sender always that of the settings', async (t) => {
  const mailto = ['ops@example.org', 'more@example.org']
  await register({ notifid: 8, subject: 'Straße is full', msg: 'Look.', mailfrom: 'me@example.org', mailto })
  await match(8)
  const done = await noted(8, ({ state }) => state === 'delivered')
  t.deepEqual([done.endpoint, done.status], [`mailto:${mailto.join(',')}`, null])
  t.is(smtp.mails.length, 1)
  const [mail] = smtp.mails
  t.is(mail?.from, 'weir@example.org')
  t.deepEqual(mail?.to, mailto)
  t.regex(mail?.text ?? '', /^From: me@example\.org\r$/m)
  t.regex(mail?.text ?? '', /"n":8/)
  t.regex(mail?.text ?? '', /Look\./)
  smtp.refuse(1)
  await match(8)
  const again = await noted(8, ({ state, tries }) => state === 'delivered' && tries === 2)
  t.is(again.error, null)
  t.is(smtp.mails.length, 2)
})

test.serial('a receiver that was refused gets the mail later, and the others get it once', async (t) => {
  const [ops, busy] = ['ops@example.org', 'busy@example.org']
  const before = smtp.mails.length
  smtp.turnAway(busy)
  await register({ notifid: 12, mailto: [ops, busy] })
  await match(12)
  const waiting = await noted(12, ({ state, tries }) => state === 'pending' && tries === 1)
  t.regex(waiting.error ?? '', /^not taken for busy@example\.org \(450 mailbox busy\)$/)
  smtp.welcome(busy)
  const done = await noted(12, ({ state }) => state === 'delivered')
  t.is(done.endpoint, `mailto:${busy}`)
  t.deepEqual(
    smtp.mails.slice(before).map(({ to }) => to),
    [[ops], [busy]],
  )
})

test.serial('a port on which nobody listens is tried again and told', async (t) => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await register({ notifid: 9, endpoints: [`http://127.0.0.1:${port}/x`] })
  await match(9)
  const tried = await noted(9, ({ tries }) => tries > 0)
  t.deepEqual([tried.state, tried.status], ['pending', null])
  t.regex(tried.error ?? '', /ECONNREFUSED/)
})
