/** A topic of somebody else's, written by that somebody's own client. */
import { randomUUID } from 'node:crypto'
import { type IHeaders, Kafka, logLevel, Partitioners, type SASLOptions } from 'kafkajs'
import { until } from '../../support/until.ts'

export type Sent = {
  readonly value: string | Buffer | null
  readonly key?: string
  readonly partition?: number
  readonly timestamp?: string
  readonly headers?: IHeaders
}

export type OfClient = {
  readonly sasl?: SASLOptions
  readonly ssl?: { readonly ca: string }
}

/** A topic of a name of its own, and its producer. */
export async function madeTopic(brokers: string, numPartitions = 1, more: OfClient = {}) {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, ...more })
  const topic = `others-${randomUUID()}`
  const admin = kafka.admin()
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
  await Promise.all([admin.connect(), producer.connect()])
  async function make(): Promise<void> {
    await admin.createTopics({
      topics: [{ topic, numPartitions, replicationFactor: 1 }],
      waitForLeaders: false,
    })
    await until('the topic has leaders', () => hasLeaders().catch(() => false))
  }
  async function hasLeaders(): Promise<boolean> {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    return topics[0]?.partitions.length === numPartitions && topics[0].partitions.every(({ leader }) => leader >= 0)
  }
  await make()
  return {
    topic,
    kafka,
    admin,
    producer,
    /** Makes the topic anew, where it was deleted. */
    again: make,
    send: (messages: readonly Sent[]) => producer.send({ topic, messages: [...messages] }),
    json: (events: readonly object[], partition?: number) =>
      producer.send({
        topic,
        messages: events.map((event) => ({
          value: JSON.stringify(event),
          ...(partition !== undefined && { partition }),
        })),
      }),
    async close(): Promise<void> {
      await Promise.all([admin.disconnect(), producer.disconnect()])
    },
  }
}

export type MadeTopic = Awaited<ReturnType<typeof madeTopic>>
