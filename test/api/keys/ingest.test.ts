/** A key that everybody may read in a page: it posts events to its places, and nothing else. */
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const admin = { 'x-api-key': ADMIN_KEY }
const port = await freePort()
const service = await startService({ API_KEYS: 'require', ADMIN_KEY, CLICKHOUSE_HTTP_PORT: String(port) })
const { client } = service
test.after.always(service.close)

const streams = [{ name: 'e', type: 1, swsz: 0, attr: [{ name: 'v', type: 9 }] }]
let key = ''
test.before(async () => {
  for (const schema of ['mine', 'theirs']) await client.ok(client.post('/stream', { schema, streams }, admin))
  const wanted = { name: 'page', scopes: ['ingest'], on: ['schema:mine'] }
  key = (await client.ok(client.post('/keys', wanted, admin))).key
})

const event = '{"v":1}'
const ndjson = { 'content-type': 'application/x-ndjson' }
const table: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  status: number,
])[] = [
  ['POST', '/stream/mine/e', event, {}, 200],
  ['POST', '/stream/mine/e', event, { 'content-type': 'text/plain' }, 200],
  ['POST', '/stream/mine/e', `${event}\n${event}\n`, ndjson, 200],
  ['POST', '/stream/mine/e', event, { 'idempotency-key': 'one' }, 200],
  ['POST', '/stream/mine/e', '{"v":"x"}', {}, 400],
  ['POST', '/stream/mine/absent', event, {}, 404],
  ['POST', '/stream/theirs/e', event, {}, 403],
  ['POST', '/stream/theirs/e', event, ndjson, 403],
  ['POST', '/stream/absent/e', event, {}, 403],
  ['POST', '/stream', { schema: 'mine', streams }, {}, 403],
  ['PUT', '/stream/mine/e/state', { state: 0 }, {}, 403],
  ['DELETE', '/stream/mine', undefined, {}, 403],
  ['POST', '/stream/mine/e/rebuild', undefined, {}, 403],
  ['GET', '/stream/mine/e/count', undefined, {}, 403],
  ['GET', '/stream/mine/schema', undefined, {}, 403],
  ['GET', '/stream/list', undefined, {}, 403],
  ['POST', '/db/mydb/query', { sql: 'insert into mine.e values null {"v":1}' }, {}, 403],
  ['POST', '/db/mydb/query', { sql: 'select * from mine.e' }, {}, 403],
  ['POST', '/stream/mine/e/graph/query', 's=>(*)', {}, 403],
  ['POST', '/stream/mine/e/graph/query', 'CREATE (A:b)', {}, 403],
  ['POST', '/graph/mine_graph/node', { label: 'A', name: 'b' }, {}, 403],
  ['GET', '/graph/mine_graph/new', undefined, {}, 403],
  ['POST', '/db/mine/t/doc', { _pk: 'a', doc: {} }, {}, 403],
  ['POST', '/ml/pred/2', {}, {}, 403],
  ['POST', '/brs/count', undefined, {}, 405],
  ['GET', '/brs/count', undefined, {}, 403],
  ['GET', '/keys', undefined, {}, 403],
  ['GET', '/audit', undefined, {}, 403],
  ['GET', '/metrics', undefined, {}, 403],
  ['GET', '/docs', undefined, {}, 403],
  ['GET', '/', undefined, {}, 200],
  ['GET', '/health/ready', undefined, {}, 200],
]

for (const [method, path, body, headers, status] of table) {
  test.serial(`${method} ${path} ${JSON.stringify(body) ?? ''} ${JSON.stringify(headers)} -> ${status}`, async (t) => {
    const answer = await client.send(method, path, body, { ...headers, 'x-api-key': key })
    t.is(answer.status, status, answer.text)
    if (status === 403) t.is(answer.body.errcode, -2)
  })
}

test.serial('an event is posted once by its Idempotency-Key, and the key shows nothing of what is there', async (t) => {
  const post = () => client.post('/stream/mine/e', event, { 'x-api-key': key, 'idempotency-key': 'again' })
  const [first, second] = [await client.ok(post()), await client.ok(post())]
  t.deepEqual(Object.keys(first).toSorted(), ['_pk', 'errcode'])
  t.deepEqual(second, first)
  const ready = await client.ok(client.send('GET', '/health/ready', undefined, { 'x-api-key': key }))
  t.deepEqual(Object.keys(ready), ['status'])
})

test.serial('a refusal names the scope and the place', async (t) => {
  const at = async (path: string) => (await client.post(path, event, { 'x-api-key': key })).body.error
  t.deepEqual(await at('/stream/theirs/e'), [
    'this needs the scope ingest on schema:theirs, and the key is for schema:mine',
  ])
  t.deepEqual(await at('/graph/mine_graph/node'), ['this needs the scope write, and the key has ingest'])
})

test.serial('such a key sends no event that outlasts every window, and another key does', async (t) => {
  const [year, day] = [366 * 86_400_000, 86_400_000]
  const ahead = (Date.now() + year + day) * 1000
  const near = (Date.now() + year - day) * 1000
  const headers = { 'x-api-key': key }
  const refusal = `_pk: ${ahead} is more than a year ahead, and a key without the scope write sends no such events: leave _pk out`
  const others: readonly (readonly [body: string, headers: Readonly<Record<string, string>>])[] = [
    [`{"v":1,"_pk":${ahead}}`, {}],
    [`{"_pk":${ahead},"other":[1]}`, {}],
    [`{"v":1,"_pk":${ahead}}`, { 'idempotency-key': 'far' }],
    [`{"v":1,"_pk":"${new Date(ahead / 1000).toISOString()}"}`, {}],
  ]
  for (const [body, more] of others) {
    const refused = await client.post('/stream/mine/e', body, { ...headers, ...more })
    t.is(refused.status, 400, refused.text)
    t.deepEqual(refused.body.error, [refusal])
  }
  const lines = [
    `{"v":1,"_pk":${ahead}}`,
    `{"v":1,"_pk":${near}}`,
    `{"v":[],"_pk":${ahead}}`,
    `{"w":1,"_pk":${ahead}}`,
    '{"v":1}',
  ]
  const { body } = await client.post('/stream/mine/e', lines.join('\n'), { ...headers, ...ndjson })
  t.deepEqual([body.accepted, body.rejected, body.errors[0]], [2, 3, { line: 1, error: refusal }])
  await client.ok(client.post('/stream/mine/e', `{"v":1,"_pk":${near}}`, headers))
  await client.ok(client.post('/stream/mine/e', `{"v":1,"_pk":${ahead}}`, admin))
})

test.serial('a key with ingest alone that is bound to no place is made with a note', async (t) => {
  const made = async (wanted: object): Promise<unknown> =>
    (await client.ok(client.post('/keys', { name: 'n', ...wanted }, admin))).error
  t.deepEqual(await made({ scopes: ['ingest'] }), [
    'without on the key posts events to the streams of every schema: bind it by on, such as ["schema:air"], before it stands in a page',
  ])
  t.is(await made({ scopes: ['ingest'], on: ['schema:mine'] }), undefined)
  t.is(await made({ scopes: ['read'] }), undefined)
})

test.serial("a refusal names the port of analysts' SQL", async (t) => {
  const { body } = await client.post('/db/mydb/query', { sql: 'select a, b from s.t' }, admin)
  t.true(body.error[0].includes(`analysts' SQL on port ${port} has it`), body.error[0])
})

test.serial("analysts' SQL is not for such a key", async (t) => {
  const answer = await fetch(`http://127.0.0.1:${port}/?query=SELECT+1`, { headers: { 'x-clickhouse-key': key } })
  t.is(answer.status, 403)
  t.regex(await answer.text(), /^Code: 497\. .*scope read/)
})

test.serial('a key for events alone that is bound to no schema is refused', async (t) => {
  for (const [on, status] of [
    [['graph:mine_graph'], 400],
    [['db:mydb', 'bucket:some'], 400],
    [['db:mydb', 'schema:later'], 200],
    [undefined, 200],
  ] as const) {
    const answer = await client.post('/keys', { name: 'k', scopes: ['INGEST'], on }, admin)
    t.is(answer.status, status, answer.text)
    if (status === 400) t.regex(answer.text, /on: names no schema/)
  }
})
