import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

withKafka(
  "where the broker asks for a name and a password Weir posts events with them, and ClickHouse's own consumers take them",
  async (t) => {
    t.timeout(600_000)
    t.teardown(killServices)
    const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
    const { brokers } = await startTestKafka(t, {
      properties: {
        'listener.security.protocol.map': 'CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
        'sasl.enabled.mechanisms': 'PLAIN',
        'sasl.mechanism.inter.broker.protocol': 'PLAIN',
        'listener.name.clients.plain.sasl.jaas.config': `${login} username="weir" password="secret" user_weir="secret";`,
      },
    })
    const { client, errors } = await spawnService({
      DATA_DIR: temporaryFolder(),
      KAFKA_BROKERS: brokers,
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'weir',
      KAFKA_SASL_PASSWORD: 'secret',
    })
    await client.register({
      schema: 'login',
      streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
    })
    await client.lines(
      'login.s',
      Array.from({ length: 100 }, (_, n) => ({ n })),
    )
    t.is(await client.count('select count(*) from login.s'), 100)
    const [row] = await client.rows('select aggr(n) from login.s rollup 1')
    t.is(JSON.parse(String(row?.v)).aggr_val.sum, 4950)
    t.false(errors().includes('secret'), 'the password is in no log')
  },
)
