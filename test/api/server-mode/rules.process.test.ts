/** Rules of schemas where several processes with logs of their own are on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const a = await spawnService(settings('a'))

test.after.always(async () => {
  killServices()
  await server.kill()
})

const schemaOf = (schema: string) => ({
  schema,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'k', type: 'STRING' },
        { name: 'n', type: 'LONG' },
      ],
      refr: [{ name: 'r', iatr: ['before'], rstm: 's', ratr: ['n'], jqry: { cond: ['k'], args: ['k'] } }],
    },
  ],
})

test.serial('a worker, which has no log, leaves the order of events to the process that has one', async (t) => {
  const worker = await spawnService({ ...settings('worker'), ROLE: 'worker' })
  const registered = await a.client.post('/stream', schemaOf('beside'))
  t.is(registered.status, 200, registered.text)
  await worker.end('SIGTERM')
})

test.serial('one process keeps a schema with rules, others refuse its events, and one takes it over', async (t) => {
  await a.client.register(schemaOf('alone'))
  await a.client.event('alone.s', { k: 'x', n: 1 })
  const b = await spawnService(settings('b'))
  const refused = await b.client.post('/stream', schemaOf('late'))
  t.is(refused.status, 409)
  t.regex(refused.body.error.join(), /KAFKA_BROKERS/)
  const elsewhere = await b.client.post('/stream/alone/s', { k: 'x', n: 2 })
  t.is(elsewhere.status, 409)
  t.regex(elsewhere.body.error.join(), /another process keeps the order of alone/)
  await a.client.event('alone.s', { k: 'x', n: 3 })
  await until('the other sees both', async () => (await b.client.count('select count(*) from alone.s')) === 2)

  await a.end('SIGTERM')
  await until(
    'the other takes it over',
    async () => (await b.client.post('/stream/alone/s', { k: 'x', n: 4 })).status === 200,
  )
  const found = (await b.client.documents('select * from alone.s')).reverse()
  t.deepEqual(
    found.map(({ n, before }) => [n, before]),
    [
      [1, undefined],
      [3, 1],
      [4, 3],
    ],
  )

  // The first one comes back, with what it remembered before the other had taken the schema over.
  await b.end('SIGTERM')
  const again = await spawnService(settings('a'))
  await until(
    'the first takes it back',
    async () => (await again.client.post('/stream/alone/s', { k: 'x', n: 5 })).status === 200,
  )
  const [last] = await again.client.documents('select * from alone.s limit 1')
  t.is(last?.before, 4)
})
