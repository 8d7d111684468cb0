/** A source goes on when the Kafka of others stands still, forgets messages, or makes its topic anew. */
import test, { type ExecutionContext } from 'ava'
import { brokerOfRun, startTestKafka, withKafka } from '../../support/parts/kafka.ts'
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

const shown = (name: string) => client.ok(client.get(`/source/${name}`))
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => ({ n: n + from }))
let streams = 0
/** A source of a topic that no other test has, and its stream. */
async function source(t: ExecutionContext, brokers: string, more: Record<string, unknown> = {}) {
  const [name, attr] = [`of${streams++}`, [{ name: 'n', type: 'LONG' }]]
  const made = await madeTopic(brokers)
  t.teardown(made.close)
  await client.ok(client.post('/stream', { schema: name, streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
  const kafka = { brokers: [brokers], topic: made.topic, ...more }
  const begin = () => client.ok(client.send('PUT', `/source/${name}`, { kafka, into: `${name}.st` }))
  const numbers = async () =>
    ((await client.documents(`select * from ${name}.st limit 100000`)) as { n: number }[])
      .map(({ n }) => Number(n))
      .sort((one, other) => one - other)
  const accepted = (count: number) => until(`${count} came`, async () => (await shown(name)).accepted >= count, 60_000)
  return { name, made, begin, numbers, accepted }
}
const turn = (name: string, to: 'ON' | 'OFF') => client.ok(client.send('PUT', `/source/${name}/${to}`))

withKafka.serial('a broker that stands still fails its own sources alone, and they go on by themselves', async (t) => {
  t.timeout(400_000)
  const [still, other] = [await startTestKafka(t), await brokerOfRun()]
  const [failing, well] = [await source(t, still.brokers), await source(t, other.brokers)]
  for (const each of [failing, well]) {
    await each.begin()
    await each.made.json(upTo(5))
    await each.accepted(5)
  }
  await still.pause()
  await until(
    'the source says so',
    async () => {
      const { state, reason = '' } = await shown(failing.name)
      return state === 'failing' && reason.length > 0
    },
    60_000,
  )
  await well.made.json(upTo(5, 5))
  await well.accepted(10)
  t.is((await shown(well.name)).state, 'running')
  const late = client.send('PUT', '/source/late', {
    kafka: { brokers: [still.brokers], topic: failing.made.topic },
    into: `${well.name}.st`,
  })
  t.like(await late, { status: 400 })
  still.resume()
  await until('it goes on', async () => (await shown(failing.name)).state === 'running', 60_000)
  await failing.made.json(upTo(5, 5))
  await failing.accepted(10)
  t.deepEqual(
    await failing.numbers(),
    upTo(10).map(({ n }) => n),
  )
})

/** Deletes messages of the topic before an offset, as its retention does. */
const deleteBefore = ({ admin, topic }: MadeTopic, offset: number) =>
  admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(offset) }] })

withKafka.serial('messages that the topic deleted before they came are counted, told, and passed over', async (t) => {
  const { brokers } = await brokerOfRun()
  const { name, made, begin, numbers, accepted } = await source(t, brokers)
  await made.json(upTo(10))
  await begin()
  await accepted(10)
  await turn(name, 'OFF')
  await made.json(upTo(10, 10))
  await deleteBefore(made, 15)
  await turn(name, 'ON')
  await accepted(15)
  const { lost, notes, state } = await shown(name)
  t.like({ lost, state }, { lost: 5, state: 'running' })
  t.deepEqual(notes, ['partition 0: the topic deleted messages 10 to 14 before they came'])
  t.deepEqual(
    await numbers(),
    [...upTo(10), ...upTo(5, 15)].map(({ n }) => n),
  )
})

withKafka.serial('a topic that was made anew is read from its start, and further partitions, too', async (t) => {
  t.timeout(300_000)
  const { brokers } = await brokerOfRun()
  const { name, made, begin, numbers, accepted } = await source(t, brokers)
  await made.json(upTo(10))
  await begin()
  await accepted(10)
  await turn(name, 'OFF')
  await made.admin.deleteTopics({ topics: [made.topic] })
  await until('it is gone', async () => !(await made.admin.listTopics()).includes(made.topic))
  await made.again()
  await made.json(upTo(3, 100))
  await turn(name, 'ON')
  await accepted(13)
  t.regex((await shown(name)).notes[0], /^partition 0: it ends at 3, before the offset 10 that came last/)
  await made.admin.createPartitions({ topicPartitions: [{ topic: made.topic, count: 2 }] })
  await until('the partition takes messages', async () => {
    // Kafkajs passes over messages for a partition of which a producer has not heard, and that asks once in five minutes.
    const producer = made.kafka.producer()
    await producer.connect()
    const messages = [{ value: '{"n":200}', partition: 1 }]
    const taken = await producer.send({ topic: made.topic, messages }).catch(() => [])
    await producer.disconnect()
    return taken.length > 0
  })
  await accepted(14)
  t.deepEqual(
    await numbers(),
    [...upTo(10), ...upTo(3, 100), { n: 200 }].map(({ n }) => n),
  )
})

withKafka.serial('offsets are written under a group for others, and its source reads no group', async (t) => {
  const { brokers } = await brokerOfRun()
  const { name, made, begin, accepted } = await source(t, brokers, { group: 'of-weir' })
  await begin()
  await made.json(upTo(7))
  await accepted(7)
  await until('the group has them', async () => {
    const groups = made.admin.fetchOffsets({ groupId: 'of-weir', topics: [made.topic] })
    const [found] = await groups.catch(() => [])
    return found?.partitions[0]?.offset === '7'
  })
  await until('no note is left of tries before', async () => (await shown(name)).notes.length === 0)
  t.like(await shown(name), { accepted: 7, lag: 0 })
})

withKafka.serial('of transactions the messages that were committed come', async (t) => {
  const { brokers } = await brokerOfRun()
  const { made, begin, numbers, accepted, name } = await source(t, brokers)
  const producer = made.kafka.producer({ transactionalId: 'of-others', maxInFlightRequests: 1, idempotent: true })
  await producer.connect()
  t.teardown(() => producer.disconnect())
  for (const [n, isGood] of [
    [1, true],
    [2, false],
    [3, true],
  ] as const) {
    const transaction = await producer.transaction()
    await transaction.send({ topic: made.topic, messages: [{ value: `{"n":${n}}` }] })
    await (isGood ? transaction.commit() : transaction.abort())
  }
  await begin()
  await accepted(2)
  await until('the marks are passed', async () => (await shown(name)).lag === 0)
  t.deepEqual(await numbers(), [1, 3])
})

for (const codec of ['gzip', 'snappy', 'lz4', 'zstd'])
  withKafka.serial(`messages that a broker packs by ${codec} are read`, async (t) => {
    const { brokers } = await brokerOfRun()
    const { made, begin, numbers, accepted } = await source(t, brokers)
    await made.admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: 2, name: made.topic, configEntries: [{ name: 'compression.type', value: codec }] }],
    })
    await made.json(upTo(2_000))
    await made.json(upTo(1, 2_000))
    await begin()
    await accepted(2_001)
    t.deepEqual(
      await numbers(),
      upTo(2_001).map(({ n }) => n),
    )
  })
