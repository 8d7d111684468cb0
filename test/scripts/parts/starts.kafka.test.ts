import { Kafka, logLevel } from 'kafkajs'
import { isAlive } from '../../../scripts/parts/cache.js'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'

withKafka(
  'a broker that is killed or stopped comes back where it was, with its topics and what is in them',
  async (t) => {
    t.timeout(425_000)
    const broker = await startTestKafka(t)
    const client = new Kafka({ brokers: [broker.brokers], logLevel: logLevel.NOTHING, retry: { retries: 20 } })
    const admin = client.admin()
    t.teardown(() => admin.disconnect())
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }], waitForLeaders: true })
    const produce = async () => {
      const producer = client.producer()
      await producer.connect()
      await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'an event' }] })
      await producer.disconnect()
    }
    const { pid } = broker
    for (const [i, end] of [broker.kill, broker.stop].entries()) {
      await produce()
      await end()
      await broker.restart()
      const [partition] = await admin.fetchTopicOffsets('kept')
      t.is(partition?.high, String(i + 1))
    }
    t.false(isAlive(pid ?? 0))
    t.deepEqual(await admin.listTopics(), ['kept'])
  },
)
