import { createConnection } from 'node:net'
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { rawRequest } from '../../support/requests/raw-request.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const port = await freePort()
const service = await startService({ API_KEYS: 'require', ADMIN_KEY, CLICKHOUSE_HTTP_PORT: String(port) })
const { client } = service
const admin = { 'x-api-key': ADMIN_KEY }

const make = (wanted: Readonly<Record<string, unknown>>) => client.post('/keys', { name: 'k', ...wanted }, admin)
const makeKey = async (scopes: readonly string[], on?: readonly string[]) =>
  (await client.ok(make({ scopes, on }))) as { id: string; key: string }
const withKey = ({ key }: { readonly key: string }) => ({ 'x-api-key': key })

const streams = [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'COUNT' }] }]
for (const schema of ['air', 'sea']) await client.ok(client.post('/stream', { schema, streams }, admin))
for (const database of ['mydb', 'their']) {
  await client.ok(client.post(`/db/${database}/table`, { table_name: 't', table_type: 1, key_type: 1 }, admin))
}
for (const graph of ['films', 'books']) await client.ok(client.post(`/graph/${graph}`, '', admin))
for (const bucket_name of ['ours', 'theirs']) await client.ok(client.post('/brs/bucket', { bucket_name }, admin))
const bound = await makeKey(
  ['read', 'write', 'define', 'train'],
  ['schema:air', 'db:mydb', 'graph:films', 'bucket:ours', 'schema:later'],
)
test.after.always(() => service.close())

const ask = (sql: string, key: { readonly key: string }) => client.post('/db/mydb/query', { sql }, withKey(key))
const askGraph = (graph: string, text: string, key: { readonly key: string }) =>
  client.post(`/graph/${graph}/query`, text, withKey(key))

test.serial('a key is taken from each header that may carry it, and two different ones are refused', async (t) => {
  const { key } = await makeKey(['read'])
  const status = async (headers: Record<string, string>) => (await client.send('GET', '/db', undefined, headers)).status
  for (const name of ['x-api-key', 'X-API-Key', 'x-acme-api-key']) t.is(await status({ [name]: key }), 200, name)
  t.is(await status({ authorization: `Bearer ${key}` }), 200)
  t.is(await status({ authorization: `bearer ${key}`, 'x-api-key': key }), 200)
  t.is(await status({ authorization: `Bearer ${ADMIN_KEY}`, 'x-api-key': key }), 401)
  t.is(await status({ 'x-acme-api-key': ADMIN_KEY, 'x-api-key': key }), 401)
  t.is(await status({ 'x-access-key': key }), 401)
  const twice = `GET /db HTTP/1.1\r\nHost: h\r\nx-api-key: ${key}\r\nx-api-key: ${ADMIN_KEY}\r\nConnection: close\r\n\r\n`
  t.regex(await rawRequest(service.url, [twice]), /^HTTP\/1\.1 401 /)
})

test.serial('a body that is refused for its key is not asked for', async (t) => {
  const { key } = await makeKey(['read'])
  for (const [shown, status] of [
    ['', 401],
    [`x-api-key: ${key}\r\n`, 403],
  ] as const) {
    const head = `POST /stream HTTP/1.1\r\nHost: h\r\n${shown}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`
    const answer = await rawRequest(service.url, [head])
    t.regex(answer, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\nConnection: close\\r`), answer)
  }
})

test.serial('keys that are wrong in any letter, expired or revoked are no keys', async (t) => {
  const { id, key } = await makeKey(['read'])
  const status = async (given: string) => (await client.send('GET', '/db', undefined, { 'x-api-key': given })).status
  const isGood = await status(key)
  t.is(isGood, 200)
  const last = key.endsWith('A') ? 'B' : 'A'
  for (const wrong of [
    `${key.slice(0, -1)}${last}`,
    key.slice(0, -1),
    `${key}A`,
    `weir_${id}_`,
    `weir_000000000000_${key.slice(18)}`,
    key.toUpperCase(),
    ADMIN_KEY.slice(1),
    '""',
    'weir',
  ]) {
    t.is(await status(wrong), 401, wrong)
  }
  t.deepEqual((await client.send('DELETE', `/keys/${id}`, undefined, admin)).body, { errcode: 0 })
  t.is(await status(key), 401)
  t.is((await client.send('DELETE', `/keys/${id}`, undefined, admin)).status, 404)
  const listed = (await client.ok(client.send('GET', '/keys', undefined, admin))).keys as { id: string }[]
  t.false(listed.some((each) => each.id === id))

  const short = (await client.ok(make({ scopes: ['read'], expires_s: 1 }))).key
  await until('the end of a key that was made for a second', async () => (await status(short)) === 401)
})

test.serial('a live stream ends within a second of the end of its key, and no other does', async (t) => {
  const [revoked, good] = [await makeKey(['read']), await makeKey(['read'])]
  const short = (await client.ok(make({ scopes: ['read'], expires_s: 2 }))) as { key: string }
  const path = '/stream/air/st/live'
  const open = (key: { readonly key: string }) => openEventStream(service.url, path, { headers: withKey(key) })
  const [first, second, third] = [await open(revoked), await open(short), await open(good)]
  t.deepEqual([first.status, second.status, third.status], [200, 200, 200])
  await client.ok(client.send('DELETE', `/keys/${revoked.id}`, undefined, admin))
  await Promise.all([first.ended(), second.ended()])
  await client.ok(client.post('/stream/air/st', { n: 1 }, admin))
  await third.until('an event', 1)
  t.false(third.isEnded())
  third.close()
})

test.serial('a key is shown once, and the list tells what it is for and when it was used', async (t) => {
  const before = Date.now() * 1000
  const made = await client.ok(
    make({ name: 'loader', scopes: ['WRITE', 'write'], on: ['schema:air'], expires_s: 3600 }),
  )
  t.deepEqual(Object.keys(made), ['errcode', 'id', 'key'])
  t.regex(made.key, new RegExp(`^weir_${made.id}_[\\w-]{43}$`))
  const listed = async () => {
    const { text, body } = await client.send('GET', '/keys', undefined, admin)
    t.false(text.includes(made.key.slice(-43)))
    t.is(body.num_keys, body.keys.length)
    return body.keys.find(({ id }: { id: string }) => id === made.id)
  }
  const { created, expires, ...rest } = await listed()
  t.deepEqual(rest, { id: made.id, name: 'loader', scopes: ['write'], on: ['schema:air'], last_used: null })
  t.true(created >= before - 1_000_000 && expires === created + 3_600_000_000)
  await client.ok(client.post('/stream/air/st', { n: 1 }, withKey(made)))
  t.true((await listed()).last_used >= before)
})

test.serial('a key that cannot be is refused with the reason', async (t) => {
  for (const [wanted, reason] of [
    [{}, /scopes: must be an array/],
    [{ scopes: [] }, /scopes: must have at least one/],
    [{ scopes: ['fly'] }, /'fly' is no scope: there are read, write/],
    [{ scopes: ['read'], name: '' }, /name: must not be empty/],
    [{ scopes: ['read'], on: [] }, /on: must name at least one place/],
    [{ scopes: ['read'], on: ['air'] }, /on\[0\]: 'air' is no place/],
    [{ scopes: ['read'], on: ['schema:a.b'] }, /is no place/],
    [{ scopes: ['read', 'admin'], on: ['schema:air'] }, /on: goes with no key that has admin/],
    [{ scopes: ['read'], expires_s: 0 }, /expires_s: must be a whole number/],
    [{ scopes: ['read'], expire_s: 60 }, /expire_s: is unknown: a key has name, scopes, on, expires_s/],
  ] as const) {
    const { status, text } = await make(wanted)
    t.is(status, 400, text)
    t.regex(text, reason)
  }
})

test.serial('the body of a request without a good key is not waited for', async (t) => {
  for (const path of ['/stream/air/st', '/keys', '/nothing']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\nx-api-key: wrong\r\n\r\n{`
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(head))
      socket.once('error', reject).once('data', (data) => {
        resolve(data.toString())
        socket.destroy()
      })
    })
    t.regex(answer, /^HTTP\/1\.1 401 Unauthorized/)
    t.regex(answer, /www-authenticate: Bearer/i)
  }
})

test.serial('without a key readiness is a word, with one that reads everything it is the parts', async (t) => {
  const ready = async (headers = {}) => (await client.send('GET', '/health/ready', undefined, headers)).body
  t.deepEqual(await ready(), { status: 'ready' })
  t.deepEqual(await ready({ 'x-api-key': 'wrong' }), { status: 'ready' })
  t.deepEqual(await ready(withKey(bound)), { status: 'ready' })
  t.is((await ready(withKey(await makeKey(['read'])))).parts.clickhouse.status, 'up')
})

test.serial('lists show a key nothing beyond its places', async (t) => {
  const get = async (path: string) => client.ok(client.send('GET', path, undefined, withKey(bound)))
  t.deepEqual(
    (await get('/stream/list')).schemas.map(({ name }: { name: string }) => name),
    ['air'],
  )
  t.deepEqual((await get('/db')).databases, ['mydb'])
  t.deepEqual(
    (await get('/db/mydb/list/0')).tables.map(({ name }: { name: string }) => name),
    ['t'],
  )
  t.deepEqual((await get('/graph/list')).graphs, ['films'])
  t.is((await get('/graph/stat')).num_graphs, 1)
  t.is((await get('/brs/count')).count, 1)
  t.deepEqual((await client.post('/brs/list/0', {}, withKey(bound))).body.buckets, ['ours'])
  const all = await client.ok(client.send('GET', '/db/mydb/list/0', undefined, admin))
  const keyTable = all.tables.find(({ name }: { name: string }) => name === '_api_key_tbl')
  t.is(keyTable.num_records, (await client.send('GET', '/keys', undefined, admin)).body.num_keys)
})

test.serial('what a statement needs decides, and not its path', async (t) => {
  const [reader, writer] = [await makeKey(['read']), await makeKey(['write'])]
  const status = async (sql: string, key: { readonly key: string }) => (await ask(sql, key)).status
  for (const sql of ['select * from air.st limit 1', 'select count(*) from t', 'select aggr(n) from air.st rollup 1']) {
    t.is(await status(sql, reader), 200, sql)
    const refused = await ask(sql, writer)
    t.is(refused.status, 403, sql)
    t.regex(refused.text, /needs the scope read/)
  }
  for (const sql of ['insert into air.st values null {"n": 1}', 'delete from t where _pk = "x"']) {
    t.is(await status(sql, writer), 200, sql)
    t.is(await status(sql, reader), 403, sql)
  }
  t.is((await ask('insert into air.st values null {"n": 1}', reader)).body.retval, -1)
  for (const key of [reader, writer]) t.is(await status('select select', key), 400)
  t.is(await status('select select', await makeKey(['define'])), 403)
})

test.serial(
  'a statement on another place is refused whether it is there or not; its own place may be missing',
  async (t) => {
    const status = async (sql: string, path = '/db/mydb/query') =>
      (await client.post(path, { sql }, withKey(bound))).status
    for (const name of ['sea.st', 'sea.none', 'nothing.here', 'their.t', 'their.none'])
      t.is(await status(`select * from ${name}`), 403, name)
    t.is(await status('select * from t', '/db/their/query'), 403)
    t.is(await status('select * from t', '/db/nothing/query'), 403)
    t.is(await status('select * from air.st', '/db/their/query'), 200)
    t.is(await status('select * from later.st'), 404)
    t.is(await status('select * from none'), 404)
    for (const sql of ['select usage from weir_stream', 'select * from notif', 'select count(*) from reg_notif'])
      t.is(await status(sql), 403, sql)
    t.is((await client.post('/stream', { schema: 'later', streams }, withKey(bound))).status, 200)
    t.is((await client.post('/stream', { schema: 'other', streams }, withKey(bound))).status, 403)
    const notifs = { schema: 'later', streams, notifs: [{}] }
    t.is((await client.send('PUT', '/stream', notifs, withKey(bound))).status, 403)
  },
)

test.serial('a training from a table needs the database of the table', async (t) => {
  const train = async (training_source: string, on: readonly string[]) => {
    const training = {
      ...{ 'schema-name': 'air', model_name: 'of_table', algo_type: 'KMEANS', algo_param: { k: 1 } },
      training_details: { training_source_type: 'TABLE', training_source },
    }
    const { status, body } = await client.post('/ml/train?wait=30', training, withKey(await makeKey(['train'], on)))
    return status === 200 ? status : body.error[0]
  }
  t.is(await train('mydb.t', ['schema:air', 'db:mydb']), 200)
  for (const [table, on] of [
    ['mydb.t', ['schema:air']],
    ['their.t', ['schema:air', 'db:mydb']],
    ['mydb.t', ['schema:sea', 'db:mydb']],
  ] as const)
    t.regex(await train(table, on), /^this needs the scope train on (db|schema):/, table)
})

test.serial('files whose names may be read as those of another schema need their bucket', async (t) => {
  const trainer = await makeKey(['train', 'read'], ['schema:air'])
  const withBucket = await makeKey(['train', 'read'], ['schema:air', 'bucket:ml_bucket_info'])
  const upload = (model_name: string, file_name: string, key: { readonly key: string }) =>
    client.post(
      '/stream/upload_data',
      { 'schema-name': 'air', 'stream-name': 'st', model_name, duration_sec: 60, file_name },
      withKey(key),
    )
  t.is((await upload('m', 'data', trainer)).status, 200)
  for (const [model, file] of [
    ['m__sea', 'data'],
    ['m_', 'data'],
    ['m', 'sea__data'],
    ['m', '_data'],
  ] as const) {
    const refused = await upload(model, file, trainer)
    t.deepEqual([refused.status, refused.body.errcode], [403, -2], `${model} ${file}`)
    t.is((await upload(model, file, withBucket)).status, 200, `${model} ${file}`)
    const source = { training_source_type: 'FILE', training_source: file, input_format: 'JSON' }
    const training = {
      ...{ 'schema-name': 'air', model_name: model, algo_type: 'KMEANS', algo_param: { k: 1 }, attr_type: 1 },
      ...{ training_details: source, attr_list: [{ name: 'n', position: 0 }] },
    }
    t.is((await client.post('/ml/train', training, withKey(trainer))).status, 403)
    const predicting = { 'schema-name': 'air', model_name: model, data_type: 1, attr_type: 1, algo_type: 'KMEANS' }
    const asked = { ...predicting, input_format: 'JSON', expected_format: 'JSON', data: file }
    t.is((await client.post('/ml/pred/1', asked, withKey(trainer))).status, 403)
  }
})

test.serial('a filter makes matches of a template for keys that are bound to no place alone', async (t) => {
  const passes = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 4, val: 1 }], qtype: 1 }), type: 1 }
  const notifying = (notf: number, streamName = 'st') => {
    const fltr = [{ name: 'f', fqry: passes, notf }]
    return { schema: 'later', streams: [{ name: streamName, type: 1, attr: [{ name: 'n', type: 9 }], fltr }] }
  }
  const sent = (method: string, path: string, body: object, key: { readonly key: string }) =>
    client.send(method, path, body, withKey(key))
  const [tenant, keeper] = [await makeKey(['define'], ['schema:later']), await makeKey(['define'])]
  const refused = await sent('PUT', '/stream?force=1', notifying(900), tenant)
  t.deepEqual([refused.status, refused.body.errcode], [403, -2])
  t.is((await sent('PUT', '/stream/later', notifying(900, 'more'), tenant)).status, 403)
  t.is((await sent('PUT', '/stream?force=1', notifying(900), keeper)).status, 200)
  // A template that the filter already has needs no further key.
  t.is((await sent('PUT', '/stream?force=1', notifying(900), tenant)).status, 200)
  t.is((await sent('PUT', '/stream?force=1', notifying(901), tenant)).status, 403)
})

test.serial('a graph is read, written and defined by different keys; a schema has its graph with it', async (t) => {
  const [reader, writer] = [await makeKey(['read']), await makeKey(['write'])]
  const node = { label: 'A', name: 'b', prop: {} }
  t.is((await askGraph('films', 's=>(A:*)', reader)).status, 200)
  for (const text of ['CREATE (A:b {"x":1})', 'MERGE (A:b)<-[*]-(A:c)', 'DELETE (A:b)'])
    t.is((await askGraph('films', text, reader)).status, 403, text)
  t.is((await askGraph('films', 's=>(A:*)', writer)).status, 403)
  t.is((await askGraph('films', 'CREATE (A:b {"x":1})', writer)).status, 200)
  t.is((await askGraph('films', 'create geoindex films.A p = lat.lon', writer)).status, 403)
  t.is((await askGraph('films', 'create geoindex films.A p = lat.lon', bound)).status, 200)
  t.is((await askGraph('books', 's=>(A:*)', bound)).status, 403)
  t.is((await askGraph('air_graph', 's=>(A:*)', bound)).status, 200)
  t.is((await client.post('/stream/air/st/graph/query', 's=>(A:*)', withKey(bound))).status, 200)
  t.is((await client.post('/stream/sea/none/graph/query', 's=>(A:*)', withKey(bound))).status, 403)

  t.is((await client.post('/graph/films/node', node, withKey(writer))).status, 200)
  const refused = await client.post('/graph/fresh/node', node, withKey(writer))
  t.is(refused.status, 403)
  t.regex(refused.text, /needs the scope define/)
  t.is((await client.send('GET', '/graph/list', undefined, admin)).body.graphs.includes('fresh'), false)
  t.is((await client.post('/graph/fresh/node', node, withKey(await makeKey(['write', 'define'])))).status, 200)
})

test.serial('a training reads no bucket beyond the places of its key', async (t) => {
  const train = (details: Record<string, unknown>, algo_type = 'LIN') =>
    client.post(
      '/ml/train',
      {
        'schema-name': 'air',
        model_name: 'm',
        algo_type,
        algo_param: algo_type === 'PY' ? { script: 's.py' } : {},
        attr_list: ['a', 'b'].map((name, position) => ({ name, position })),
        training_details: { training_source_type: 'FILE', input_format: 'CSV', target_idx: 1, ...details },
      },
      withKey(bound),
    )
  const file = { training_source: 'f' }
  t.is((await train({ ...file, bucket_name: 'theirs' })).status, 403)
  t.is((await train({ ...file, is_src_global: 1 })).status, 403)
  t.is((await train({ training_source_type: 'BUCKET', bucket_name: 'ml_bucket_info' })).status, 403)
  t.is((await train(file, 'PY')).status, 403)
  t.is((await train(file)).status, 200)
})

test.serial(
  'the record of changes tells who changed what, newest first, and nothing of what was refused',
  async (t) => {
    const [definer, writer] = [await makeKey(['define', 'write']), await makeKey(['write'])]
    const table = { table_name: 'recorded', table_type: 1, key_type: 1 }
    t.is((await client.post('/db/mydb/table', table, withKey(writer))).status, 403)
    await client.ok(client.post('/db/mydb/table', table, withKey(definer)))
    t.is((await client.post('/db/mydb/table', table, withKey(definer))).status, 409)
    await client.ok(
      client.post('/db/mydb/recorded/index', { index_name: 'a', key_type: 1, key_size: 24 }, withKey(definer)),
    )
    await client.ok(client.send('DELETE', '/db/mydb/recorded', undefined, withKey(definer)))
    await client.ok(client.send('PUT', '/stream/sea/st/state', { state: 0 }, withKey(definer)))
    await client.ok(client.send('PUT', '/stream/sea/st/state', { state: 0 }, withKey(definer)))
    await client.ok(client.post('/stream', { schema: 'sea', streams }, withKey(definer)))
    const { changes, num_changes } = await client.ok(client.send('GET', '/audit', undefined, admin))
    t.is(num_changes, changes.length)
    t.deepEqual(
      changes
        .filter(({ by }: { by: string }) => by === definer.id)
        .map(({ what, name, detail }: Record<string, string>) => `${what} ${name} ${detail}`),
      [
        'schema sea stream st turned OFF',
        'table mydb.recorded dropped',
        'index mydb.recorded.a built',
        'table mydb.recorded created',
      ],
    )
    t.false(changes.some(({ by }: { by: string }) => by === writer.id))
    t.true(
      changes.some(
        ({ what, name, by }: Record<string, string>) => what === 'key' && name === definer.id && by === 'ADMIN_KEY',
      ),
    )
    const times = changes.map(({ ts }: { ts: number }) => ts)
    t.deepEqual(
      times,
      [...times].sort((one, other) => other - one),
    )
    t.is((await client.send('GET', '/audit?limit=2', undefined, admin)).body.num_changes, 2)
    t.is((await client.send('GET', '/audit?limit=0', undefined, admin)).status, 400)
  },
)

test.serial('the root tells what this is, and where to go on', async (t) => {
  const { body } = await client.get('/')
  t.like(body, { name: 'weir', parts: { clickhouse: 'embedded', keys: 'required' }, links: { keys: '/keys' } })
  t.regex(body.version, /^\d+\.\d+\.\d+$/)
})

const analyst = async (sql: string, headers: Record<string, string> = {}, url = '/') => {
  const response = await fetch(new URL(url, `http://127.0.0.1:${port}`), { method: 'POST', body: sql, headers })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const asPassword = ({ key }: { readonly key: string }) => ({
  authorization: `Basic ${Buffer.from(`anybody:${key}`).toString('base64')}`,
})

test.serial('on the port for analysts a key is the password, or is shown as on the API', async (t) => {
  const reader = await makeKey(['read'])
  t.is((await analyst('SELECT 1', asPassword(reader))).text, '1\n')
  t.is((await analyst('SELECT 1', { 'x-clickhouse-user': 'a', 'x-clickhouse-key': reader.key })).text, '1\n')
  t.is((await analyst('SELECT 1', {}, `/?password=${reader.key}`)).text, '1\n')
  t.is((await analyst('SELECT 1', asPassword({ key: ADMIN_KEY }))).text, '1\n')
  t.is((await analyst('SELECT 1', { 'x-api-key': reader.key })).text, '1\n')
  t.is((await analyst('SELECT 1', { 'x-acme-api-key': reader.key })).text, '1\n')
  t.is((await analyst('SELECT 1', { authorization: `Bearer ${reader.key}` })).text, '1\n')
  for (const refused of [
    await analyst('SELECT 1'),
    await analyst('SELECT 1', asPassword({ key: 'wrong' })),
    await analyst('SELECT 1', asPassword(reader), `/?password=${ADMIN_KEY}`),
    await analyst('SELECT 1', { 'x-api-key': reader.key }, `/?password=${ADMIN_KEY}`),
    await analyst('SELECT 1', { authorization: 'Bearer wrong' }),
    await analyst('SELECT 1', {}, '/nothing'),
  ]) {
    t.is(refused.status, 401)
    t.regex(refused.text, /^Code: 516\. /)
    t.is(refused.headers.get('x-clickhouse-exception-code'), '516')
  }
  const writer = await analyst('SELECT 1', asPassword(await makeKey(['write'])))
  t.is(writer.status, 403)
  t.regex(writer.text, /^Code: 497\. .*scope read/)
  t.is((await fetch(`http://127.0.0.1:${port}/ping`)).status, 200)
})

test.serial("analysts' SQL sees the databases of its key alone", async (t) => {
  const sql = async (text: string, url = '/') => analyst(text, asPassword(bound), url)
  for (const own of [
    'SELECT count() FROM air.st',
    'SELECT count() FROM mydb.t',
    'SELECT count() FROM graph.films',
    'SELECT count() FROM graph.films_rel AS r',
    'WITH x AS (SELECT n FROM air.st) SELECT count() FROM x',
    'SHOW TABLES FROM air',
    'DESCRIBE air.st',
  ]) {
    const { status, text } = await sql(own)
    t.is(status, 200, `${own}\n${text}`)
  }
  t.is((await sql('SELECT count() FROM st', '/?database=air')).status, 200)
  for (const other of [
    'SELECT count() FROM sea.st',
    'SELECT count() FROM `sea`.`st`',
    'SELECT count() FROM "sea.st"',
    'SELECT 1 WHERE 1 IN (SELECT n FROM sea.st)',
    'SELECT 1 WHERE 1 IN sea.st',
    'SELECT count() FROM air.st, sea.st',
    'SELECT count() FROM air.st AS a JOIN sea.st AS b ON a.n = b.n',
    'SELECT count() FROM their.t',
    'SELECT count() FROM not_there.t',
    'SELECT count() FROM graph.books',
    'SELECT count() FROM graph.books_rel',
    'SELECT count() FROM view(SELECT * FROM sea.st)',
    'DESCRIBE sea.st',
    'DESCRIBE TABLE sea.st',
    'EXISTS sea.st',
    'EXISTS DATABASE sea',
    'SHOW TABLES FROM sea',
    'SHOW CREATE sea.st',
    'SHOW CREATE DATABASE sea',
    'EXPLAIN SELECT * FROM sea.st',
  ]) {
    const { status, text } = await sql(other)
    t.is(status, 403, `${other}\n${text}`)
    t.regex(text, /^Code: 497\. /, other)
  }
  t.is((await sql('SELECT 1', '/?database=sea')).status, 403)
  t.is((await sql('SELECT count() FROM {d:Identifier}.st', '/?param_d=sea')).status, 403)
  for (const telling of [
    'SHOW DATABASES',
    'SELECT * FROM system.databases',
    'SELECT database, name FROM system.tables',
    'SELECT database, table, name FROM system.columns',
    'SELECT table_schema, table_name FROM information_schema.tables',
    'SELECT * FROM information_schema.schemata',
    'SELECT count() FROM air.stt',
  ]) {
    const { text } = await sql(telling)
    t.notRegex(text, /\b(sea|their|books)\b/, telling)
  }
  const swapped = await makeKey(['read'], ['db:air', 'schema:mydb'])
  for (const other of [
    'SELECT count() FROM air.st',
    'SELECT count() FROM mydb.t',
    'SHOW TABLES FROM air',
    'SHOW TABLES FROM mydb',
  ]) {
    const { status, text } = await analyst(other, asPassword(swapped))
    t.deepEqual(
      [status, text.slice(0, 9)],
      [403, 'Code: 497'],
      `${other}: a schema is no database of tables, nor the reverse`,
    )
  }
  t.notRegex((await analyst('SHOW DATABASES', asPassword(swapped))).text, /\bair\b|\bmydb\b/)
  t.regex((await sql('SHOW DATABASES')).text, /\bair\n[\s\S]*\bgraph\n/)
})
