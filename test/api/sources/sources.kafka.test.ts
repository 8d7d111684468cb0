/** Topics of other Kafkas that become events: each message once, and what becomes of those that are none. */
import test, { type ExecutionContext } from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import type { Client } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type MadeTopic, madeTopic } from './topic.ts'

let client: Client
let close: (() => Promise<void>) | undefined
test.before(async () => {
  ;({ client, close } = await startService())
})
test.after.always(() => close?.())

const attr = [
  { name: 'n', type: 'LONG' },
  { name: 'name', type: 'STRING' },
  { name: 'trace', type: 'STRING' },
  { name: 'at', type: 'LONG' },
]
let streams = 0
async function stream(more: Record<string, unknown> = {}): Promise<string> {
  const name = `topics${streams++}`
  await client.ok(client.post('/stream', { schema: name, streams: [{ name: 'st', type: 1, swsz: 0, attr, ...more }] }))
  return `${name}.st`
}

async function topicFor(t: ExecutionContext, partitions = 1): Promise<MadeTopic & { readonly brokers: string }> {
  const { brokers } = await brokerOfRun()
  const made = await madeTopic(brokers, partitions)
  t.teardown(made.close)
  return { ...made, brokers }
}

const put = (name: string, body: Record<string, unknown>, more = '') =>
  client.send('PUT', `/source/${name}${more}`, body)
const shown = (name: string) => client.ok(client.get(`/source/${name}`))
const rows = async (into: string): Promise<Record<string, unknown>[]> =>
  (await client.documents(`select * from ${into} limit 100000`)) as Record<string, unknown>[]
const numbers = async (into: string) => (await rows(into)).map(({ n }) => Number(n)).sort((one, other) => one - other)
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => n + from)
const accepted = (name: string, count: number) =>
  until(`source ${name} has brought ${count}`, async () => (await shown(name)).accepted >= count, 60_000)

withKafka('messages of all partitions come as events, each once, from the earliest on', async (t) => {
  const [into, made] = [await stream(), await topicFor(t, 3)]
  for (const partition of [0, 1, 2])
    await made.json(
      upTo(50, 50 * partition).map((n) => ({ n })),
      partition,
    )
  const kafka = { brokers: [made.brokers], topic: made.topic }
  const { msg } = await client.ok(put('all', { kafka, format: 'JSON', into }))
  t.is(msg, `the source all is made: it begins with the earliest message of ${made.topic}`)
  await accepted('all', 150)
  await made.json(upTo(30, 150).map((n) => ({ n })))
  await accepted('all', 180)
  t.deepEqual(await numbers(into), upTo(180))
  const { partitions, state, lag, rejected } = await shown('all')
  t.like({ state, lag, rejected }, { state: 'running', lag: 0, rejected: 0 })
  t.is(partitions.length, 3)
  t.is(
    partitions.reduce((sum: number, { next }: { next: number }) => sum + next, 0),
    180,
  )
})

withKafka('map takes paths, the key, headers and offsets; the time is the one of the message', async (t) => {
  const [into, made] = [await stream(), await topicFor(t)]
  await made.send([
    { value: '{"order":{"number":1}}', key: 'one', headers: { trace: 'a' }, timestamp: '1700000000123' },
    { value: '{"order":{"number":2},"sold":"2024-01-02T03:04:05Z"}', timestamp: '1700000000124' },
  ])
  const map = { n: 'order.number', name: '$key', trace: '$headers.trace', at: '$offset' }
  const kafka = { brokers: [made.brokers], topic: made.topic }
  await client.ok(put('mapped', { kafka, into, map, time: 'sold' }))
  await accepted('mapped', 2)
  const found = (await rows(into)).sort((one, other) => Number(one.n) - Number(other.n))
  t.like(found[0], { n: 1, name: 'one', trace: 'a', at: 0 })
  t.is(Number(found[0]?._pk), 1_700_000_000_123_000)
  t.is(Number(found[1]?._pk), Date.parse('2024-01-02T03:04:05Z') * 1000)
})

withKafka('messages that are no events are refused with partition and offset, and block nothing', async (t) => {
  const [into, made] = [await stream(), await topicFor(t)]
  await made.send([
    { value: '{"n":0}' },
    { value: 'no json' },
    { value: '{"n":"text"}' },
    { value: null, key: 'gone' },
    { value: '[1]' },
    { value: '{"n":1}' },
  ])
  await client.ok(put('bad', { kafka: { brokers: [made.brokers], topic: made.topic }, into }))
  await accepted('bad', 2)
  t.deepEqual(await numbers(into), [0, 1])
  const { errors, rejected, skipped } = await shown('bad')
  t.like({ rejected, skipped }, { rejected: 3, skipped: 1 })
  t.deepEqual(
    errors.map(({ partition, offset }: { partition: number; offset: number }) => [partition, offset]).sort(),
    [
      [0, 1],
      [0, 2],
      [0, 4],
    ],
  )
  const [schema] = into.split('.')
  const { refused } = await client.ok(client.get(`/stream/${schema}/st/refused`))
  t.is(refused.length, 3)
  for (const { error } of refused) t.regex(error, /^source bad, partition 0, offset [124]: /)
  const metrics = await client.get('/metrics')
  t.regex(metrics.text, /weir_source_lag\{source="bad",partition="0"\} 0/)
  t.regex(metrics.text, /weir_source_messages_total\{source="bad",outcome="refused"\} 3/)
})

withKafka('latest begins with the messages that are sent after the answer', async (t) => {
  const [into, made] = [await stream(), await topicFor(t)]
  await made.json([{ n: 1 }])
  await client.ok(put('late', { kafka: { brokers: [made.brokers], topic: made.topic }, into, from: 'latest' }))
  await made.json([{ n: 2 }])
  await accepted('late', 1)
  t.deepEqual(await numbers(into), [2])
})

withKafka('OFF stops a source and ON goes on where it was; DELETE ends it', async (t) => {
  const [into, made] = [await stream(), await topicFor(t)]
  const body = { kafka: { brokers: [made.brokers], topic: made.topic }, into }
  await client.ok(put('switched', body))
  await made.json([{ n: 0 }])
  await accepted('switched', 1)
  t.is((await client.ok(client.send('PUT', '/source/switched/OFF'))).msg, 'the source switched is OFF')
  t.is((await client.ok(client.send('PUT', '/source/switched/OFF'))).msg, 'the source switched is already OFF')
  await made.json([{ n: 1 }])
  t.is((await shown('switched')).state, 'off')
  t.deepEqual(await numbers(into), [0])
  await client.ok(client.send('PUT', '/source/switched/ON'))
  await accepted('switched', 2)
  t.deepEqual(await numbers(into), [0, 1])
  const { sources } = await client.ok(client.get('/source?limit=1000'))
  t.true(sources.some(({ name }: { name: string }) => name === 'switched'))
  await client.ok(client.send('DELETE', '/source/switched?dry=1'))
  await client.ok(client.send('DELETE', '/source/switched'))
  t.is((await client.get('/source/switched')).status, 404)
  // Made again, it brings all again: it is another reading.
  await client.ok(put('switched', body))
  await accepted('switched', 2)
  t.deepEqual(await numbers(into), [0, 0, 1, 1])
})
