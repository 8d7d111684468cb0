import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import type { Answer } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const port = await freePort()
const service = await startService({
  API_KEYS: 'require',
  ADMIN_KEY,
  RATE_LIMIT: '3',
  MAX_QUERY_ROWS: '5',
  CLICKHOUSE_HTTP_PORT: String(port),
})
const { client } = service
const made = await client.ok(
  client.post('/keys', { name: 'k', scopes: ['read'] }, { 'x-api-key': ADMIN_KEY, 'x-forwarded-for': '192.0.2.1' }),
)
test.after.always(() => service.close())

/** Repeats a request until it is not too many. */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
  }
}

/** Asks until there is a refusal; what came before it, and the refusal. */
async function exhaust(ask: (n: number) => Promise<Response>) {
  for (let passed = 0; passed < 1000; passed++) {
    const answer = await ask(passed)
    if (answer.status === 429) return { passed, answer, text: await answer.text() }
    await answer.text()
  }
  throw new Error('nothing was refused')
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, service.url), { headers })

for (const [who, key] of [
  ['a key', made.key],
  ['the admin key', ADMIN_KEY],
] as const) {
  test.serial(`${who} that asks too often is told to wait, whatever address it is said to come from`, async (t) => {
    const { answer, text } = await exhaust((n) => get('/db', { 'x-api-key': key, 'x-forwarded-for': `192.0.2.${n}` }))
    t.regex(answer.headers.get('retry-after') ?? '', /^[12]$/)
    t.is(answer.headers.get('ratelimit-limit'), '6')
    t.is(answer.headers.get('ratelimit-remaining'), '0')
    t.is(answer.headers.get('ratelimit-reset'), answer.headers.get('retry-after'))
    t.is(JSON.parse(text).errcode, -6)
    t.is(typeof JSON.parse(text).msg, 'string')
  })
}

test.serial('each message of an agent counts, and of messages that are too many none is answered', async (t) => {
  const messages = (count: number) => Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const { key } = await client.ok(
    patiently(() => client.post('/keys', { name: 'k', scopes: ['read'] }, { 'x-api-key': ADMIN_KEY })),
  )
  const ask = (count: number) => client.post('/mcp', messages(count), { 'x-api-key': key })
  t.is((await client.ok(ask(5))).length, 5)
  const refused = await ask(7)
  t.is(refused.status, 429)
  t.is(refused.body.errcode, -6)
})

test.serial('a key that asks seldom is not held up by one that asks too often', async (t) => {
  const { key } = await client.ok(
    patiently(() => client.post('/keys', { name: 'k', scopes: ['read'] }, { 'x-api-key': ADMIN_KEY })),
  )
  await exhaust(() => get('/db', { 'x-api-key': made.key }))
  const answer = await get('/db', { 'x-api-key': key })
  t.is(answer.status, 200)
})

test.serial('an address that guesses keys is told to wait; a good key from there is not', async (t) => {
  const { passed, answer } = await exhaust((n) => get('/db', { 'x-api-key': `weir_guess_${n}` }))
  t.true(passed >= 1 && passed < 100, `${passed} guesses were refused as such before one was too many`)
  t.regex(answer.headers.get('retry-after') ?? '', /^[12]$/)
  const { key } = await client.ok(
    patiently(() => client.post('/keys', { name: 'good', scopes: ['read'] }, { 'x-api-key': ADMIN_KEY })),
  )
  t.is((await get('/db', { 'x-api-key': key })).status, 200)
})

test.serial("guesses at the API and at the analysts' port are counted together", async (t) => {
  const guess = (n: number) =>
    fetch(`http://127.0.0.1:${port}/?query=SELECT+1`, { headers: { 'x-clickhouse-key': `${n}` } })
  const { passed, text } = await exhaust(guess)
  t.true(passed < 100, `${passed} guesses were refused as such before one was too many`)
  t.regex(text, /^Code: 201\. .*by one address.*RATE_LIMIT/)
  await exhaust((n) => get('/db', { 'x-api-key': `weir_guess_${n}` }))
  const next = await exhaust(guess)
  t.true(next.passed <= 3, `${next.passed} more guesses were let through, of a burst of 6`)
})

test.serial(
  'keys that post events count for their address as well, whatever it is said to be; other keys do not',
  async (t) => {
    const keys: string[] = []
    for (const name of ['one', 'two', 'three']) {
      const wanted = { name, scopes: ['ingest'], on: ['schema:none'] }
      const { key } = await client.ok(patiently(() => client.post('/keys', wanted, { 'x-api-key': ADMIN_KEY })))
      keys.push(key)
    }
    const post = (n: number) => {
      const headers = { 'x-api-key': keys[n % keys.length] ?? '', 'x-forwarded-for': `192.0.2.${n}` }
      return fetch(new URL('/stream/none/e', service.url), { method: 'POST', body: '{}', headers })
    }
    const { passed, text } = await exhaust(post)
    t.true(passed < 14, `${passed} requests passed, where each key alone has a burst of 6`)
    t.regex(text, /by one address/)
    const { key } = await client.ok(
      patiently(() => client.post('/keys', { name: 'k', scopes: ['read'] }, { 'x-api-key': ADMIN_KEY })),
    )
    t.is((await get('/db', { 'x-api-key': key })).status, 200)
  },
)

test.serial('the port for analysts counts, too', async (t) => {
  const headers = { 'x-clickhouse-user': 'a', 'x-clickhouse-key': made.key }
  const { answer, text } = await exhaust(() => fetch(`http://127.0.0.1:${port}/?query=SELECT+1`, { headers }))
  t.regex(text, /^Code: 201\. .*RATE_LIMIT/)
  t.regex(answer.headers.get('retry-after') ?? '', /^[12]$/)
})

test.serial('probes are never too many; other open paths count by address', async (t) => {
  for (let n = 0; n < 20; n++) t.is((await get('/health/live')).status, 200)
  for (let n = 0; n < 20; n++) t.is((await get('/health/ready')).status, 200)
  await t.notThrowsAsync(exhaust(() => get('/')))
})

test.serial('what a query may read is bounded for every key, and its refusal names the setting', async (t) => {
  const streams = [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }]
  const admin = { 'x-api-key': ADMIN_KEY }
  await client.ok(patiently(() => client.post('/stream', { schema: 'air', streams }, admin)))
  const lines = { ...admin, 'content-type': 'application/x-ndjson' }
  await client.ok(patiently(() => client.post('/stream/air/st', '{"n":1}\n'.repeat(20), lines)))
  for (const key of [made.key, ADMIN_KEY]) {
    const query = { sql: 'select count(*) from air.st where n = 1' }
    const answer = await patiently(() => client.post('/db/mydb/query', query, { 'x-api-key': key }))
    t.is(answer.status, 400, answer.text)
    t.regex(answer.text, /MAX_QUERY_ROWS/)
  }
})
