/** Requests of Segment's, PostHog's and Snowplow's clients: keys, ids, and what is refused. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const asAdmin = { 'x-api-key': ADMIN_KEY }
const attr = [
  { name: 'event', type: 'STRING' },
  { name: 'price', type: 'DOUBLE' },
]
for (const [schema, names] of [
  ['web', ['events']],
  ['app', ['a', 'b']],
] as const)
  await client.ok(
    client.post('/stream', { schema, streams: names.map((name) => ({ name, type: 1, swsz: 0, attr })) }, asAdmin),
  )
const makeKey = async (scopes: string[], on?: string[]): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'k', scopes, on }, asAdmin))).key
const key = await makeKey(['ingest'], ['schema:web'])
const ofApp = await makeKey(['ingest'], ['schema:app'])
const reader = await makeKey(['read'])
test.after.always(close)

const basic = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:`).toString('base64')}` })
const count = async (stream = 'web.events'): Promise<number> =>
  (await client.ok(client.send('POST', '/db/d/query', { sql: `select count(*) from ${stream}` }, asAdmin))).retval

/** A request of each vendor's with events of those ids, under that write key. */
const vendors = {
  'Segment with its key in a header': (writeKey: string, ids: string[]) =>
    client.send(
      'POST',
      '/v1/batch',
      { batch: ids.map((messageId) => ({ type: 'track', event: 'e', messageId })) },
      basic(writeKey),
    ),
  'Segment with its key in the body': (writeKey: string, ids: string[]) =>
    client.send('POST', '/v1/batch', {
      writeKey,
      batch: ids.map((messageId) => ({ type: 'track', event: 'e', messageId })),
    }),
  PostHog: (api_key: string, ids: string[]) =>
    client.send('POST', '/batch/', { api_key, batch: ids.map((uuid) => ({ event: 'e', distinct_id: 'u', uuid })) }),
  Snowplow: (aid: string, ids: string[]) =>
    client.send('POST', '/com.snowplowanalytics.snowplow/tp2', {
      schema: 's',
      data: ids.map((eid) => ({ e: 'pv', aid, eid })),
    }),
} as const

for (const [name, send] of Object.entries(vendors)) {
  test.serial(`${name}: a message is taken once by its id, also of forty at once`, async (t) => {
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(key, [`${name} 1`, `${name} 2`])))
    for (const { status, text } of answers) t.is(status, 200, text)
    t.is(await count(), before + 2)
    t.is((await send(`web.events@${key}`, [`${name} 3`, `${name} 1`])).status, 200)
    t.is(await count(), before + 3)
  })

  test.serial(
    `${name}: no key and a wrong one are a 401, one of another place or scope a 403, a stream that is not named a 400`,
    async (t) => {
      const before = await count()
      for (const [writeKey, status] of [
        ['', 401],
        ['web.events', 401],
        ['no-such-key', 401],
        ['web.events@no-such-key', 401],
        [`web.events@${ofApp}`, 403],
        [`web.events@${reader}`, 403],
        [ofApp, 400],
        [`app.c@${ofApp}`, 404],
      ] as const) {
        const answer = await send(writeKey, ['x'])
        t.is(answer.status, status, `${writeKey} ${answer.text}`)
        t.truthy(answer.body.error[0])
      }
      t.is((await send(`app.a@${ofApp}`, [`${name} 1`])).status, 200)
      t.is(await count(), before)
    },
  )
}

test.serial(
  'each path of Segment’s takes its message, and an unknown one is a 401 without a key, a 404 with one',
  async (t) => {
    const before = await count()
    for (const path of ['track', 'identify', 'page', 'screen', 'group', 'alias', 't', 'i', 'p', 's', 'g', 'a'])
      t.like(await client.ok(client.send('POST', `/v1/${path}`, { userId: 'u', event: 'e' }, basic(key))), {
        success: true,
        accepted: 1,
      })
    t.is(await count(), before + 12)
    t.is((await client.send('POST', '/v1/unknown', {}, basic(key))).status, 401)
    t.is((await client.send('POST', '/v1/unknown', {}, asAdmin)).status, 404)
  },
)

test.serial(
  'each path and form of PostHog’s takes its events; a client that asks for flags hears that there are none',
  async (t) => {
    const before = await count()
    const text = JSON.stringify({ token: key, event: 'e', properties: { distinct_id: 'u', price: 5 } })
    for (const path of ['/capture/', '/e/?ip=0&_=1', '/i/v0/e/', '/batch'])
      t.like(await client.ok(client.send('POST', path, text)), { status: 1, accepted: 1 })
    t.is(
      (await client.send('POST', '/i/v0/e/?compression=gzip-js', gzipSync(text), { 'content-type': 'text/plain' }))
        .status,
      200,
    )
    const form = `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`
    t.is(
      (
        await client.send('POST', '/e/?compression=base64', form, {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
      200,
    )
    t.is(await count(), before + 6)
    for (const path of ['/flags/?v=2', '/decide/?v=3'])
      t.like(await client.ok(client.send('POST', path, { token: 'any' })), { flags: {}, featureFlags: {} })
  },
)

test.serial('a bad message costs no other; where all are bad the answer is their reasons', async (t) => {
  const before = await count()
  const batch = [
    { type: 'track', event: 'e' },
    7,
    { type: 'x' },
    { type: 'track', event: 'e', properties: { price: 'much' } },
    { type: 'page' },
  ]
  const { body, status } = await client.send('POST', '/v1/batch', { batch }, basic(key))
  t.is(status, 200)
  t.like(body, { success: true, accepted: 2, rejected: 3 })
  t.deepEqual(
    body.errors.map(({ line }: { line: number }) => line),
    [2, 3, 4],
  )
  t.regex(body.errors[2].error, /price: expected a number/)
  t.is(await count(), before + 2)
  const listed = await client.ok(client.send('GET', '/stream/web/events/refused', undefined, asAdmin))
  t.deepEqual(
    listed.refused.slice(0, 3).map(({ line, error }: { line: number; error: string }) => ({ line, error })),
    [body.errors[1], body.errors[0], body.errors[2]],
  )
  const all = await client.send('POST', '/v1/track', { event: 5, messageId: {} }, basic(key))
  t.is(all.status, 400)
  t.regex(all.body.error[0], /the id of the message: expected a text/)
  t.is((await client.send('POST', '/v1/track', '{', basic(key))).status, 400)
  const { refused } = await client.ok(client.send('GET', '/stream/web/events/refused', undefined, asAdmin))
  t.true(refused.length >= 4)
})

test.serial('a batch that comes again since its stream was OFF has its bad messages counted once', async (t) => {
  const state = (on: number) => client.ok(client.send('PUT', '/stream/web/events/state', { state: on }, asAdmin))
  const refused = async () =>
    (await client.ok(client.send('GET', '/stream/web/events/refused', undefined, asAdmin))).num_refused
  const before = await refused()
  const post = () => client.send('POST', '/v1/batch', { batch: [{ type: 'track', event: 'e' }, 7] }, basic(key))
  await state(0)
  t.is((await post()).status, 409)
  await state(1)
  t.like((await post()).body, { accepted: 1, rejected: 1 })
  t.is(await refused(), before + 1)
})

test.serial('a body whose key stands inside may have 4 MB, one whose key comes before it more', async (t) => {
  const filler = 'a'.repeat(5 * 1024 * 1024)
  const large = { writeKey: key, event: 'e', userId: 'u', properties: { filler } }
  const refused = await client.send('POST', '/v1/track', large)
  t.is(refused.status, 413)
  t.regex(refused.body.error[0], /may have 4 MB/)
  t.is((await client.send('POST', '/v1/track', large, basic(key))).status, 200)
})
