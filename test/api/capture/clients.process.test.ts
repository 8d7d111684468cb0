/** Vendors' own clients, as they publish them, pointed at Weir. */
import test from 'ava'
import { ensureSenders, importSender } from '../../../scripts/parts/senders.js'
import { startService } from '../../support/service.ts'

const folder = await ensureSenders()
const having = folder === undefined ? test.serial.skip : test.serial
const from = (name: string) => importSender(folder ?? '', name)

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)
const asAdmin = { 'x-api-key': ADMIN_KEY }
const keyOf = async (schema: string): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'k', scopes: ['ingest'], on: [`schema:${schema}`] }, asAdmin))).key
const eventsOf = async (stream: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await client.ok(client.send('POST', '/db/d/query', { sql: `select * from ${stream}` }, asAdmin))
  return rows.map(({ v }: { v: string }) => JSON.parse(v))
}

having('InfluxDB’s client for JavaScript writes points, and reads why one is refused', async (t) => {
  type Point = {
    tag(name: string, value: string): Point
    floatField(name: string, value: number): Point
    timestamp(at: number): Point
  }
  type WriteApi = {
    writePoint(point: Point): void
    writeRecord(line: string): void
    flush(): Promise<void>
    close(): Promise<void>
  }
  const { InfluxDB, Point } = (await from('@influxdata/influxdb-client')) as {
    InfluxDB: new (of: object) => { getWriteApi(org: string, bucket: string, precision: string, of?: object): WriteApi }
    Point: new (measurement: string) => Point
  }
  const attr = [
    { name: 'host', type: 'STRING' },
    { name: 'value', type: 'DOUBLE' },
  ]
  await client.ok(
    client.post('/stream', { schema: 'plant', streams: [{ name: 'load', type: 1, swsz: 0, attr }] }, asAdmin),
  )
  const influx = new InfluxDB({ url, token: await keyOf('plant') })
  const gzipThreshold = 100
  const api = influx.getWriteApi('any', 'plant', 'ms', { gzipThreshold, maxRetries: 0 })
  for (let i = 0; i < 200; i++)
    api.writePoint(
      new Point('load')
        .tag('host', `h ${i % 3},=`)
        .floatField('value', i / 2)
        .timestamp(1_793_491_200_000 + i),
    )
  await api.close()
  const events = await eventsOf('plant.load')
  t.is(events.length, 200)
  t.true(events.every(({ host, value }) => /^h [012],=$/.test(String(host)) && typeof value === 'number'))

  const bad = influx.getWriteApi('any', 'plant', 'ms', { maxRetries: 0 })
  bad.writeRecord('load value=much 1793491200000')
  const error = await t.throwsAsync(bad.flush())
  t.regex(String(error?.message), /line 1: field "value": "much" is no number/)
  await bad.close().catch(() => {})
})

const attributes = [
  ...[
    { name: 'event', type: 'STRING' },
    { name: 'price', type: 'DOUBLE' },
  ],
  ...[
    { name: 'properties', type: 'OBJECT' },
    { name: 'unstruct_event', type: 'OBJECT' },
  ],
]
const define = (schema: string) =>
  client.ok(
    client.post('/stream', { schema, streams: [{ name: 'events', type: 1, swsz: 0, attr: attributes }] }, asAdmin),
  )

having('Segment’s client for Node sends all kinds of messages', async (t) => {
  type Analytics = {
    readonly [kind in 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias']: (of: object) => void
  } & { closeAndFlush(): Promise<void>; on(event: 'error', heard: (error: unknown) => void): void }
  const { Analytics } = (await from('@segment/analytics-node')) as { Analytics: new (of: object) => Analytics }
  await define('segment')
  const analytics = new Analytics({ host: url, writeKey: await keyOf('segment'), maxRetries: 0 })
  const failed: unknown[] = []
  analytics.on('error', (error) => failed.push(error))
  const userId = 'u1'
  analytics.track({ userId, event: 'Bought', properties: { price: 5 } })
  analytics.identify({ userId, traits: { plan: 'free' } })
  analytics.page({ userId, name: 'home' })
  analytics.screen({ userId, name: 'home' })
  analytics.group({ userId, groupId: 'g1' })
  analytics.alias({ userId, previousId: 'u0' })
  await analytics.closeAndFlush()
  t.deepEqual(failed, [])
  const events = await eventsOf('segment.events')
  t.deepEqual(events.map(({ type }) => type).toSorted(), ['alias', 'group', 'identify', 'page', 'screen', 'track'])
  t.like(
    events.find(({ type }) => type === 'track'),
    { event: 'Bought', price: 5, userId },
  )
  t.true(events.every(({ _pk }) => Math.abs(Number(_pk) / 1000 - Date.now()) < 60_000))

  const wrong = new Analytics({ host: url, writeKey: 'no-such-key', maxRetries: 0 })
  const heard: unknown[] = []
  wrong.on('error', (error) => heard.push(error))
  wrong.track({ userId, event: 'e' })
  await wrong.closeAndFlush()
  t.true(heard.length > 0)
})

having('PostHog’s client for Node captures events, and hears that there are no flags', async (t) => {
  type PostHog = {
    capture(of: object): void
    identify(of: object): void
    getAllFlags(id: string): Promise<object>
    shutdown(): Promise<void>
    on(event: 'error', heard: (error: unknown) => void): void
  }
  const { PostHog } = (await from('posthog-node')) as { PostHog: new (key: string, of: object) => PostHog }
  await define('posthog')
  const posthog = new PostHog(await keyOf('posthog'), { host: url, fetchRetryCount: 0 })
  const failed: unknown[] = []
  posthog.on('error', (error) => failed.push(error))
  for (let i = 0; i < 45; i++) posthog.capture({ distinctId: 'u1', event: 'bought', properties: { price: i } })
  posthog.identify({ distinctId: 'u1', properties: { plan: 'free' } })
  t.deepEqual(await posthog.getAllFlags('u1'), {})
  await posthog.shutdown()
  t.deepEqual(failed, [])
  const events = await eventsOf('posthog.events')
  t.is(events.length, 46)
  const bought = events.filter(({ event }) => event === 'bought')
  t.is(new Set(bought.map(({ price }) => price)).size, 45)
  t.true(events.every(({ distinct_id }) => distinct_id === 'u1'))
})

having('Snowplow’s tracker for Node sends its events, packed in base64 and plain', async (t) => {
  type Tracker = { track(event: unknown): void; setUserId(id: string): void; flush(): Promise<void> }
  const snowplow = (await from('@snowplow/node-tracker')) as {
    newTracker(tracker: object, emitter: object): Tracker
    buildPageView(of: object): unknown
    buildStructEvent(of: object): unknown
    buildSelfDescribingEvent(of: object): unknown
  }
  await define('snowplow')
  const appId = `snowplow.events@${await keyOf('snowplow')}`
  const failed: unknown[] = []
  for (const encodeBase64 of [true, false]) {
    const onRequestFailure = (failure: unknown) => failed.push(failure)
    const tracker = snowplow.newTracker({ namespace: 'n', appId, encodeBase64 }, { endpoint: url, onRequestFailure })
    tracker.setUserId('u1')
    tracker.track(snowplow.buildPageView({ pageUrl: 'https://shop.example/', pageTitle: 'home' }))
    tracker.track(snowplow.buildStructEvent({ category: 'shop', action: 'buy', value: 1.5 }))
    const event = { schema: 'iglu:com.acme/bought/jsonschema/1-0-0', data: { price: 5 } }
    tracker.track(snowplow.buildSelfDescribingEvent({ event }))
    await tracker.flush()
  }
  t.deepEqual(failed, [])
  const events = await eventsOf('snowplow.events')
  t.is(events.length, 6)
  t.deepEqual([...new Set(events.map(({ event }) => event))].toSorted(), ['page_view', 'struct', 'unstruct'])
  t.is(events.filter(({ event_name, price }) => event_name === 'bought' && price === 5).length, 2)
  t.true(events.every(({ user_id, aid }) => user_id === 'u1' && aid === undefined))
})
