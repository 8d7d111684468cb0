/** Vendors' own clients for Python, as they publish them, pointed at Weir. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { ensurePythonSenders } from '../../../scripts/parts/python-senders.js'
import { startService } from '../../support/service.ts'

const folder = await ensurePythonSenders()
const having = folder === undefined ? test.serial.skip : test.serial

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)
const asAdmin = { 'x-api-key': ADMIN_KEY }

const attr = [
  { name: 'event', type: 'STRING' },
  { name: 'price', type: 'DOUBLE' },
  { name: 'properties', type: 'OBJECT' },
  { name: 'unstruct_event', type: 'OBJECT' },
  { name: 'data', type: 'OBJECT' },
]

/** Makes the stream `events` of a schema, and a key that may send to it. */
async function keyOf(schema: string): Promise<string> {
  await client.ok(client.post('/stream', { schema, streams: [{ name: 'events', type: 1, swsz: 0, attr }] }, asAdmin))
  const key = { name: 'k', scopes: ['ingest'], on: [`schema:${schema}`] }
  return (await client.ok(client.post('/keys', key, asAdmin))).key
}

async function eventsOf(schema: string): Promise<Record<string, unknown>[]> {
  const sql = `select * from ${schema}.events`
  const { rows } = await client.ok(client.send('POST', '/db/d/query', { sql }, asAdmin))
  return rows.map(({ v }: { v: string }) => JSON.parse(v))
}

/** Runs a program, and answers with the JSON that it prints. */
async function python(program: string, key: string): Promise<unknown> {
  const settings = { URL: url, KEY: key, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)('python3', ['-c', `${beginning}${program}`], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    timeout: 120_000,
  })
  return JSON.parse(stdout)
}
const beginning = `
import json, os, time
from datetime import datetime, timedelta, timezone
url, key, failed = os.environ["URL"], os.environ["KEY"], []
hour_ago = datetime.now(timezone.utc) - timedelta(hours=1)
`

const isNow = (event: Record<string, unknown>): boolean => Math.abs(Number(event._pk) / 1000 - Date.now()) < 600_000
const typesOf = (events: readonly Record<string, unknown>[]): unknown[] => events.map(({ type }) => type).toSorted()

having(
  'PostHog’s client for Python captures events, packed and plain, and hears that there are no flags',
  async (t) => {
    const key = await keyOf('posthog')
    const said = await python(
      `
from posthog import Posthog
flags = []
for gzip in (True, False):
    posthog = Posthog(key, host=url, gzip=gzip, max_retries=0, on_error=lambda error, _: failed.append(str(error)))
    for n in range(120):
        posthog.capture("bought", distinct_id="u1", properties={"price": n, "packed": gzip})
    posthog.capture("late", distinct_id="u1", timestamp=hour_ago)
    posthog.set(distinct_id="u1", properties={"plan": "free"})
    posthog.alias("u0", "u1")
    posthog.group_identify("company", "c1", {"name": "Acme"})
    flags.append(posthog.get_all_flags("u1"))
    posthog.shutdown()
once = Posthog(key, host=url, sync_mode=True)
once.capture("at once", distinct_id="u1")
print(json.dumps([failed, flags]))
`,
      key,
    )
    t.deepEqual(said, [[], [{}, {}]])
    const events = await eventsOf('posthog')
    const bought = events.filter(({ event }) => event === 'bought')
    t.is(new Set(bought.map(({ price, properties }) => `${price} ${JSON.stringify(properties)}`)).size, 240)
    const others = events.filter(({ event }) => event !== 'bought').map(({ event }) => event)
    const twice = ['late', '$set', '$create_alias', '$groupidentify']
    t.deepEqual(others.toSorted(), [...twice, ...twice, 'at once'].toSorted())
    t.true(events.every((event) => isNow(event) === (event.event !== 'late')))
  },
)

having('Segment’s client for Python sends all kinds of messages, packed and plain', async (t) => {
  const key = await keyOf('segment')
  const said = await python(
    `
from segment.analytics.client import Client
wrong = []
for gzip in (True, False):
    segment = Client(key, host=url, gzip=gzip, max_retries=0, on_error=lambda error, _: failed.append(str(error)))
    segment.track("u1", "Bought", {"price": 5})
    segment.track("u1", "Late", timestamp=hour_ago)
    segment.identify("u1", {"plan": "free"})
    segment.page("u1", "shop", "home")
    segment.screen("u1", "shop", "home")
    segment.group("u1", "g1", {"name": "Acme"})
    segment.alias("u0", "u1")
    segment.shutdown()
segment = Client("no-such-key", host=url, max_retries=0, on_error=lambda error, _: wrong.append(str(error)))
segment.track("u1", "Bought")
segment.shutdown()
print(json.dumps([failed, wrong]))
`,
    key,
  )
  const [failed, wrong] = said as [string[], string[]]
  t.deepEqual(failed, [])
  t.regex(wrong.join(), /key/)
  const events = await eventsOf('segment')
  const kinds = ['alias', 'group', 'identify', 'page', 'screen', 'track', 'track']
  t.deepEqual(
    typesOf(events),
    kinds.flatMap((kind) => [kind, kind]),
  )
  t.like(
    events.find(({ event }) => event === 'Bought'),
    { price: 5, userId: 'u1' },
  )
  t.true(events.every((event) => isNow(event) === (event.event !== 'Late')))
})

having('Snowplow’s tracker for Python sends its events, packed in base64 and plain', async (t) => {
  const key = await keyOf('snowplow')
  const said = await python(
    `
from snowplow_tracker import (EmitterConfiguration, PageView, SelfDescribing, SelfDescribingJson, Snowplow,
    StructuredEvent, Subject, TrackerConfiguration)
count = []
for base64 in (True, False):
    emitter = EmitterConfiguration(batch_size=5, on_success=lambda sent: count.append(len(sent)), on_failure=lambda *of: failed.append(str(of)))
    tracker = Snowplow.create_tracker(namespace=f"n{base64}", endpoint=url, app_id="snowplow.events@" + key,
        subject=Subject().set_user_id("u1"), tracker_config=TrackerConfiguration(encode_base64=base64), emitter_config=emitter)
    tracker.track(PageView(page_url="https://shop.example/", page_title="home"))
    tracker.track(StructuredEvent(category="shop", action="buy", value=1.5))
    bought = SelfDescribingJson("iglu:com.acme/bought/jsonschema/1-0-0", {"price": 5})
    page = SelfDescribingJson("iglu:com.acme/page/jsonschema/1-0-0", {"kind": "shop"})
    tracker.track(SelfDescribing(bought, context=[page]))
    tracker.flush()
print(json.dumps([failed, sum(count)]))
`,
    key,
  )
  t.deepEqual(said, [[], 6])
  const events = await eventsOf('snowplow')
  t.deepEqual(events.map(({ event }) => event).toSorted(), [
    ...['page_view', 'page_view', 'struct', 'struct', 'unstruct', 'unstruct'],
  ])
  t.is(events.filter(({ event_name, price }) => event_name === 'bought' && price === 5).length, 2)
  t.true(events.every((event) => event.user_id === 'u1' && event.aid === undefined && isNow(event)))
})

having(
  'InfluxDB’s client for Python writes points at once, in batches, packed and plain, and reads why one is refused',
  async (t) => {
    const key = await keyOf('plant')
    const said = await python(
      `
from influxdb_client import InfluxDBClient, Point, WritePrecision
from influxdb_client.client.write_api import SYNCHRONOUS, WriteOptions
from influxdb_client.rest import ApiException
def points(packed):
    for n in range(250):
        yield (Point("events").tag("event", f"h {n % 3},=").tag("packed", str(packed)).field("price", n / 2)
            .field("count", n).field("text", 'a "b"\\\\').field("good", True).time(hour_ago + timedelta(milliseconds=n), WritePrecision.MS))
for packed in (True, False):
    with InfluxDBClient(url=url, token=key, org="any", enable_gzip=packed) as influx:
        with influx.write_api(write_options=WriteOptions(batch_size=100, flush_interval=100, max_retries=0),
                error_callback=lambda _, data, error: failed.append(str(error))) as api:
            api.write(bucket="plant", record=list(points(packed)), write_precision=WritePrecision.MS)
        api = influx.write_api(write_options=SYNCHRONOUS)
        api.write(bucket="plant", record={"measurement": "events", "tags": {"event": "dict"}, "fields": {"price": 1.0}})
        try:
            api.write(bucket="plant", record="events price=much")
            why = "taken"
        except ApiException as error:
            why = [error.status, json.loads(error.body)["message"]]
print(json.dumps([failed, why]))
`,
      key,
    )
    const [failed, [status, message]] = said as [string[], [number, string]]
    t.deepEqual([failed, status], [[], 400])
    t.regex(message, /line 1: field "price": "much" is no number/)
    const events = await eventsOf('plant')
    t.is(events.length, 502)
    t.is(events.filter((event) => event.event === 'dict' && isNow(event)).length, 2)
    const written = events.filter(({ event }) => event !== 'dict')
    t.true(written.every(({ event }) => /^h [012],=$/.test(String(event))))
    t.true(
      written.every(
        ({ price, count, text, good }) => price === Number(count) / 2 && text === 'a "b"\\' && good === true,
      ),
    )
    t.is(new Set(written.map(({ _pk, packed }) => `${_pk} ${packed}`)).size, 500)
  },
)

having(
  'the SDK of CloudEvents for Python makes events of each mode that a stream takes, by its first and its second API',
  async (t) => {
    const key = await keyOf('cloud')
    const said = await python(
      `
import requests
from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent
from cloudevents.v1.http import CloudEvent as OldEvent, to_binary, to_structured
answers = []
def send(headers, body):
    answers.append(requests.post(url + "/stream/cloud/events", headers={**headers, "x-api-key": key}, data=body).status_code)
for n, make in enumerate((to_binary_event, to_structured_event)):
    event = CloudEvent({"type": "bought", "source": "/shop", "id": f"new{n}", "time": hour_ago, "place": "kö ln"}, {"price": n})
    message = make(event)
    for _ in range(2):
        send(message.headers, message.body)
for n, make in enumerate((to_binary, to_structured)):
    send(*make(OldEvent({"type": "bought", "source": "/shop", "id": f"old{n}", "place": "kö ln"}, {"price": n})))
print(json.dumps(answers))
`,
      key,
    )
    t.deepEqual(said, [200, 200, 200, 200, 200, 200])
    const events = await eventsOf('cloud')
    t.is(events.length, 4)
    const read = events.map(({ id, data, place, source, _pk }) => ({ id, data, place, source, isNow: isNow({ _pk }) }))
    const [place, source] = ['kö ln', '/shop']
    t.deepEqual(
      read.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
      [
        { id: 'new0', data: { price: 0 }, place, source, isNow: false },
        { id: 'new1', data: { price: 1 }, place, source, isNow: false },
        { id: 'old0', data: { price: 0 }, place, source, isNow: true },
        { id: 'old1', data: { price: 1 }, place, source, isNow: true },
      ],
    )
  },
)

having('Standard Webhooks’ library for Python signs for a hook', async (t) => {
  const key = await keyOf('hooks')
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const hook = { into: 'hooks.events', verify: { scheme: 'standard', secret } }
  await client.ok(client.send('PUT', '/hook/of_python', hook, asAdmin))
  const said = await python(
    `
import requests
from standardwebhooks.webhooks import Webhook
now, body = datetime.now(timezone.utc), json.dumps({"price": 1, "text": "größe"}, ensure_ascii=False)
def headers(at):
    signature = Webhook("${secret}").sign("msg_1", at, body)
    return {"webhook-id": "msg_1", "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}
def status(headers, body):
    return requests.post(url + "/hook/of_python", headers=headers, data=body.encode()).status_code
print(json.dumps([status(headers(now), body), status(headers(now), body), status(headers(now), body + " "), status(headers(hour_ago), body)]))
`,
    key,
  )
  t.deepEqual(said, [200, 200, 401, 401])
  const events = await eventsOf('hooks')
  t.deepEqual(
    events.map(({ price, text }) => [price, text]),
    [[1, 'größe']],
  )
})
