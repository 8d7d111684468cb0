/** Saved questions in two processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
const settings = (name: string) => ({
  DATA_DIR: join(folder, name),
  CLICKHOUSE_URL: server.url,
  API_KEYS: 'require',
  ADMIN_KEY,
})
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])
const admin = { 'x-api-key': ADMIN_KEY }

test.after.always(async () => {
  killServices()
  await server.kill()
})

test('a question that one process saved is asked at the other as soon as it is answered, and so are its changes', async (t) => {
  const attr = [{ name: 'n', type: 9 }]
  await a.client.ok(a.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }, admin))
  await a.client.ok(a.client.post('/stream/s/st', [{ n: 5 }].map((each) => JSON.stringify(each)).join('\n'), admin))
  const put = ({ client }: typeof a, sql: string) => client.send('PUT', '/saved/q', { language: 'weir', sql }, admin)
  const rows = async ({ client }: typeof a) =>
    (await client.ok(client.send('GET', '/saved/q/rows', undefined, admin))).rows
  t.like(await a.client.ok(put(a, 'select count(*) from s.st')), { version: 1 })
  t.deepEqual(await rows(b), [{ count: 1 }])
  t.like(await b.client.ok(put(b, 'select count(*) from s.st where n > 5')), { version: 2 })
  t.deepEqual(await rows(a), [{ count: 0 }])
  await a.client.ok(
    a.client.send('PUT', '/saved/in_sql', { sql: 'SELECT sum(n) AS total FROM s.st WHERE n > {least:Int64}' }, admin),
  )
  for (const { client } of [a, b])
    t.deepEqual((await client.ok(client.send('GET', '/saved/in_sql/rows?least=1', undefined, admin))).rows, [
      { total: 5 },
    ])
  const { token } = await a.client.ok(a.client.post('/keys/token', { saved: 'q' }, admin))
  t.is(
    (await b.client.send('GET', '/saved/q/rows', undefined, { 'x-api-key': token })).status,
    200,
    'one secret for both',
  )
  await Promise.all(
    [a, b, a, b].map(async ({ client }, i) =>
      client.send('PUT', '/saved/both', { language: 'weir', sql: `select count(*) from s.st where n > ${i}` }, admin),
    ),
  )
  const versions = await Promise.all(
    [a, b].map(async ({ client }) => await client.ok(client.send('GET', '/saved/both', undefined, admin))),
  )
  t.deepEqual(
    versions.map(({ version }) => version),
    [4, 4],
  )
  t.is(versions[0].sql, versions[1].sql)
  await b.client.ok(b.client.send('DELETE', '/saved/q', undefined, admin))
  t.is((await a.client.send('GET', '/saved/q/rows', undefined, admin)).status, 404)
})
