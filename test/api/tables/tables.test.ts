import { join } from 'node:path'
import test from 'ava'
import { Session } from 'chdb'
import { startService } from '../../support/service.ts'

const { client, folder, close } = await startService()
const { get, post, query, send } = client
const remove = (path: string) => send('DELETE', path)
const session = new Session(join(folder, 'clickhouse'))
const clickhouse = (text: string): string => session.query(text, 'TSV').trim()

test.after.always(async () => {
  session.close()
  await close()
})

const wide = { table_name: 'visits', table_type: 1, key_type: 1 }

test('a table is made, read back with its defaults, listed, dropped', async (t) => {
  const made = await post('/db/shop/table', wide)
  t.is(made.status, 200)
  t.is(typeof made.body.msg, 'string')
  const settings = {
    database: 'shop',
    table_name: 'visits',
    table_type: 1,
    key_type: 1,
    key_sz: 24,
    allow_duplicate: 0,
    allow_rev_idx: 0,
    version_type: 0,
    indexes: [],
    rev_idx: [],
  }
  t.deepEqual((await get('/db/shop/visits')).body, settings)
  t.deepEqual((await get('/db/shop/visits/tableenv')).body, settings)
  const named = { database: 'shop', buffer_pool: 256 }
  t.deepEqual((await get('/db/shop/list')).body, { ...named, tables: ['visits'], num_tables: 1 })
  t.deepEqual((await get('/db/shop/count')).body, { count: 1 })
  t.is((await remove('/db/shop/visits')).status, 200)
  t.is((await get('/db/shop/visits')).status, 404)
  t.deepEqual((await get('/db/shop/list')).body, { ...named, tables: [], num_tables: 0 })
  t.is(clickhouse("SELECT count() FROM system.databases WHERE name = 'shop'"), '0')
  t.is(clickhouse("SELECT count() FROM system.tables WHERE name LIKE 'shop%'"), '0')
})

test('a member of a table or an index that is unknown is told, and does nothing', async (t) => {
  const made = await client.ok(post('/db/told/table', { ...wide, keysz: 40, buffers: 1 }))
  const [misspelt, other] = made.error
  t.is(misspelt, 'keysz is unknown and does nothing; did you mean key_sz?')
  t.regex(other, /^buffers is unknown and does nothing; known are table_name, /)
  t.is((await get('/db/told/visits')).body.key_sz, 24)
  const built = await client.ok(post('/db/told/visits/index', { index_name: 'city', keysize: 40 }))
  t.deepEqual(built.error, ['keysize is unknown and does nothing; did you mean key_size?'])
  t.is((await client.ok(post('/db/told/visits/index', { index_name: 'town' }))).error, undefined)
  t.is((await client.ok(post('/db/told/table', { ...wide, table_name: 'b' }))).error, undefined)
})

test('codes are accepted by number, by name and as text', async (t) => {
  await client.ok(
    post('/db/codes/table', {
      table_name: 'a',
      table_type: 'normal_table',
      key_type: 'NORMAL_KEY_LONG',
      allow_duplicate: '1',
      version_type: 1,
    }),
  )
  await client.ok(post('/db/codes/table', { table_name: 'b', table_type: '5', key_type: 'Composite_Key', key_sz: 128 }))
  const { body: a } = await get('/db/codes/a')
  t.like(a, { table_type: 0, key_type: 10, key_sz: 8, allow_duplicate: 1, version_type: 1 })
  t.like((await get('/db/codes/b')).body, { table_type: 5, key_type: 3, key_sz: 128 })
})

const refused: readonly (readonly [what: string, path: string, body: unknown, status: number, said: RegExp])[] = [
  [
    'a missing type',
    '/db/d/table',
    { table_name: 't', key_type: 1 },
    400,
    /table_type: no table_type; known are 0 NORMAL/,
  ],
  ['an unknown type', '/db/d/table', { ...wide, table_type: 2 }, 400, /unknown table_type 2/],
  ['an unknown key type', '/db/d/table', { ...wide, key_type: 4 }, 400, /unknown key_type 4/],
  ['no name', '/db/d/table', { table_type: 1, key_type: 1 }, 400, /table_name: is missing/],
  ['a name with a blank', '/db/d/table', { ...wide, table_name: 'a b' }, 400, /letters, digits and underscore/],
  ['a name with a quote', '/db/d/table', { ...wide, table_name: 'a`; DROP' }, 400, /letters, digits and underscore/],
  ['a long name', '/db/d/table', { ...wide, table_name: 'a'.repeat(64) }, 400, /shorter than 64 bytes/],
  ['a digit in front', '/db/d/table', { ...wide, table_name: '1a' }, 400, /must not start with a digit/],
  ['a key size out of range', '/db/d/table', { ...wide, key_sz: 129 }, 400, /key_sz: must be a whole number from 8/],
  ['a flag that is none', '/db/d/table', { ...wide, allow_duplicate: 2 }, 400, /allow_duplicate: must be 0 or 1/],
  ['no object', '/db/d/table', [wide], 400, /a table is a JSON object/],
  ['no JSON', '/db/d/table', '{"table_name": ', 400, /the table is no JSON/],
  ['a bad database', '/db/a-b/table', wide, 400, /database 'a-b' must be letters/],
  ['a database of the service', '/db/weir_records/table', wide, 400, /reserved/],
  ['a database of ClickHouse', '/db/system/table', wide, 400, /reserved/],
  ['the name of a system table', '/db/d/table', { ...wide, table_name: 'reg_notif' }, 409, /system table/],
  ['words of numbers', '/db/d/table', { ...wide, table_type: 4, allow_rev_idx: 1 }, 400, /have no words/],
]

for (const [what, path, body, status, said] of refused) {
  test(`a table is refused: ${what}`, async (t) => {
    const answer = await post(path, body)
    t.is(answer.status, status, answer.text)
    t.regex(answer.text.replaceAll('\\"', '"'), said)
    t.true(answer.body.errcode < 0)
    t.is(typeof answer.body.msg, 'string')
    t.deepEqual((await get('/db/d/list')).body.tables, [])
  })
}

test('a table that is there already is a 409 and stays', async (t) => {
  await client.ok(post('/db/twice/table', wide))
  await client.ok(post('/db/twice/visits/doc', { _pk: 'k', doc: { a: 1 } }))
  t.is((await post('/db/twice/table', { ...wide, table_type: 0 })).status, 409)
  t.is((await get('/db/twice/visits/count')).body.count, 1)
})

test('tables made at the same time are made once', async (t) => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => post('/db/race/table', wide)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
})

test('a dropped table comes back empty', async (t) => {
  await client.ok(post('/db/again/table', wide))
  await client.ok(post('/db/again/visits/doc', { _pk: 'k', doc: { a: 1 } }))
  await client.ok(remove('/db/again/visits'))
  t.is((await post('/db/again/query', { sql: 'select * from visits' })).status, 404)
  await client.ok(post('/db/again/table', wide))
  t.is((await get('/db/again/visits/count')).body.count, 0)
})

test('a database and a schema share no name', async (t) => {
  const schema = { schema: 'air_s', streams: [{ name: 'flights', type: 1, attr: [{ name: 'a', type: 5 }] }] }
  await client.register(schema)
  t.is((await post('/db/air_s/table', wide)).status, 409)
  await client.ok(post('/db/air_d/table', wide))
  t.is((await post('/stream', { ...schema, schema: 'air_d' })).status, 409)
  await client.ok(remove('/db/air_d/visits'))
  await client.register({ ...schema, schema: 'air_d' })
  await client.ok(send('DELETE', '/stream/air_d'))
  await client.ok(post('/db/air_d/table', wide))
})

test('lists tell records, indexes and storage by ClickHouse own account, system tables included', async (t) => {
  await client.ok(post('/db/lists/table', wide))
  await client.ok(post('/db/lists/table', { ...wide, table_name: 'notes', table_type: 0, allow_rev_idx: 1 }))
  for (const key of ['a', 'b', 'a']) await client.ok(post('/db/lists/visits/doc', { _pk: key, doc: { key } }))
  await client.ok(post('/db/lists/visits/index', { index_name: 'key', key_type: 1, key_size: 24 }))
  await client.ok(post('/db/lists/table', { ...wide, table_name: 'words' }))
  await client.ok(post('/db/lists/query', { sql: 'insert into words values "k" {"a": "x"} revidx a,b' }))
  for (const path of ['/db/lists/list/1', '/db/lists/stat']) {
    const { body } = await get(path)
    t.is(body.database, 'lists')
    t.is(body.buffer_pool, 256)
    t.is(body.num_tables, body.tables.length)
    const [notes, visits, words, ...system] = body.tables
    t.like(notes, { name: 'notes', issys: 0, num_records: 0, num_index: 0 })
    t.like(visits, { name: 'visits', issys: 0, num_records: 2, num_index: 1 })
    t.like(words, { name: 'words', num_records: 1, num_index: 2 })
    t.is(visits.num_files, visits.files.length)
    t.true(visits.num_files > 0 && visits.total_size > 0)
    const names = system.map(({ name }: { name: string }) => name)
    t.deepEqual(names, [
      '_api_key_tbl',
      '_catalogue_tbl',
      '_notification_tbl',
      '_training_request_tbl',
      '_bucket_info_tbl',
    ])
    t.is(system.at(-1).num_records, 2)
    t.true(system.every(({ issys }: { issys: number }) => issys === 1))
  }
  const { body: brief } = await get('/db/lists/list/0')
  t.is(brief.tables[1].name, 'visits')
  t.is(brief.tables[1].files, undefined)
  t.like((await get('/db/lists/visits/stat/1')).body, { name: 'visits', num_records: 2 })
  await client.ok(post('/db/lists/visits/doc', { _pk: 'c', doc: {} }))
  t.like((await get('/db/lists/visits/stat/1')).body, { num_records: 3 })
  await client.ok(client.send('DELETE', '/db/lists/visits?key=a'))
  t.like((await get('/db/lists/visits/stat/1')).body, { num_records: 2 })
  const many = Array.from({ length: 101 }, (_, n) => `f${n}`).join(',')
  t.is((await post('/db/lists/query', { sql: `insert into words values "b" {"a": "x"} revidx ${many}` })).status, 409)
  t.is((await get('/db/lists/words/count')).body.count, 1)
  t.true(Array.isArray((await get('/db/lists/visits/stat/1')).body.files))
  t.is((await get('/db/lists/visits/stat/0')).body.files, undefined)
  t.deepEqual((await get('/db/lists/visits/count')).body, { count: 2 })
  t.is((await get('/db/lists/list/2')).status, 400)
  const { body: databases } = await get('/db')
  t.is(databases.dbname, 'mydb')
  t.true(databases.databases.includes('lists'))
})

test('what is not there is a 404, another method a 405', async (t) => {
  t.is((await get('/db/d/nothing')).status, 404)
  t.is((await get('/db/d/nothing/count')).status, 404)
  t.is((await get('/db/d/nothing/stat/1')).status, 404)
  t.is((await remove('/db/d/nothing')).status, 404)
  t.is((await post('/db/d/nothing/doc', { doc: {} })).status, 404)
  t.is((await post('/db/d/nothing/index', {})).status, 404)
  t.is((await query('select * from nothing')).status, 404)
  t.is((await query('select * from no.where')).status, 404)
  const answer = await get('/db/d/nothing/doc')
  t.is(answer.status, 405)
  t.is(answer.headers.get('allow'), 'POST, PUT')
  const callsLikeTables = [
    ['/db/d/query', 'POST', ['GET', 'DELETE', 'PUT']],
    ['/db/d/Table', 'POST', ['GET', 'DELETE', 'PUT']],
    ['/db/notification/register', 'POST', ['GET', 'DELETE', 'PUT']],
    ['/db/notification/state', 'POST', ['GET', 'DELETE', 'PATCH']],
    ['/db/d/list', 'HEAD, GET', ['DELETE', 'POST', 'PUT']],
    ['/db/d/stat', 'HEAD, GET', ['DELETE', 'POST', 'PUT']],
    ['/db/d/Count', 'HEAD, GET', ['DELETE', 'POST', 'PUT']],
  ] as const
  for (const [path, allowed, methods] of callsLikeTables) {
    for (const method of methods) {
      const { status, headers } = await send(method, path)
      t.deepEqual([status, headers.get('allow')], [405, allowed], `${method} ${path}`)
    }
  }
})

test('a table may be named like a call, and goes only where nothing else was meant', async (t) => {
  await client.ok(post('/db/calls/table', { ...wide, table_name: 'query' }))
  await client.ok(post('/db/calls/query/doc', { _pk: 'a', doc: {} }))
  t.is((await get('/db/calls/query')).body.table_name, 'query')
  const slip = await remove('/db/calls/query?kye=a')
  t.is(slip.status, 400)
  t.regex(slip.body.msg, /^kye is no parameter of this call; did you mean key\?/)
  t.is((await get('/db/calls/query/count')).body.count, 1)
  await client.ok(remove('/db/calls/query'))
})

test('a table that is called list, stat or count is reached by a key, and by its own calls', async (t) => {
  for (const name of ['list', 'stat', 'Count']) {
    await client.ok(post('/db/likecalls/table', { ...wide, table_name: name }))
    await client.ok(post(`/db/likecalls/${name}/doc`, { _pk: 'k', doc: { name } }))
    t.deepEqual((await get(`/db/likecalls/${name}?key=k`)).body, { _pk: 'k', _v: 1, name })
    t.is((await get(`/db/likecalls/${name}?key=absent`)).status, 404)
    t.deepEqual((await get(`/db/likecalls/${name}/count`)).body, { count: 1 })
    t.is((await get(`/db/likecalls/${name}/stat/0`)).body.num_records, 1)
    const { status, headers } = await send('PUT', `/db/likecalls/${name}`)
    t.deepEqual([status, headers.get('allow')], [405, 'HEAD, GET, DELETE'])
    await client.ok(remove(`/db/likecalls/${name}?key=k`))
    t.is((await get(`/db/likecalls/${name}?key=k`)).status, 404)
  }
  t.deepEqual((await get('/db/likecalls/count')).body, { count: 3 })
  t.deepEqual((await get('/db/likecalls/count?key=k')).body, { count: 3 }, 'the table is Count')
  t.deepEqual((await get('/db/likecalls/list')).body.tables, ['Count', 'list', 'stat'])
  for (const name of ['list', 'stat', 'Count']) await client.ok(remove(`/db/likecalls/${name}`))
})

test('an analyst reads a table in ClickHouse SQL, each record once', async (t) => {
  await client.ok(post('/db/analyst/table', { ...wide, table_name: 'airports' }))
  for (const state of ['TX', 'CA', 'NY']) {
    await client.ok(post('/db/analyst/airports/doc', { _pk: 'DFW', doc: { state } }))
  }
  await client.ok(post('/db/analyst/airports/index', { index_name: 'state', key_type: 1, key_size: 24 }))
  await client.ok(post('/db/analyst/airports/doc', { _pk: 'JFK', doc: { state: 'NY' } }))
  await client.ok(remove('/db/analyst/airports?key=JFK'))
  t.is(clickhouse('SELECT _pk, doc, _v FROM analyst.airports'), 'DFW\t{"state":"NY"}\t1')
  await client.ok(post('/db/analyst/table', { ...wide, table_name: 'hits', table_type: 4 }))
  await client.ok(post('/db/analyst/hits/doc', { _pk: 'home', doc: 41 }))
  t.is(clickhouse('SELECT doc + 1 FROM analyst.hits'), '42')
})
