/** Deletions with undo by several processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { answersOf, shop, visits } from '../deletion/shop.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

/** The tests run side by side, so that the list has things of others too. */
async function deletedOf({ get }: typeof a.client, schema: string): Promise<string[]> {
  const { deleted }: { deleted: { what: string; name: string }[] } = (await get('/deleted')).body
  return deleted.filter(({ name }) => name.split(/\W|__/)[0] === schema).map(({ what, name }) => `${what} ${name}`)
}

test.after.always(async () => {
  killServices()
  await server.kill()
})

test('one process deletes what another one has taken events for, and the other brings it back to both', async (t) => {
  t.timeout(600_000)
  await a.client.register(shop('both'))
  await a.client.lines('both.visits', visits(0))
  await b.client.lines('both.visits', visits(20))
  // The last event of each process is still in its log.
  await a.client.ok(a.client.send('DELETE', '/stream/both?undo=1'))
  for (const { client } of [a, b]) {
    t.is((await client.get('/stream/both/schema')).status, 404)
    t.is((await client.post('/stream/both/visits', { who: 'x', n: 1 })).status, 404)
    t.deepEqual(await deletedOf(client, 'both'), ['schema both'])
  }
  await b.client.ok(b.client.send('POST', '/stream/both/undelete'))
  for (const { client } of [a, b]) t.is(await client.count('select count(*) from both.visits'), 40)
  await a.client.lines('both.visits', visits(40))
  await until('b sees them', async () => (await b.client.count('select count(*) from both.visits')) === 60)
  await a.client.register(shop('same'))
  for (const first of [0, 20, 40]) await a.client.lines('same.visits', visits(first))
  const [both, same] = [await answersOf(a.client, 'both'), await answersOf(a.client, 'same')]
  for (const [sql, answer] of Object.entries(both)) {
    if (sql.startsWith('select') || sql === 'graph') t.deepEqual(answer, same[sql.replace('both', 'same')], sql)
  }
})

test('a stream that one process deletes is kept for both, and comes back to both', async (t) => {
  t.timeout(600_000)
  await a.client.register(shop('part'))
  await a.client.lines('part.visits', visits(0))
  await b.client.lines('part.visits', visits(20))
  await a.client.ok(a.client.send('DELETE', '/stream/part/visits?undo=1'))
  for (const { client } of [a, b]) {
    t.is((await client.post('/stream/part/visits', { who: 'x', n: 1 })).status, 404)
    t.deepEqual(await deletedOf(client, 'part'), ['stream part.visits'])
  }
  await b.client.ok(b.client.send('POST', '/stream/part/visits/undelete'))
  for (const { client } of [a, b]) t.is(await client.count('select count(*) from part.visits'), 40)
  await a.client.lines('part.visits', visits(40))
  await until('b sees them', async () => (await b.client.count('select count(*) from part.visits')) === 60)
  await a.client.register(shop('equal'))
  for (const first of [0, 20, 40]) await a.client.lines('equal.visits', visits(first))
  const [part, equal] = [await answersOf(b.client, 'part'), await answersOf(a.client, 'equal')]
  for (const [sql, answer] of Object.entries(part)) {
    if (sql.startsWith('select') || sql === 'graph') t.deepEqual(answer, equal[sql.replace('part', 'equal')], sql)
  }
})

test('a stream that comes back is OFF in every process, as it was', async (t) => {
  t.timeout(600_000)
  await a.client.register(shop('still'))
  await a.client.event('still.lone', { who: 'ann', n: 1 })
  await a.client.ok(a.client.send('PUT', '/stream/still/lone/state', { state: 0 }))
  await a.client.ok(a.client.send('DELETE', '/stream/still/lone?undo=1'))
  await b.client.ok(b.client.send('POST', '/stream/still/lone/undelete'))
  for (const { client } of [a, b]) {
    t.is((await client.post('/stream/still/lone', { who: 'x', n: 1 })).status, 409)
    t.is((await client.get('/stream/still/lone/state')).body.state, 0)
    t.is(await client.count('select count(*) from still.lone'), 1)
  }
})

test('a graph, a table and their names are those of all processes', async (t) => {
  const table = { table_name: 'T', table_type: 'NORMAL', key_type: 1, key_sz: 24 }
  await a.client.ok(a.client.post('/db/kdb/table', table))
  await b.client.ok(b.client.post('/db/kdb/T/doc', { _pk: 'k', doc: 'v' }))
  await a.client.ok(a.client.send('DELETE', '/db/kdb/T?undo=1'))
  t.is((await b.client.get('/db/kdb/T?key=k')).status, 404)
  await b.client.ok(b.client.send('POST', '/db/kdb/T/undelete'))
  for (const { client } of [a, b]) t.is((await client.get('/db/kdb/T?key=k')).body.doc, 'v')

  await b.client.ok(b.client.post('/graph/web/node', { label: 'P', name: 'n' }))
  await a.client.ok(a.client.send('DELETE', '/graph/web?undo=1'))
  await a.client.ok(a.client.send('POST', '/graph/web/undelete'))
  t.is((await b.client.post('/graph/web/query', 's=>(P:*)')).body.num_items, 1)
  await b.client.ok(b.client.post('/graph/web/node', { label: 'P', name: 'm' }))
  t.is((await a.client.post('/graph/web/query', 's=>(P:*)')).body.num_items, 2)
})
