import { brokerOfRun, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog } from '../../../support/parts/kafka-log.ts'
import { until } from '../../../support/until.ts'

withKafka('a range whose end retention has deleted ends the reading, and is no range at the next look', async (t) => {
  const { log, topics, client } = openKafkaLog(t, (await brokerOfRun()).brokers)
  for (const seq of [1, 2, 3]) await log.append('s.a', Buffer.from(`{"_seq":${seq}}\n`), 1)
  const topic = topics.nameOf('s.a')
  const ranges = (await topics.ends('s.a')).filter(({ first, end }) => first < end)
  let taken = 0
  await client.read(topic, ranges, () => {
    taken++
  })
  t.is(taken, 3, 'what is there is read')

  const admin = client.admin()
  await admin.connect()
  await admin.fetchTopicOffsets(topic) // kafkajs deletes records of topics only that it has asked about
  await admin.deleteTopicRecords({
    topic,
    partitions: ranges.map(({ partition, end }) => ({ partition, offset: String(end) })),
  })
  await admin.disconnect()
  const reading = client.read(topic, ranges, () => t.fail('there is nothing'), 5_000)
  await t.throwsAsync(reading, { message: /nothing was read of topic/ })
  await until('the topic is empty', async () => (await topics.ends('s.a')).every(({ first, end }) => first === end))
})
