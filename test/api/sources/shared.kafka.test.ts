/** Two processes on one Kafka and one ClickHouse server: one of them reads a source, whichever is there. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { madeTopic } from './topic.ts'

test.after.always(killServices)

withKafka.serial(
  'a source is read by one of two processes, and by the other when that ends or is killed',
  async (t) => {
    t.timeout(700_000)
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server') })
    t.teardown(() => server.kill())
    const { brokers, settings: ofLog } = await brokerOfRun()
    const made = await madeTopic(brokers, 2)
    t.teardown(made.close)
    const start = (name: string) =>
      spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url, ...ofLog, ROLE: 'api' })
    let [one, two] = [await start('one'), await start('two')]
    const attr = [{ name: 'n', type: 'LONG' }]
    await one.client.ok(one.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
    const kafka = { brokers: [brokers], topic: made.topic }
    await one.client.ok(one.client.send('PUT', '/source/shared', { kafka, into: 's.st' }))
    const shown = (by: ServiceProcess) => by.client.ok(by.client.get('/source/shared'))
    const reads = async (by: ServiceProcess): Promise<boolean> =>
      (await by.client.get('/metrics')).text.includes('weir_source_lag{source="shared",partition="0"}')
    let sent = 0
    async function send(count: number): Promise<void> {
      await made.json(Array.from({ length: count }, (_, at) => ({ n: sent + at })))
      sent += count
    }
    const came = (by: ServiceProcess) => until(`${sent} came`, async () => (await shown(by)).accepted >= sent, 120_000)

    await send(500)
    await came(one)
    await came(two)
    await until('one of them reads', async () => (await reads(one)) !== (await reads(two)))
    // Known to both, whichever is asked.
    await two.client.ok(two.client.send('PUT', '/source/shared/OFF'))
    await send(100)
    await sleep(1_000)
    for (const each of [one, two]) t.like(await shown(each), { state: 'off', accepted: 500 })
    await one.client.ok(one.client.send('PUT', '/source/shared/ON'))
    await came(two)

    // The one that reads stops as it should: the other goes on.
    if (await reads(two)) [one, two] = [two, one]
    await one.end('SIGTERM')
    await send(500)
    await came(two)
    one = await start(one.url === two.url ? 'three' : 'again')

    // The one that reads is killed while it has nothing on its way: the other goes on.
    await until('it is at rest', async () => (await shown(two)).lag === 0)
    await sleep(2_500)
    await two.end('SIGKILL')
    await send(500)
    await came(one)
    const found = (await one.client.documents('select * from s.st limit 100000')) as { n: number }[]
    t.deepEqual([found.length, new Set(found.map(({ n }) => n)).size], [sent, sent])

    // The one that reads is killed amid a batch: the other waits for it, until it is told to go on without it.
    two = await start('last')
    const force = () => two.client.send('PUT', '/source/shared/ON?force=1')
    const tooSoon = await force()
    t.is(tooSoon.status, 409)
    t.regex(tooSoon.text, /waits for no process that is away/)
    await two.client.ok(two.client.send('PUT', '/stream/s/st/state', { state: 0 }))
    await send(100)
    await until('the batch is on its way', async () => (await shown(one)).state === 'waiting')
    await one.end('SIGKILL')
    await two.client.ok(two.client.send('PUT', '/stream/s/st/state', { state: 1 }))
    await until('the other waits for it', async () => /is away/.test((await shown(two)).reason ?? ''))
    await sleep(5_000)
    t.is(await two.client.count('select count(*) from s.st'), sent - 100)
    const went = await two.client.ok(force())
    t.regex(went.msg, /^the source shared goes on without the process that is away/)
    await until('the batch came', async () => (await shown(two)).accepted >= 100, 120_000)
    t.is(await two.client.count('select count(*) from s.st'), sent)
    t.like(await shown(two), { state: 'running', lag: 0 })
  },
)
