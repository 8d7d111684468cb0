/** Keys in two processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({
  DATA_DIR: join(folder, name),
  CLICKHOUSE_URL: server.url,
  API_KEYS: 'require',
  ADMIN_KEY,
})
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

test.after.always(async () => {
  killServices()
  await server.kill()
})

const admin = { 'x-api-key': ADMIN_KEY }
const statusAt = async ({ client }: typeof a, key: string): Promise<number> =>
  (await client.send('GET', '/db', undefined, { 'x-api-key': key })).status

/** Until the other process knows. */
async function followed(key: string, status: number): Promise<void> {
  await until(`status ${status} at the other process`, async () => (await statusAt(b, key)) === status)
}

test('a key that one process makes is good in the other, and void there within a second once it is revoked', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { id, key } = await a.client.ok(a.client.post('/keys', { name: 'k', scopes: ['read'] }, admin))
    t.is(await statusAt(a, key), 200)
    await followed(key, 200)
    await a.client.ok(a.client.send('DELETE', `/keys/${id}`, undefined, admin))
    t.is(await statusAt(a, key), 401)
    const answered = performance.now()
    await followed(key, 401)
    t.log(`void elsewhere ${Math.round(performance.now() - answered)} ms behind the answer`)
  }
})

test('each process lists all keys and all changes, and revokes what the other made', async (t) => {
  const { id, key } = await a.client.ok(a.client.post('/keys', { name: 'both', scopes: ['define'] }, admin))
  const { keys } = await b.client.ok(b.client.send('GET', '/keys', undefined, admin))
  t.like(
    keys.find((each: { id: string }) => each.id === id),
    { name: 'both', scopes: ['define'], on: null },
  )
  const table = { table_name: 't', table_type: 1, key_type: 1 }
  await followed(key, 403)
  await b.client.ok(b.client.post('/db/mydb/table', table, { 'x-api-key': key }))
  const { changes } = await a.client.ok(a.client.send('GET', '/audit', undefined, admin))
  t.like(
    changes.find(({ by }: { by: string }) => by === id),
    { what: 'table', name: 'mydb.t', detail: 'created' },
  )
  await b.client.ok(b.client.send('DELETE', `/keys/${id}`, undefined, admin))
  await until('the first process to follow', async () => (await statusAt(a, key)) === 401)
  t.pass()
})
