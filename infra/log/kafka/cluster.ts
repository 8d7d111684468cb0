import type { Kafka } from 'kafkajs'

/** A record as kafkajs decodes it. Control records mark the end of a transaction. */
export type FetchedMessage = {
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
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
  refreshMetadata(): Promise<void>
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, number[]>>
  findBroker(of: { readonly nodeId: string }): Promise<Broker>
  findGroupCoordinator(of: { readonly groupId: string; readonly coordinatorType: number }): Promise<Broker>
}

type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean; readonly metadataMaxAge: number }) => Cluster

/** A connection of its own with the settings of the client. Kafkajs is dormant at 2.2.4, so that its inside stays as it is. */
export function clusterOf(kafka: Kafka): Cluster {
  const found = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  // The types of kafkajs say nothing of its inside.
  const create = found && (kafka as unknown as Record<symbol, CreateCluster>)[found]
  if (!create) throw new Error('kafkajs makes no cluster any more: it is another version')
  return create({ allowAutoTopicCreation: false, metadataMaxAge: 300_000 })
}
