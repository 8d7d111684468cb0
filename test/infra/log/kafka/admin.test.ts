import test from 'ava'
import { createKafkaAdmin } from '../../../../infra/log/kafka/admin.ts'

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
  t.deepEqual(await admin.ask('offsets of t', (of) => of.fetchTopicOffsets('t')), [
    { partition: 0, offset: '7' },
  ] as never)
})
