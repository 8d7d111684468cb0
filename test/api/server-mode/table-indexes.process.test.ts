/** Indexes that one process makes while another one writes records. */
import { join } from 'node:path'
import test from 'ava'
import { suspend } from '../../../scripts/processes/suspend.js'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const spawn = (name: string) => spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawn('a'), spawn('b')])

test.after.always(async () => {
  killServices()
  await server.kill()
})

const makeTable = async (name: string): Promise<void> => {
  await a.client.ok(a.client.post('/db/d/table', { table_name: name, table_type: 1, key_type: 1 }))
  await b.client.ok(b.client.post(`/db/d/${name}/doc`, { _pk: 'first', doc: { town: 'Bern' } }))
}
const makeIndex = (table: string) => a.client.post(`/db/d/${table}/index`, { index_name: 'town', key_type: 1 })
const keysOf = async ({ client }: typeof a, table: string): Promise<unknown[]> =>
  (await client.rows(`select * from d.${table} where town = 'Bern'`)).map(({ k }) => k).sort()

test.serial('a record that was on its way for 20 s while another process made an index is found by it', async (t) => {
  t.timeout(300_000)
  await makeTable('slow')
  await makeTable('other')
  await server.fault({ does: 'hold', time_ms: 20_000, matching: '"_pk":"late"' })
  const late = b.client.post('/db/d/slow/doc', { _pk: 'late', doc: { town: 'Bern' } })
  await until('the record is on its way', async () => (await server.faultsMet()) === 1)
  const made = makeIndex('slow')
  const began = performance.now()
  await b.client.ok(b.client.post('/db/d/other/doc', { _pk: 'k', doc: {} }))
  t.true(performance.now() - began < 10_000, 'records of another table did not wait')
  t.is((await late).status, 200)
  t.is((await made).status, 200)
  for (const each of [a, b]) t.deepEqual(await keysOf(each, 'slow'), ['first', 'late'])
})

test.serial('a record that a process wrote which stood still while another made an index is found by it', async (t) => {
  t.timeout(300_000)
  await makeTable('still')
  await suspend(b.child)
  t.is((await makeIndex('still')).status, 200)
  const late = b.client.post('/db/d/still/doc', { _pk: 'late', doc: { town: 'Bern' } })
  b.child.kill('SIGCONT')
  t.is((await late).status, 200)
  await until('the index has it', async () => (await keysOf(a, 'still')).length === 2)
  await b.client.ok(b.client.post('/db/d/still/doc', { _pk: 'first', doc: { town: 'Basel' } }))
  t.deepEqual(await keysOf(a, 'still'), ['late'])
})
