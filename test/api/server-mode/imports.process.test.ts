/** Imports of files at two processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
test.after.always(async () => {
  killServices()
  await server.kill()
})

const rows = 20_000
const lines = Array.from({ length: rows }, (_, n) => `{"n":${n},"name":"a name that takes some room ${n}"}`).join('\n')

test('where its process was killed an import waits for it, each other process tells so, and each row is there once', async (t) => {
  t.timeout(300_000)
  const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
  const spawn = (name: string) => spawnService(settings(name))
  const [a, b] = await Promise.all([spawn('a'), spawn('b')])
  const attr = [{ name: 'n', type: 'LONG' }]
  const streams = [{ name: 'killed', type: 1, swsz: 0, attr }]
  await a.client.ok(a.client.post('/stream', { schema: 's', streams }))
  await a.client.ok(a.client.post('/brs/bucket', { bucket_name: 'files' }))
  await a.client.ok(a.client.send('PUT', '/brs/files/object/a.ndjson', Buffer.from(lines)))
  const from = { bucket: 'files', key: 'a.ndjson' }
  const told = ({ client }: typeof a, id: string) => client.ok(client.get(`/import/${id}`))
  const state = ({ client }: typeof a, on: number) =>
    client.ok(client.send('PUT', '/stream/s/killed/state', { state: on }))
  await state(a, 0)
  await a.client.ok(a.client.post('/import', { id: 'killed', from, format: 'NDJSON', into: 's.killed' }))
  await until('a batch is on its way', async () => /is OFF/.test((await told(b, 'killed')).waiting ?? ''))
  await a.end('SIGKILL')
  await until('it is seen that the process is gone', async () =>
    /goes on when that is back/.test((await told(b, 'killed')).waiting ?? ''),
  )
  await state(b, 1)
  t.is((await told(b, 'killed')).state, 'running', 'no other process brings what the log of the first may have')
  const again = await spawn('a')
  await until('it went on', async () => (await told(b, 'killed')).state !== 'running', 120_000)
  t.like(await told(b, 'killed'), { accepted: rows, rejected: 0 })
  const count = async (stream: string) =>
    await b.client.ok(
      b.client.post('/sql', { sql: `SELECT count() AS c, uniqExact(n) AS u FROM s.${stream}`, format: 'JSONEachRow' }),
    )
  await until('all is fed', async () => Number((await count('killed')).c) >= rows, 60_000)
  const killed = await count('killed')
  t.deepEqual([Number(killed.c), Number(killed.u)], [rows, rows])

  await b.client.ok(b.client.send('DELETE', '/import/killed'))
  t.is((await again.client.get('/import/killed')).status, 404)
})
