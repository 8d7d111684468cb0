import { Client, Connection } from '@temporalio/client'
import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { failureOf } from '../../../infra/orchestration/temporal-failures.ts'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import { cases, createInterference, ended, holdAt, left, prepared } from './rebuild-cases.ts'

const between = createInterference()
let service: RunningService | undefined
let connection: Connection | undefined
test.after.always('the service is closed', async () => {
  await service?.close()
  await connection?.close()
})

async function serving() {
  const { address } = await sharedTemporal()
  service ??= await startService({ TEMPORAL_ADDRESS: address }, silentLogger(), { clickhouse: between.clickhouse })
  connection ??= await Connection.connect({ address })
  const { workflow: temporal } = new Client({ connection })
  const failure = async (id: string): Promise<string | undefined> => {
    const handle = temporal.getHandle(id)
    if ((await handle.describe()).status.name !== 'FAILED') return undefined
    return handle.result().catch((error: unknown) => failureOf(error).message)
  }
  return { client: service.client, between, temporal, failure }
}

for (const [title, run] of Object.entries(cases)) withTemporal.serial(title, async (t) => run(t, await serving()))

withTemporal.serial('a rebuild is readable in Temporal, and its signal undoes what it has begun', async (t) => {
  const { client, temporal } = await serving()
  const { schema, posted } = await prepared({ client, between }, 'signalled')
  const spoilt = await differences(client, schema, posted)
  const held = holdAt(between, /INSERT INTO .*t2_fill/)
  await client.ok(client.post('/stream/signalled/s/rebuild', ''))
  await held.there()
  const handle = temporal.getHandle('rebuild:signalled:s')
  const description = await handle.describe()
  t.is(description.type, 'rebuildStream')
  t.deepEqual(description.memo, { request: { schema: 'signalled', stream: 's', after_us: 0 } })
  t.is(await description.staticSummary(), 'Rebuild the aggregates of signalled.s')
  t.like(await handle.query('progress'), { done: 2 })
  await handle.signal('cancel')
  held.release()
  t.like(await ended(client, 'signalled'), { state: 'cancelled' })
  t.deepEqual(await left(between), [])
  t.deepEqual(await differences(client, schema, posted), spoilt)
  await client.ok(client.post('/stream/signalled/s/rebuild', ''))
  t.like(await ended(client, 'signalled'), { state: 'done' })
  t.deepEqual(await differences(client, schema, posted), [])
})

withTemporal.serial('while Temporal is away all else works, and what needs it says so', async (t) => {
  const { client } = await serving()
  const { schema, posted } = await prepared({ client, between }, 'away')
  const upload = { 'schema-name': 'away', 'stream-name': 's', model_name: 'm', duration_sec: 1e9, file_name: 'f' }
  const orchestration = async () => (await client.get('/health/ready')).body.parts.orchestration
  t.like(await orchestration(), { status: 'up' })
  const temporal = await sharedTemporal()
  await temporal.kill()
  for (const call of [client.post('/stream/away/s/rebuild', ''), client.post('/stream/upload_data', upload)]) {
    const { status, headers, body } = await call
    t.is(status, 503)
    t.is(body.errcode, -7)
    t.true(Number(headers.get('retry-after')) > 0)
    t.regex(body.error[0], /Temporal at .* does not answer/)
  }
  const ready = await client.get('/health/ready')
  t.is(ready.status, 200)
  t.is(ready.body.parts.orchestration.status, 'down')
  const { streams } = await client.ok(client.get('/stream/away/info'))
  t.is(streams[0].num_events, 40)
  await temporal.restart()
  const answer = await until(
    'the upload',
    async () => {
      const answer = await client.post('/stream/upload_data', upload)
      return answer.status === 200 ? answer : undefined
    },
    150_000,
  )
  t.is(answer.body.num_lines, 40)
  await client.ok(client.post('/stream/away/s/rebuild', ''))
  t.like(await ended(client, 'away'), { state: 'done' })
  t.deepEqual(await differences(client, schema, posted), [])
})
