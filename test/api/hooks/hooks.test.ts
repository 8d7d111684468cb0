/** Doors for signed webhooks: whose deliveries come in, once each, and whose do not. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService } from '../../support/service.ts'
import { type Signing, secrets, signed } from './signed.ts'

const { client, close } = await startService()
type Scheme = keyof typeof secrets

const attr = [
  { name: 'n', type: 'LONG' },
  { name: 'kind', type: 'STRING' },
]
const streams = [...Object.keys(secrets), 'other', 'strict'].map((name) => ({
  ...{ name, type: 1, swsz: 0, attr },
  ...(name === 'strict' && { strict: 1 }),
}))
await client.ok(client.post('/stream', { schema: 'in', streams }))

const settings = {
  stripe: { scheme: 'stripe' },
  github: { scheme: 'github' },
  shopify: { scheme: 'shopify' },
  slack: { scheme: 'slack' },
  standard: { scheme: 'standard' },
  hmac: { scheme: 'hmac', header: 'X-Signature', prefix: 'sha256=', timestamp: 'X-Time' },
}

const put = (name: string, hook: unknown) => client.send('PUT', `/hook/${name}`, hook)
for (const [scheme, verify] of Object.entries(settings))
  await client.ok(put(scheme, { into: `in.${scheme}`, verify: { ...verify, secret: secrets[scheme as Scheme] } }))

test.after.always(close)

const send = async (hook: string, body: string, signing: Signing = {}, more: Record<string, string> = {}) => {
  const scheme = (hook in signed ? hook : 'github') as Scheme
  const headers = { 'content-type': 'application/json', ...(await signed[scheme](body, signing)), ...more }
  return client.send('POST', `/hook/${hook}`, body, headers)
}
const count = async (stream: string): Promise<number> =>
  (await client.ok(client.query(`select count(*) from in.${stream}`))).retval
const told = async (hook: string) => client.ok(client.get(`/hook/${hook}`))
const metric = async (hook: string, verdict: string): Promise<number> => {
  const { text } = await client.get('/metrics')
  return Number(
    new RegExp(`weir_hook_deliveries_total\\{hook="${hook}",verdict="${verdict}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
  )
}

for (const scheme of Object.keys(settings) as Scheme[])
  test.serial(
    `${scheme}: a signed delivery is an event; one with another secret, body or time is a 401 and nothing`,
    async (t) => {
      const body = JSON.stringify({ id: 'evt_1', event_id: 'Ev1', n: 1, nested: { a: [1] } })
      const answer = await client.ok(send(scheme, body))
      t.like(answer, { errcode: 0, accepted: 1, rejected: 0 })
      const wrong = await send(scheme, body, { secret: `${secrets[scheme].slice(0, -4)}AAAA` })
      t.is(wrong.status, 401, wrong.text)
      t.is(wrong.body.errcode, -2)
      t.truthy(wrong.headers.get('www-authenticate'))
      t.is((await client.send('POST', `/hook/${scheme}`, body)).status, 401)
      const headers = await signed[scheme](body)
      t.is((await client.send('POST', `/hook/${scheme}`, `${body} `, headers)).status, 401)
      if (scheme !== 'github' && scheme !== 'shopify')
        for (const off of [-400, 400]) {
          const late = await send(scheme, body, { at: Math.floor(Date.now() / 1000) + off })
          t.is(late.status, 401)
          t.regex(late.body.error[0], off < 0 ? /over 300 s ago/ : /over 300 s ahead/)
        }
      t.is(await count(scheme), 1)
      const { deliveries, num_deliveries } = await told(scheme)
      t.is(deliveries.length, num_deliveries)
      t.is(deliveries.at(-1).verdict, 'accepted')
      t.true(deliveries.some(({ verdict }: { verdict: string }) => verdict === 'wrong_signature'))
      t.is(await metric(scheme, 'accepted'), 1)
      t.is(await metric(scheme, 'wrong_signature'), 2)
      t.is(await metric(scheme, 'unsigned'), 1)
    },
  )

for (const [scheme, more] of [
  ['stripe', {}],
  ['slack', {}],
  ['standard', { id: 'msg_1' }],
] as const)
  test.serial(`${scheme}: a delivery that is repeated counts once, also with another signature and body`, async (t) => {
    const body = JSON.stringify({ id: 'evt_1', event_id: 'Ev1', n: 2, pending_webhooks: 0 })
    const again = await client.ok(send(scheme, body, more))
    t.like(again, { accepted: 1, repeated: 1 })
    t.is(await count(scheme), 1)
    t.is((await told(scheme)).deliveries[0].verdict, 'repeated')
  })

test.serial('forty at once with one id are one event, and forty with forty ids are forty', async (t) => {
  const before = await count('stripe')
  const sends = Array.from({ length: 40 }, (_, i) => [
    send('stripe', JSON.stringify({ id: 'evt_same', n: i })),
    send('stripe', JSON.stringify({ id: `evt_of_${i}`, n: i })),
  ])
  for (const answer of await Promise.all(sends.flat())) t.is(answer.status, 200, answer.text)
  t.is(await count('stripe'), before + 41)
})

test.serial('two hooks into one stream have ids of their own', async (t) => {
  const verify = { scheme: 'github', secret: secrets.github }
  for (const name of ['one', 'two']) await client.ok(put(name, { into: 'in.other', verify, id: 'id' }))
  for (const name of ['one', 'two', 'one']) t.is((await client.ok(send(name, '{"id":7,"n":1}'))).accepted, 1)
  t.is(await count('other'), 2)
})

test.serial(
  'an id in a header that is not signed is no id: the same body under another one is what it says it is',
  async (t) => {
    await client.ok(
      put('hashed', { into: 'in.other', verify: { scheme: 'github', secret: secrets.github }, id: { hash: 'body' } }),
    )
    const before = await count('other')
    const body = '{"n":5}'
    t.like(await client.ok(send('hashed', body, {}, { 'x-github-delivery': 'a' })), { accepted: 1 })
    t.like(await client.ok(send('hashed', body, {}, { 'x-github-delivery': 'b' })), { repeated: 1 })
    t.is(await count('other'), before + 1)
    const refused = await put('header', {
      into: 'in.other',
      verify: { scheme: 'github', secret: secrets.github },
      id: 'header:X-GitHub-Delivery',
    })
    t.is(refused.status, 400)
    t.regex(refused.body.error[0], /a header that is not signed may be changed by anybody/)
  },
)

test.serial('a path in the notation of another language is noted, with the one that was meant', async (t) => {
  const verify = { scheme: 'github', secret: 'a-secret-of-github' }
  const noted = (map: Record<string, string>) =>
    client.ok(put('noted', { into: 'in.other', verify, id: { hash: 'body' }, map }))
  const { error } = await noted({ a: '$.data.n', b: 'items[0].name', c: '/a/b', e: '$insert_id', f: 'a.0' })
  t.deepEqual(
    error.map((note: string) => note.replace(/, of which .*; did you mean /, ' ')),
    ['map.a is "$.data.n" "data.n"?', 'map.b is "items[0].name" "items.0.name"?', 'map.c is "/a/b" "a.b"?'],
  )
})

test.serial('map, id and time take what they name; a form, a list and gzip are read', async (t) => {
  const hook = {
    into: 'in.strict',
    verify: { scheme: 'github', secret: secrets.github },
    map: { n: 'data.n', kind: 'header:X-GitHub-Event' },
    id: 'data.id',
    time: 'at',
  }
  await client.ok(put('mapped', hook))
  const event = (id: number) => ({ at: 1700000000 + id, data: { id, n: id * 10, more: 'x' } })
  await client.ok(send('mapped', JSON.stringify(event(1))))
  t.like(await client.ok(send('mapped', JSON.stringify([event(2), event(3), event(1)]))), { accepted: 3, repeated: 1 })
  const form = `payload=${encodeURIComponent(JSON.stringify(event(4)))}`
  await client.ok(send('mapped', form, {}, { 'content-type': 'application/x-www-form-urlencoded' }))
  const body = JSON.stringify(event(5))
  const packed = await client.send('POST', '/hook/mapped', gzipSync(body), {
    ...(await signed.github(body)),
    'content-encoding': 'gzip',
  })
  t.is(packed.status, 200, packed.text)
  const found = await client.ok(client.query('select * from in.strict'))
  t.deepEqual(
    found.rows.map(({ k, v }: { k: number; v: string }) => [k, JSON.parse(v).n, JSON.parse(v).kind, JSON.parse(v)._id]),
    [5, 4, 3, 2, 1].map((id) => [1700000000000000 + id * 1e6, id * 10, 'push', `mapped:${id}`]),
  )
})

test.serial(
  'a delivery that the stream refuses is a 4xx that says why, and stands among the refused events',
  async (t) => {
    const before = (await client.ok(client.get('/stream/in/strict/refused'))).num_refused
    const wrong = await send('mapped', JSON.stringify({ data: { id: 9, n: 'no number' } }))
    t.is(wrong.status, 400, wrong.text)
    t.regex(wrong.body.error[0], /n: expected .*LONG/)
    t.is((await send('mapped', JSON.stringify({ data: { n: 1 } }))).status, 400)
    t.is((await send('mapped', 'no json')).status, 400)
    const { refused, num_refused } = await client.ok(client.get('/stream/in/strict/refused'))
    t.is(num_refused, before + 3)
    t.deepEqual(
      refused.slice(0, 3).map(({ text }: { text: string }) => text.slice(0, 12)),
      ['no json', '{"data":{"n"', '{"n":"no num'],
    )
    const { deliveries } = await told('mapped')
    t.is(deliveries[0].verdict, 'refused')
    t.regex(deliveries[0].error, /GET \/stream\/in\/strict\/refused has the reason/)
    t.false(JSON.stringify(deliveries).includes('no number'))
    // The same id is taken once its event is good.
    t.like(await client.ok(send('mapped', JSON.stringify({ data: { id: 9, n: 1 } }))), { accepted: 1, rejected: 0 })
    const mixed = await client.ok(
      send('mapped', JSON.stringify([{ data: { id: 20, n: 1 } }, { data: { id: 21, n: 'x' } }])),
    )
    t.like(mixed, { accepted: 1, rejected: 1 })
    await client.ok(client.send('PUT', '/stream/in/strict/state', { state: 0 }))
    t.is((await send('mapped', JSON.stringify({ data: { id: 30, n: 1 } }))).status, 409)
    await client.ok(client.send('PUT', '/stream/in/strict/state', { state: 1 }))
  },
)

test.serial(
  'standard: where the definition names an id, deliveries of one are one, and webhook-id is not looked at',
  async (t) => {
    const verify = { scheme: 'standard', secret: secrets.standard }
    const post = async (body: string, id: string) =>
      client.ok(
        client.send('POST', '/hook/named', body, {
          'content-type': 'application/json',
          ...(await signed.standard(body, { id })),
        }),
      )
    for (const id of ['n', { hash: 'body' }]) {
      await client.ok(put('named', { into: 'in.other', verify, id }))
      const before = await count('other')
      t.deepEqual(await post('{"n":1}', 'a'), { errcode: 0, accepted: 1, rejected: 0, errors: [] })
      t.deepEqual(await post('{"n":1}', 'b'), { errcode: 0, accepted: 1, repeated: 1, rejected: 0, errors: [] })
      t.like(await post('{"n":2}', 'a'), { accepted: 1, rejected: 0 })
      t.is(await count('other'), before + 2)
    }
  },
)

test.serial(
  'of a list the good items are taken; each other one is listed by its place, also among the refused events',
  async (t) => {
    const before = (await client.ok(client.get('/stream/in/strict/refused'))).num_refused
    const good = (id: number) => ({ at: 1700000000 + id, data: { id, n: 1 } })
    const list = [
      ...[7, good(40), { data: { n: 1 } }, { data: { id: {}, n: 1 } }, { ...good(41), at: -5 }],
      ...[{ data: { id: 42, n: 'x' } }, { ...good(43), at: 'soon' }, good(44)],
    ]
    const faults = [
      [1, /^the item is no JSON object$/],
      [3, /^data\.id is missing: without its id/],
      [4, /^data\.id: expected a text/],
      [5, /^the time is no time/],
      [6, /^n: expected .*LONG/],
      [7, /^_pk: .*soon/],
    ] as const
    const answer = await client.ok(send('mapped', JSON.stringify(list)))
    t.like(answer, { errcode: 0, accepted: 2, rejected: faults.length })
    const { refused, num_refused } = await client.ok(client.get('/stream/in/strict/refused'))
    t.is(num_refused, before + faults.length)
    const listed = refused.slice(0, faults.length)
    for (const [line, error] of faults) {
      for (const of of [answer.errors, listed])
        t.regex(of.find((each: { line: number }) => each.line === line)?.error ?? '', error)
    }
    t.is(listed.find(({ line }: { line: number }) => line === 3).text, '{"data":{"n":1}}')
    t.like((await told('mapped')).deliveries[0], { verdict: 'accepted', accepted: 2, rejected: faults.length })
    t.like(await client.ok(send('mapped', JSON.stringify([good(44), 7]))), { repeated: 1, rejected: 1 })

    const none = await send('mapped', JSON.stringify([7, { data: { id: 42, n: 'x' } }]))
    t.is(none.status, 400)
    t.is(none.body.error.length, 2)
    t.is(none.body.error[0], 'line 1: the item is no JSON object')
    t.regex(none.body.error[1], /^line 2: n: expected .*LONG/)
    t.is((await send('mapped', '[7]')).status, 400)
    t.is((await told('mapped')).deliveries[0].verdict, 'refused')
    t.is((await client.ok(client.get('/stream/in/strict/refused'))).num_refused, num_refused + 1 + 2 + 1)
  },
)

test.serial('a list that comes again since its stream was OFF has its bad items counted once', async (t) => {
  const refused = () => client.ok(client.get('/stream/in/strict/refused'))
  const counted = async () =>
    Number(/weir_events_refused_total\{stream="in\.strict"\} (\d+)/.exec((await client.get('/metrics')).text)?.[1])
  const before = [(await refused()).num_refused, await counted()] as const
  const list = JSON.stringify([{ data: { id: 50, n: 1 } }, 7])
  await client.ok(client.send('PUT', '/stream/in/strict/state', { state: 0 }))
  t.is((await send('mapped', list)).status, 409)
  await client.ok(client.send('PUT', '/stream/in/strict/state', { state: 1 }))
  t.like(await client.ok(send('mapped', list)), { accepted: 1, rejected: 1 })
  const after = await refused()
  t.deepEqual([after.num_refused, await counted()], [before[0] + 1, before[1] + 1])
  t.like(after.refused[0], { line: 2, text: '7', error: 'the item is no JSON object' })
})

test.serial('Slack’s question is answered, behind its signature, and is no event', async (t) => {
  const before = await count('slack')
  const body = JSON.stringify({ token: 'x', challenge: '3eZbrw1aB', type: 'url_verification' })
  t.deepEqual(await client.ok(send('slack', body)), { challenge: '3eZbrw1aB' })
  t.is((await send('slack', body, { secret: 'another-secret-of-16' })).status, 401)
  t.is(await count('slack'), before)
  t.is((await told('slack')).deliveries[1].verdict, 'challenge')
})

test.serial('secrets are never shown, stay where a definition brings none, and change together', async (t) => {
  const hook = {
    into: 'in.other',
    verify: { scheme: 'github', secrets: ['the-old-secret-here', 'the-new-secret-here'] },
  }
  const made = await client.ok(put('rotated', hook))
  t.is(made.msg, 'the hook rotated is made: the sender posts to /hook/rotated')
  t.regex(made.error[0], /^id: is not there, and github signs none/)
  for (const secret of ['the-old-secret-here', 'the-new-secret-here'])
    t.is((await send('rotated', '{}', { secret })).status, 200)
  const quiet = { ...hook, verify: { scheme: 'github' } }
  t.regex((await client.ok(put('rotated', quiet))).msg, /is that already: nothing changed/)
  t.is((await told('rotated')).num_secrets, 2)
  await client.ok(put('rotated', { ...hook, verify: { scheme: 'github', secret: 'the-new-secret-here' } }))
  t.is((await send('rotated', '{}', { secret: 'the-old-secret-here' })).status, 401)
  t.is((await send('rotated', '{}', { secret: 'the-new-secret-here' })).status, 200)
  t.is(
    (await put('rotated', { ...hook, verify: { scheme: 'shopify' } })).status,
    400,
    'another scheme takes its secret',
  )
  const shown = [await client.get('/hook/rotated'), await client.get('/hook'), await client.get('/audit')]
  for (const { text } of shown) t.false(text.includes('-secret-here'))
  t.true(shown[2]?.text.includes('changed, with other secrets'))
  const dry = await client.ok(client.send('PUT', '/hook/rotated?dry=1', { ...hook, description: 'd' }))
  t.like(dry, { dry: 1, msg: 'the hook rotated would be changed: the sender posts to /hook/rotated' })
  t.is((await told('rotated')).num_secrets, 1)
})

test.serial('strangers push no delivery of the sender out of the list, which is paged', async (t) => {
  const name = 'rotated'
  await Promise.all(Array.from({ length: 60 }, () => client.send('POST', `/hook/${name}`, '{}')))
  const { deliveries, num_deliveries } = await told(name)
  const of = (wanted: string) => deliveries.filter(({ verdict }: { verdict: string }) => verdict === wanted).length
  t.is(of('unsigned') + of('wrong_signature'), 20)
  t.is(of('accepted'), 3)
  t.true(num_deliveries >= 60)
  const page = await client.ok(client.get(`/hook/${name}?limit=5`))
  t.is(page.deliveries.length, 5)
  const next = await client.ok(client.get(`/hook/${name}?limit=5&cursor=${page.cursor}`))
  t.deepEqual([...page.deliveries, ...next.deliveries], deliveries.slice(0, 10))
  const { hooks, cursor } = await client.ok(client.get('/hook?limit=2'))
  t.is(hooks.length, 2)
  t.is((await client.ok(client.get(`/hook?limit=2&cursor=${cursor}`))).hooks.length, 2)
})

test.serial(
  'a hook is of no stream that is not there or takes no events, and a stream’s end names its hooks',
  async (t) => {
    t.is((await put('x', { into: 'in.nowhere', verify: settings.github })).status, 404)
    t.is((await put('1x', { into: 'in.other', verify: settings.github })).status, 400)
    t.is((await client.send('POST', '/hook/nobody', '{}')).status, 404)
    t.is((await client.send('DELETE', '/hook/nobody')).status, 404)
    const dry = await client.ok(client.send('DELETE', '/stream/in/github?dry=1'))
    t.regex(dry.error[0], /^hook github feeds in\.github: its deliveries are refused \(404\)/)
    const gone = await client.ok(client.send('DELETE', '/stream/in/github'))
    t.regex(gone.error[0], /DELETE \/hook\/github ends the hook/)
    t.is((await send('github', '{}')).status, 404)
    t.is((await told('github')).deliveries[0].verdict, 'refused')
    await client.ok(client.send('DELETE', '/hook/github'))
    t.is((await send('github', '{}')).status, 404)
    t.is(await metric('github', 'accepted'), 0)
  },
)

test.serial('a page of another site, and a name of a tunnel, change nothing for a sender that signs', async (t) => {
  const headers = { host: 'tunnel.example', origin: 'https://elsewhere.example' }
  t.is((await client.send('GET', '/hook', undefined, headers)).status, 403)
  t.is((await send('stripe', '{"id":"evt_tunnel","n":1}', {}, headers)).status, 200)
  t.is((await client.send('POST', '/hook/stripe', '{}', headers)).status, 401)
})
