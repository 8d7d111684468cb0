/** OpenTelemetry's traces of a service of one process, as a collector gets them. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'ava'
import { openCollector, type TakenSpan, valuesOf } from '../../support/parts/collector.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from '../models/data.ts'
import { createTrainer } from '../models/trainer.ts'

const shop = readFileSync(new URL('../../../examples/shop/schema.json', import.meta.url), 'utf8')
const visit = { visitor: 'somebody', page: 'p1', country: 'AT', price: 1.5, quantity: 2 }
const patience_ms = 60_000

const collector = await openCollector()
const service = await spawnService({ DATA_DIR: temporaryFolder(), OTEL_SERVICE_NAME: 'shops', ...collector.settings })
const { client } = service
await client.ok(client.post('/stream', shop))

test.after.always(() => {
  killServices()
  collector.close()
})

/** A trace that a client begins. */
const begun = () => {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, header: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } }
}
const traced = (name: string, traceId: string): Promise<TakenSpan> =>
  until(
    `span ${name}`,
    () => collector.spans().find((span) => span.name === name && span.traceId === traceId),
    patience_ms,
  )

test('an event that a traced client posts is followed through the log into ClickHouse', async (t) => {
  const { traceId, header } = begun()
  await client.ok(client.post('/stream/shop/visits', visit, header))
  await traced('feed shop.visits', traceId)
  t.deepEqual(collector.paths(traceId).toSorted(), [
    'POST /stream/:schema/:stream',
    'POST /stream/:schema/:stream > append shop.visits',
    'POST /stream/:schema/:stream > append shop.visits > feed shop.visits',
    'POST /stream/:schema/:stream > append shop.visits > feed shop.visits > INSERT shop.visits__in',
  ])
  const request = await traced('POST /stream/:schema/:stream', traceId)
  t.is(request.parentSpanId, 'b'.repeat(16))
  t.like(valuesOf(request), {
    'http.request.method': 'POST',
    'http.route': '/stream/:schema/:stream',
    'url.path': '/stream/shop/visits',
  })
  t.is(Number(valuesOf(request)['http.response.status_code']), 200)
  t.like(collector.resources()[0], { 'service.name': 'shops' })
  t.false(JSON.stringify(collector.spans()).includes('somebody'), 'nothing of an event is told')
})

test('events of several traced requests in one batch are fed in the trace of each, by one insert to which all lead', async (t) => {
  const together = async () => {
    const traces = Array.from({ length: 8 }, () => begun())
    await Promise.all(traces.map(({ header }) => client.ok(client.post('/stream/shop/visits', visit, header))))
    const feeds = await Promise.all(traces.map(({ traceId }) => traced('feed shop.visits', traceId)))
    return feeds.some(({ links = [] }) => links.length > 0) ? feeds : undefined
  }
  const feeds = await until('requests that are fed together', together, patience_ms)
  const inserts = collector.spans().filter(({ name }) => name === 'INSERT shop.visits__in')
  const inserting = new Set(inserts.map(({ parentSpanId }) => parentSpanId))
  for (const { spanId, links = [] } of feeds) {
    t.true(inserting.has(spanId) || links.some((link) => inserting.has(link.spanId)))
  }
})

test('a query is one trace with what it asks of ClickHouse, and one that nobody traces begins its own', async (t) => {
  const { traceId, header } = begun()
  await client.ok(
    client.post('/db/mydb/query?consistency=eventual', { sql: 'select count(*) from shop.visits' }, header),
  )
  await traced('POST /db/:database/query', traceId)
  t.deepEqual(collector.paths(traceId).toSorted(), ['POST /db/:database/query', 'POST /db/:database/query > SELECT'])
  await client.ok(client.get('/stream/list'))
  const own = await until(
    'its trace',
    () => collector.spans().find(({ name }) => name === 'GET /stream/list'),
    patience_ms,
  )
  t.is(own.parentSpanId || undefined, undefined)
})

test('a request that its client does not sample is traced nowhere', async (t) => {
  const { traceId, header } = begun()
  await client.ok(client.post('/stream/shop/visits', visit, { traceparent: header.traceparent.replace(/01$/, '00') }))
  const { traceId: next, header: sampled } = begun()
  await client.ok(client.post('/stream/shop/visits', visit, sampled))
  await traced('feed shop.visits', next)
  t.deepEqual(collector.paths(traceId), [])
})

test('a request that is refused says so, and a header that is no trace is passed over', async (t) => {
  const { traceId, header } = begun()
  t.is((await client.post('/stream/shop/nothing', visit, header)).status, 404)
  t.is(Number(valuesOf(await traced('POST /stream/:schema/:stream', traceId))['http.response.status_code']), 404)
  for (const traceparent of [
    '',
    'x',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `ff-${'1'.repeat(32)}`,
    'y'.repeat(5000),
  ]) {
    t.is((await client.send('GET', '/stream/list', undefined, { traceparent })).status, 200)
  }
})

test('a training is one trace: what was asked, and each step with its statements', async (t) => {
  const trainer = createTrainer(client)
  await trainer.upload('m', pointsCsv(60))
  t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)
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
  t.true(paths.includes('POST /ml/train > start trainModel > publishModel > INSERT'))
  const started = await traced('start trainModel', published.traceId)
  t.like(valuesOf(started), { 'weir.workflow.id': 'shop:m' })
})

test('probes, metrics and what the service does by itself make no spans', async (t) => {
  for (const path of ['/health/live', '/health/ready', '/metrics']) t.is((await client.get(path)).status, 200)
  await client.ok(client.get('/db'))
  await until('a later span', () => collector.spans().some(({ name }) => name === 'GET /db'), patience_ms)
  t.deepEqual(
    collector.spans().filter(({ name }) => /health|metrics/.test(name)),
    [],
  )
  const roots = new Set(
    collector
      .spans()
      .filter(({ parentSpanId }) => !parentSpanId)
      .map(({ name }) => name.split(' ')[0]),
  )
  t.deepEqual(
    [...roots].filter((name) => !['GET', 'POST', 'PUT'].includes(name ?? '')),
    [],
  )
})
