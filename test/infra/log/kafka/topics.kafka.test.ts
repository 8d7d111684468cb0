import { Fault } from '../../../../base/faults.ts'
import { createKafkaClient } from '../../../../infra/log/kafka/client.ts'
import { createKafkaTopics } from '../../../../infra/log/kafka/topics.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { brokerOfRun, startTestKafka, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog } from '../../../support/parts/kafka-log.ts'

withKafka('a topic is made once, with its settings, and can be made again after it was removed', async (t) => {
  const { brokers } = await brokerOfRun()
  const { topics, client, prefix } = openKafkaLog(t, brokers)
  t.deepEqual(await Promise.all([topics.ensure('s.a'), topics.ensure('s.a')]), [3, 3])
  const admin = client.admin()
  await admin.connect()
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name: `${prefix}.s.a` }],
  })
  await admin.disconnect()
  const found = new Map(resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]))
  t.is(found.get('retention.ms'), '3600000')
  t.is(found.get('message.timestamp.type'), 'LogAppendTime')
  t.true(Number(found.get('max.message.bytes')) > 8 * 1024 * 1024)
  await topics.remove('s.a')
  await topics.remove('s.a')
  t.is(await topics.ensure('s.a'), 3)
  t.deepEqual(
    await topics.ends('s.a'),
    [0, 1, 2].map((partition) => ({ partition, first: 0, end: 0 })),
  )
})

withKafka('two processes that make the same topic at once both have it', async (t) => {
  const { brokers } = await brokerOfRun()
  const one = openKafkaLog(t, brokers)
  const two = openKafkaLog(t, brokers, { prefix: one.prefix })
  t.deepEqual(await Promise.all([one.topics.ensure('s.a'), two.topics.ensure('s.a')]), [3, 3])
})

withKafka('a group goes on where it is told to, and is forgotten', async (t) => {
  const { brokers } = await brokerOfRun()
  const { log, topics, prefix } = openKafkaLog(t, brokers)
  await log.append('s.a', Buffer.from('{"_seq":1}\n'), 1)
  const group = `${prefix}-group`
  t.deepEqual(await topics.committed(group, 's.a'), new Map())
  const offsets = new Map([
    [0, 1],
    [2, 0],
  ])
  await topics.setCommitted(group, 's.a', offsets)
  t.deepEqual(await topics.committed(group, 's.a'), offsets)
  await topics.setCommitted(group, 's.a', new Map([[0, 0]]))
  t.is((await topics.committed(group, 's.a')).get(0), 0)
  await topics.removeGroup(group)
  await topics.removeGroup(group)
  t.deepEqual(await topics.committed(group, 's.a'), new Map())
})

withKafka('a broker that asks for a name and a password gets them; a wrong one is told', async (t) => {
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
  const { brokers } = await startTestKafka(t, {
    properties: {
      'listener.security.protocol.map': 'CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
      'sasl.enabled.mechanisms': 'PLAIN',
      'sasl.mechanism.inter.broker.protocol': 'PLAIN',
      'listener.name.clients.plain.sasl.jaas.config': `${login} username="weir" password="secret" user_weir="secret";`,
    },
  })
  const logger = silentLogger()
  const topicsAs = (password: string) => {
    const sasl = { mechanism: 'plain', username: 'weir', password } as const
    const client = createKafkaClient({ brokers: [brokers], tls: false, sasl }, logger)
    const numbers = { partitions: 1, replication: 1, retentionHours: 1, maxEventBytes: 1_000_000 }
    const topics = createKafkaTopics({ client, logger, prefix: 'sasl', ...numbers })
    t.teardown(topics.close)
    return topics
  }
  t.is(await topicsAs('secret').ensure('s.a'), 1)
  await t.throwsAsync(topicsAs('wrong').ensure('s.a'), { instanceOf: Fault, message: /authentication/i })
})
