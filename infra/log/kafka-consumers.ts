import { createTopicFeed, createTopicTable, dropTopic } from '../../sql/schema/ddl/topic.ts'
import { queueName, topicTable } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import type { Catalogue } from '../catalogue.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { KafkaTopics, Offsets } from './kafka-topics.ts'

export type KafkaConsumersDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly topics: KafkaTopics
  readonly clock: Clock
  readonly logger: Logger
  /** How ClickHouse reaches the brokers: the list, and settings of its Kafka tables for TLS and SASL. */
  readonly broker: { readonly brokers: string; readonly settings: Readonly<Record<string, string>> }
  /** ClickHouse runs in this process and ends with it, so no table of an earlier process still consumes. */
  readonly isEmbedded: boolean
}

/** How long it is waited for a new consumer to be given its partitions; it goes on by itself when that takes longer. */
const assignment_ms = 10_000
const assignmentPoll_ms = 20
/** A consumer that has not polled for as long is taken for dead. */
const silence_ms = 10_000
const schemasAtOnce = 4

/**
 * The Kafka tables by which ClickHouse takes the events of topics.
 *
 * A consumer that comes back under its group's name gets its first rows after 43 s (ClickHouse 26.7, Kafka 4.1), so each
 * has a group of its own, which begins where the one before had committed. What that one had taken and not committed
 * comes again; the watermarks of the tables pass over it.
 */
export function createKafkaConsumers(deps: KafkaConsumersDeps) {
  const { clickhouse, catalogue, topics, clock, logger, broker, isEmbedded } = deps
  const groups = new Map<string, string>()
  /** Groups that were left; Kafka lets them go once their last member has. */
  const left = new Set<string>()

  const inputs = ({ streams }: Schema): Stream[] => streams.filter(({ kind }) => kind === 'input')
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  async function attachStream(schema: Schema, stream: Stream): Promise<void> {
    const queue = queueName(schema.name, stream.name)
    await topics.ensure(queue)
    const before = groups.get(queue)
    if (before !== undefined && !isEmbedded && (await isConsuming(schema.name, stream.name, before))) return
    await run(dropTopic(schema.name, stream.name))
    const group = `${topics.nameOf(queue)}.${clock.next()}`
    await topics.setCommitted(group, queue, await positions(queue, before))
    await catalogue.putConsumer(queue, group)
    groups.set(queue, group)
    if (before !== undefined) left.add(before)
    await clickhouse.run(createTopicTable(schema, stream, { topic: topics.nameOf(queue), group }, broker))
    await clickhouse.run(createTopicFeed(schema, stream))
    await assigned(schema.name, stream.name)
  }

  /** Where the last group stood; from the start where there was none, or Kafka has forgotten it. */
  async function positions(queue: string, group: string | undefined): Promise<Offsets> {
    const ends = await topics.ends(queue)
    const committed = group === undefined ? undefined : await topics.committed(group, queue)
    return new Map(ends.map(({ partition, first }) => [partition, committed?.get(partition) ?? first]))
  }

  const consumerOf = (schema: string, stream: string) =>
    clickhouse.rows<{ partitions: number; silent_ms: number; group: number }>({
      text: `SELECT length(assignments.partition_id) AS partitions,
        toInt64(1000) * dateDiff('second', last_poll_time, now()) AS silent_ms
        FROM system.kafka_consumers WHERE database = {schema:String} AND table = {table:String}`,
      params: { schema, table: topicTable(stream) },
    })

  async function isConsuming(schema: string, stream: string, group: string): Promise<boolean> {
    const made = await clickhouse.rows<{ one: number }>({
      text: `SELECT 1 AS one FROM system.tables WHERE database = {schema:String} AND name = {table:String}
        AND position(create_table_query, {group:String}) > 0`,
      params: { schema, table: topicTable(stream), group: `'${group}'` },
    })
    if (made.length === 0) return false
    const consumers = await consumerOf(schema, stream)
    return consumers.some(({ partitions, silent_ms }) => Number(partitions) > 0 && Number(silent_ms) < silence_ms)
  }

  async function assigned(schema: string, stream: string): Promise<void> {
    const end = performance.now() + assignment_ms
    while (performance.now() < end) {
      const consumers = await consumerOf(schema, stream)
      if (consumers.some(({ partitions }) => Number(partitions) > 0)) return
      await new Promise((resolve) => setTimeout(resolve, assignmentPoll_ms))
    }
    logger.warn({ schema, stream }, 'the consumer has no partitions yet')
  }

  async function removeLeft(): Promise<void> {
    for (const group of left) {
      const isGone = await topics.removeGroup(group).then(
        () => true,
        () => false,
      )
      if (isGone) left.delete(group)
    }
  }

  return {
    async load(): Promise<void> {
      for (const { queue, consumer_group } of await catalogue.consumers()) groups.set(queue, consumer_group)
    },

    /** The last that ClickHouse says went wrong with a queue's consumer. */
    async trouble(queue: string): Promise<string | undefined> {
      const [schema = '', stream = ''] = queue.split('.')
      const [row] = await clickhouse.rows<{ text: string }>({
        text: `SELECT exceptions.text[-1] AS text FROM system.kafka_consumers
          WHERE database = {schema:String} AND table = {table:String}`,
        params: { schema, table: topicTable(stream) },
      })
      return row?.text || undefined
    },

    groupOf: (queue: string): string | undefined => groups.get(queue),

    /** Makes ClickHouse take the events of a schema's topics; a consumer that does so already is left alone. */
    async attach(schema: Schema): Promise<void> {
      const waiting = inputs(schema)
      const attachNext = async (): Promise<void> => {
        for (let stream = waiting.shift(); stream; stream = waiting.shift()) await attachStream(schema, stream)
      }
      await Promise.all(Array.from({ length: schemasAtOnce }, attachNext))
      void removeLeft()
    },

    /** Ends that: what a consumer is at is brought to its end. */
    async detach(schema: Schema): Promise<void> {
      for (const stream of inputs(schema)) await run(dropTopic(schema.name, stream.name))
    },

    /** Takes a stream's topic away, with what was not consumed. */
    async forget(queue: string): Promise<void> {
      const [schema = '', stream = ''] = queue.split('.')
      const group = groups.get(queue)
      await run(dropTopic(schema, stream))
      await topics.remove(queue)
      groups.delete(queue)
      await catalogue.forgetConsumer(queue)
      if (group !== undefined) left.add(group)
      void removeLeft()
    },
  }
}

export type KafkaConsumers = ReturnType<typeof createKafkaConsumers>
