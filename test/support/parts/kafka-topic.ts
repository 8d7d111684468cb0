import { Kafka, logLevel } from 'kafkajs'

export type Message = {
  readonly partition: number
  readonly offset: number
  readonly lines: readonly string[]
  readonly bytes: number
  /** When it was appended, by the broker's clock where the topic says so. */
  readonly appended_ms: number
}

/** Every message of a topic up to its end as it is now, by partition and offset. */
export async function readTopic(brokers: string, topic: string): Promise<Message[]> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  const ends = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  const left = new Set(ends.filter(({ low, high }) => low !== high).map(({ partition }) => partition))
  const messages: Message[] = []
  if (left.size === 0) return messages
  const consumer = kafka.consumer({ groupId: `reader-${Math.random()}`, maxWaitTimeInMs: 100 })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    consumer.on('consumer.crash', ({ payload }) => (payload.restart ? undefined : reject(payload.error)))
    const run = consumer.run({
      eachMessage: async ({ partition, message: { offset, value, timestamp } }) => {
        const text = value?.toString() ?? ''
        const lines = text.split('\n').slice(0, -1)
        messages.push({
          ...{ partition, offset: Number(offset), lines },
          ...{ bytes: value?.length ?? 0, appended_ms: Number(timestamp) },
        })
        const end = ends.find((each) => each.partition === partition)
        if (Number(offset) + 1 >= Number(end?.high)) left.delete(partition)
        if (left.size === 0) resolve()
      },
    })
    run.catch(reject)
  })
  await consumer.disconnect()
  return messages.toSorted((a, b) => a.partition - b.partition || a.offset - b.offset)
}
