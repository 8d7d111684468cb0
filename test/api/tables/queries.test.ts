/** SQL on tables: the text of a statement in, its answer out. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
const { post, query } = client
test.after.always(close)

const airports: readonly (readonly [key: string, document: string])[] = [
  [
    'k:ATL',
    '{"name": "Hartsfield Jackson", "state": "GA", "runways": 5, "at": {"lat": 33.64, "lon": -84.42}, "hub": true}',
  ],
  [
    'k:DFW',
    '{"name": "Dallas Fort Worth", "state": "TX", "runways": 7, "at": {"lat": 32.89, "lon": -97.03}, "hub": true}',
  ],
  [
    'k:HOU',
    '{"name": "William P. Hobby", "state": "TX", "runways": 4, "at": {"lat": 29.64, "lon": -95.27}, "hub": false}',
  ],
  [
    'k:JFK',
    '{"name": "John F Kennedy", "state": "NY", "runways": 4, "at": {"lat": 40.63, "lon": -73.77}, "lines": [{"to": "LAX", "n": 9}, {"to": "SFO"}]}',
  ],
  ['z:BIG', '{"name": "größe", "id": 9007199254740993, "huge": 18446744073709551615, "runways": 4.5, "state": null}'],
  ['z:ODD', '{"state": 7, "runways": "many", "at": [1, 2]}'],
]

test.before(async () => {
  for (const table_name of ['plain', 'indexed']) {
    await client.ok(post('/db/mydb/table', { table_name, table_type: 1, key_type: 1 }))
    for (const [key, document] of airports) {
      await client.ok(query(`insert into ${table_name} values "${key}" ${document}`))
    }
  }
  for (const index_name of ['state', 'runways', 'at.lat', 'hub', 'id', 'name']) {
    await client.ok(post('/db/mydb/indexed/index', { index_name, key_type: 1, key_size: 24 }))
  }
})

const all = ['k:ATL', 'k:DFW', 'k:HOU', 'k:JFK', 'z:BIG', 'z:ODD']

const conditions: readonly (readonly [where: string, keys: readonly string[]])[] = [
  ['_pk = "k:JFK"', ['k:JFK']],
  ['_pk != "k:JFK"', all.filter((key) => key !== 'k:JFK')],
  ['_pk >= "k:HOU" and _pk < "z:BIG"', ['k:HOU', 'k:JFK']],
  ['_pk like "k:*"', all.slice(0, 4)],
  ['_pk like "k:D$%"', ['k:DFW']],
  ['_pk like "*"', all],
  ['_v = 1', all],
  ['_v > 1', []],
  ['state = "TX"', ['k:DFW', 'k:HOU']],
  ['state != "TX"', ['k:ATL', 'k:JFK']],
  ['state > "GA"', ['k:DFW', 'k:HOU', 'k:JFK']],
  ['state >= "GA" and state <= "NY"', ['k:ATL', 'k:JFK']],
  ['state = "TX" or state = "NY"', ['k:DFW', 'k:HOU', 'k:JFK']],
  ['state = "TX" and runways > 4', ['k:DFW']],
  ['(state = "TX" or state = "GA") and hub = true', ['k:ATL', 'k:DFW']],
  ['state = "TX" or runways = 4.5', ['k:DFW', 'k:HOU', 'z:BIG']],
  ['state = "TX" or missing = 1', ['k:DFW', 'k:HOU']],
  ['state = 7', ['z:ODD']],
  ['state like "N*"', ['k:JFK']],
  ['state = ""', []],
  ['runways = 4', ['k:HOU', 'k:JFK']],
  ['runways = 4.0', ['k:HOU', 'k:JFK']],
  ['runways > 4', ['k:ATL', 'k:DFW', 'z:BIG']],
  ['runways >= 4.5 and runways < 7', ['k:ATL', 'z:BIG']],
  ['runways = "many"', ['z:ODD']],
  ['hub = false', ['k:HOU']],
  ['hub != true', ['k:HOU']],
  ['at.lat > 32.8 and at.lon < -84', ['k:ATL', 'k:DFW']],
  ['at.0 = 1', ['z:ODD']],
  ['lines.0.to = "LAX"', ['k:JFK']],
  ['lines.1.to = "SFO" and lines.0.n >= 9', ['k:JFK']],
  ['lines.2.to = "SFO"', []],
  ['id = 9007199254740993', ['z:BIG']],
  ['id = 9007199254740992', []],
  ['id > 9007199254740992', ['z:BIG']],
  ['id < 9007199254740993', []],
  ['huge = 18446744073709551615', ['z:BIG']],
  ['huge = 18446744073709551614', []],
  ['name = "größe"', ['z:BIG']],
  ['name like "größ*"', ['z:BIG']],
  ['missing = 1', []],
  ['missing != 1', []],
  ['missing != "x"', []],
  ['name = "it\'s"', []],
  ['name = "{p0:String}"', []],
]

for (const table of ['plain', 'indexed']) {
  for (const [where, keys] of conditions) {
    test(`${table}: where ${where}`, async (t) => {
      const { rows, num_items, more_data_to_come, switch_done } = await client.ok(
        query(`select * from ${table} where ${where}`),
      )
      t.deepEqual(
        rows.map(({ k }: { k: string }) => k),
        keys,
      )
      t.deepEqual([num_items, more_data_to_come, switch_done], [keys.length, 0, 0])
      t.is(await client.count(`select count(*) from ${table} where ${where}`), keys.length)
    })
  }
}

test('rows carry the document as a string, with its key and version', async (t) => {
  const { rows } = await client.ok(query('select * from plain where _pk = "z:ODD"'))
  t.deepEqual(rows, [{ k: 'z:ODD', v: '{"_pk":"z:ODD","_v":1,"state":7,"runways":"many","at":[1,2]}' }])
})

for (const [sql, pages] of [
  ['select * from plain limit 4', [4, 2]],
  ['select * from plain limit 6', [6]],
  ['select * from plain limit 1', [1, 1, 1, 1, 1, 1]],
  ['select * from indexed where state = "TX" limit 1', [1, 1]],
  ['select * from indexed where runways >= 4 limit 2', [2, 2, 1]],
  ['select * from plain where runways >= 4 limit 2', [2, 2, 1]],
  ['select * from plain limit 0', [0]],
] as const) {
  test(`pages of ${sql}`, async (t) => {
    const sizes: number[] = []
    const keys: string[] = []
    for (let go: object = {}; ; ) {
      const page = await client.ok(query(sql, go as Record<string, unknown>))
      sizes.push(page.num_items)
      keys.push(...page.rows.map(({ k }: { k: string }) => k))
      if (page.rows.length > 0) t.is(page.levk, keys.at(-1))
      if (page.more_data_to_come === 0) break
      t.is('sec_buf' in page, sql.includes('where'))
      go = { levk: page.levk, sec_buf: page.sec_buf, rev_buf: page.rev_buf, switch_done: page.switch_done }
    }
    t.deepEqual(sizes, [...pages])
    t.deepEqual(keys, [...new Set(keys)].sort())
  })
}

test('a cursor goes with the query and the service that made it', async (t) => {
  const sql = 'select * from plain where runways >= 4 limit 2'
  const { sec_buf, levk } = await client.ok(query(sql))
  t.is((await query(sql.replace('4', '3'), { levk, sec_buf })).status, 400)
  t.is((await query(`${sql}0`, { levk, sec_buf })).status, 200)
  t.is((await query(sql, { levk, sec_buf: 'AAAA' })).status, 400)
})

test('an index changes no answer while records change', async (t) => {
  const both = async (statement: (table: string) => string) => {
    const [plain, indexed] = await Promise.all(['changing', 'changing_i'].map((table) => query(statement(table))))
    t.is(plain?.text, indexed?.text.replaceAll('changing_i', 'changing'))
  }
  for (const table_name of ['changing', 'changing_i']) {
    await client.ok(post('/db/mydb/table', { table_name, table_type: 1, key_type: 1, version_type: 1 }))
  }
  for (const index_name of ['a', 'b']) {
    await client.ok(post('/db/mydb/changing_i/index', { index_name, key_type: 1, key_size: 24 }))
  }
  for (const statement of [
    'insert into T values "k1" {"a": "x", "b": 1}',
    'insert into T values "k2" {"a": "x", "b": 2}',
    'insert into T values "k3" {"a": "y", "b": 3}',
    'insert into T values "k1" {"a": "z"}',
    'update T set val = {"a": "y", "b": 2} where a = "x" and b = 1',
    'update T set val = {"b": 3} where a = "x"',
    'delete from T where a = "nothing"',
    'delete from T where b = 3 and a = "y"',
    'update T set val = {"_pk": "k1", "a": "w"} where _pk = "k1"',
    'update T set val = {"_pk": "k1", "a": "w"} where a = "w"',
    'insert into T values "k4" {"a": "x", "b": 1}',
    'delete from T where b >= 1',
  ]) {
    await both((table) => statement.replaceAll('T', table))
    for (const where of ['a = "x"', 'a = "y"', 'a = "w"', 'b = 1', 'b = 2', 'b = 3', 'b > 1', 'b < 3 or a = "w"']) {
      await both((table) => `select count(*) from ${table} where ${where}`)
    }
  }
  t.deepEqual(await client.documents('select * from changing'), [{ _pk: 'k1', _v: 3, a: 'w' }])
})

test('update and delete tell how many', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'counted', table_type: 1, key_type: 10 }))
  for (let n = 0; n < 10; n++) await client.ok(query(`insert into counted values ${n} {"n": ${n}}`))
  const retval = async (sql: string) => (await client.ok(query(sql))).retval
  t.is(await retval('update counted set val = {"n": 100} where n >= 7'), 3)
  t.is(await retval('update counted set val = {"n": 100} where n = 55'), 0)
  t.is(await retval('delete from counted where n = 100 and _pk != 9'), 2)
  t.is(await retval('select count(*) from counted'), 8)
  t.is(await retval('update counted set val = {}'), 8)
  t.deepEqual(await client.rows('select * from counted where _pk = 9'), [{ k: 9, v: '{"_pk":9,"_v":1}' }])
  t.is(await retval('delete from counted'), 8)
  t.is(await retval('delete from counted'), 0)
  t.deepEqual(await client.rows('select * from counted'), [])
})

test('insert says 1 where the key existed, and overwrites nothing', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'once', table_type: 1, key_type: 1 }))
  const insert = async (sql: string) => (await query(sql)).text
  t.is(await insert('insert into once values "k" {"a": 1}'), '{"retval":0}')
  t.is(await insert('insert into once values ("k", {"a": 2})'), '{"retval":1}')
  t.is(await insert('insert into once values null {"a": 3}'), '{"retval":0}')
  t.is(await insert('insert into once values null {"_pk": "k", "a": 4}'), '{"retval":1}')
  t.deepEqual(await client.documents('select * from once where _pk = "k"'), [{ _pk: 'k', _v: 1, a: 1 }])
})

test('a table is reached from another database by its full name', async (t) => {
  t.is((await client.ok(post('/db/other/query', { sql: 'select count(*) from mydb.plain' }))).retval, 6)
  t.is((await post('/db/other/query', { sql: 'select count(*) from plain' })).status, 404)
})

const refused: readonly (readonly [sql: string, status: number, said: RegExp])[] = [
  ['select * from nothing', 404, /no table 'nothing' in database 'mydb'; there are/],
  ['insert into nothing values "k" {}', 404, /no table/],
  ['update nothing set val = {}', 404, /no table/],
  ['delete from nothing', 404, /no table/],
  ['select * from plain where _pk = 5', 400, /line 1, column 27: _pk is STRING: compare it with a string/],
  ['select * from plain where _pk > true', 400, /_pk is STRING/],
  ['select * from plain where _v = "1"', 400, /_v is LONG/],
  ['select aggr(state) from plain', 400, /line 1, column 25: aggregate goes with streams/],
  ['insert into plain values 5 {}', 400, /are strings, got 5/],
  ['insert into plain values "k" hello', 400, /documents are JSON objects, got the text 'hello'/],
  ['insert into plain values "k" {"a": 1e999}', 400, /neither a double nor an int64/],
  ['insert into plain values "a key that is far too long for it" {}', 400, /has 33 bytes/],
  ['insert into plain values "k" {"a": 1} revidx a.0', 400, /names one element of an array/],
  ['update plain set val = {"_pk": "x"} where state = "TX"', 400, /an update keeps the keys/],
  ['update plain set val = hello', 400, /documents are JSON objects/],
  ['select * from plain where', 400, /line 1, column 26/],
]

for (const [sql, status, said] of refused) {
  test(`refused: ${sql}`, async (t) => {
    const answer = await query(sql)
    t.is(answer.status, status, answer.text)
    t.regex(answer.text, said)
    if (sql.startsWith('insert')) t.true(answer.body.retval < 0)
    t.is(await client.count('select count(*) from plain'), 6)
  })
}

test('documents of a normal table have no members', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'notes', table_type: 0, key_type: 10 }))
  const answer = await query('select * from notes where author = "x"')
  t.is(answer.status, 400)
  t.regex(answer.text, /notes is a NORMAL table/)
})
