import test from 'ava'
import { createKafkaAdmin, topicMetadata, topicNames, topicOffsets } from '../../../../infra/log/kafka/admin.ts'

type Client = Parameters<typeof createKafkaAdmin>[0]

/** An admin whose questions fail as those of kafkajs do while a topic has no leader, so many times. */
function clientOf(failures: number) {
  let asked = 0
  const fetchTopicOffsets = async () => {
    const high: { partitions: object[] }[] = asked++ < failures ? [] : [{ partitions: [{ partition: 0, offset: '7' }] }]
    const { partitions } = high.pop() as { partitions: object[] }
    return partitions
  }
  const admin = { connect: async () => {}, disconnect: async () => {}, fetchTopicOffsets }
  return { admin: () => admin } as unknown as Client
}

test('offsets of a topic that has no leader yet are asked for until it has one', async (t) => {
  const admin = createKafkaAdmin(clientOf(5))
  t.deepEqual(await admin.ask('offsets of t', (of) => topicOffsets(of, 't')), [{ partition: 0, offset: '7' }] as never)
})

test('a topic that gets no leader is told so, and a fault of ours is not taken for that', async (t) => {
  await t.throwsAsync(topicOffsets(clientOf(1).admin(), 't'), { message: 't has no leader yet' })
  const failing = { fetchTopicOffsets: async () => Promise.reject(new RangeError('x')) } as unknown as ReturnType<
    Client['admin']
  >
  await t.throwsAsync(topicOffsets(failing, 't'), { instanceOf: RangeError })
})

test('metadata that no broker gives are told so, in place of a line of the library', async (t) => {
  // As kafkajs does it: an answer of null where all brokers failed.
  const none = async (): Promise<{ topicMetadata: { topic: string }[] } | null> => null
  const admin = {
    listTopics: async () => {
      const { topicMetadata: found } = (await none()) as { topicMetadata: { topic: string }[] }
      return found.map(({ topic }) => topic)
    },
    fetchTopicMetadata: async () => ({ topics: ((await none()) as { topicMetadata: unknown }).topicMetadata }),
  } as unknown as ReturnType<Client['admin']>
  await t.throwsAsync(topicNames(admin), { message: 'no broker answers' })
  await t.throwsAsync(topicMetadata(admin, 't'), { message: 'no broker answers' })
})
