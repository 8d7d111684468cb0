/** Erasures by several processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import type { Client } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { shop } from '../deletion/shop.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])
test.after.always(async () => {
  killServices()
  await server.kill()
})

const events = (who: string, count: number) => Array.from({ length: count }, (_, n) => ({ who, n }))
const erase = async (client: Client, condition: string): Promise<number> =>
  (await client.ok(client.post('/db/mydb/query', { sql: `delete from apart.visits where ${condition}` }))).retval

test('a process erases the events that another one has acknowledged, while both take more', async (t) => {
  t.timeout(600_000)
  await a.client.register(shop('apart'))
  await a.client.lines('apart.visits', [...events('ann', 20), ...events('bob', 20)])
  await b.client.lines('apart.visits', [...events('ann', 20), ...events('cid', 20)])
  // The last events of each process are still in its log.
  const later = [a, b].map(({ client }) => client.lines('apart.visits', events('dan', 30)))
  const [ann, bob, cid] = await Promise.all([
    erase(a.client, 'who = "ann"'),
    erase(b.client, 'who = "bob"'),
    erase(b.client, 'who = "cid"'),
  ])
  await Promise.all(later)
  t.deepEqual([ann, bob, cid], [40, 20, 20])
  for (const { client } of [a, b]) {
    t.is(await client.count('select count(*) from apart.visits'), 60)
    t.is(await client.count('select count(*) from apart.visits where who = "dan"'), 60)
    t.is(await client.count('select count(*) from apart.large'), 38, 'n of 11 to 29, of each process')
  }
  const { streams } = await b.client.ok(b.client.post('/reconcile', { schema: 'apart' }))
  t.deepEqual(
    streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
    [],
  )
  t.is(await erase(a.client, 'who = "dan"'), 60)
  t.is(await b.client.count('select count(*) from apart.visits'), 0)
})
