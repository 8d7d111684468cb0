import { createHmac } from 'node:crypto'
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { json, read } from '../../support/requests/client.ts'
import { readDocument } from '../../support/requests/document.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const hook = await openHook()
const { client, close } = await startService({ NOTIFY_PRIVATE: '1' })
test.after.always(async () => {
  await close()
  hook.close()
})

const register = (body: Readonly<Record<string, unknown>>) => client.post('/db/notification/register', body)
const setState = (notifid: number, state: number) =>
  client.ok(client.post('/db/notification/state', { notifid, state }))
const over = (val: number | string, key = 'n') => ({
  name: json({ query: [{ key, cmp_op: 0, val }], qtype: 1 }),
  type: 1,
})
const schema = (name: string, fltr: readonly unknown[], more: readonly unknown[] = []) => ({
  schema: name,
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'n', type: 'LONG' },
        { name: 'who', type: 'STRING' },
        { name: 'event', type: 'DOUBLE' },
        { name: 'deep', type: 'OBJECT', fields: [{ name: 'deep.in', type: 'LONG' }] },
      ],
      fltr,
    },
    ...more,
  ],
})
const sent = async (notifid: number) => client.documents(`select * from notif where notifid = ${notifid}`)
const delivered = (path: string, many: number) =>
  until(`${many} deliveries at ${path}`, () => hook.at(path).length >= many, 60_000)
const counted = async (notifid: number) => client.count(`select count(*) from notif where notifid = ${notifid}`)

test.serial('each event that passes a filter without a target is sent, signed, with the whole event', async (t) => {
  const answer = await client.ok(
    register({ notifid: 1, name: 'big', msg: 'See', tags: ['a'], endpoints: [hook.url('/one'), hook.url('/other')] }),
  )
  await client.register(schema('plain', [{ name: 'f', fqry: over(10), notf: 1 }]))
  const event = { n: 2n ** 60n, who: 'Zoë "/" \n', event: 0.25, deep: { in: 3, more: [1] }, other: { x: null } }
  const pk = await client.event('plain.st', event)
  await client.event('plain.st', { n: 10, who: 'passes not' })
  await client.event('plain.st', { who: 'passes not, as n is missing' })
  await delivered('/one', 1)
  await delivered('/other', 1)
  const [one, other] = [hook.at('/one')[0], hook.at('/other')[0]]
  if (!one || !other) throw new Error('nothing was delivered')
  const [row] = await client.rows('select * from notif where notifid = 1')
  t.is(one.text, String(row?.v))
  t.is(other.text, String(row?.v))
  const { ts, id, notif_event, dur, count, count_this_notif, ...template } = one.body
  t.is(row?.k, ts)
  t.deepEqual(notif_event, { _pk: pk, _v: 1, ...event })
  t.deepEqual([dur, count, count_this_notif], [0, 1, 1])
  const absent = { rule: '', subject: '', freq: 0, pri: 1, mailto: [], mailfrom: '' }
  const endpoints = [hook.url('/one'), hook.url('/other')]
  t.deepEqual(template, { notifid: 1, name: 'big', msg: 'See', tags: ['a'], ...absent, endpoints })
  t.is(readDocument().problemOf({ $ref: '#/components/schemas/Send' }, one.body), undefined)
  for (const { headers, text } of [one, other]) {
    t.is(headers['content-type'], 'application/json')
    t.is(headers['webhook-id'], id)
    t.false(id.includes('.'))
    const at = String(headers['webhook-timestamp'])
    t.true(Math.abs(Number(at) - ts / 1e6) < 120)
    const key = Buffer.from(answer.secret.replace(/^whsec_/, ''), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')
    t.is(headers['webhook-signature'], `v1,${mac}`)
  }
  await until(
    'deliveries are noted',
    async () => {
      const { deliveries } = await client.ok(client.get('/db/notification/1/deliveries'))
      return deliveries.every(({ state }: { state: string }) => state === 'delivered')
    },
    60_000,
  )
  const list = await client.ok(client.get('/db/notification/1/deliveries'))
  t.is(list.num_deliveries, 2)
  t.deepEqual(list.deliveries[0], {
    id,
    endpoint: hook.url('/one'),
    state: 'delivered',
    tries: 1,
    status: 200,
    error: null,
    next_try: null,
  })
  t.is(await counted(1), 1)
})

test.serial('matches that come one after the other are sent once each', async (t) => {
  await client.ok(register({ notifid: 8, endpoints: [hook.url('/each')] }))
  await client.register(schema('ordered', [{ name: 'f', fqry: over(0), notf: 8 }]))
  const numbers = Array.from({ length: 30 }, (_, n) => n + 1)
  for (const n of numbers) {
    await client.event('ordered.st', { n })
    await delivered('/each', n)
  }
  // A send may be delivered twice, under one id.
  const sends = new Map(hook.at('/each').map(({ body }) => [body.id, body.notif_event.n]))
  t.deepEqual([...sends.values()], numbers)
  t.is(await counted(8), numbers.length)
})

test.serial('matches within freq gather and go out as one', async (t) => {
  await client.ok(register({ notifid: 2, freq: 3, endpoints: [hook.url('/slow')] }))
  await client.register(schema('gathers', [{ name: 'f', fqry: over(0), notf: 2 }]))
  await client.lines(
    'gathers.st',
    Array.from({ length: 50 }, (_, n) => ({ n: n + 1 })),
  )
  await delivered('/slow', 1)
  t.is(hook.at('/slow')[0]?.body.count, 1)
  await delivered('/slow', 2)
  const [first, second] = hook.at('/slow').map(({ body }) => body)
  t.deepEqual([second.count, second.count_this_notif, second.notif_event.n], [49, 50, 50])
  const numbersOf = (events: readonly { n: number }[]) => events.map(({ n }) => n)
  t.deepEqual(numbersOf(first.notif_events), [1])
  t.deepEqual(
    numbersOf(second.notif_events),
    Array.from({ length: 49 }, (_, n) => n + 2),
  )
  t.is(readDocument().problemOf({ $ref: '#/components/schemas/Send' }, second), undefined)
  t.true(second.dur > 0 && second.dur < 3, String(second.dur))
  t.true(second.ts - first.ts >= 3_000_000)
  t.is((await sent(2)).length, 2)
})

test.serial('a pause drops what gathered, an end ends all, and one registered again begins anew', async (t) => {
  const template = { notifid: 3, freq: 3600, endpoints: [hook.url('/three')] }
  const { secret } = await client.ok(register(template))
  await client.register(schema('paused', [{ name: 'f', fqry: over(0), notf: 3 }]))
  await client.event('paused.st', { n: 1 })
  await delivered('/three', 1)
  await client.event('paused.st', { n: 2 })
  await setState(3, 0)
  await client.event('paused.st', { n: 3 })
  const again = await client.ok(register({ ...template, freq: 0 }))
  t.is(again.secret, undefined)
  await client.event('paused.st', { n: 4 })
  await setState(3, 1)
  await client.event('paused.st', { n: 5 })
  await delivered('/three', 2)
  const after = hook.at('/three')[1]?.body
  t.deepEqual([after.notif_event.n, after.count, after.count_this_notif], [5, 1, 3])
  await setState(3, -1)
  await client.event('paused.st', { n: 6 })
  t.is((await client.get('/db/notification/3/deliveries')).status, 404)
  t.is(await counted(3), 2)
  const anew = await client.ok(register({ ...template, freq: 0 }))
  t.not(anew.secret, secret)
  await client.event('paused.st', { n: 7 })
  await delivered('/three', 3)
  const last = hook.at('/three')[2]?.body
  t.deepEqual([last.notif_event.n, last.count_this_notif], [7, 1])
  t.is((await client.ok(client.get('/db/notification/3/deliveries'))).num_deliveries, 1)
})

test.serial(
  'filters of streams that filters feed match too; two filters of one template are two matches',
  async (t) => {
    await client.ok(register({ notifid: 4 }))
    const target = { name: 'big', type: 2, swsz: 0, attr: [], fltr: [{ name: 'g', fqry: over(5), notf: 4 }] }
    const filters = [
      { name: 'a', fqry: over(1), notf: 4 },
      { name: 'b', fqry: over(2), ostm: 'big', fatr: ['n'], notf: 4 },
      { name: 'c', fqry: over(0), notf: 999 },
    ]
    await client.register(schema('chain', filters, [target]))
    await client.event('chain.st', { n: 9, who: 'x' })
    await client.event('chain.st', { n: 2 })
    await until('four matches', async () => (await counted(4)) >= 4, 60_000)
    const events = (await sent(4)).map(({ notif_event: { _pk, _v, ...event } }) => event)
    t.deepEqual(
      events.map((event) => json(event)).sort(),
      [{ n: 2 }, { n: 9 }, { n: 9, who: 'x' }, { n: 9, who: 'x' }].map((event) => json(event)).sort(),
    )
    t.is(await client.count('select count(*) from chain.big'), 1)
    t.is((await client.ok(client.get('/db/notification/4/deliveries'))).num_deliveries, 0)
  },
)

test.serial('an edit, a rebuild and a reconciliation send nothing again', async (t) => {
  const before = await client.count('select count(*) from notif')
  const target = { name: 'big', type: 2, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }
  const chained = { ...target, fltr: [{ name: 'g', fqry: over(5), notf: 4 }] }
  const more = { name: 'd', fqry: over(3), ostm: 'big' }
  const old = [
    { name: 'a', fqry: over(1), notf: 4 },
    { name: 'b', fqry: over(2), ostm: 'big', fatr: ['n'], notf: 4 },
    { name: 'c', fqry: over(0), notf: 999 },
  ]
  await client.ok(client.send('PUT', '/stream', schema('chain', [...old, more], [chained])))
  await until('the past is copied', async () => (await client.count('select count(*) from chain.big')) === 2, 60_000)
  await client.ok(client.post('/stream/chain/st/rebuild', {}))
  await client.ok(client.post('/reconcile', { schema: 'chain' }))
  await client.event('chain.st', { n: 3 })
  await until(
    'the new event is sent',
    async () => (await client.count('select count(*) from notif')) > before + 1,
    60_000,
  )
  const events = (await sent(4)).map(({ notif_event }) => notif_event.n)
  t.deepEqual(events.sort(), [2, 3, 3, 9, 9, 9])
})

test.serial('what was sent is paged, newest first, and counted', async (t) => {
  const all = (await client.rows('select * from notif')).map(({ k }) => Number(k))
  t.deepEqual(
    all,
    [...all].sort((a, b) => b - a),
  )
  const seen: number[] = []
  let go: Record<string, unknown> = {}
  for (;;) {
    const page = await client.ok(client.query('select * from notif where pri = 1 limit 4', go))
    t.is(page.switch_done, 0)
    seen.push(...page.rows.map(({ k }: { k: number }) => k))
    if (page.more_data_to_come === 0) break
    t.is(page.levk, page.rows.at(-1).k)
    go = { levk: page.levk, sec_buf: page.sec_buf }
  }
  t.deepEqual(seen, all)
  const { levk } = await client.ok(client.query('select * from notif limit 3'))
  const next = await client.rows('select * from notif limit 3', { levk })
  t.deepEqual(
    next.map(({ k }) => Number(k)),
    all.slice(3, 6),
  )
  const list = await client.ok(client.get('/stream/list'))
  t.is(list.notif_count_total, all.length)
  t.is(list.notif_count_day + list.notif_count_prev_day, all.length)
})

test.serial('a schema brings templates, and is shown without them', async (t) => {
  const own = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const notifs = [
    { notifid: 20, endpoints: [hook.url('/brought')] },
    { notifid: 21, secret: own },
  ]
  const body = schema('brings', [{ name: 'f', fqry: over(0), notf: 20 }])
  for (const bad of [[{ notifid: 22 }, { notifid: -1 }], [{ notifid: 22 }, { notifid: 22 }], [5], {}]) {
    t.is((await client.post('/stream', { ...body, notifs: bad })).status, 400, json(bad))
  }
  t.is((await client.get('/stream/brings/schema')).status, 404)
  t.is(await client.count('select count(*) from reg_notif where notifid = 22'), 0)
  const answer = await client.ok(client.post('/stream', { ...body, notifs }))
  t.is(answer.errcode, 0)
  t.deepEqual(Object.keys(answer.secrets), ['20', '21'])
  t.is(answer.secrets[21], own)
  t.deepEqual(read((await client.get('/stream/brings/schema')).text), body)
  await client.event('brings.st', { n: 1 })
  await delivered('/brought', 1)
  const again = await client.ok(client.post('/stream', { ...body, notifs }))
  t.is(again.secrets, undefined)
  await client.ok(client.send('DELETE', '/stream/brings'))
  t.is(await client.count('select count(*) from reg_notif where notifid >= 20'), 2)
  const { changes } = await client.ok(client.get('/audit?limit=1000'))
  t.true(
    changes.some(
      (change: { what: string; name: string }) => change.what === 'notification' && change.name === '20, 21',
    ),
  )
})

test.serial(
  'a delivery that has failed is tried again as often as it is asked for, and one that is delivered is not',
  async (t) => {
    await client.ok(register({ notifid: 21, endpoints: [hook.url('/retried')], mailto: ['ops@example.org'] }))
    await client.register(schema('retried', [{ name: 'f', fqry: over(0), notf: 21 }]))
    await client.event('retried.st', { n: 1 })
    const retry = (body: unknown, notifid: number | string = 21) =>
      client.post(`/db/notification/${notifid}/deliveries/retry`, body)
    const list = async (): Promise<
      { id: string; endpoint: string; state: string; tries: number; next_try: number | null }[]
    > => (await client.ok(client.get('/db/notification/21/deliveries'))).deliveries
    const [webhook, mail] = await until(
      'both have ended',
      async () => {
        const all = await list()
        return all.length === 2 && all.every(({ state }) => state !== 'pending') ? all : undefined
      },
      60_000,
    )
    if (!webhook || !mail) throw new Error('there are no deliveries')
    t.deepEqual([webhook.state, mail.state, mail.tries], ['delivered', 'failed', 1])

    // Mail needs SMTP, which this service has not: each try fails for good.
    const answers = await Promise.all(Array.from({ length: 40 }, () => retry({ id: mail.id, endpoint: mail.endpoint })))
    for (const { status, body } of answers) {
      t.is(status, 200)
      t.deepEqual(body, { errcode: 0, msg: `${mail.id} is tried now` })
    }
    const tried = await until(
      'it is tried',
      async () => (await list()).find(({ endpoint, state }) => endpoint === mail.endpoint && state === 'failed'),
      60_000,
    )
    t.true(tried.tries > 1 && tried.tries <= 41, String(tried.tries))
    t.is(tried.next_try, null)

    for (const [body, notifid, status, says] of [
      [{ id: webhook.id, endpoint: webhook.endpoint }, 21, 409, /is delivered to http/],
      [{ id: mail.id, endpoint: 'https://example.org/' }, 21, 404, /no delivery to https:\/\/example\.org\/; GET \/db/],
      [{ id: 'ntf_21_5', endpoint: mail.endpoint }, 21, 404, /no delivery of the send ntf_21_5/],
      [{ id: 'ntf_1_5', endpoint: mail.endpoint }, 21, 404, /no delivery of the send ntf_1_5/],
      [{ id: mail.id, endpoint: mail.endpoint }, 2100, 404, /no notification 2100/],
      [{ id: mail.id, endpoint: mail.endpoint }, 'x', 404, /no notification x/],
      [{ id: mail.id }, 21, 400, /endpoint/],
      [[], 21, 400, /id of the send/],
    ] as const) {
      const answer = await retry(body, notifid)
      t.is(answer.status, status, answer.text)
      t.regex(answer.text, says)
    }
    const { changes } = await client.ok(client.get('/audit?limit=100'))
    const lines = changes.filter(({ detail }: { detail: string }) => detail === `${mail.id} tried again`)
    t.is(lines.length, 40)
    t.is(hook.at('/retried').length, 1)
  },
)
