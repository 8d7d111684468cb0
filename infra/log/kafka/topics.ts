import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'
import { createKafkaAdmin, topicNames, topicOffsets } from './admin.ts'
import { type KafkaClient, refusalOf } from './client.ts'
import { openTopic, type Topic, type TopicKind, type TopicOptions } from './topic-making.ts'

export type KafkaTopicOptions = TopicOptions & {
  readonly client: KafkaClient
  /** Begins the name of each topic. */
  readonly prefix: string
}

export type Offsets = ReadonlyMap<number, number>
export type PartitionEnd = { readonly partition: number; readonly first: number; readonly end: number }
/** How far a group is in a partition, and the note that it left. */
export type NotedOffset = { readonly partition: number; readonly offset: number; readonly note: string }
const patience_ms = 10_000
/** The topics of streams, and the offsets of consumer groups in them. Topics are made here, not by the broker. */
export function createKafkaTopics(options: KafkaTopicOptions) {
  const { client, prefix } = options
  const topics = new Map<string, Promise<Topic>>()
  const { ask, close } = createKafkaAdmin(client)

  const nameOf = (queue: string): string => `${prefix}.${queue}`

  function topic(queue: string, kind: TopicKind = {}): Promise<Topic> {
    const known = topics.get(queue)
    if (known) return known
    const name = nameOf(queue)
    const opening = ask(`topic ${name}`, (admin) => openTopic(admin, name, kind, options))
    topics.set(queue, opening)
    opening.catch(() => {
      if (topics.get(queue) === opening) topics.delete(queue)
    })
    return opening
  }

  const noted = (group: string, queue: string): Promise<readonly NotedOffset[]> =>
    ask(`offsets of group ${group}`, async (admin) => {
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [nameOf(queue)] })
      return (found?.partitions ?? [])
        .map(({ partition, offset, metadata }) => ({ partition, offset: Number(offset), note: metadata ?? '' }))
        .filter(({ offset }) => offset >= 0)
    })

  const committed = async (group: string, queue: string): Promise<Offsets> =>
    new Map((await noted(group, queue)).map(({ partition, offset }) => [partition, offset]))

  const ends = (queue: string): Promise<readonly PartitionEnd[]> =>
    ask(`offsets of ${nameOf(queue)}`, async (admin) =>
      (await topicOffsets(admin, nameOf(queue)))
        .map(({ partition, low, high }) => ({ partition, first: Number(low), end: Number(high) }))
        .toSorted((a, b) => a.partition - b.partition),
    )

  /** The ends of transactions are records without data, which no consumer is ever seen to pass. */
  async function lastData(queue: string): Promise<Offsets> {
    const found = await ends(queue)
    const last = found.map(({ partition, end }): [number, number] => [partition, end - 1])
    const ranges = found.filter(({ first, end }) => first < end)
    return new Map(ranges.length === 0 ? last : [...last, ...(await client.lastData(nameOf(queue), ranges))])
  }

  return {
    nameOf,
    /** The topic of a queue, made where it is not there. It is asked for once. */
    topic,
    /** The number of partitions of a queue's topic, which is made where it is not there. */
    ensure: async (queue: string, kind?: TopicKind): Promise<number> => (await topic(queue, kind)).partitions,
    /** The same, of a topic that may have been deleted since. */
    async ensureAgain(queue: string, kind?: TopicKind): Promise<number> {
      topics.delete(queue)
      return (await topic(queue, kind)).partitions
    },
    /** The next request for the topic finds out anew whether it is there. */
    forget: (queue: string): unknown => topics.delete(queue),
    /** Resolves once the topic is gone, so that one of its name can be made again. */
    async remove(queue: string): Promise<void> {
      const name = nameOf(queue)
      topics.delete(queue)
      const exists = (): Promise<boolean> => ask(`topics`, async (admin) => (await topicNames(admin)).includes(name))
      for (const end = performance.now() + patience_ms; await exists(); await sleep(50)) {
        await ask(`deleting topic ${name}`, async (admin) => {
          await admin.deleteTopics({ topics: [name], timeout: patience_ms }).catch((error: unknown) => {
            if (refusalOf(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error
          })
        })
        if (performance.now() > end) {
          throw fault('unavailable', `Kafka: topic ${name} is still there ${patience_ms} ms after its deletion`)
        }
      }
    },
    /** Deletes all records of a partition before this offset. */
    deleteBefore: (queue: string, partition: number, offset: number): Promise<void> =>
      ask(`deleting records of ${nameOf(queue)}`, (admin) =>
        admin.deleteTopicRecords({ topic: nameOf(queue), partitions: [{ partition, offset: String(offset) }] }),
      ),
    /** For each partition its first offset, and the offset of the next message. */
    ends,
    /** Where the topics of many queues end: a few requests whatever their number. A queue without a topic is absent. */
    async endsOf(queues: readonly string[], asking: Pick<KafkaClient, 'ends'> = client): Promise<Map<string, Offsets>> {
      const there = new Set(await ask('topics', topicNames))
      const queueOf = new Map(queues.map((queue) => [nameOf(queue), queue]))
      const asked = [...queueOf.keys()].filter((name) => there.has(name))
      if (asked.length === 0) return new Map()
      const found = await ask('the ends of topics', () => asking.ends(asked))
      return new Map(found.map(({ topic, offsets }) => [queueOf.get(topic) ?? topic, offsets]))
    },
    /** How far many groups are, each in the topic of its queue. */
    async committedOf(
      groups: readonly { readonly queue: string; readonly group: string; readonly partitions: readonly number[] }[],
    ): Promise<Map<string, Offsets>> {
      const queueOf = new Map(groups.map(({ queue }) => [nameOf(queue), queue]))
      const asked = groups.map(({ queue, ...rest }) => ({ topic: nameOf(queue), ...rest }))
      const found = await ask('the offsets of groups', () => client.committed(asked))
      return new Map(found.map(({ topic, offsets }) => [queueOf.get(topic) ?? topic, offsets]))
    },
    /** The offset of the last line in each partition, less than the first one that is kept where there is none. */
    lastData,
    /** The offset from which a group goes on, by partition; partitions for which it has none are absent. */
    committed,
    /** The same, with the notes beside the offsets. */
    noted,
    /** Tells a group that has no members where to go on; resolves once that can be read. */
    async setCommitted(group: string, queue: string, offsets: Offsets): Promise<void> {
      if (offsets.size === 0) return
      const topic = nameOf(queue)
      const what = `setting offsets of group ${group}`
      await ask(what, () => client.commit(group, [{ topic, offsets }]))
      for (const end = performance.now() + patience_ms; ; await sleep(5)) {
        const set = await committed(group, queue)
        if ([...offsets].every(([partition, offset]) => set.get(partition) === offset)) return
        if (performance.now() > end) throw fault('unavailable', `Kafka: ${what}: not there after ${patience_ms} ms`)
      }
    },
    /** Forgets a group; one that still has members stays, and that is a fault. */
    removeGroup: (group: string): Promise<void> =>
      ask(`deleting group ${group}`, async (admin) => {
        const { groups } = await admin.listGroups()
        if (groups.some(({ groupId }) => groupId === group)) await admin.deleteGroups([group])
      }),
    /** Resolves once a broker has answered. */
    reach: (): Promise<void> =>
      ask('its brokers', async (admin) => {
        await admin.describeCluster()
      }),
    close,
  }
}

export type KafkaTopics = ReturnType<typeof createKafkaTopics>
