import { fault } from '../../../../base/faults.ts'
import { inTime } from '../../../../base/in-time.ts'
import { createKeyedMutex } from '../../../../base/mutex.ts'
import { qualified } from '../../../../sql/identifier.ts'
import { queueStreams } from '../../../../sql/schema/ddl/matches.ts'
import { deliveredTable, queueName } from '../../../../sql/schema/names.ts'
import type { Schema, Stream } from '../../../../sql/schema/schema.ts'
import type { Catalogue } from '../../../catalogue/catalogue.ts'
import type { ClickHouse } from '../../../clickhouse/clickhouse.ts'
import type { Clock } from '../../../clock.ts'
import type { Logger } from '../../../logger.ts'
import type { Metrics } from '../../../metrics.ts'
import { createInsertPlaces } from '../../shared/insert-places.ts'
import type { KafkaClient } from '../client.ts'
import type { Fetched } from '../partition.ts'
import { refusalOf } from '../refusals.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import { createTopicConnection } from './connection.ts'
import { createConsumerPositions } from './consumer-positions.ts'
import type { KafkaConsumers } from './consuming.ts'
import { createLeftGroups } from './left-groups.ts'
import { createReader, type Reader, type ReaderPlaces } from './reader.ts'

export type TopicReadersDeps = {
  readonly client: Pick<KafkaClient, 'reading' | 'commit'>
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<
    Catalogue,
    'consumers' | 'putConsumer' | 'forgetConsumer' | 'positionBase' | 'putPositionBase' | 'erased'
  >
  readonly topics: KafkaTopics
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** The last offsets by partition that this process knows to be in a topic. */
  readonly known: (queue: string) => Offsets
  /** Finds out where a topic ends, so that events of an earlier process count among those that wait. */
  readonly reach: (queue: string) => unknown
}

/** Inserts at a time, and those of queues whose last one failed, which delay no queue that is well. */
const [insertsAtOnce, attemptsAtOnce] = [2, 1]
/** Kafka may acknowledge a record a moment before it lets it be read: a fetch waits this long for it. */
const fetch_ms = 20
/** How often it is looked whether other programs have written into topics: of a thousand topics every ten seconds. */
const [shortestLook_ms, lookOfEach_ms] = [1_000, 10]
const longestAsking_ms = 60_000
const streamsAtOnce = 4
const longestClose_ms = 7_000
/** An edit waits this long for an insert that is under way. */
const longestStop_ms = 30_000

type Attached = { readonly reader: Reader; readonly group: string; readonly close: () => void }

const notEnding = (name: string) =>
  fault('unavailable', `the reader of ${name} does not end: it waits for Kafka, or for an insert into ClickHouse`)

/** Readers of this process for the topics of its schemas, where ClickHouse runs in this process as well. */
export function createTopicReaders(deps: TopicReadersDeps) {
  const { client, clickhouse, catalogue, topics, clock, logger, metrics, known, reach } = deps
  const locally = createKeyedMutex()
  const positions = createConsumerPositions({ clickhouse, catalogue, topics })
  const left = createLeftGroups(topics)
  const isAwaited = (reader: { readonly isAwaited: () => boolean }): boolean => reader.isAwaited()
  const places: { well: ReaderPlaces; failing: ReaderPlaces } = {
    well: createInsertPlaces(insertsAtOnce, isAwaited),
    failing: createInsertPlaces(attemptsAtOnce, isAwaited),
  }
  const attached = new Map<string, Attached>()
  /** Readers that come to their end, by queue. */
  const stopping = new Map<string, Promise<void>>()
  let asking: { readonly reading: ReturnType<KafkaClient['reading']>; readonly since_ms: number } | undefined
  let onReached = (_queue: string): void => {}
  let isClosed = false

  const groupsOf = async (schema: string): Promise<ReadonlyMap<string, string>> =>
    new Map((await catalogue.consumers(schema)).map(({ queue, consumer_group }) => [queue, consumer_group]))

  /** Keeps the group of a reader before, and takes the offsets of any other one: it may have members that are not gone yet. */
  async function groupFor(queue: string, before: string | undefined, begins: Offsets): Promise<string> {
    const begin = `${topics.nameOf(queue)}.reader.`
    if (before?.startsWith(begin)) return before
    const group = `${begin}${clock.next()}`
    await topics.setCommitted(group, queue, begins)
    await catalogue.putConsumer(queue, group)
    if (before !== undefined) left.add(before)
    return group
  }

  async function make(schema: Schema, { name }: Stream, groups: ReadonlyMap<string, string>): Promise<void> {
    const queue = queueName(schema.name, name)
    if (attached.has(queue)) return
    await inTime(stopping.get(queue) ?? Promise.resolve(), longestStop_ms, () => notEnding(queue))
    await topics.ensure(queue)
    const before = groups.get(queue)
    const base = await catalogue.positionBase(queue)
    const ends = await topics.ends(queue)
    const offsets = await positions(schema.name, name, ends, before, base)
    const group = await groupFor(queue, before, offsets)
    const table = qualified(schema.name, deliveredTable(name))
    const topic = topics.nameOf(queue)
    const connection = createTopicConnection(client.reading, topic)
    const reader = createReader({
      ...{ queue, begin: { offsets, base }, places, logger, metrics },
      fetch: (partition, offset) =>
        connection.fetch(partition, offset, fetch_ms).catch((error: unknown) => {
          if (refusalOf(error) !== 'OFFSET_OUT_OF_RANGE') throw error
          return fromFirst(queue, partition, offset)
        }),
      insert: (rows) => clickhouse.insert({ table, rows }),
      commit: (reached) => client.commit(group, [{ topic, offsets: reached }]),
      onReached: () => onReached(queue),
    })
    attached.set(queue, { reader, group, close: connection.close })
    reader.see(new Map(ends.map(({ partition, end }) => [partition, end])))
    seeKnown(queue)
    if (ends.some(({ partition, end }) => end > (offsets.get(partition) ?? 0))) void reach(queue)
  }

  /** Where an offset is behind retention, or the topic was made anew, what is there comes next. */
  async function fromFirst(queue: string, partition: number, from: number): Promise<Fetched> {
    const { first: to = 0, end = 0 } = (await topics.ends(queue)).find((each) => each.partition === partition) ?? {}
    logger.error(
      { queue, partition, from, to },
      'events were deleted from a topic before they were in ClickHouse, which goes on with the first that is left; of a topic that was made anew behind Weir it passes over as many as it had taken',
    )
    return { records: [], next: to, end }
  }

  /** Shows a reader all that this process was acknowledged, or that its tasks have written. */
  function seeKnown(queue: string): void {
    attached.get(queue)?.reader.see(new Map([...known(queue)].map(([partition, last]) => [partition, last + 1])))
  }

  async function makeAll(schema: Schema): Promise<void> {
    const waiting = queueStreams(schema)
    const groups = await groupsOf(schema.name)
    const failures: unknown[] = []
    const makeNext = async (): Promise<void> => {
      for (let stream = waiting.shift(); stream; stream = waiting.shift())
        await make(schema, stream, groups).catch((error: unknown) => failures.push(error))
    }
    await Promise.all(Array.from({ length: streamsAtOnce }, makeNext))
    left.remove()
    if (failures.length > 0) throw failures[0]
  }

  async function stop(queue: string): Promise<void> {
    const found = attached.get(queue)
    if (!found) return stopping.get(queue)
    attached.delete(queue)
    const ending = found.reader.stop().finally(() => {
      found.close()
      stopping.delete(queue)
    })
    stopping.set(queue, ending)
    await ending
  }

  async function look(): Promise<void> {
    if (attached.size === 0) return
    // Kafkajs learns of partitions that were added by a new connection alone.
    if (asking && performance.now() - asking.since_ms > longestAsking_ms) endAsking()
    asking ??= { reading: client.reading(), since_ms: performance.now() }
    try {
      const ends = await topics.endsOf([...attached.keys()], asking.reading)
      for (const [queue, found] of ends) attached.get(queue)?.reader.see(found)
    } catch (error) {
      // A topic that was deleted makes all questions of a connection fail that has asked for it.
      endAsking()
      throw error
    }
  }

  function endAsking(): void {
    void asking?.reading.close().catch(() => {})
    asking = undefined
  }

  let timer: NodeJS.Timeout | undefined
  function lookLater(): void {
    timer = setTimeout(
      () => {
        void look()
          .catch((error: unknown) => logger.debug({ err: error }, 'ends of topics not known'))
          .finally(() => {
            if (!isClosed) lookLater()
          })
      },
      Math.max(shortestLook_ms, lookOfEach_ms * attached.size),
    ).unref()
  }
  lookLater()

  return {
    async refresh(): Promise<void> {},
    groupOf: (queue: string) => attached.get(queue)?.group,
    isJoining: (queue: string) => !attached.has(queue),
    troubleOf: (queue: string) => attached.get(queue)?.reader.trouble(),
    reached: (queue: string) => attached.get(queue)?.reader.reached(),
    onReached(listener: (queue: string) => void): void {
      onReached = listener
    },
    hurry: (queue: string): void => attached.get(queue)?.reader.hurry(),
    /** This process knows of more in a topic. */
    seeKnown,

    attach: (schema: Schema) => locally(schema.name, () => makeAll(schema)),

    resume: (name: string, schemaOf: () => Schema | undefined) =>
      locally(name, async () => {
        const present = schemaOf()
        if (present) await makeAll(present)
      }),

    detach: (schema: Schema) =>
      locally(schema.name, async () => {
        const stopped = Promise.all(queueStreams(schema).map(({ name }) => stop(queueName(schema.name, name))))
        await inTime(stopped, longestStop_ms, () => notEnding(schema.name))
      }),

    async forget(queue: string): Promise<void> {
      const [schema = ''] = queue.split('.')
      await locally(schema, async () => {
        const group = (await groupsOf(schema)).get(queue)
        await stop(queue)
        // The tables of usage and of graphs stay, and pass over positions that they have seen.
        await catalogue.putPositionBase(queue, clock.next())
        await topics.remove(queue)
        await catalogue.forgetConsumer(queue)
        if (group !== undefined) left.add(group)
      })
      left.remove()
    },

    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      left.close()
      const stopped = Promise.all([...attached.keys()].map(stop))
      await inTime(stopped, longestClose_ms, () => new Error('readers of topics have not stopped')).catch(
        (error: unknown) => logger.warn({ err: error }, 'an insert is under way at the end: the next start repeats it'),
      )
      endAsking()
    },
  } satisfies KafkaConsumers & Record<'seeKnown', unknown>
}

export type TopicReaders = ReturnType<typeof createTopicReaders>
