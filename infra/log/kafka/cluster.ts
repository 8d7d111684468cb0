import { createRequire } from 'node:module'
import type { Kafka } from 'kafkajs'
import { inTime } from '../../../base/in-time.ts'

/** A record as kafkajs decodes it. Control records mark the end of a transaction. */
export type FetchedMessage = {
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  /** Milliseconds. */
  readonly timestamp: unknown
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>
  readonly isControlRecord?: boolean
  readonly batchContext?: { readonly producerId: string; readonly inTransaction: boolean }
}

export type FetchedPartition = {
  readonly partition: number
  readonly highWatermark: string
  readonly lastStableOffset: string
  readonly abortedTransactions?: readonly { readonly producerId: string; readonly firstOffset: string }[]
  readonly messages: readonly FetchedMessage[]
}

type FetchRequest = {
  readonly isolationLevel: 0 | 1
  readonly maxWaitTime: number
  readonly minBytes: number
  readonly maxBytes: number
  readonly topics: readonly {
    readonly topic: string
    readonly partitions: readonly {
      readonly partition: number
      readonly fetchOffset: string
      readonly maxBytes: number
    }[]
  }[]
}

/** A record as kafkajs encodes it. */
export type Message = { readonly value: Buffer }

/** The producer of a transaction. */
type OfTransaction = {
  readonly transactionalId: string
  readonly producerId: string
  readonly producerEpoch: number
}

export type Broker = {
  fetch(request: FetchRequest): Promise<{ readonly responses: readonly { readonly partitions: FetchedPartition[] }[] }>
  initProducerId(request: {
    readonly transactionalId: string
    readonly transactionTimeout: number
  }): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
  addPartitionsToTxn(
    request: OfTransaction & { readonly topics: readonly { topic: string; partitions: readonly number[] }[] },
  ): Promise<unknown>
  addOffsetsToTxn(request: OfTransaction & { readonly groupId: string }): Promise<unknown>
  produce(
    request: OfTransaction & {
      readonly acks: -1
      readonly topicData: readonly {
        readonly topic: string
        readonly partitions: readonly {
          readonly partition: number
          readonly firstSequence: number
          readonly messages: readonly Message[]
        }[]
      }[]
    },
  ): Promise<{
    readonly topics: readonly {
      readonly topicName: string
      readonly partitions: readonly { readonly partition: number; readonly baseOffset: string }[]
    }[]
  }>
  txnOffsetCommit(
    request: OfTransaction & {
      readonly groupId: string
      readonly topics: readonly {
        readonly topic: string
        readonly partitions: readonly { partition: number; offset: string; metadata: string }[]
      }[]
    },
  ): Promise<unknown>
  offsetCommit(request: {
    readonly groupId: string
    readonly groupGenerationId: number
    readonly memberId: string
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  }): Promise<unknown>
  offsetFetch(request: {
    readonly groupId: string
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number }[]
    }[]
  }): Promise<{
    readonly responses: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  }>
  endTxn(request: OfTransaction & { readonly transactionResult: boolean }): Promise<unknown>
}

/**
 * The part of kafkajs below its consumers and producers: those read in groups alone, which take seconds to join, and these
 * send many requests for a transaction.
 */
export type Cluster = {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[]
  /** One request to each broker, whatever the number of topics. */
  fetchTopicsOffset(
    topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number }[]
      readonly fromBeginning: boolean
    }[],
  ): Promise<
    readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  >
  refreshMetadata(): Promise<void>
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, number[]>>
  findBroker(of: { readonly nodeId: string }): Promise<Broker>
  findGroupCoordinator(of: { readonly groupId: string; readonly coordinatorType: number }): Promise<Broker>
}

/**
 * The private methods of kafkajs that Weir calls, each with the members of the object that it takes; one without takes plain
 * values. A test compares them with kafkajs.
 */
const ofTransaction = ['transactionalId', 'producerId', 'producerEpoch'] as const
export const privateMethods = {
  cluster: {
    connect: [],
    disconnect: [],
    addTargetTopic: [],
    addMultipleTargetTopics: [],
    findTopicPartitionMetadata: [],
    fetchTopicsOffset: [],
    refreshMetadata: [],
    findLeaderForPartitions: [],
    findBroker: ['nodeId'],
    findGroupCoordinator: ['groupId', 'coordinatorType'],
  },
  broker: {
    fetch: ['isolationLevel', 'maxWaitTime', 'minBytes', 'maxBytes', 'topics'],
    initProducerId: ['transactionalId', 'transactionTimeout'],
    addPartitionsToTxn: [...ofTransaction, 'topics'],
    addOffsetsToTxn: [...ofTransaction, 'groupId'],
    produce: [...ofTransaction, 'acks', 'topicData'],
    txnOffsetCommit: [...ofTransaction, 'groupId', 'topics'],
    offsetCommit: ['groupId', 'groupGenerationId', 'memberId', 'topics'],
    offsetFetch: ['groupId', 'topics'],
    endTxn: [...ofTransaction, 'transactionResult'],
  },
} as const satisfies {
  cluster: Record<keyof Cluster, readonly string[]>
  broker: { [Method in keyof Broker]: readonly (keyof Parameters<Broker[Method]>[0])[] }
}

const anotherVersion = (what: string): Error => new Error(`kafkajs ${what}: it is another version`)

/** Throws where a private part of kafkajs lacks a method: a start says so, and not a call in the middle of a transaction. */
function assertMethods(of: keyof typeof privateMethods, part: object): void {
  for (const name of Object.keys(privateMethods[of]))
    if (typeof Reflect.get(part, name) !== 'function') throw anotherVersion(`has no ${of}.${name} any more`)
}

type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean; readonly metadataMaxAge: number }) => Cluster

/** A request, and what kafkajs repeats by itself, are over by then. */
const usualStuck_ms = 30_000

/** A connection of its own with the settings of the client. Kafkajs is dormant at 2.2.4, so that its inside stays as it is. */
export function clusterOf(kafka: Kafka, stuck_ms = usualStuck_ms): Cluster {
  const found = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  // The types of kafkajs say nothing of its inside.
  const create = found && (kafka as unknown as Record<symbol, CreateCluster>)[found]
  if (!create) throw anotherVersion('makes no cluster any more')
  const cluster = create({ allowAutoTopicCreation: false, metadataMaxAge: 300_000 })
  assertMethods('cluster', cluster)
  return bounded(cluster, stuck_ms)
}

/**
 * Kafkajs may never settle a call whose connection was lost at a bad moment: it rejects here after `stuck_ms`. Whether the
 * broker has taken what was sent is then not known.
 */
function bounded(cluster: Cluster, stuck_ms: number): Cluster {
  const within = <Result>(what: string, work: Promise<Result>): Promise<Result> =>
    inTime(work, stuck_ms, () => new Error(`Kafka: ${what}: no answer within ${stuck_ms} ms`))
  const brokers = new WeakMap<Broker, Broker>()
  function boundedBroker(broker: Broker): Broker {
    const known = brokers.get(broker)
    if (known) return known
    assertMethods('broker', broker)
    const mine: Broker = {
      fetch: (request) => within('fetch', broker.fetch(request)),
      initProducerId: (request) => within('initProducerId', broker.initProducerId(request)),
      addPartitionsToTxn: (request) => within('addPartitionsToTxn', broker.addPartitionsToTxn(request)),
      addOffsetsToTxn: (request) => within('addOffsetsToTxn', broker.addOffsetsToTxn(request)),
      produce: (request) => within('produce', broker.produce(request)),
      txnOffsetCommit: (request) => within('txnOffsetCommit', broker.txnOffsetCommit(request)),
      offsetCommit: (request) => within('offsetCommit', broker.offsetCommit(request)),
      offsetFetch: (request) => within('offsetFetch', broker.offsetFetch(request)),
      endTxn: (request) => within('endTxn', broker.endTxn(request)),
    }
    brokers.set(broker, mine)
    return mine
  }
  return {
    connect: () => within('connect', cluster.connect()),
    disconnect: () => cluster.disconnect(),
    addTargetTopic: (topic) => within(`topic ${topic}`, cluster.addTargetTopic(topic)),
    addMultipleTargetTopics: (topics) => within('topics', cluster.addMultipleTargetTopics(topics)),
    findTopicPartitionMetadata: (topic) => cluster.findTopicPartitionMetadata(topic),
    fetchTopicsOffset: (topics) => within('ends of topics', cluster.fetchTopicsOffset(topics)),
    refreshMetadata: () => within('metadata', cluster.refreshMetadata()),
    findLeaderForPartitions: (topic, partitions) => cluster.findLeaderForPartitions(topic, partitions),
    findBroker: async (of) => boundedBroker(await within(`broker ${of.nodeId}`, cluster.findBroker(of))),
    findGroupCoordinator: async (of) =>
      boundedBroker(await within(`coordinator of ${of.groupId}`, cluster.findGroupCoordinator(of))),
  }
}

/** The part of kafkajs that has the requests of one connection. */
type RequestQueue = {
  readonly pending: readonly unknown[]
  /** Milliseconds since 1970; less than now where the broker holds nothing back. */
  readonly throttledUntil: number
  scheduleCheckPendingRequests(): void
}

let isQuiet = false

/**
 * Keeps connections of kafkajs 2.2.4 from waking the process a thousand times a second, each: behind an answer it looks once more whether a
 * request waits, by a timer until the end of a throttling that is none, and that look sets the next timer. Here a look is set
 * where a request waits or the broker throttles. A request that comes later sets its own.
 */
export function quietConnections(): void {
  if (isQuiet) return
  isQuiet = true
  const queue: { readonly prototype: RequestQueue } = createRequire(import.meta.url)(
    'kafkajs/src/network/requestQueue/index.js',
  )
  const schedule = queue.prototype.scheduleCheckPendingRequests
  queue.prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this)
  }
}
