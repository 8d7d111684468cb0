/** The rights to save a question and to ask one, and the bounds of a key that is for questions alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }

const attr = [
  { name: 'country', type: 'STRING' },
  { name: 'n', type: 'LONG' },
]
for (const schema of ['shop', 'secret'])
  await client.ok(client.post('/stream', { schema, streams: [{ name: 'orders', type: 1, swsz: 0, attr }] }, admin))
for (const [country, n] of [
  ['DE', 1],
  ['DE', 2],
  ['FR', 3],
])
  await client.ok(client.post('/stream/shop/orders', { country, n }, admin))
await client.ok(client.post('/stream/secret/orders', { country: 'XX', n: 99 }, admin))

const keyWith = async (wanted: Record<string, unknown>) => {
  const { id, key } = await client.ok(client.post('/keys', { name: 'k', ...wanted }, admin))
  return { id, headers: { 'x-api-key': key } }
}
const put = (name: string, question: unknown, headers: Record<string, string>) =>
  client.send('PUT', `/saved/${name}`, question, headers)
const get = (path: string, headers: Record<string, string>) => client.send('GET', path, undefined, headers)

const sql = 'SELECT country, sum(n) AS n FROM shop.orders WHERE country = {country:String} GROUP BY country'
await client.ok(put('by_country', { sql }, admin))
await client.ok(put('another', { sql: 'SELECT 1 AS one' }, admin))

test.after.always(close)

test('a key that may ask a question needs no right to what it names, and sees nothing else', async (t) => {
  const { headers } = await keyWith({ scopes: ['read'], on: ['saved:by_country'] })
  const answer = await client.ok(get('/saved/by_country/rows?country=DE', headers))
  t.deepEqual(answer.rows, [{ country: 'DE', n: 3 }])
  t.deepEqual(
    (await client.ok(get('/saved', headers))).saved.map(({ name }: { name: string }) => name),
    ['by_country'],
  )
  t.is((await get('/saved/another/rows', headers)).status, 403)
  t.is((await get('/stream/shop/info', headers)).status, 403)
  t.is((await client.send('POST', '/sql', { sql: 'SELECT 1' }, headers)).status, 403)
  t.is((await client.send('POST', '/db/mydb/query', { sql: 'select * from shop.orders' }, headers)).status, 403)
  t.is((await put('by_country', { sql: 'SELECT 1' }, headers)).status, 403)
  t.is((await client.send('DELETE', '/saved/by_country', undefined, headers)).status, 403)
  const { tools } = (await client.ok(client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)))
    .result
  const names = tools.map(({ name }: { name: string }) => name)
  t.deepEqual(names, ['test_watch', 'by_country'])
  t.deepEqual(
    Object.keys((await client.ok(get('/openapi.json', headers))).paths).filter(
      (path) => path.startsWith('/saved/') && !path.includes('{'),
    ),
    ['/saved/by_country/rows'],
  )
  t.deepEqual(
    Object.keys((await client.ok(client.get('/openapi.json'))).paths).filter(
      (path) => path.startsWith('/saved/') && !path.includes('{'),
    ),
    [],
  )
})

test('a key with fixed values is told of what it may send, and of nothing behind it', async (t) => {
  const { headers } = await keyWith({ scopes: ['read'], on: ['saved:sold'], fixed: { country: 'FR' } })
  const params = { country: { values: ['DE', 'FR'] }, least: { default: 0, description: 'of orders' } }
  const text = 'SELECT sum(n) AS items FROM shop.orders WHERE country = {country:String} AND n > {least:Int64}'
  await client.ok(put('sold', { sql: text, params, description: 'Orders of your country' }, admin))
  const { saved } = await client.ok(get('/saved', headers))
  const { type } = saved[0].params.least
  const shown = {
    description: 'Orders of your country',
    cache_s: 0,
    params: { least: { type, default: 0, description: 'of orders' } },
  }
  t.deepEqual(saved, [{ name: 'sold', version: 1, ...shown }])
  t.deepEqual((await client.ok(get('/saved?details=1', headers))).saved, saved)
  t.is((await get('/saved/sold', headers)).status, 403)
  for (const path of ['/openapi.json', '/saved/sold/openapi.json']) {
    const document = await client.ok(get(path, headers))
    t.deepEqual(
      document.paths['/saved/sold/rows'].get.parameters.map(({ name }: { name: string }) => name),
      ['least'],
    )
  }
  const call = async (method: string, params: unknown) =>
    (await client.ok(client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers))).result
  const { tools } = await call('tools/list', {})
  t.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['sold'],
  )
  t.deepEqual(Object.keys(tools[0].inputSchema.properties), ['least', 'limit', 'cursor'])
  const told = await call('tools/call', { name: 'sold', arguments: { least: 1 } })
  t.deepEqual(JSON.parse(told.content[0].text).rows, [{ items: 3 }])
})

test('a definer needs to define there, and to read what the text names; later readers do not', async (t) => {
  const definer = await keyWith({ scopes: ['read', 'define'], on: ['saved:mine', 'schema:shop'] })
  t.is((await put('others', { sql }, definer.headers)).status, 403)
  const refused = await put('mine', { sql: 'SELECT n FROM secret.orders' }, definer.headers)
  t.true(refused.status === 400 || refused.status === 403, refused.text)
  t.is((await put('mine', { language: 'weir', sql: 'select * from secret.orders' }, definer.headers)).status, 403)
  await client.ok(put('mine', { sql: 'SELECT sum(n) AS n FROM shop.orders' }, definer.headers))
  const blind = await keyWith({ scopes: ['define'], on: ['saved:mine'] })
  t.is((await put('mine', { sql: 'SELECT 1' }, blind.headers)).status, 403)
  const reader = await keyWith({ scopes: ['read'], on: ['saved:mine'] })
  t.deepEqual((await client.ok(get('/saved/mine/rows', reader.headers))).rows, [{ n: 6 }])
  await client.ok(client.send('DELETE', `/keys/${definer.id}`, undefined, admin))
  t.deepEqual((await client.ok(get('/saved/mine/rows', reader.headers))).rows, [{ n: 6 }], 'the right was kept with it')
})

// Before the others: a change that another test makes meanwhile would keep the two apart.
test.serial('drafts that are tried at once under one name have answers of their own texts and rights', async (t) => {
  const ofShop = await keyWith({ scopes: ['read', 'define'], on: ['saved:drafted', 'schema:shop'] })
  const ofSecret = await keyWith({ scopes: ['read', 'define'], on: ['saved:drafted', 'schema:secret'] })
  // Takes until the other one is asked.
  const long = 'sum(cityHash64(number)) AS s FROM numbers(30000000)'
  const times = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
  const tried = async (sql: string, { headers }: typeof ofShop) => {
    const draft = { ...times, sql, watch: { every: 60, when: "v != 'x'" } }
    return (await client.ok(client.send('POST', '/saved/drafted/test', draft, headers))).series[0].points[0].value
  }
  const texts = ['a', 'b'].map((name) => `SELECT '${name}' AS v, ${long}`)
  t.deepEqual(await Promise.all(texts.map((sql) => tried(sql, ofShop))), ['a', 'b'])
  const seen = `SELECT max(database) AS v FROM system.tables WHERE (SELECT ${long}) > 0 AND database IN ('shop', 'secret')`
  t.deepEqual(await Promise.all([tried(seen, ofSecret), tried(seen, ofShop)]), ['secret', 'shop'])
})

test('the cursor of a page is of the key that asks, though another key was answered just before', async (t) => {
  const counted = [{ name: 'n', type: 'LONG', stat: 'RSTAT', gran: 60 }]
  const schema = { schema: 'aged', streams: [{ name: 'orders', type: 1, swsz: 0, attr: counted }] }
  await client.ok(client.post('/stream', schema, admin))
  // A page of intervals ends before so many empty ones.
  for (const days of [20, 0])
    await client.ok(client.post('/stream/aged/orders', { _pk: (Date.now() - days * 86_400_000) * 1000, n: 1 }, admin))
  const question = { language: 'weir', sql: 'select aggr(n) from aged.orders', cache_s: 600 }
  await client.ok(put('intervals', question, admin))
  for (const name of ['one', 'other']) {
    const { headers } = await keyWith({ name, scopes: ['read'], on: ['saved:intervals'] })
    const { cursor } = await client.ok(get('/saved/intervals/rows', headers))
    t.is(typeof cursor, 'string')
    await client.ok(get(`/saved/intervals/rows?cursor=${cursor}`, headers))
  }
})

for (const [wanted, problem] of [
  [{ scopes: ['read'], fixed: { country: 'DE' } }, /^fixed: goes with a key that asks saved questions alone/],
  [{ scopes: ['read'], on: ['schema:shop'], fixed: { country: 'DE' } }, /^fixed: goes with/],
  [{ scopes: ['read', 'define'], on: ['saved:by_country'], fixed: { country: 'DE' } }, /^fixed: goes with/],
  [{ scopes: ['read'], on: ['saved:by_country'], fixed: ['DE'] }, /^fixed: must be an object/],
  [{ scopes: ['read'], on: ['saved:by_country'], rate: 0 }, /^rate: /],
] as const) {
  test(`such a key is not made: ${JSON.stringify(wanted)}`, async (t) => {
    const { status, body } = await client.post('/keys', { name: 'k', ...wanted }, admin)
    t.is(status, 400)
    t.regex(body.error[0], problem)
  })
}

test('a key has a rate of its own', async (t) => {
  const { id, headers } = await keyWith({ scopes: ['read'], on: ['saved:another'], rate: 2 })
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await get('/saved/another/rows', headers)).status),
  )
  const taken = statuses.filter((status) => status === 200).length
  t.true(taken >= 4 && taken <= 8, statuses.join())
  t.true(statuses.includes(429))
  const { keys } = await client.ok(get('/keys', admin))
  t.like(
    keys.find((each: { id: string }) => each.id === id),
    { rate: 2, on: ['saved:another'] },
  )
})

test('the tokens of a key with a rate count against it, together with its own requests', async (t) => {
  const backend = await keyWith({ scopes: ['read'], on: ['saved:another'], rate: 3 })
  const make = () => client.ok(client.post('/keys/token', { saved: 'another' }, backend.headers))
  const pages = [await make(), await make()].map(({ token }) => ({ 'x-api-key': token }))
  const ways = [...pages, backend.headers]
  const begun_ms = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => get('/saved/another/rows', ways[n % 3] ?? {})))
  // Two seconds' worth after a rest, and three more in each second that the answers took.
  const most = 6 + 3 * ((performance.now() - begun_ms) / 1000)
  const taken = answers.filter(({ status }) => status === 200).length
  t.true(taken >= 4 && taken <= most, `${taken} of at most ${most}`)
  const refused = answers.find(({ status }) => status === 429)
  t.regex(refused?.text ?? '', /more than 3 requests a second by one key/)
  const free = await keyWith({ scopes: ['read'], on: ['saved:another'] })
  const { token } = await client.ok(client.post('/keys/token', { saved: 'another' }, free.headers))
  const many = await Promise.all(Array.from({ length: 30 }, () => get('/saved/another/rows', { 'x-api-key': token })))
  t.true(many.every(({ status }) => status === 200))
})

test('a token asks one question for as long as it says, with its values, and ends with the key that made it', async (t) => {
  const backend = await keyWith({ scopes: ['read'], on: ['saved:by_country', 'saved:another'] })
  const make = (body: unknown, headers = backend.headers) => client.send('POST', '/keys/token', body, headers)
  const { token, expires } = await client.ok(make({ saved: 'by_country', fixed: { country: 'FR' }, expires_s: 60 }))
  t.true(expires > Date.now() * 1000 + 50e6 && expires <= Date.now() * 1000 + 60e6)
  const page = { 'x-api-key': token }
  t.deepEqual((await client.ok(get('/saved/by_country/rows', page))).rows, [{ country: 'FR', n: 3 }])
  t.deepEqual((await client.ok(get('/saved/by_country/rows', { authorization: `Bearer ${token}` }))).rows[0].n, 3)
  t.is((await get('/saved/by_country/rows?country=DE', page)).status, 403)
  t.is((await get('/saved/another/rows', page)).status, 403)
  t.is((await get('/keys', page)).status, 403)
  t.is((await get('/saved/by_country/rows', { 'x-api-key': `${token.slice(0, -2)}AA` })).status, 401)
  // A token makes none that may more, or live longer.
  t.is((await make({ saved: 'by_country', fixed: { country: 'DE' } }, page)).status, 403)
  const second = await client.ok(make({ saved: 'by_country', expires_s: 3600 }, page))
  t.true(second.expires <= expires)
  t.deepEqual((await client.ok(get('/saved/by_country/rows', { 'x-api-key': second.token }))).rows, [
    { country: 'FR', n: 3 },
  ])
  t.regex(
    (await make({ saved: 'by_country', fixed: { contry: 'FR' } })).body.error[0],
    /^fixed: contry is no parameter of the question; did you mean country\?$/,
  )
  t.regex((await make({ saved: 'by_country', fixed: { country: 5 } })).body.error[0], /^fixed\.country must be a text$/)
  t.is((await make({ saved: 'nowhere' })).status, 403)
  t.is((await make({ saved: 'nowhere' }, admin)).status, 404)
  t.regex((await make({ saved: 'another', expires: 5 })).body.error[0], /^expires: is unknown/)

  const brief = await client.ok(make({ saved: 'another', expires_s: 1 }))
  t.is((await get('/saved/another/rows', { 'x-api-key': brief.token })).status, 200)
  await sleep(1_100)
  t.is((await get('/saved/another/rows', { 'x-api-key': brief.token })).status, 401)
  await client.ok(client.send('DELETE', `/keys/${backend.id}`, undefined, admin))
  t.is((await get('/saved/by_country/rows', page)).status, 401)
})

test('the record of changes says who saved and who deleted a question', async (t) => {
  const { id, headers } = await keyWith({ scopes: ['read', 'define'] })
  await client.ok(put('recorded', { sql: 'SELECT 1' }, headers))
  await client.ok(put('recorded', { sql: 'SELECT 1' }, headers))
  await client.ok(client.send('DELETE', '/saved/recorded', undefined, headers))
  const { changes } = await client.ok(get('/audit', admin))
  t.deepEqual(
    changes
      .filter(({ name }: { name: string }) => name === 'recorded')
      .map(({ by, what, detail }: Record<string, string>) => [by, what, detail]),
    [
      [id, 'saved question', 'deleted'],
      [id, 'saved question', 'version 1'],
    ],
  )
})

test('a draft of a watch needs the right to ask the question, a draft of a text that to save it and to read what it names', async (t) => {
  const watch = { every: 60, when: 'n > 1' }
  const times = { from: '2026-11-01T00:00:00Z', to: '2026-11-01T00:01:00Z' }
  const tried = async (draft: object, headers: Record<string, string>) =>
    (await client.send('POST', '/saved/another/test', { ...times, ...draft }, headers)).status
  await client.ok(put('another', { sql: 'SELECT 1 AS n' }, admin))
  const reader = await keyWith({ scopes: ['read'], on: ['saved:another'] })
  t.is(await tried({ watch }, reader.headers), 200)
  t.is(await tried({ watch, sql: 'SELECT 1 AS n' }, reader.headers), 403)
  t.is(await tried({ watch, params: {} }, reader.headers), 403)
  const definer = await keyWith({ scopes: ['read', 'define'], on: ['saved:another', 'schema:shop'] })
  t.is(await tried({ watch, sql: 'SELECT sum(n) AS n FROM shop.orders' }, definer.headers), 200)
  t.true([400, 403].includes(await tried({ watch, sql: 'SELECT sum(n) AS n FROM secret.orders' }, definer.headers)))
})
