import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { spawnService } from '../../support/process.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { isOnePass, load, schema as ruled } from '../rules/crash-load.ts'
import { differences } from '../streams/compare.ts'
import { next, sentAt, whole } from '../streams/crash-schema.ts'

const schema = whole('load')
const settings = () => ({ DATA_DIR: temporaryFolder(), CLICKHOUSE_HTTP_PORT: '0' })

withKafka(
  'a broker that stands still or dies costs no acknowledged event, and what it cannot take is refused with 503',
  async (t) => {
    t.timeout(725_000)
    const kafka = await startTestKafka(t)
    const { client, end, errors } = await spawnService({ ...settings(), KAFKA_BROKERS: kafka.brokers })
    t.teardown(() => end('SIGKILL'))
    t.teardown(() => t.passed || t.log(errors().slice(-20_000)))
    await client.register(schema)
    await client.register(ruled)
    const acknowledged = new Set<number>()
    const refused = new Set<string>()
    let stopped = false
    const loading = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stopped) {
          const events = Array.from({ length: 10 }, next)
          const text = events.map((event) => JSON.stringify(event)).join('\n')
          const answer = await client.post('/stream/load/s', text, { 'content-type': 'application/x-ndjson' })
          if (answer.status === 200) for (const { _pk } of events) acknowledged.add(_pk)
          else {
            refused.add(`${answer.status} ${answer.body?.errcode} ${answer.headers.has('retry-after')}`)
            await sleep(50)
          }
        }
      }),
    )
    const random = randomFor(t)
    const ruling = Promise.all(
      ['k0', 'k1'].map((key) =>
        load(
          () => client,
          key,
          random,
          () => stopped,
        ),
      ),
    )
    const passed = async (): Promise<number> => {
      const sql = 'select count(*) from crash.b'
      const { status, body } = await client.send('POST', '/db/mydb/query?consistency=eventual', { sql })
      return status === 200 ? body.retval : 0
    }
    await until('rules take events', async () => (await passed()) > 5, 60_000)
    await kafka.pause()
    // An event waits 15 s for an answer to it.
    await until('what the broker does not answer is refused', () => refused.size > 0, 60_000)
    t.is((await client.get('/health/live')).status, 200)
    kafka.resume()
    const before = acknowledged.size
    await until('events are taken again', () => acknowledged.size > before + 50, 60_000)
    await kafka.kill()
    await sleep(1_000)
    await kafka.restart()
    const again = acknowledged.size
    await until('events are taken again', () => acknowledged.size > again + 50, 60_000)
    const taken = await passed()
    await until('rules take events again', async () => (await passed()) > taken + 5, 90_000)
    stopped = true
    await loading
    const posted = await ruling
    t.true(refused.size > 0)
    t.true(
      [...refused].every((each) => /^503 -[67] true$/.test(each)),
      [...refused].join(),
    )

    // ClickHouse's consumer takes a while to find a broker again that died: until then a query says that it waited.
    const counting = { sql: 'select count(*) from load.s' }
    const count = async (): Promise<number> => {
      const { status, body } = await client.send('POST', '/db/mydb/query', counting)
      t.true(status === 200 || (status === 504 && body.errcode === -7), `${status}`)
      return status === 200 ? body.retval : 0
    }
    await until('events are there', async () => (await count()) >= acknowledged.size, 90_000)
    // An event that was refused may have reached the broker all the same, and comes as late as the broker lets it: what is
    // derived is compared with the events once none came in between.
    const compared = async () => {
      const documents = await client.documents('select * from load.s')
      const times = new Set(documents.map(({ _pk }) => Number(_pk)))
      return { documents, times, found: await differences(client, schema, { s: sentAt(times) }) }
    }
    let now = await compared()
    const isSettled = async (): Promise<boolean> => {
      if ((await count()) === now.documents.length) return true
      now = await compared()
      return false
    }
    await until('no event comes any more', isSettled, 90_000)
    t.is(now.times.size, now.documents.length)
    t.deepEqual(
      [...acknowledged].filter((time) => !now.times.has(time)),
      [],
    )
    t.deepEqual(now.found, [])

    const counted = async (stream: string): Promise<number> => {
      const { status, body } = await client.send('POST', '/db/mydb/query', {
        sql: `select count(*) from crash.${stream}`,
      })
      return status === 200 ? body.retval : -1
    }
    for (const stream of ['a', 'b', 'pairs', 'rises']) {
      await until(`a query sees all of ${stream}`, async () => (await counted(stream)) >= 0, 90_000)
    }
    await isOnePass(t, client, posted)
  },
)

test('a broker that is not there lets the service start: ingest is refused, the rest answers', async (t) => {
  const { client, end } = await spawnService({ ...settings(), KAFKA_BROKERS: '127.0.0.1:9' })
  t.teardown(() => end('SIGKILL'))
  t.is((await client.get('/health/live')).status, 200)
  t.deepEqual((await client.ok(client.get('/stream/list'))).schemas, [])
  const registered = await client.post('/stream', schema)
  t.is(registered.status, 503)
  t.true(registered.headers.has('retry-after'))
  t.is((await client.get('/stream/load/schema')).status, 404)
})
