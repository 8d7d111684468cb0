import { randomUUID } from 'node:crypto'
import { type Admin, Kafka, type KafkaConfig, logLevel, type Producer, type SASLOptions } from 'kafkajs'
import { inTime } from '../../../base/in-time.ts'
import type { Logger } from '../../logger.ts'
import { type Cluster, clusterOf, quietConnections } from './cluster.ts'
import { registerCodecs } from './codecs.ts'
import { openPartition } from './partition.ts'
import type { KafkaSettings } from './settings.ts'
import { createSharedCluster } from './shared-cluster.ts'
import { openTransactions } from './transactions.ts'

registerCodecs()
quietConnections()

export { isConnectionClosed, refusalOf } from './refusals.ts'
export type { Admin, Producer }

export type OffsetRange = { readonly partition: number; readonly first: number; readonly end: number }
export type TopicOffsets = { readonly topic: string; readonly offsets: ReadonlyMap<number, number> }

/** A group whose offsets in a topic are asked for, in these partitions. */
export type GroupOfTopic = { readonly topic: string; readonly group: string; readonly partitions: readonly number[] }

/** A broker that answers later than this counts as silent: the request is sent again. */
const requestTimeout_ms = 5_000
const connectionTimeout_ms = 3_000
/** A reader joins its group first, which takes some seconds, and longer where the broker has to make room for groups. */
const silence_ms = 30_000
const groupCoordinator = 0
const groupsAtOnce = 16
/** Commits offsets without being a member of the group, which the broker allows while the group has no members. */
const noMember = { groupGenerationId: -1, memberId: '' }
/** Few and short: the caller has a deadline, and tries again by a rule of its own. */
const retry = { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 }

/** Connections to Kafka or Redpanda, each made when it is asked for. This file knows kafkajs, and `cluster.ts` its private parts. */
export function createKafkaClient(settings: KafkaSettings, logger: Logger) {
  const kafka = new Kafka(kafkaOptions(settings, logger))
  const shared = createSharedCluster(() => clusterOf(kafka))

  /** By a connection of its own: kafkajs asks anew for all topics that a connection knows whenever it learns of another. */
  async function apart<Answer>(question: (cluster: Cluster) => Promise<Answer>): Promise<Answer> {
    const cluster = clusterOf(kafka)
    try {
      await cluster.connect()
      return await question(cluster)
    } finally {
      void cluster.disconnect().catch(() => {})
    }
  }

  return {
    admin: (): Admin => kafka.admin(),
    /** Sets the offsets of a group without members, without joining it, which takes seconds. */
    commit: (groupId: string, topics: readonly TopicOffsets[]): Promise<unknown> =>
      shared.use(async (cluster) => {
        const coordinator = await cluster.findGroupCoordinator({ groupId, coordinatorType: groupCoordinator })
        return coordinator.offsetCommit({
          ...{ groupId, ...noMember },
          topics: topics.map(({ topic, offsets }) => ({
            topic,
            partitions: [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) })),
          })),
        })
      }),
    /** Where topics end, all by one request to each broker. */
    ends: (topics: readonly string[]): Promise<TopicOffsets[]> => apart((cluster) => endsOf(cluster, topics)),
    /** How far groups are, each in its topic. */
    committed: (asked: readonly GroupOfTopic[]): Promise<TopicOffsets[]> =>
      apart(async (cluster) => {
        const left = [...asked]
        const found: TopicOffsets[] = []
        const askNext = async (): Promise<void> => {
          for (let next = left.shift(); next; next = left.shift()) found.push(await committedOf(cluster, next))
        }
        await Promise.all(Array.from({ length: groupsAtOnce }, askNext))
        return found
      }),
    /**
     * Gives `take` every message of these ranges; `end` is the offset behind the last. Rejects when no message comes
     * for `patience_ms`: retention may have deleted the rest, which only a new look at the topic's ends shows.
     */
    async read(
      topic: string,
      ranges: readonly OffsetRange[],
      take: (value: Buffer) => void,
      patience_ms = silence_ms,
    ): Promise<void> {
      if (ranges.length === 0) return
      let silence: NodeJS.Timeout | undefined
      const silent = () => new Error(`nothing was read of topic ${topic} for ${patience_ms} ms`)
      const left = new Map(ranges.map((range) => [range.partition, range]))
      const consumer = kafka.consumer({ groupId: `${topic}.reader.${randomUUID()}`, allowAutoTopicCreation: false })
      try {
        // Of the other partitions nothing is read.
        const subscribed = consumer.connect().then(() => consumer.subscribe({ topics: [topic], fromBeginning: false }))
        await inTime(subscribed, patience_ms, silent)
        await new Promise<void>((resolve, reject) => {
          silence = setTimeout(() => reject(silent()), patience_ms)
          consumer.on('consumer.group_join', () => silence?.refresh())
          consumer.on('consumer.crash', ({ payload }) => (payload.restart ? undefined : reject(payload.error)))
          const reading = consumer.run({
            autoCommit: false,
            eachBatchAutoResolve: false,
            eachBatch: async ({ batch, resolveOffset }) => {
              silence?.refresh()
              const range = left.get(batch.partition)
              for (const { offset, value } of batch.messages) {
                const at = Number(offset)
                if (range && at >= range.first && at < range.end && value) take(value)
                resolveOffset(offset)
              }
              if (range && Number(batch.lastOffset()) + 1 >= range.end) left.delete(batch.partition)
              if (left.size === 0) resolve()
            },
          })
          reading.catch(reject)
          for (const { partition, first } of ranges) consumer.seek({ topic, partition, offset: String(first) })
        })
      } finally {
        clearTimeout(silence)
        void consumer.disconnect().catch(() => {})
      }
    },
    /** Partitions that are read by offset, without a group, and where topics end: over one connection to each broker. */
    reading() {
      const cluster = clusterOf(kafka)
      return {
        partition: (topic: string, partition: number) => openPartition(cluster, topic, partition),
        async ends(topics: readonly string[]): Promise<TopicOffsets[]> {
          await cluster.connect()
          return endsOf(cluster, topics)
        },
        close: (): Promise<void> => cluster.disconnect(),
      }
    },
    /** Reads one partition by offset, without a group. */
    partition: (topic: string, partition: number) => openPartition(clusterOf(kafka), topic, partition),
    /** By partition the offset of the last record with data in a range, `first - 1` where there is none. */
    lastData: (topic: string, ranges: readonly OffsetRange[]): Promise<Map<number, number>> =>
      shared.use(async (cluster) => {
        const last = new Map<number, number>()
        for (const { partition, first, end } of ranges) {
          last.set(partition, await openPartition(cluster, topic, partition).lastData(first, end))
        }
        return last
      }),
    /** Fences the process that had transactions of this id before: one that it had begun is aborted. */
    transactions: (id: string) => openTransactions(clusterOf(kafka), id),
    /**
     * `onAttempt` is called for each message before an attempt to send it: kafkajs repeats a send by itself. Messages
     * have to name their partition, so that a repeat goes where the first attempt went.
     */
    producer: (onAttempt: (partition: number) => void): Producer =>
      kafka.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        retry,
        createPartitioner: () => {
          return ({ message: { partition } }) => {
            if (partition === undefined) throw new TypeError('a message without a partition')
            onAttempt(partition)
            return partition
          }
        },
      }),
  }
}

export type KafkaClient = ReturnType<typeof createKafkaClient>

/** The terms of kafkajs for settings. */
export function kafkaOptions({ brokers, tls, sasl }: KafkaSettings, logger: Logger): KafkaConfig {
  return {
    clientId: 'weir',
    brokers: [...brokers],
    ssl: typeof tls === 'boolean' ? tls : { ...tls },
    ...(sasl && { sasl: saslOptions(sasl) }),
    requestTimeout: requestTimeout_ms,
    connectionTimeout: connectionTimeout_ms,
    retry,
    logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    // The caller logs a failure once, from its error; kafkajs's line for each attempt shows at level debug only.
    logCreator:
      () =>
      ({ namespace, label, log: { message, timestamp: _, logger: __, ...rest } }) =>
        logger.debug({ ...rest, namespace, label }, `kafkajs: ${message}`),
  }
}

async function endsOf(cluster: Cluster, topics: readonly string[]): Promise<TopicOffsets[]> {
  await cluster.addMultipleTargetTopics(topics)
  const found = await cluster.fetchTopicsOffset(
    topics.map((topic) => ({
      topic,
      partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId })),
      fromBeginning: false,
    })),
  )
  return found.map(({ topic, partitions }) => ({ topic, offsets: offsetsOf(partitions) }))
}

async function committedOf(cluster: Cluster, { topic, group, partitions }: GroupOfTopic): Promise<TopicOffsets> {
  const coordinator = await cluster.findGroupCoordinator({ groupId: group, coordinatorType: groupCoordinator })
  const asked = [{ topic, partitions: partitions.map((partition) => ({ partition })) }]
  const { responses } = await coordinator.offsetFetch({ groupId: group, topics: asked })
  return { topic, offsets: offsetsOf(responses[0]?.partitions ?? []) }
}

/** A partition for which a group has no offset is absent. */
const offsetsOf = (found: readonly { readonly partition: number; readonly offset: string }[]): Map<number, number> =>
  new Map(
    found
      .map(({ partition, offset }): [number, number] => [partition, Number(offset)])
      .filter(([, offset]) => offset >= 0),
  )

function saslOptions({ mechanism, username, password }: NonNullable<KafkaSettings['sasl']>): SASLOptions {
  return { mechanism, username, password }
}
