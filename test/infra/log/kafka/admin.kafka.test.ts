import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../../base/faults.ts'
import { createKafkaAdmin } from '../../../../infra/log/kafka/admin.ts'
import { brokerOfRun, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog } from '../../../support/parts/kafka-log.ts'
import { until } from '../../../support/until.ts'

/** As kafkajs throws it where a connection ends with a request under way. */
class KafkaJSConnectionClosedError extends Error {
  override name = 'KafkaJSConnectionClosedError'
}

withKafka('a question that fails does not cut off those that are under way beside it', async (t) => {
  const { client } = openKafkaLog(t, (await brokerOfRun()).brokers)
  let isUnderWay = false
  const cutOff: boolean[] = []
  const admin = createKafkaAdmin({
    admin() {
      const real = client.admin()
      const disconnect = (): Promise<void> => {
        cutOff.push(isUnderWay)
        return real.disconnect()
      }
      return { ...real, disconnect }
    },
  })
  t.teardown(admin.close)
  let others = 0
  const slow = admin.ask('a slow question', async (connection) => {
    isUnderWay = true
    await sleep(600)
    const names = await connection.listTopics()
    isUnderWay = false
    return names
  })
  const failing = admin.ask('a failing question', async (connection) => {
    await sleep(200)
    if (++others === 1) throw Object.assign(new Error('the controller moves'), { type: 'NOT_CONTROLLER' })
    return connection.listTopics()
  })
  t.true(Array.isArray(await slow))
  t.true(Array.isArray(await failing))
  await until('the connection that failed is ended', () => cutOff.length > 0)
  t.deepEqual(cutOff, [false])
})

withKafka('a broker that closes the connection some times is asked again; one that refuses is not', async (t) => {
  const { client } = openKafkaLog(t, (await brokerOfRun()).brokers)
  const admin = createKafkaAdmin(client)
  t.teardown(admin.close)
  let attempts = 0
  const answer = await admin.ask('topics', async (connection) => {
    if (++attempts < 5) throw new KafkaJSConnectionClosedError('Closed connection')
    return connection.listTopics()
  })
  t.true(Array.isArray(answer))
  let refusals = 0
  const refused = admin.ask('topics', async () => {
    refusals++
    throw Object.assign(new Error('no'), { type: 'TOPIC_AUTHORIZATION_FAILED' })
  })
  await t.throwsAsync(refused, { instanceOf: Fault, message: 'Kafka: topics: TOPIC_AUTHORIZATION_FAILED' })
  t.is(refusals, 2)
})
