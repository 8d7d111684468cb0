import { Kafka, logLevel } from 'kafkajs'
import { batchBody } from './batches.ts'
import type { Workload } from './workload.ts'

const connections = 4
const rowsAMessage = 1_000

/** The floor: kafkajs alone brings the same texts to a topic, a message each, as many at a time. Events a second. */
export async function bareProducer(brokers: string, workload: Workload, count: number): Promise<number> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  const topic = `bare.${Date.now()}`
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }] })
  await admin.disconnect()
  const texts = Array.from({ length: count / rowsAMessage }, (_, i) => batchBody(workload, i * rowsAMessage))
  const producers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
      await producer.connect()
      return producer
    }),
  )
  let next = 0
  const started = performance.now()
  await Promise.all(
    producers.map(async (producer) => {
      for (let value = texts[next++]; value !== undefined; value = texts[next++]) {
        await producer.send({ topic, acks: -1, messages: [{ value }] })
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await Promise.all(producers.map((producer) => producer.disconnect()))
  return count / seconds
}
