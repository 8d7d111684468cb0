import { queueStreams } from '../../../../sql/schema/ddl/matches.ts'
import { memoryQueue, queueName, turnsQueue } from '../../../../sql/schema/names.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import type { Logger } from '../../../logger.ts'
import type { TurnPlace } from '../../port.ts'
import type { KafkaTopics } from '../topics.ts'
import { notedPlace } from './task-notes.ts'

export type TaskTopicsDeps = {
  readonly topics: KafkaTopics
  readonly logger: Logger
  readonly groupOf: (queue: string) => string
  /** The schema as this process knows it. */
  readonly schemaOf: (name: string) => Schema | undefined
  readonly schema: string
  readonly partition: number
}

/** Bytes that Kafka adds to a message in its topic. */
const envelopeBytes = 4096

/** The topics of a task: those that it writes to, and its part of the changelog. */
export function createTaskTopics({ topics, logger, groupOf, schemaOf, schema, partition }: TaskTopicsDeps) {
  const turns = turnsQueue(schema)
  const rooms = new Map<string, number>()

  async function target(queue: string) {
    const { name, partitions, maxBytes } = await topics.topic(queue)
    rooms.set(queue, maxBytes - envelopeBytes)
    return { topic: name, partition: partition % partitions }
  }

  /** The last lines of each queue in the partition that the task writes to. */
  async function lastMade(): Promise<Map<string, readonly [number, number]>> {
    const made = new Map<string, readonly [number, number]>()
    const known = schemaOf(schema)
    for (const { name } of known ? queueStreams(known) : []) {
      const queue = queueName(schema, name)
      const to = await target(queue)
      const last = (await topics.lastData(queue)).get(to.partition) ?? -1
      if (last >= 0) made.set(queue, [to.partition, last])
    }
    return made
  }

  /** Of a changelog that has nothing, though events were taken: the group's place is all that is left. */
  async function placeWithoutMemory(end: number): Promise<TurnPlace | undefined> {
    const place = notedPlace(await topics.noted(groupOf(turns), turns), partition)
    // The place in a topic of that name which is no more.
    if (!place || place.offset > end) return undefined
    logger.error(
      { schema, partition, topic: topics.nameOf(memoryQueue(schema)), ...place },
      'all that rules remember was deleted from Kafka: rules begin anew behind the events that they have taken',
    )
    return place
  }

  /** Records that could not be deleted go with the next checkpoint. */
  async function shorten(offset: number): Promise<void> {
    const topic = memoryQueue(schema)
    try {
      await topics.deleteBefore(topic, partition, offset)
    } catch (error) {
      logger.warn(
        { err: error, schema, partition, topic: topics.nameOf(topic) },
        'the changelog of rules was not shortened, it grows until it can be: may this service delete records of the topic?',
      )
    }
  }

  return {
    target,
    lastMade,
    placeWithoutMemory,
    shorten,
    /** Bytes that the topic of a queue takes as one message, as far as is known. */
    roomOf: (queue: string): number => rooms.get(queue) ?? Number.POSITIVE_INFINITY,
  }
}
