/** The meaning of conditions at the edges of numbers, texts and words. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
const { post, query } = client
test.after.always(close)

const make = (table_name: string, settings: Readonly<Record<string, unknown>> = {}) =>
  client.ok(post('/db/mydb/table', { table_name, table_type: 1, key_type: 1, ...settings }))
const keys = async (table: string, where: string) =>
  (await client.rows(`select * from ${table} where ${where}`)).map(({ k }) => String(k))

test('a number beyond 64 bits equals no whole number, and stands before or after all of them', async (t) => {
  await make('longs', { key_type: 10 })
  const [least, greatest] = ['-9223372036854775808', '9223372036854775807']
  for (const key of [least, greatest]) await client.ok(query(`insert into longs values ${key} {"n": ${key}}`))
  for (const path of ['_pk', 'n']) {
    t.deepEqual(await keys('longs', `${path} = -9223372036854775809`), [])
    t.deepEqual(await keys('longs', `${path} = 9223372036854775808`), [])
    t.deepEqual(await keys('longs', `${path} > -9223372036854775809`), [least, greatest])
    t.deepEqual(await keys('longs', `${path} < -9223372036854775809`), [])
    t.deepEqual(await keys('longs', `${path} <= 1${'0'.repeat(40)}`), [least, greatest])
    t.deepEqual(await keys('longs', `${path} >= 1${'0'.repeat(40)}`), [])
    t.deepEqual(await keys('longs', `${path} = 9223372036854775807.0`), [greatest])
    t.deepEqual(await keys('longs', `${path} = ${'0'.repeat(30)}9223372036854775807`), [greatest])
  }
})

test('a reverse index finds words of texts, not of numbers, names or objects', async (t) => {
  await make('words', { allow_rev_idx: 1 })
  const values = { text: 'lake 5', number: 5, object: { lake: '5' }, list: ['lake', 5, { a: 'b' }, 'deep 5'] }
  for (const [key, f] of Object.entries(values)) await client.ok(post('/db/mydb/words/doc', { _pk: key, doc: { f } }))
  t.deepEqual(await keys('words', 'f = "lake"'), ['list', 'text'])
  t.deepEqual(await keys('words', 'f = "5"'), ['list', 'text'])
  t.deepEqual(await keys('words', 'f = "lake, deep"'), ['list'])
  t.deepEqual(await keys('words', 'f = "b"'), [])
  t.deepEqual(await keys('words', 'f.0 = "lake"'), ['list'])
  t.deepEqual(await keys('words', 'f.lake = "5"'), ['object'])
})

test('words end at punctuation and blanks of any script', async (t) => {
  await make('scripts', { allow_rev_idx: 1 })
  await make('notes', { table_type: 0, allow_rev_idx: 1 })
  const text = 'naïve\u2014\u201cLake\u201d\u00a0view \u00bftower? \u65e5\u672c\u3001\u8a9e'
  await client.ok(post('/db/mydb/scripts/doc', { _pk: 'k', doc: { f: text } }))
  await client.ok(post('/db/mydb/notes/doc', { _pk: 'k', doc: text }))
  for (const words of [
    'naïve',
    'lake, view',
    'TOWER',
    '\u65e5\u672c',
    '\u8a9e',
    '\u201cview\u201d \u00abnaïve\u00bb',
  ]) {
    t.deepEqual(await keys('scripts', `f = "${words}"`), ['k'], words)
    t.deepEqual(await keys('notes', `doc = "${words}"`), ['k'], words)
  }
  t.deepEqual(await keys('scripts', 'f = "lak"'), [])
  t.is((await query('select * from scripts where f = "\u2014"')).status, 400)
})

test('a cursor goes with the table that it came from', async (t) => {
  const sql = 'select * from pages where n >= 0 limit 1'
  const ask = (database: string, go: object) => post(`/db/${database}/query`, { sql, ...go })
  for (const database of ['here', 'there']) {
    await client.ok(post(`/db/${database}/table`, { table_name: 'pages', table_type: 1, key_type: 1 }))
    for (const n of [1, 2]) await client.ok(post(`/db/${database}/pages/doc`, { _pk: `k${n}`, doc: { n } }))
  }
  const { levk, sec_buf } = await client.ok(ask('here', {}))
  t.is((await client.ok(ask('here', { levk, sec_buf }))).rows[0].k, 'k2')
  t.is((await ask('there', { levk, sec_buf })).status, 400)
})

test('a key in a URL is UTF-8, and no other key stands for one that is not', async (t) => {
  await make('marks')
  await client.ok(post('/db/mydb/marks/doc', { _pk: '\ufffd', doc: {} }))
  for (const method of ['GET', 'DELETE']) {
    t.is((await client.send(method, '/db/mydb/marks?key=%ff')).status, 400)
    t.is((await client.send(method, '/db/mydb/marks?key=%zz')).status, 400)
  }
  t.deepEqual((await client.get('/db/mydb/marks?key=%EF%BF%BD')).body, { _pk: '\ufffd', _v: 1 })
})

test('a reverse index is for tables: an event asks for none', async (t) => {
  await client.register({ schema: 'air', streams: [{ name: 'flights', type: 1, attr: [{ name: 'a', type: 5 }] }] })
  const answer = await query('insert into air.flights values null {"a": "x"} revidx a')
  t.deepEqual([answer.status, answer.body.retval], [400, -1])
  t.regex(answer.text, /line 1, column 13: air.flights is a stream: revidx goes with tables/)
  t.is(await client.count('select count(*) from air.flights'), 0)
})

test('a whole number is one however it is written, as a key and as what a primitive table keeps', async (t) => {
  await make('ints', { table_type: 3, key_type: 10 })
  await make('wholes', { table_type: 4, key_type: 10 })
  const stored = async (table: string, key: string, doc: string) =>
    (await client.ok(post(`/db/mydb/${table}/doc`, `{"_pk":${key},"doc":${doc}}`)))._pk
  t.is(await stored('ints', '1e3', '5.0'), 1000)
  t.is(await stored('ints', '7.0', '1e2'), 7)
  t.is(await stored('wholes', '9007199254740993.0', '9223372036854775807.00'), 9007199254740993n)
  t.is((await query('select * from ints')).text.slice(0, 42), '{"rows":[{"k":7,"v":100},{"k":1000,"v":5}]')
  t.regex((await query('select * from wholes')).text, /\{"k":9007199254740993,"v":9223372036854775807\}/)
  for (const doc of ['5.5', '1e-1', '2147483648.0']) {
    t.is((await post('/db/mydb/ints/doc', `{"_pk":1,"doc":${doc}}`)).status, 400)
  }
})
