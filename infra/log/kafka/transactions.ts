import { setTimeout as sleep } from 'node:timers/promises'
import type { Kafka, Message, RecordMetadata } from 'kafkajs'
import { refusalOf } from './refusals.ts'

/** Records for one partition, in their order. */
export type Output = {
  readonly topic: string
  readonly partition: number
  readonly records: readonly { readonly key?: Buffer; readonly value: Buffer | null }[]
}

/** How far a group is; the note is kept beside the offset, for all that ask. */
export type GroupPlace = {
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly note: string
}

/** A batch of the size that brokers take by default. */
const batchBytes = 900_000
const envelopeBytes = 100
/** Another process that takes over need not wait for it: it is for one that no process takes over. */
const transactionTimeout = 20_000
const patience_ms = 10_000
const pause_ms = 2

/**
 * Transactions of one id, one after the other. A process that opens the id later fences this one: its next commit fails. After a
 * failure nothing is known of the last one, and the id has to be opened anew.
 */
export async function openTransactions(kafka: Kafka, id: string) {
  const producer = kafka.producer({
    transactionalId: id,
    transactionTimeout,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    // Kafkajs wants to repeat: what it sends again to one partition bears the same numbers, by which the broker knows it.
    retry: { retries: 2, initialRetryTime: 5, maxRetryTime: 100 },
    createPartitioner:
      () =>
      ({ message: { partition } }) =>
        partition ?? 0,
  })
  const close = (): void => void producer.disconnect().catch(() => {})
  try {
    await producer.connect()
    const first = await producer.transaction()
    await first.abort()
  } catch (error) {
    close()
    throw error
  }

  /** The transaction before may not have ended at all brokers: until then nothing of the next one is taken. */
  async function sendOnce(send: () => Promise<RecordMetadata[]>): Promise<RecordMetadata[]> {
    for (const end = performance.now() + patience_ms; ; await sleep(pause_ms)) {
      try {
        return await send()
      } catch (error) {
        if (refusalOf(error) !== 'CONCURRENT_TRANSACTIONS' || performance.now() > end) throw error
      }
    }
  }

  return {
    /** Commits all of it or nothing. `noteOf` is told the offset of the last record of each topic. */
    async commit(
      outputs: readonly Output[],
      placeOf: (last: ReadonlyMap<string, number>) => GroupPlace,
    ): Promise<void> {
      const transaction = await producer.transaction()
      const last = new Map<string, number>()
      for (const output of outputs) {
        for (const { topic, messages } of cut(output)) {
          // One partition at a time: of several, some could be refused for the moment and others be stored.
          const [stored] = await sendOnce(() => transaction.send({ acks: -1, topic, messages }))
          const first = Number(stored?.baseOffset ?? -1)
          if (first < 0) throw new Error(`Kafka does not tell where it has put records of topic ${topic}`)
          last.set(topic, first + messages.length - 1)
        }
      }
      const { group, topic, partition, offset, note } = placeOf(last)
      const place = { partition, offset: String(offset), metadata: note }
      const partitions = [place]
      await sendOnce(async () => {
        await transaction.sendOffsets({ consumerGroupId: group, topics: [{ topic, partitions }] })
        return []
      })
      await transaction.commit()
    },
    close,
  }
}

export type Transactions = Awaited<ReturnType<typeof openTransactions>>

/** Parts that brokers take each. */
function* cut({ topic, partition, records }: Output): Iterable<{ topic: string; messages: Message[] }> {
  let messages: Message[] = []
  let bytes = 0
  for (const { key, value } of records) {
    const size = (key?.length ?? 0) + (value?.length ?? 0) + envelopeBytes
    if (messages.length > 0 && bytes + size > batchBytes) {
      yield { topic, messages }
      messages = []
      bytes = 0
    }
    bytes += size
    messages.push({ partition, value, ...(key && { key }) })
  }
  if (messages.length > 0) yield { topic, messages }
}
