import { setTimeout as sleep } from 'node:timers/promises'
import { startSecondBroker, startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { spawnService } from '../../support/process.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { isOnePass, load, loadBodies, schema } from './crash-load.ts'

const keys = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5']
/** Longer than a task waits for a broker: it fails amid a transaction, and begins anew. */
const still_ms = 20_000

withKafka(
  'rules over two brokers, one of which stands still for 20 s and then dies: rows are those of one pass, once each',
  async (t) => {
    t.timeout(725_000)
    const kafka = await startTestKafka(t)
    const second = await startSecondBroker(t, kafka)
    const brokers = `${kafka.brokers},${second.brokers}`
    const settings = { KAFKA_BROKERS: brokers, KAFKA_PARTITIONS: '4', CLICKHOUSE_HTTP_PORT: '0' }
    const service = await spawnService({ ...settings, DATA_DIR: temporaryFolder() })
    t.teardown(() => service.end('SIGKILL'))
    t.teardown(() => t.passed || t.log(service.errors().slice(-20_000)))
    const { client } = service
    await client.register(schema)
    const random = randomFor(t)
    let isStopped = false
    const stopped = (): boolean => isStopped
    const loading = Promise.all([
      ...keys.map((key) => load(() => client, key, random, stopped, 10)),
      ...['body0', 'body1'].map((key) => loadBodies(() => client, key, random, stopped, 150)),
    ])
    const taken = async (): Promise<number> => {
      const sql = 'select count(*) from crash.b'
      const { status, body } = await client.send('POST', '/db/mydb/query?consistency=eventual', { sql })
      return status === 200 ? body.retval : 0
    }
    const goOn = async (what: string): Promise<void> => {
      const before = await taken()
      await until(`rules take events ${what}`, async () => (await taken()) > before + 50, 120_000)
    }
    await goOn('at first')
    await second.pause()
    await sleep(still_ms)
    second.resume()
    await goOn('of a broker that stood still')
    await second.kill()
    await sleep(1_000)
    await second.restart()
    await goOn('of a broker that died')
    isStopped = true
    const posted = await loading
    const areSeen = async (stream: string): Promise<boolean> => {
      const { status } = await client.send('POST', '/db/mydb/query', { sql: `select count(*) from crash.${stream}` })
      return status === 200
    }
    for (const stream of ['a', 'b', 'pairs', 'rises']) {
      await until(`a query sees all of ${stream}`, () => areSeen(stream), 90_000)
    }
    await isOnePass(t, client, posted)
  },
)
