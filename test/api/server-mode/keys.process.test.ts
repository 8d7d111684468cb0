/** Keys in two processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Resolves once the other process knows the key. */
async function followed(key: string, status: number): Promise<void> {
  await until(`status ${status} at the other process`, async () => (await statusAt(b, key)) === status)
}

test.serial(
  'a key that one process makes is good in the other, and void there within a second once it is revoked',
  async (t) => {
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
  },
)

test.serial('each process lists all keys and all changes, and revokes what the other made', async (t) => {
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

const bearing = (key: string) => ({ 'x-api-key': key })
const make = async (): Promise<{ readonly id: string; readonly key: string }> => {
  const made = await a.client.ok(a.client.post('/keys', { name: 'still', scopes: ['read', 'write'] }, admin))
  await followed(made.key, 200)
  return made
}
const revoke = (id: string) => a.client.ok(a.client.send('DELETE', `/keys/${id}`, undefined, admin))
const isVoid = async (key: string): Promise<boolean> => {
  const statuses = await Promise.all([a, b].map((service) => statusAt(service, key)))
  return statuses.every((status) => status === 401)
}

test.serial(
  'while ClickHouse stands still for 20 s keys are what they were; what is asked of them then holds afterwards',
  async (t) => {
    const event = { schema: 'still', streams: [{ name: 's', type: 1, inpt: [], attr: [{ name: 'x', type: 9 }] }] }
    await a.client.ok(a.client.post('/stream', event, admin))
    const [stays, goes] = [await make(), await make()]
    const postAt = async ({ client }: typeof a, key: string): Promise<number> =>
      (await client.post('/stream/still/s', { x: 1 }, bearing(key))).status
    for (const service of [a, b]) {
      await until('the stream', async () => (await postAt(service, stays.key)) === 200)
    }

    await server.pause()
    const stood = performance.now()
    const asked = [
      revoke(goes.id),
      a.client.ok(a.client.post('/keys', { name: 'new', scopes: ['read'] }, admin)),
      b.client.ok(b.client.send('GET', '/keys', undefined, admin)),
    ] as const
    try {
      for (let posts = 0; performance.now() - stood < 20_000; posts++) {
        const service = posts % 2 === 0 ? a : b
        t.is(await postAt(service, stays.key), 200)
        t.is(await postAt(service, 'weir_000000000000_nothing'), 401)
        await sleep(20)
      }
    } finally {
      server.resume()
    }
    const [, { key }] = await Promise.all(asked)
    await until('the revoked key to be void', () => isVoid(goes.key))
    await followed(key, 200)
  },
)

test.serial('a key is not said to be revoked where ClickHouse stops before another process hears of it', async (t) => {
  const stateOf = async (id: string): Promise<string> => {
    const query = `SELECT state FROM weir.api_keys FINAL WHERE id = '${id}' FORMAT TSV`
    return (await (await fetch(server.url, { method: 'POST', body: query })).text()).trim()
  }
  for (let round = 0; round < 2; round++) {
    const { id, key } = await make()
    let answered = Number.POSITIVE_INFINITY
    const revoked = revoke(id).then(() => {
      answered = performance.now()
    })
    await until('the revocation to be written', async () => (await stateOf(id)) === 'revoked')
    await server.pause()
    const stood = performance.now()
    try {
      // Longer than the revocation would wait for others, were it to wait by the clock alone.
      while (performance.now() - stood < 3_000) {
        // An answer that was on its way already came of a ClickHouse that went.
        const wasAnswered = answered > stood + 200 && answered < performance.now()
        const status = await statusAt(b, key)
        if (wasAnswered) t.is(status, 401, 'the other process takes a key that was said to be revoked')
        await sleep(5)
      }
    } finally {
      server.resume()
    }
    await revoked
    await until('the revoked key to be void', () => isVoid(key))
  }
  t.pass()
})
