import { Kafka, logLevel } from 'kafkajs'
import { timeOf, type Workload } from '../load/workload.ts'

const connections = 4
const rowsAMessage = 1_000

/** The floor: kafkajs alone brings the same events, as ready bytes, to a topic: as many a message and as many messages at a time. Events a second. */
export async function bareProducer(brokers: string, workload: Workload, count: number): Promise<number> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  const topic = `bare.${Date.now()}`
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }] })
  await admin.disconnect()
  const line = (i: number): string => JSON.stringify({ _pk: timeOf(i), ...workload.event(i) })
  const values = Array.from({ length: count / rowsAMessage }, (_, message) =>
    Buffer.from(Array.from({ length: rowsAMessage }, (_, i) => line(message * rowsAMessage + i)).join('\n')),
  )
  const producers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
      await producer.connect()
      return producer
    }),
  )
  const started = performance.now()
  await Promise.all(
    producers.map(async (producer) => {
      for (let value = values.shift(); value; value = values.shift())
        await producer.send({ topic, acks: -1, messages: [{ value }] })
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await Promise.all(producers.map((producer) => producer.disconnect()))
  return count / seconds
}
