import type { Schema } from '../../../../sql/schema/schema.ts'
import type { Offsets } from '../topics.ts'

/**
 * Brings the events of topics into ClickHouse. A server reads the topics itself, by its Kafka tables; where ClickHouse runs in
 * this process, this process reads them and inserts.
 */
export type KafkaConsumers = {
  /** How the consumers are, asked anew. */
  refresh(): Promise<unknown>
  /** The group that has the offsets of a queue's consumer; undefined where it has none yet. */
  groupOf(queue: string): string | undefined
  /** Whether the consumer of a queue has not begun yet; `moved_ms` is when it last took something. */
  isJoining(queue: string, moved_ms: number): boolean
  /** Why the consumer of a queue takes nothing. */
  troubleOf(queue: string): string | undefined
  /** Begins with a schema whose tables are there; resolves when its events are on their way. */
  attach(schema: Schema): Promise<void>
  /** The same for a schema of an earlier process: `schemaOf` is asked once nothing else is at work on its consumers. */
  resume(name: string, schemaOf: () => Schema | undefined): Promise<void>
  /** Ends that: a block that a consumer is at is brought to its end. */
  detach(schema: Schema): Promise<void>
  /** Deletes a stream's topic, with the events that were not consumed. */
  forget(queue: string): Promise<void>
  close(): Promise<void>
  /** Begins to make anew the consumers that a server has lost. */
  mendGone?(schemas: readonly Schema[], schemaOf: (name: string) => Schema | undefined): Promise<void>
  /** Where a consumer of this process goes on, by partition: all before is in every table. */
  reached?(queue: string): Offsets | undefined
  /** Is called with each queue whose consumer has reached more. */
  onReached?(listener: (queue: string) => void): void
  /** There is something to take, or a query waits for it. */
  hurry?(queue: string): void
}
