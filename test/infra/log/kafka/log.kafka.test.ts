import { Fault } from '../../../../base/faults.ts'
import { createKeptAnswers } from '../../../../infra/log/kafka/answers.ts'
import { brokerOfRun, startTestKafka, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog } from '../../../support/parts/kafka-log.ts'
import { readTopic } from '../../../support/parts/kafka-topic.ts'
import { until } from '../../../support/until.ts'

const line = (id: number): string => `{"_seq":${id}}\n`
/** A line as it is written for an event. */
const written = (seq: number): string => `{"_pk":1700000000000000,"_seq":${seq},"n":1}\n`
const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => line(from + i)).join('')
const ids = (messages: readonly { lines: readonly string[] }[]): number[] =>
  messages.flatMap(({ lines }) => lines.map((text) => Number(/-?\d+/.exec(text)?.[0])))
const isStored = (append: Promise<unknown>): Promise<boolean> =>
  append.then(
    () => true,
    () => false,
  )
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

withKafka('what is appended together shares messages, and each line is stored once', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics, produced } = openKafkaLog(t, brokers)
  for (let round = 0; round < 10; round++) {
    await Promise.all(numbers(1, 200).map((n) => log.append('s.a', Buffer.from(line(round * 200 + n)), 1)))
  }
  const messages = await readTopic(brokers, topics.nameOf('s.a'))
  t.deepEqual(ascending(ids(messages)), numbers(1, 2000))
  t.true(messages.length <= 40, `${messages.length} messages`)
  const ends = await topics.ends('s.a')
  t.deepEqual(
    [...produced('s.a')].toSorted(([a], [b]) => a - b),
    ends.map(({ partition, end }) => [partition, end - 1]),
  )
  t.true(
    ends.every(({ end }) => end > 0),
    'batches go to each partition in turn',
  )
})

withKafka('lines of one key stay in one partition, in their order', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics } = openKafkaLog(t, brokers)
  const keyOf = (id: number): string => `key ${id % 20}`
  const single = numbers(1, 1000).map((id) => log.append('s.a', Buffer.from(line(id)), 1, [], [keyOf(id)]))
  const many = numbers(1001, 3000)
  await Promise.all([...single, log.append('s.a', Buffer.from(linesOf(1001, 3000)), 2000, [], many.map(keyOf))])
  const messages = await readTopic(brokers, topics.nameOf('s.a'))
  t.deepEqual(ascending(ids(messages)), numbers(1, 3000))
  for (const key of numbers(0, 19)) {
    const found = messages
      .map(({ partition, ...rest }) => ({ partition, ids: ids([rest]).filter((id) => id % 20 === key) }))
      .filter((each) => each.ids.length > 0)
    t.is(new Set(found.map(({ partition }) => partition)).size, 1)
    const stored = found.flatMap((each) => each.ids)
    t.deepEqual(stored, ascending(stored))
  }
  t.is(new Set(messages.map(({ partition }) => partition)).size, 3)
})

withKafka(
  'a long text is cut at line feeds into messages of a bounded size, and resolves when all are stored',
  async (t) => {
    const { brokers } = await brokerOfRun()
    const { log, topics } = openKafkaLog(t, brokers)
    await log.append('s.a', Buffer.from(linesOf(1, 400_000)), 400_000)
    const messages = await readTopic(brokers, topics.nameOf('s.a'))
    t.deepEqual(ascending(ids(messages)), numbers(1, 400_000))
    t.true(messages.every(({ bytes }) => bytes <= 450_000))
  },
)

withKafka(
  'an event larger than a message passes whole; one larger than the topic takes is refused alone',
  async (t) => {
    const { brokers } = await brokerOfRun()
    const { log, topics } = openKafkaLog(t, brokers, { maxEventBytes: 4_000_000 })
    const large = `{"_seq":1,"text":"${'ü'.repeat(1_500_000)}"}\n`
    const tooLarge = `{"_seq":2,"text":"${'x'.repeat(5_000_000)}"}\n`
    const [stored, refused, beside] = await Promise.allSettled([
      log.append('s.a', Buffer.from(large), 1),
      log.append('s.a', Buffer.from(tooLarge), 1),
      log.append('s.a', Buffer.from(line(3)), 1),
    ])
    t.deepEqual([stored.status, refused.status, beside.status], ['fulfilled', 'rejected', 'fulfilled'])
    const { reason } = refused as PromiseRejectedResult
    t.true(reason instanceof Fault && reason.kind === 'too large')
    t.regex(reason.message, /5000\d{3} bytes/)
    t.deepEqual(ascending(ids(await readTopic(brokers, topics.nameOf('s.a')))), [1, 3])
  },
)

withKafka('of lines of which one is too large for its partition none is sent to another', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics } = openKafkaLog(t, brokers, { maxEventBytes: 1_000_000 })
  const tooLarge = `{"_seq":9,"text":"${'x'.repeat(1_500_000)}"}\n`
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  const text = keys.map((_, i) => (i === 5 ? tooLarge : line(i))).join('')
  await t.throwsAsync(log.append('s.a', Buffer.from(text), 6, [], keys), { instanceOf: Fault, message: /too large/ })
  await log.append('s.a', Buffer.from(line(100)), 1)
  t.deepEqual(ids(await readTopic(brokers, topics.nameOf('s.a'))), [100])
})

withKafka('a topic that takes less than it was asked to is kept to', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics, client } = openKafkaLog(t, brokers)
  const admin = client.admin()
  await admin.connect()
  const configEntries = [{ name: 'max.message.bytes', value: '50000' }]
  await admin.createTopics({
    waitForLeaders: false,
    topics: [{ topic: topics.nameOf('s.a'), numPartitions: 2, configEntries }],
  })
  await admin.disconnect()
  t.is(await topics.ensure('s.a'), 2)
  await Promise.all(
    numbers(1, 3000).map((id) => log.append('s.a', Buffer.from(`{"_seq":${id},"x":"${'x'.repeat(60)}"}\n`), 1)),
  )
  await t.throwsAsync(log.append('s.a', Buffer.from(`{"x":"${'x'.repeat(60_000)}"}\n`), 1), { instanceOf: Fault })
  t.deepEqual(ascending(ids(await readTopic(brokers, topics.nameOf('s.a')))), numbers(1, 3000))
})

withKafka('answers are kept with what they answer, also for the next process, and go with the queue', async (t) => {
  const { brokers } = await brokerOfRun()
  const one = openKafkaLog(t, brokers)
  await one.log.append('s.a', Buffer.from(line(1)), 1, [{ key: 'k', answer: 'first', seq: 1 }])
  await one.log.append('s.b', Buffer.from(line(1)), 1, [{ key: 'k', answer: 'other', seq: 1 }])
  t.is(one.log.answered('s.a', 'k'), 'first')
  t.is(one.log.answered('s.a', 'l'), undefined)
  await one.close()
  const two = openKafkaLog(t, brokers, { path: one.path, prefix: one.prefix })
  t.is(two.log.answered('s.a', 'k'), 'first')
  await two.forget('s.a')
  t.is(two.log.answered('s.a', 'k'), undefined)
  t.is(two.log.answered('s.b', 'k'), 'other')
})

withKafka('what a process that was killed has sent by key is looked up, and refused till then', async (t) => {
  const { brokers } = await brokerOfRun()
  const one = openKafkaLog(t, brokers)
  await one.log.append('s.a', Buffer.from(written(1)), 1)
  const ends = new Map((await one.topics.ends('s.a')).map(({ partition, end }) => [partition, end]))
  await one.log.append('s.a', Buffer.from(written(2) + written(3)), 2)
  await one.close()
  const kept = createKeptAnswers(one.path)
  const claims = [1, 3, 4].map((seq) => ({ key: `k${seq}`, answer: `answer ${seq}`, seq }))
  claims.push({ key: '😀 behind all of the basic plane', answer: 'smile', seq: 2 })
  await kept.claim('s.a', claims, ends)
  await kept.claim('s.b', claims, ends)
  await kept.close()

  const two = openKafkaLog(t, brokers, { path: one.path, prefix: one.prefix })
  await two.open('s.a')
  const repeat = two.log.append('s.a', Buffer.from(written(5)), 1, [{ key: 'k3', answer: 'another', seq: 5 }])
  await t.throwsAsync(repeat, { instanceOf: Fault, message: /not known yet/ })
  await until('it is known', () => two.log.answered('s.a', 'k3'))
  t.is(two.log.answered('s.a', 'k3'), 'answer 3')
  t.is(two.log.answered('s.a', '😀 behind all of the basic plane'), 'smile')
  t.is(two.log.answered('s.a', 'k1'), undefined, 'it was there before the claim')
  t.is(two.log.answered('s.a', 'k4'), undefined, 'it was never sent')
  t.is(two.log.answered('s.b', 'k3'), undefined)
  await until('its key is free', () =>
    isStored(two.log.append('s.a', Buffer.from(written(6)), 1, [{ key: 'k4', answer: 'new', seq: 6 }])),
  )
  t.is(two.log.answered('s.a', 'k4'), 'new')
})

withKafka('what was in the topic counts as produced once the queue is open', async (t) => {
  const { brokers } = await brokerOfRun()
  const one = openKafkaLog(t, brokers)
  await one.log.append('s.a', Buffer.from(line(1)), 1)
  await one.close()
  const two = openKafkaLog(t, brokers, { prefix: one.prefix })
  t.is(two.produced('s.a').size, 0)
  await two.open('s.a')
  t.deepEqual([...two.produced('s.a').values()].toSorted(), [-1, -1, 0])
})

withKafka('close sends what waits, and refuses what comes after', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics, close } = openKafkaLog(t, brokers)
  await log.append('s.a', Buffer.from(line(0)), 1)
  const name = topics.nameOf('s.a')
  const appends = numbers(1, 500).map((id) => log.append('s.a', Buffer.from(line(id)), 1))
  await close()
  await Promise.all(appends)
  t.deepEqual(ascending(ids(await readTopic(brokers, name))), numbers(0, 500))
  await t.throwsAsync(log.append('s.a', Buffer.from(line(501)), 1), { instanceOf: Fault })
})

withKafka('a stream that is deleted leaves the others working, and can be made again', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics, forget, produced } = openKafkaLog(t, brokers)
  await Promise.all([log.append('s.a', Buffer.from(line(1)), 1), log.append('s.b', Buffer.from(line(1)), 1)])
  await forget('s.a')
  await topics.remove('s.a')
  t.is(produced('s.a').size, 0)
  await log.append('s.b', Buffer.from(line(2)), 1)
  await log.append('s.a', Buffer.from(line(3)), 1)
  t.deepEqual(ids(await readTopic(brokers, topics.nameOf('s.a'))), [3])
  t.deepEqual(ascending(ids(await readTopic(brokers, topics.nameOf('s.b')))), [1, 2])
})

withKafka('while the broker is silent appends are refused in time, and what waits is bounded', async (t) => {
  const kafka = await startTestKafka(t)
  const { log, open, waiting } = openKafkaLog(t, kafka.brokers, { wait_ms: 1_000, maxBytes: 10_000 })
  await open('s.a')
  await until('an event is stored', () => isStored(log.append('s.a', Buffer.from(line(1)), 1)))
  await kafka.pause()
  const faults = await Promise.all(
    numbers(1, 2000).map((id) =>
      log.append('s.a', Buffer.from(`{"_seq":${id},"x":"0123456789"}\n`), 1).then(
        () => undefined,
        (error: unknown) => (error instanceof Fault ? error : undefined),
      ),
    ),
  )
  kafka.resume()
  const kinds = faults.map((fault) => fault?.kind)
  t.deepEqual([...new Set(kinds)].toSorted(), ['limited', 'unavailable'])
  t.true(kinds.filter((kind) => kind === 'unavailable').length < 500)
  t.true(faults.every((fault) => (fault?.details.retryAfter ?? 0) > 0))
  t.is(waiting(), 0)
  await until('the broker takes events again', () => isStored(log.append('s.a', Buffer.from(line(3)), 1)), 60_000)
})

withKafka('a key whose first request may be stored is refused until that is known, and then answered', async (t) => {
  const kafka = await startTestKafka(t)
  const { log, open, topics } = openKafkaLog(t, kafka.brokers, { wait_ms: 3_000 })
  await open('s.a')
  let last = 0
  await until('an event is stored', () => isStored(log.append('s.a', Buffer.from(line(--last)), 1)))
  await kafka.pause()
  const append = (answer: string) => log.append('s.a', Buffer.from(line(1)), 1, [{ key: 'k', answer, seq: 1 }])
  await t.throwsAsync(append('first'), { instanceOf: Fault, message: /may be stored/ })
  await t.throwsAsync(append('second'), { instanceOf: Fault, message: /not known yet/ })
  kafka.resume()
  await until('the first is stored', () => log.answered('s.a', 'k'), 60_000)
  t.is(log.answered('s.a', 'k'), 'first')
  // A broker that stood still leads its partitions again only once its controller knows that it is back.
  await until('the broker takes events again', () => isStored(log.append('s.a', Buffer.from(line(--last)), 1)), 60_000)
  const stored = ids(await readTopic(kafka.brokers, topics.nameOf('s.a')))
  t.is(stored.filter((id) => id === 1).length, 1)
})
