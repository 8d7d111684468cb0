import test from 'ava'
import type { Cluster } from '../../../../infra/log/kafka/cluster.ts'
import { openPartition } from '../../../../infra/log/kafka/partition.ts'

const record = (offset: number) => ({ offset: String(offset), key: null, value: Buffer.from('x'), timestamp: '0' })

/** A broker whose answers stand in a list. */
function brokerOf(answers: readonly (readonly number[])[]) {
  let asked = 0
  const fetch = async () => ({
    responses: [
      {
        partitions: [
          {
            messages: (answers[asked++] ?? []).map(record),
            lastStableOffset: '3',
            highWatermark: '3',
            abortedTransactions: [],
          },
        ],
      },
    ],
  })
  const cluster = {
    connect: async () => {},
    addTargetTopic: async () => {},
    findLeaderForPartitions: () => ({ 1: [0] }),
    findBroker: async () => ({ fetch }),
  }
  return { cluster: cluster as unknown as Cluster, asked: () => asked }
}

test('a broker that answers nothing before the end of a partition is asked again: no record is passed', async (t) => {
  const { cluster, asked } = brokerOf([[], [], [0, 1, 2]])
  const { records, next } = await openPartition(cluster, 'topic', 0).fetch(0)
  t.deepEqual(
    records.map(({ offset }) => offset),
    [0, 1, 2],
  )
  t.is(next, 3)
  t.is(asked(), 3)
})
