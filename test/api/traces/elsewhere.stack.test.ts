/** Traces over the bounds of the process: to a ClickHouse server, by way of Temporal, and to collectors that are ill. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { openCollector } from '../../support/parts/collector.ts'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, NotStarted, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from '../models/data.ts'
import { createTrainer } from '../models/trainer.ts'

const patience_ms = 60_000
const schema = { schema: 's', streams: [{ name: 'e', type: 1, swsz: 0, inpt: [], attr: [{ name: 'x', type: 9 }] }] }
const traceId = '5'.repeat(32)
const header = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }

test.after.always(killServices)

/** Passes requests on, and keeps what they bore. */
async function openProxy(to: string) {
  const bore: { readonly trace: string; readonly text: string }[] = []
  const server = createServer((asked: IncomingMessage, response) => {
    const { method, headers, url } = asked
    bore.push({ trace: String(headers.traceparent ?? ''), text: url ?? '' })
    const passed = request(new URL(url ?? '/', to), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bore, close }
}

test.serial('a ClickHouse server hears where each statement stands in its trace', async (t) => {
  const folder = temporaryFolder()
  const clickhouse = await startTestClickHouse({ folder: join(folder, 'server') })
  const proxy = await openProxy(clickhouse.url)
  const collector = await openCollector()
  t.teardown(async () => {
    proxy.close()
    collector.close()
    await clickhouse.kill()
  })
  const settings = { CLICKHOUSE_URL: proxy.url, DATA_DIR: folder, ...collector.settings }
  const { client, end } = await spawnService(settings)
  await client.ok(client.post('/stream', schema))
  await client.ok(client.post('/stream/s/e', { x: 1 }, header))
  await client.ok(client.post('/db/mydb/query?consistency=eventual', { sql: 'select count(*) from s.e' }, header))
  const statements = () =>
    collector.spans().filter((span) => span.traceId === traceId && /^(INSERT|SELECT)/.test(span.name))
  await until('both statements', () => statements().length >= 2, patience_ms)
  for (const { name, spanId } of statements()) {
    t.true(
      proxy.bore.some(({ trace }) => trace === `00-${traceId}-${spanId}-01`),
      `${name} ${spanId}`,
    )
  }
  await end('SIGTERM')
})

withKafka.serial(
  'over Kafka an event is followed until ClickHouse has taken it, however many come at once',
  async (t) => {
    const kafka = await startTestKafka(t)
    const collector = await openCollector()
    t.teardown(collector.close)
    const settings = { KAFKA_BROKERS: kafka.brokers, DATA_DIR: temporaryFolder(), ...collector.settings }
    const { client, end } = await spawnService(settings)
    await client.ok(client.post('/stream', schema))
    const traces = Array.from({ length: 40 }, (_, n) => n.toString(16).padStart(32, 'c'))
    const post = (id: string, x: number) =>
      client.ok(client.post('/stream/s/e', { x }, { traceparent: `00-${id}-${'b'.repeat(16)}-01` }))
    await Promise.all(traces.map(post))
    const consumed = () => collector.spans().filter(({ name }) => name === 'consume s.e')
    await until('all are followed', () => consumed().length >= traces.length, patience_ms)
    const eventual = { sql: 'select count(*) from s.e' }
    t.is((await client.ok(client.post('/db/mydb/query?consistency=eventual', eventual))).retval, traces.length)
    for (const id of traces) {
      const paths = collector.paths(id)
      const path = 'POST /stream/:schema/:stream > append s.e > consume s.e'
      t.is(paths.filter((each) => each === path).length, 1, paths.join('\n'))
    }

    await kafka.pause()
    await client.post('/stream/s/e', { x: 1 }, header)
    kafka.resume()
    await client.ok(client.post('/stream/s/e', { x: 2 }, header))
    const later = () => collector.paths(traceId).filter((path) => path.endsWith('append s.e > consume s.e'))
    await until('one after the broker stood still', () => later().length > 0, patience_ms)
    t.is((await end('SIGTERM')).code, 0)
  },
)

withTemporal.serial('a training over Temporal is one trace', async (t) => {
  const { address } = await sharedTemporal()
  const collector = await openCollector()
  t.teardown(collector.close)
  const { client, end } = await spawnService({
    TEMPORAL_ADDRESS: address,
    DATA_DIR: temporaryFolder(),
    ...collector.settings,
  })
  const trainer = createTrainer(client)
  await trainer.upload('traced', pointsCsv(60))
  t.is(await trainer.train('traced', { algo_type: 'LIN' }), 25)
  const published = await until(
    'its end',
    () => collector.spans().find(({ name }) => name === 'publishModel'),
    patience_ms,
  )
  const paths = collector.paths(published.traceId)
  for (const step of [
    'verifyTraining',
    'gatherData',
    'reformatData',
    'tuneParameters',
    'fitModel',
    'measureModel',
    'checkModel',
    'publishModel',
  ])
    t.true(paths.includes(`POST /ml/train > start trainModel > ${step}`), `${step} in\n${paths.join('\n')}`)
  await end('SIGTERM')
})

test.serial('a collector that hangs, refuses or is away refuses no request, and a stop is clean', async (t) => {
  const hanging = await openCollector(() => {})
  const refusing = await openCollector((_, response) => {
    response.statusCode = 503
    response.end()
  })
  const gone = await openCollector()
  gone.close()
  t.teardown(() => {
    hanging.close()
    refusing.close()
  })
  for (const { settings } of [hanging, refusing, gone]) {
    const service = await spawnService({ DATA_DIR: temporaryFolder(), ...settings })
    const { client } = service
    await client.ok(client.post('/stream', schema))
    const posts = Array.from({ length: 1_500 }, (_, x) => () => client.ok(client.post('/stream/s/e', { x })))
    while (posts.length > 0) await Promise.all(posts.splice(0, 100).map((post) => post()))
    t.is(await client.count('select count(*) from s.e'), 1_500)
    const { code } = await service.end('SIGTERM')
    t.is(code, 0, service.errors().slice(-2_000))
  }
  t.true(hanging.asked() > 0 && refusing.asked() > 0)
})

test.serial('where a setting turns traces off nothing is sent, and one that cannot be kept is told', async (t) => {
  const collector = await openCollector()
  t.teardown(collector.close)
  const off = [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]
  for (const setting of off) {
    const { client, end } = await spawnService({ DATA_DIR: temporaryFolder(), ...collector.settings, ...setting })
    await client.ok(client.get('/stream/list'))
    t.is((await end('SIGTERM')).code, 0)
  }
  t.is(collector.asked(), 0)
  const wrong = { ...collector.settings, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_EXPORTER: 'jaeger' }
  const error = await t.throwsAsync(spawnService({ DATA_DIR: temporaryFolder(), ...wrong }), { instanceOf: NotStarted })
  t.regex(error?.said ?? '', /OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/)
  t.regex(error?.said ?? '', /OTEL_TRACES_EXPORTER: must be otlp or none/)
})

test.serial('by default spans go out as protobuf', async (t) => {
  const collector = await openCollector()
  const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...settings } = collector.settings
  t.teardown(collector.close)
  const { client, end } = await spawnService({ DATA_DIR: temporaryFolder(), ...settings })
  await client.ok(client.get('/stream/list'))
  await end('SIGTERM')
  t.true(collector.types().includes('application/x-protobuf'))
})
