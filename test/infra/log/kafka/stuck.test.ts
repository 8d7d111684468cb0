import test from 'ava'
import { createKafkaAdmin } from '../../../../infra/log/kafka/admin.ts'
import type { Admin } from '../../../../infra/log/kafka/client.ts'
import { type Cluster, clusterOf, privateMethods } from '../../../../infra/log/kafka/cluster.ts'

/** As kafkajs leaves a call whose connection ended before it was there. */
const never = (): Promise<never> => new Promise(() => {})
const stuck_ms = 50

test('a question that kafkajs never settles is put again, by another connection', async (t) => {
  let connections = 0
  const admin = createKafkaAdmin(
    {
      admin() {
        const isFirst = ++connections === 1
        const stub = {
          connect: async () => {},
          disconnect: async () => {},
          listTopics: async () => (isFirst ? never() : ['weir.a']),
        }
        return stub as unknown as Admin
      },
    },
    stuck_ms,
  )
  t.deepEqual(await admin.ask('topics', (connection) => connection.listTopics()), ['weir.a'])
  t.is(connections, 2)
})

test('a connection that is never there, for the second time too, is a fault that says for how long', async (t) => {
  const stub = { connect: never, disconnect: async () => {} }
  const admin = createKafkaAdmin({ admin: () => stub as unknown as Admin }, stuck_ms)
  await t.throwsAsync(
    admin.ask('topics', (connection) => connection.listTopics()),
    { message: `Kafka: topics: no answer within ${stuck_ms} ms` },
  )
})

const requests = [
  'fetch',
  'initProducerId',
  'addPartitionsToTxn',
  'addOffsetsToTxn',
  'produce',
  'txnOffsetCommit',
  'endTxn',
] as const

/** A kafkajs that settles no call but those that lead to a broker. */
function silentKafka(): Parameters<typeof clusterOf>[0] {
  const silent = (of: keyof typeof privateMethods) =>
    Object.fromEntries(Object.keys(privateMethods[of]).map((name) => [name, never]))
  const broker = silent('broker')
  const cluster = {
    ...silent('cluster'),
    disconnect: async () => {},
    findBroker: async () => broker,
    findGroupCoordinator: async () => broker,
  }
  return { [Symbol('private:Kafka:createCluster')]: () => cluster } as never
}

const calls: readonly (readonly [string, (cluster: Cluster) => Promise<unknown>])[] = [
  ['connect', (cluster) => cluster.connect()],
  ['topic t', (cluster) => cluster.addTargetTopic('t')],
  ['metadata', (cluster) => cluster.refreshMetadata()],
  ...requests.map(
    (request) =>
      [
        request,
        async (cluster: Cluster) => {
          const broker = await cluster.findGroupCoordinator({ groupId: 'g', coordinatorType: 1 })
          return broker[request]({} as never)
        },
      ] as const,
  ),
]
for (const [what, call] of calls) {
  test(`a task of rules does not wait for ever for what kafkajs never settles: ${what}`, async (t) => {
    const cluster = clusterOf(silentKafka(), stuck_ms)
    await t.throwsAsync(call(cluster), { message: `Kafka: ${what}: no answer within ${stuck_ms} ms` })
  })
}
