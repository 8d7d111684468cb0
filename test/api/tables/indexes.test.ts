import { join } from 'node:path'
import test from 'ava'
import { Session } from 'chdb'
import fc from 'fast-check'
import { canonicalJson } from '../../../sql/json/canonical.ts'
import { literal } from '../../../sql/literal.ts'
import { createParams } from '../../../sql/query/compile/condition.ts'
import { parse } from '../../../sql/query/index.ts'
import { bind } from '../../../sql/statement.ts'
import { entriesOf, entriesSql } from '../../../sql/table/entries.ts'
import { scopesOf } from '../../../sql/table/narrow.ts'
import { compileRecords } from '../../../sql/table/select.ts'
import { storedTable, type Table } from '../../../sql/table/table.ts'
import { seed } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'

const { client, folder, close } = await startService()
const { post, query, send } = client
const session = new Session(join(folder, 'clickhouse'))
const clickhouse = (text: string, format = 'TSV'): string => session.query(text, format).trim()

test.after.always(async () => {
  session.close()
  await close()
})

const index = (table: string, index_name: string) =>
  post(`/db/mydb/${table}/index`, { index_name, key_type: 1, key_size: 24 })

function stored(name: string): Table {
  const bodies = clickhouse("SELECT body FROM weir.tables FINAL WHERE state = 'ready'", 'TSVRaw').split('\n')
  const table = bodies.map((body) => storedTable.parse(JSON.parse(body))).find((each) => each.name === name)
  if (!table) throw new Error(`no table ${name}`)
  return table
}

/** Rows that ClickHouse reads for the first page of a select. */
function rowsRead(name: string, where: string): number {
  const table = stored(name)
  const statement = parse(`select * from ${name} where ${where}`)
  if (statement.kind !== 'rows' || !statement.where) throw new Error('no condition')
  const params = createParams()
  const [scope] = scopesOf(table, statement.where, params)
  if (!scope) throw new Error('no scope')
  const request = { where: statement.where, limit: 100_000, pageBytes: 1e9, blockRows: 1024 }
  const answer = clickhouse(bind(compileRecords(table, { scope, params }, request)), 'JSON')
  return JSON.parse(answer).statistics.rows_read
}

const records = 40_000

/** Fills a table by ClickHouse itself, in four parts; keys in no order of the values. */
function fill(name: string): void {
  const { storage } = stored(name)
  const text = `concat('{"state":"s', toString(number % 50), '","n":', toString(number), ',"deep":{"er":', toString(number % 1000), '},"t":"word', toString(number % 5000), ' lake number', toString(number), '"}')`
  for (let part = 0; part < 4; part++) {
    clickhouse(
      `INSERT INTO weir_records.${storage} SELECT 0, '', 0, lower(hex(cityHash64(number))), 0, ${text}, 1, number + 1, 0 FROM numbers(${(part * records) / 4}, ${records / 4})`,
    )
  }
}

test.serial('a filter on an indexed path reads the rows that match, not the table', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'big', table_type: 1, key_type: 1 }))
  fill('big')
  const where = [
    'state = "s7"',
    'deep.er = 77',
    'n >= 100 and n < 140',
    'state = "s7" and deep.er > 500',
    'state like "s49*"',
  ]
  const keys = async (condition: string) =>
    (await client.rows(`select * from big where ${condition}`)).map(({ k }) => k)
  const before = await Promise.all(where.map(keys))
  for (const condition of where)
    t.true(rowsRead('big', condition) >= records, `${condition} reads it all without an index`)
  for (const path of ['state', 'deep.er', 'n']) await client.ok(index('big', path))
  for (const [i, condition] of where.entries()) {
    t.deepEqual(await keys(condition), before[i], condition)
    const read = rowsRead('big', condition)
    t.true(read < records * 0.05, `${condition} reads ${read} of ${records} rows`)
  }
  t.deepEqual(
    before.map(({ length }) => length),
    [800, 40, 40, 400, 800],
  )
})

test.serial('a page behind an index goes on where it ended', async (t) => {
  const seen: unknown[] = []
  const sql = 'select * from big where state = "s7" limit 300'
  let page = await client.ok(query(sql))
  for (;;) {
    seen.push(...page.rows.map(({ k }: { k: string }) => k))
    if (page.more_data_to_come === 0) break
    page = await client.ok(query(sql, { levk: page.levk, sec_buf: page.sec_buf }))
  }
  t.is(new Set(seen).size, 800)
  t.deepEqual(seen, [...seen].sort())
})

test.serial('a dropped index is used no more, and answers stay', async (t) => {
  const before = await client.rows('select * from big where state = "s7"')
  t.is((await send('DELETE', '/db/mydb/big/index/state')).status, 200)
  t.is((await send('DELETE', '/db/mydb/big/index/state')).status, 404)
  t.true(rowsRead('big', 'state = "s7"') >= records)
  t.deepEqual(await client.rows('select * from big where state = "s7"'), before)
  await client.ok(index('big', 'state'))
  t.deepEqual(await client.rows('select * from big where state = "s7"'), before)
})

test.serial('records that are written while an index is built are in it', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'busy', table_type: 1, key_type: 1 }))
  fill('busy')
  const keys = clickhouse(`SELECT _pk FROM mydb.busy ORDER BY _pk LIMIT 300`).split('\n')
  let building = true
  const built = index('busy', 'state').finally(() => {
    building = false
  })
  let written = 0
  for (const key of keys) {
    if (!building && written > 50) break
    await client.ok(post('/db/mydb/busy/doc', { _pk: key, doc: { state: 'moved' } }))
    written++
  }
  t.is((await built).status, 200)
  t.is(await client.count('select count(*) from busy where state = "moved"'), written)
  const counts = await Promise.all(
    Array.from({ length: 50 }, (_, n) => client.count(`select count(*) from busy where state = "s${n}"`)),
  )
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    records - written,
  )
})

test.serial('a reverse index finds records by words', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'texts', table_type: 1, key_type: 1, allow_rev_idx: 1 }))
  fill('texts')
  await client.ok(
    post('/db/mydb/texts/doc', { _pk: 'one', doc: { t: 'The quick\nbrown "fox" jumps; größe ÄÖ', other: 'lazy' } }),
  )
  const found = async (where: string) => (await client.rows(`select * from texts where ${where}`)).map(({ k }) => k)
  for (const words of ['quick', 'fox, quick', 'BROWN', 'brown jumps', 'GRÖSSE', 'größe äö', 'fox,,the']) {
    t.deepEqual(await found(`t = "${words}"`), words === 'GRÖSSE' ? [] : ['one'], words)
  }
  for (const words of ['quic', 'nbrown', 'quick, lazy', 'state']) t.deepEqual(await found(`t = "${words}"`), [], words)
  t.is((await found('t = "lake, word77"')).length, 8)
  t.is((await found('t = "word77" and state = "s27"')).length, 8)
  t.is((await found('t = "number123" or t = "number124"')).length, 2)
  t.is((await found('t != "x" and t = "number123"')).length, 1)
  const read = rowsRead('texts', 't = "lake, number123"')
  t.true(read < records * 0.05, `reads ${read} rows`)
  t.is((await query('select * from texts where t = ", ;"')).status, 400)
  t.deepEqual(await found(`t = "${'fox, quick '.repeat(9000)}"`), ['one'])
  const long = await query(`select * from texts where t = "${'fox, quick '.repeat(10_000)}"`)
  t.is(long.status, 400)
  t.regex(JSON.stringify(long.body), /a search for words has at most 100000 characters/)
})

test.serial('revidx gives fields a reverse index; equality stays equality elsewhere', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'some', table_type: 1, key_type: 1 }))
  await client.ok(query('insert into some values "a" {"t": "red apple", "u": "green pear"}'))
  t.deepEqual(await client.rows('select * from some where t = "apple"'), [])
  t.is((await client.ok(query('insert into some values "b" {"t": "apple, red", "u": "pear"} revidx t,x.y'))).retval, 0)
  t.is((await client.rows('select * from some where t = "red, apple"')).length, 2)
  t.deepEqual(await client.rows('select * from some where u = "green, pear"'), [])
  t.is((await client.rows('select * from some where u = "green pear"')).length, 1)
  t.deepEqual((await client.get('/db/mydb/some')).body.rev_idx, ['t', 'x.y'])
  await client.ok(query('update some set val = {"t": "blue plum"} where t = "red"'))
  t.deepEqual(await client.rows('select * from some where t = "red"'), [])
  t.is((await client.rows('select * from some where t = "plum"')).length, 2)
})

const refused: readonly (readonly [what: string, body: unknown, status: number, said: RegExp])[] = [
  ['no name', { key_type: 1 }, 400, /index_name: is missing/],
  ['a path with a blank', { index_name: 'a b' }, 400, /dotted path of names/],
  ['an element of an array', { index_name: 'a.0' }, 400, /one element of an array/],
  ['the key', { index_name: '_pk' }, 400, /needs no index/],
  ['an unknown key type', { index_name: 'a', key_type: 2 }, 400, /unknown key_type 2/],
  ['one that is there', { index_name: 'state' }, 409, /has an index on state already/],
]

for (const [what, body, status, said] of refused) {
  test.serial(`an index is refused: ${what}`, async (t) => {
    const before = (await client.get('/db/mydb/big')).body.indexes
    const answer = await post('/db/mydb/big/index', body)
    t.is(answer.status, status, answer.text)
    t.regex(answer.text, said)
    t.deepEqual((await client.get('/db/mydb/big')).body.indexes, before)
  })
}

test.serial('a normal table has nothing to index', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'opaque', table_type: 0, key_type: 1 }))
  t.is((await index('opaque', 'a')).status, 400)
})

test.serial('JavaScript and ClickHouse find the same entries in a document', (t) => {
  const indexes = ['a', 'a.b', 'größe', '__proto__', 'constructor'].map((path, i) => ({
    path,
    number: i + 1,
    ready: true,
    keyKind: 'NORMAL_KEY' as const,
    keyBytes: 24,
    duplicates: true,
  }))
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.string({ unit: 'binary', maxLength: 5 }).filter((text) => text.isWellFormed()),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.constantFrom(-0, 2 ** 63, -(2 ** 63), 5e-324, true, false, null),
  )
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(fc.constantFrom('b', 'c'), scalar))
  const names = fc.constantFrom('a', 'größe', '__proto__', 'constructor', 'other')
  const documents = fc
    .sample(fc.dictionary(names, value), { numRuns: 500, seed })
    .map((each) => canonicalJson(JSON.stringify(each)))
  documents.push(
    '{"a":9007199254740993}',
    '{"a":18446744073709551615}',
    '{"a":-0.0}',
    '{"a":1e2,"größe":1.0}',
    '{"a":{"b":"x"}}',
  )
  const list = documents.map((document) => literal(document, 'String')).join(', ')
  const answer = clickhouse(
    `SELECT ${entriesSql('doc', indexes)} AS e FROM (SELECT arrayJoin([${list}]) AS doc)`,
    'JSONCompactEachRow',
  )
  for (const [i, line] of answer.split('\n').entries()) {
    const document = documents[i] ?? ''
    const [found]: [[number, string, number][]] = JSON.parse(line)
    t.deepEqual(
      found.map(([number, text, value]) => ({ index: number, text, number: value })),
      entriesOf(document, indexes),
      document,
    )
  }
})
