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

type Broker = {
  fetch(request: FetchRequest): Promise<{ readonly responses: readonly { readonly partitions: FetchedPartition[] }[] }>
}

/** The part of kafkajs below its consumers: they read in groups alone, which take seconds to join. */
export type Cluster = {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  refreshMetadata(): Promise<void>
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, number[]>>
  findBroker(of: { readonly nodeId: string }): Promise<Broker>
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
