/** A topic of somebody else's Kafka, read by offset: Weir keeps the offsets, and is no member of a group. */
import { Kafka } from 'kafkajs'
import { kafkaOptions } from '../log/kafka/client.ts'
import { type Cluster, clusterOf, type FetchedPartition } from '../log/kafka/cluster.ts'
import { committedOf, type KafkaRecord } from '../log/kafka/partition.ts'
import type { KafkaSettings } from '../log/kafka/settings.ts'
import type { Logger } from '../logger.ts'

/** Of one answer of a broker, in bytes; a batch that its producer has made larger comes whole. */
const atOnce = 2 * 1024 * 1024
const ofPartition = 1024 * 1024
/** A request that takes longer, with all its tries, has failed. */
const stuck_ms = 10_000
const groupCoordinator = 0
const noMember = { groupGenerationId: -1, memberId: '' }

/** The answer about one partition: its records that are committed, where to go on, and where it ends. */
export type Read = {
  readonly partition: number
  readonly records: readonly KafkaRecord[]
  readonly next: number
  readonly end: number
}

/** The offsets that a partition has: its first record, and behind its last. */
export type Range = { readonly first: number; readonly end: number }

/** Connects at its first use. After an error of any call it is to be closed, and opened anew. */
export function createTopic(settings: KafkaSettings, topic: string, logger: Logger) {
  const options = kafkaOptions(settings, logger)
  const cluster: Cluster = clusterOf(new Kafka({ ...options, retry: { ...options.retry, retries: 1 } }), stuck_ms)
  let connecting: Promise<void> | undefined
  let isClosed = false
  let turn = 0

  const connected = (): Promise<void> => {
    connecting ??= cluster.connect().then(() => cluster.addTargetTopic(topic))
    return connecting
  }

  async function askOne(nodeId: string, asked: readonly (readonly [number, number])[], wait_ms: number) {
    const broker = await cluster.findBroker({ nodeId })
    const partitions = asked.map(([partition, offset]) => ({
      partition,
      fetchOffset: String(offset),
      maxBytes: ofPartition,
    }))
    const { responses } = await broker.fetch({
      isolationLevel: 1,
      maxWaitTime: wait_ms,
      minBytes: 1,
      maxBytes: atOnce,
      topics: [{ topic, partitions }],
    })
    return responses.flatMap(({ partitions: found }) => found)
  }

  function readOf(found: FetchedPartition, from: number): Read {
    const last = found.messages.at(-1)
    const next = Math.max(last ? Number(last.offset) + 1 : 0, from)
    return { partition: found.partition, records: committedOf(found, from), next, end: Number(found.highWatermark) }
  }

  async function edge(partitions: readonly number[], fromBeginning: boolean): Promise<Map<number, number>> {
    const asked = { topic, partitions: partitions.map((partition) => ({ partition })), fromBeginning }
    const [found] = await cluster.fetchTopicsOffset([asked])
    return new Map((found?.partitions ?? []).map(({ partition, offset }) => [partition, Number(offset)]))
  }

  return {
    /** The numbers of the partitions that the topic has now. */
    async partitions(): Promise<number[]> {
      const isFirst = connecting === undefined
      await connected()
      if (!isFirst) await cluster.refreshMetadata()
      return cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)
    },

    async ranges(partitions: readonly number[]): Promise<Map<number, Range>> {
      await connected()
      const [first, end] = await Promise.all([edge(partitions, true), edge(partitions, false)])
      return new Map(partitions.map((partition) => [partition, rangeOf(first.get(partition), end.get(partition))]))
    },

    /**
     * Asks each broker once for what is behind these offsets, and gives `take` what a partition has. Brokers are asked
     * beside each other, and a broker that has nothing waits for `wait_ms`.
     */
    async read(
      places: ReadonlyMap<number, number>,
      wait_ms: number,
      take: (read: Read) => Promise<void>,
    ): Promise<void> {
      await connected()
      const asked = [...places]
      // A broker fills its answer in the order of the partitions: each is first in its turn.
      const from = asked.length === 0 ? 0 : turn++ % asked.length
      const leaders = cluster.findLeaderForPartitions(
        topic,
        asked.map(([partition]) => partition),
      )
      const inTurn = [...asked.slice(from), ...asked.slice(0, from)]
      const reads = await Promise.allSettled(
        Object.entries(leaders).map(async ([nodeId, led]) => {
          const own = new Set(led.map(Number))
          const ofNode = inTurn.filter(([partition]) => own.has(partition))
          for (const found of await askOne(nodeId, ofNode, wait_ms)) {
            const offset = places.get(found.partition)
            if (offset !== undefined && !isClosed) await take(readOf(found, offset))
          }
        }),
      )
      for (const each of reads) if (each.status === 'rejected') throw each.reason
    },

    /** Writes offsets for a group that has no members, for others to see. */
    async commit(groupId: string, offsets: ReadonlyMap<number, number>): Promise<void> {
      await connected()
      const coordinator = await cluster.findGroupCoordinator({ groupId, coordinatorType: groupCoordinator })
      const partitions = [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) }))
      await coordinator.offsetCommit({ groupId, ...noMember, topics: [{ topic, partitions }] })
    },

    close(): void {
      isClosed = true
      void cluster.disconnect().catch(() => {})
    },
  }
}

const rangeOf = (first = 0, end = 0): Range => ({ first, end: Math.max(first, end) })
