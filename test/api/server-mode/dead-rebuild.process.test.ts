/** A rebuild whose process is killed: without Temporal a process that lives takes it up, whatever its role. */
import { join } from 'node:path'
import test from 'ava'
import { createServerClickHouse } from '../../../infra/clickhouse/server/client.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const clickhouse = createServerClickHouse({ url: server.url })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })

test.after.always(async () => {
  killServices()
  await clickhouse.close()
  await server.kill()
})

const schema = {
  schema: 'orphan',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
}

test('a rebuild of a killed process is ended by a worker, and may be asked for again', async (t) => {
  t.timeout(450_000)
  const [api, worker] = await Promise.all([
    spawnService({ ...settings('api'), ROLE: 'api' }),
    spawnService({ ...settings('worker'), ROLE: 'worker' }),
  ])
  await api.client.register(schema)
  await api.client.lines(
    'orphan.st',
    Array.from({ length: 500 }, (_, n) => ({ n })),
  )
  t.is(await api.client.count('select count(*) from orphan.st'), 500)
  const state = async () => {
    const [row] = await clickhouse.rows<{ state: string; process: string }>({
      text: 'SELECT state, process FROM weir.runs FINAL',
      params: {},
    })
    return row
  }
  await api.client.ok(api.client.post('/stream/orphan/st/rebuild', ''))
  t.is((await state())?.state, 'running')
  await api.end('SIGKILL')
  await until('the worker has ended it', async () => (await state())?.state === 'done', 60_000)
  t.regex(worker.errors(), /workflow of a process that is gone was under way, beginning anew/)

  const again = await spawnService({ ...settings('again'), ROLE: 'api' })
  const { streams } = await again.client.ok(again.client.get('/stream/orphan/info'))
  t.is(streams[0].rebuild.state, 'done')
  const [row] = await again.client.rows('select aggr(n) from orphan.st rollup 1')
  t.is(JSON.parse(String(row?.v)).aggr_val.cnt, 500)
  await again.client.ok(again.client.post('/stream/orphan/st/rebuild', ''))
  await until(
    'the next one',
    async () => (await again.client.ok(again.client.get('/stream/orphan/info'))).streams[0].rebuild.state === 'done',
    60_000,
  )
})
