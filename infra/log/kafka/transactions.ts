import { setTimeout as sleep } from 'node:timers/promises'
import type { Broker, Cluster, Message } from './cluster.ts'
import { isPassing } from './refusals.ts'

/** Records for one partition, in their order. No two outputs of a transaction are for one topic. */
export type Output = {
  readonly topic: string
  readonly partition: number
  readonly values: readonly Buffer[]
}

/** The offsets of the records of an output. */
export type Stored = { readonly first: number; readonly last: number }

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
const longestPause_ms = 100
const maxSequence = 2 ** 31
const transactionCoordinator = 1

/**
 * Transactions of one id, one after the other. A process that opens the id later fences this one: its next commit fails. After a
 * failure nothing is known of the last one, and the id has to be opened anew.
 *
 * Every request may be sent again: what is produced again bears the same sequence numbers, by which the broker knows it.
 * Kafkajs has a producer with transactions, which asks for the coordinator before each request and for each topic by
 * itself: that is 15 requests where 5 do.
 */
export async function openTransactions(cluster: Cluster, id: string) {
  const coordinators = new Map<string, Promise<Broker>>()
  const topics = new Set<string>()
  const sequences = new Map<string, number>()
  const close = (): void => void cluster.disconnect().catch(() => {})

  /** The transaction before may not have ended at all brokers: until then nothing of the next one is taken. */
  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + patience_ms
    for (let pause = pause_ms; ; pause = Math.min(2 * pause, longestPause_ms)) {
      try {
        return await question()
      } catch (error) {
        const passing = isPassing(error)
        if (!passing || performance.now() > end) throw error
        if (passing === 'elsewhere') {
          coordinators.clear()
          await cluster.connect().catch(() => {})
          await cluster.refreshMetadata().catch(() => {})
        }
        await sleep(pause)
      }
    }
  }

  function coordinatorOf(groupId: string, coordinatorType: number): Promise<Broker> {
    const name = `${coordinatorType} ${groupId}`
    const known = coordinators.get(name)
    if (known) return known
    const found = cluster.findGroupCoordinator({ groupId, coordinatorType })
    coordinators.set(name, found)
    found.catch(() => coordinators.delete(name))
    return found
  }

  const coordinator = (): Promise<Broker> => coordinatorOf(id, transactionCoordinator)

  let producer: { readonly producerId: string; readonly producerEpoch: number }
  try {
    await cluster.connect()
    producer = await ask(async () => (await coordinator()).initProducerId({ transactionalId: id, transactionTimeout }))
  } catch (error) {
    close()
    throw error
  }
  const mine = { transactionalId: id, producerId: producer.producerId, producerEpoch: producer.producerEpoch }

  /** Puts batches, each of another topic, into their partitions; resolves to the offsets of their first records. */
  async function produce(batches: readonly Batch[]): Promise<Map<string, number>> {
    const numbered = batches.map((batch) => ({ ...batch, firstSequence: sequences.get(nameOf(batch)) ?? 0 }))
    const first = new Map<string, number>()
    await ask(async () => {
      const byLeader = new Map<string, typeof numbered>()
      for (const batch of numbered) {
        const [nodeId] = Object.keys(cluster.findLeaderForPartitions(batch.topic, [batch.partition]))
        if (nodeId === undefined) throw new Error(`topic ${batch.topic} has no partition ${batch.partition}`)
        byLeader.set(nodeId, [...(byLeader.get(nodeId) ?? []), batch])
      }
      const answers = await Promise.all(
        [...byLeader].map(async ([nodeId, its]) => {
          const topicData = its.map(({ topic, partition, firstSequence, messages }) => ({
            topic,
            partitions: [{ partition, firstSequence, messages }],
          }))
          return (await cluster.findBroker({ nodeId })).produce({ ...mine, acks: -1, topicData })
        }),
      )
      for (const { topicName, partitions } of answers.flatMap(({ topics }) => topics)) {
        first.set(topicName, Number(partitions[0]?.baseOffset ?? -1))
      }
    })
    for (const batch of numbered) {
      sequences.set(nameOf(batch), (batch.firstSequence + batch.messages.length) % maxSequence)
    }
    return first
  }

  async function produceAll(outputs: readonly Output[]): Promise<Map<string, Stored>> {
    const stored = new Map<string, Stored>()
    for (let rest = outputs.map(cut); rest.length > 0; rest = rest.filter(({ length }) => length > 1).map(rests)) {
      const batches = rest.flatMap(([batch]) => (batch ? [batch] : []))
      const first = await produce(batches)
      for (const { topic, messages } of batches) {
        const at = first.get(topic) ?? -1
        if (at < 0) throw new Error(`Kafka does not tell where it has put records of topic ${topic}`)
        stored.set(topic, { first: stored.get(topic)?.first ?? at, last: at + messages.length - 1 })
      }
    }
    return stored
  }

  return {
    /** Commits all of it or nothing. `placeOf` is told where the records of each topic are. */
    async commit(
      outputs: readonly Output[],
      group: string,
      placeOf: (stored: ReadonlyMap<string, Stored>) => Omit<GroupPlace, 'group'>,
    ): Promise<void> {
      for (const { topic } of outputs) {
        if (topics.has(topic)) continue
        await ask(() => cluster.addTargetTopic(topic))
        topics.add(topic)
      }
      const partitions = outputs.map(({ topic, partition }) => ({ topic, partitions: [partition] }))
      await ask(async () => (await coordinator()).addPartitionsToTxn({ ...mine, topics: partitions }))
      const [stored] = await Promise.all([
        produceAll(outputs),
        ask(async () => (await coordinator()).addOffsetsToTxn({ ...mine, groupId: group })),
      ])
      const { topic, partition, offset, note } = placeOf(stored)
      const place = { partition, offset: String(offset), metadata: note }
      await ask(async () =>
        (await coordinatorOf(group, 0)).txnOffsetCommit({
          ...mine,
          groupId: group,
          topics: [{ topic, partitions: [place] }],
        }),
      )
      await ask(async () => (await coordinator()).endTxn({ ...mine, transactionResult: true }))
    },
    close,
  }
}

export type Transactions = Awaited<ReturnType<typeof openTransactions>>

type Batch = { readonly topic: string; readonly partition: number; readonly messages: readonly Message[] }

const nameOf = ({ topic, partition }: Batch): string => `${topic} ${partition}`

const rests = (batches: readonly Batch[]): Batch[] => batches.slice(1)

/** Batches that brokers take each. */
function cut({ topic, partition, values }: Output): Batch[] {
  const batches: Batch[] = []
  let messages: Message[] = []
  let bytes = 0
  const end = (): void => {
    if (messages.length > 0) batches.push({ topic, partition, messages })
    messages = []
    bytes = 0
  }
  for (const value of values) {
    const size = value.length + envelopeBytes
    if (bytes + size > batchBytes) end()
    bytes += size
    messages.push({ value })
  }
  end()
  return batches
}
