import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
const { post, query, send } = client
test.after.always(close)

const remove = (path: string) => send('DELETE', path)
const put = (path: string, body: unknown) => send('PUT', path, body)
const get = (table: string, key: string) => client.get(`/db/mydb/${table}?key=${encodeURIComponent(key)}`)

let made = 0
/** A new table of database mydb; its name. */
async function table(settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const table_name = `t${++made}`
  await client.ok(post('/db/mydb/table', { table_name, table_type: 1, key_type: 1, ...settings }))
  return table_name
}
const doc = (name: string, body: unknown) => post(`/db/mydb/${name}/doc`, body)
const store = (name: string, body: unknown) => client.ok(doc(name, body))

const documents: readonly (readonly [what: string, sent: string, kept: string])[] = [
  [
    'numbers as written',
    '{"a":1.0,"b":1e2,"c":0.1234567890123456789,"d":-0}',
    '"a":1.0,"b":1e2,"c":0.1234567890123456789,"d":-0',
  ],
  [
    '64-bit integers',
    '{"a":9007199254740993,"b":-9223372036854775808,"c":18446744073709551615}',
    '"a":9007199254740993,"b":-9223372036854775808,"c":18446744073709551615',
  ],
  ['the order of members', '{"z":1,"10":2,"a":3,"9":4}', '"z":1,"10":2,"a":3,"9":4'],
  ['nested values', '{"a":{"b":[1,[2,{"c":null}],true],"d":{}}}', '"a":{"b":[1,[2,{"c":null}],true],"d":{}}'],
  ['Unicode', '{"größe":"東京 \\u00e9 😀 \\u0000\\n\\n"}', '"größe":"東京 é 😀 \\u0000\\n\\n"'],
  [
    'quotes, SQL and placeholders',
    `{"a":"'; DROP TABLE x; --","b":"{p0:String} \\\\' \`"}`,
    `"a":"'; DROP TABLE x; --","b":"{p0:String} \\\\' \`"`,
  ],
  ['names of any sort', '{"":1,"a b":2,"constructor":3,"__proto__":4}', '"":1,"a b":2,"constructor":3,"__proto__":4'],
]

for (const [what, sent, kept] of documents) {
  test(`a wide document keeps ${what}`, async (t) => {
    const name = await table()
    await client.ok(doc(name, `{"_pk": "k", "doc": ${sent}}`))
    const record = `{"_pk":"k","_v":1,${kept}}`
    t.is((await get(name, 'k')).text, record)
    const [row] = await client.rows(`select * from ${name}`)
    t.deepEqual(row, { k: 'k', v: record })
    t.is((await client.ok(query(`insert into ${name} values "l" ${sent}`))).retval, 0)
    t.is((await get(name, 'l')).text, record.replace('"k"', '"l"'))
  })
}

test('the key stands beside the document or inside it', async (t) => {
  const name = await table()
  t.is((await store(name, { _pk: 'beside', doc: { a: 1 } }))._pk, 'beside')
  t.is((await store(name, { doc: { a: 2, _pk: 'inside', _v: 77 } }))._pk, 'inside')
  await store(name, { _pk: 'both', doc: { _pk: 'both', a: 3 } })
  t.deepEqual((await get(name, 'inside')).body, { _pk: 'inside', _v: 1, a: 2 })
  t.deepEqual((await get(name, 'both')).body, { _pk: 'both', _v: 1, a: 3 })
  t.is((await doc(name, { _pk: 'one', doc: { _pk: 'other' } })).status, 400)
  t.is((await query(`insert into ${name} values "one" {"_pk": "other"}`)).status, 400)
  t.is(await client.count(`select count(*) from ${name}`), 3)
})

test('a missing key is made: the time in microseconds, never twice', async (t) => {
  for (const key_type of [1, 10]) {
    const name = await table({ key_type })
    const before = Date.now() * 1000
    const keys = await Promise.all(Array.from({ length: 200 }, async (_, n) => (await store(name, { doc: { n } }))._pk))
    t.is(typeof keys[0], key_type === 1 ? 'string' : 'number')
    t.is(new Set(keys).size, 200)
    t.true(keys.every((key) => Number(key) >= before - 10_000_000 && Number(key) <= Date.now() * 1000 + 10_000_000))
    t.is(await client.count(`select count(*) from ${name}`), 200)
  }
  const short = await table({ key_sz: 8 })
  const refused = await doc(short, { doc: {} })
  t.is(refused.status, 400)
  t.regex(refused.text, /at most 8; send one/)
})

test('a member that a record does not have is noted, with the one that was meant, and does nothing', async (t) => {
  const name = await table()
  const { body } = await doc(name, { pk: 'a', doc: {} })
  t.deepEqual(body.error, ['pk is unknown and does nothing; did you mean _pk?'])
  t.deepEqual((await doc(name, { _pk: 'a', doc: {}, _v: 1 })).body.error, undefined)
  t.deepEqual((await put(`/db/mydb/${name}/doc`, { _pk: 'a', doc: {}, key: 'a' })).body.error, [
    'key is unknown and does nothing; known are _pk, doc, _v',
  ])
})

test('POST inserts or replaces, PUT replaces only what is there', async (t) => {
  const name = await table()
  t.is((await put(`/db/mydb/${name}/doc`, { _pk: 'k', doc: { a: 1 } })).status, 404)
  t.is((await get(name, 'k')).status, 404)
  await store(name, { _pk: 'k', doc: { a: 1, b: 1 } })
  await store(name, { _pk: 'k', doc: { a: 2 } })
  t.deepEqual((await get(name, 'k')).body, { _pk: 'k', _v: 1, a: 2 })
  t.is((await put(`/db/mydb/${name}/doc`, { _pk: 'k', doc: { a: 3 } })).status, 200)
  t.deepEqual((await get(name, '"k"')).body, { _pk: 'k', _v: 1, a: 3 })
  t.is((await put(`/db/mydb/${name}/doc`, { doc: { a: 3 } })).status, 400)
})

test('a version counts replacements where the table asks for it', async (t) => {
  const name = await table({ version_type: 1 })
  for (const n of [1, 2, 3]) await store(name, { _pk: 'k', doc: { n } })
  t.deepEqual((await get(name, 'k')).body, { _pk: 'k', _v: 3, n: 3 })
  await client.ok(put(`/db/mydb/${name}/doc`, { _pk: 'k', doc: { n: 4 } }))
  await client.ok(query(`update ${name} set val = {"n": 5} where n = 4`))
  t.deepEqual((await get(name, 'k')).body, { _pk: 'k', _v: 5, n: 5 })
  await client.ok(remove(`/db/mydb/${name}?key=k`))
  await store(name, { _pk: 'k', doc: { n: 6 } })
  t.is((await get(name, 'k')).body._v, 1)
})

test('no two versions of a key have one number, whichever of them an update replaces', async (t) => {
  const name = await table({ allow_duplicate: 1, version_type: 1 })
  const versions = async (key: string) =>
    (await client.documents(`select * from ${name} where _pk = "${key}"`)).map(({ _v, n }) => [_v, n])
  for (const n of [1, 2, 3]) await store(name, { _pk: 'k', doc: { n } })
  await store(name, { _pk: 'j', doc: { n: 2 } })
  t.is((await client.ok(query(`update ${name} set val = {"n": 0} where n <= 2`))).retval, 3)
  t.deepEqual(await versions('k'), [[3, 3], [5, 0], [4, 0]]) // biome-ignore format: a row a version
  t.deepEqual(await versions('j'), [[2, 0]])
  await store(name, { _pk: 'k', doc: { n: 4 } })
  t.deepEqual((await get(name, 'k')).body, { _pk: 'k', _v: 6, n: 4 })
})

test('a table with duplicates keeps every version of a key, newest first', async (t) => {
  const name = await table({ allow_duplicate: 1 })
  for (const n of [1, 2, 3]) await store(name, { _pk: 'k', doc: { n } })
  await store(name, { _pk: 'j', doc: { n: 9 } })
  t.is((await client.ok(query(`insert into ${name} values "k" {"n": 4}`))).retval, 0)
  t.is((await get(name, 'k')).body.n, 4)
  t.deepEqual(
    (await client.documents(`select * from ${name}`)).map(({ n }) => n),
    [9, 4, 3, 2, 1],
  )
  let page = await client.ok(query(`select * from ${name} limit 2`))
  const seen = page.rows.length
  const pages = [seen]
  while (page.more_data_to_come === 1) {
    page = await client.ok(query(`select * from ${name} limit 2`, { levk: page.levk, sec_buf: page.sec_buf }))
    pages.push(page.rows.length)
  }
  t.deepEqual(pages, [2, 2, 1])
  t.is((await client.ok(query(`update ${name} set val = {"n": 0} where n = 2`))).retval, 1)
  t.is((await client.ok(query(`delete from ${name} where n = 3`))).retval, 1)
  t.deepEqual(
    (await client.documents(`select * from ${name} where _pk = "k"`)).map(({ n }) => n),
    [4, 0, 1],
  )
  await client.ok(remove(`/db/mydb/${name}?key=k`))
  t.is(await client.count(`select count(*) from ${name}`), 1)
})

test('quotes round a key in an address are its own where such a record is there, else they are taken off', async (t) => {
  const name = await table({ key_sz: 8 })
  const removed = async (key: string) => (await remove(`/db/mydb/${name}?key=${encodeURIComponent(key)}`)).body._pk
  for (const _pk of ['a', '"a"', "'b", '12345678']) await store(name, { _pk, doc: { is: _pk } })
  t.is((await get(name, '"a"')).body.is, '"a"')
  t.is((await get(name, "'a'")).body.is, 'a')
  t.is((await get(name, "'b")).body.is, "'b")
  t.is((await get(name, '"12345678"')).body.is, '12345678')
  t.is((await get(name, '"123456789"')).status, 400)
  t.is((await get(name, '"absent"')).status, 404)
  t.deepEqual([await removed('"a"'), await removed('"a"')], ['"a"', 'a'])
  t.is(await removed('"12345678"'), '12345678')
  t.is(await removed('"12345678"'), undefined)
  t.is(await client.count(`select count(*) from ${name}`), 1)
})

test('DELETE of a key takes it away; without one it is a 404, an empty one a 400', async (t) => {
  const name = await table()
  await store(name, { _pk: 'k', doc: {} })
  t.is((await remove(`/db/mydb/${name}?key=k`)).status, 200)
  t.is((await remove(`/db/mydb/${name}?key=k`)).status, 404)
  t.is((await remove(`/db/mydb/${name}?key=`)).status, 400)
  t.is((await remove(`/db/mydb/${name}?key=a&key=b`)).status, 400)
  t.is(await client.count(`select count(*) from ${name}`), 0)
})

test('normal tables keep opaque text', async (t) => {
  const name = await table({ table_type: 0, key_type: 10 })
  const texts = ['hello', '', 'aGVsbG8rLw==', '{"not": "parsed" }', 'it\'s\n\n"so"\u0000', '😀']
  for (const [n, text] of texts.entries()) await store(name, { _pk: n - 2, doc: text })
  t.deepEqual(
    await client.rows(`select * from ${name}`),
    texts.map((v, n) => ({ k: n - 2, v })),
  )
  t.is((await get(name, '-1')).text, '{"_pk":-1,"doc":"","_v":1}')
  t.is((await client.ok(query(`insert into ${name} values 17 hello`))).retval, 0)
  t.is((await client.ok(query(`insert into ${name} values 18 {"a": 1}`))).retval, 0)
  t.is((await get(name, '18')).body.doc, '{"a": 1}')
  t.deepEqual(await client.rows(`select * from ${name} where doc = "hello" and _pk > 0`), [{ k: 17, v: 'hello' }])
})

test('long keys are exact over the whole range and stand in their order', async (t) => {
  const name = await table({ key_type: 10 })
  const keys = [-(2n ** 63n), -9007199254740993n, -1n, 0n, 9007199254740993n, 2n ** 63n - 1n]
  for (const _pk of [...keys].reverse()) await store(name, { _pk, doc: { text: `${_pk}` } })
  t.deepEqual(
    (await client.rows(`select * from ${name}`)).map(({ k }) => BigInt(k)),
    keys,
  )
  for (const key of keys) {
    t.is((await get(name, `${key}`)).body.text, `${key}`)
    t.is((await client.rows(`select * from ${name} where _pk = ${key}`)).length, 1)
  }
  const page = await client.ok(query(`select * from ${name} limit 2`))
  t.is(page.levk, -9007199254740993n)
  t.is((await client.rows(`select * from ${name} limit 2`, { levk: page.levk }))[0]?.k, -1)
})

test('primitive tables keep numbers', async (t) => {
  const name = await table({ table_type: 4, key_type: 3 })
  await store(name, { _pk: 'a:b', doc: 9007199254740993n })
  await store(name, { _pk: 'a:c', doc: '-5' })
  t.is((await client.ok(query(`insert into ${name} values "b:a" 42`))).retval, 0)
  t.is(
    (await query(`select * from ${name} where _pk like "a:*"`)).text.slice(0, 61),
    '{"rows":[{"k":"a:b","v":9007199254740993},{"k":"a:c","v":-5}]',
  )
  t.is((await get(name, 'a:b')).text, '{"_pk":"a:b","doc":9007199254740993,"_v":1}')
  t.deepEqual(await client.rows(`select * from ${name} where doc > 41 and doc < 100`), [{ k: 'b:a', v: 42 }])
  const small = await table({ table_type: 3 })
  t.is((await doc(small, { _pk: 'k', doc: 2_147_483_648 })).status, 400)
  await store(small, { _pk: 'k', doc: 2_147_483_647 })
  const any = await table({ table_type: 5 })
  await store(any, { _pk: 'k', doc: 1.5 })
  t.is((await get(any, 'k')).body.doc, 1.5)
})

const wrong: readonly (readonly [what: string, settings: Record<string, unknown>, body: unknown, said: RegExp])[] = [
  ['a key too long', { key_sz: 8 }, { _pk: 'ninebytes', doc: {} }, /has 9 bytes, the keys of \w+ have at most 8/],
  ['a key too long in UTF-8', { key_sz: 8 }, { _pk: 'äöüßé', doc: {} }, /has 10 bytes/],
  ['an empty key', {}, { _pk: '', doc: {} }, /the key is empty/],
  ['a number for a string key', {}, { _pk: 5, doc: {} }, /are strings, got 5; write it in quotes/],
  [
    'a string for a long key',
    { key_type: 10 },
    { _pk: '5', doc: {} },
    /whole numbers within 64 bits, got the string '5'/,
  ],
  ['a fraction for a long key', { key_type: 10 }, { _pk: 5.5, doc: {} }, /whole numbers/],
  ['a key beyond 64 bits', { key_type: 10 }, { _pk: 2n ** 63n, doc: {} }, /whole numbers/],
  ['an object for a key', {}, { _pk: {}, doc: {} }, /a key is a string or a whole number/],
  ['a document that is no object', {}, { _pk: 'k', doc: [1] }, /documents are JSON objects/],
  ['text for a wide document', {}, { _pk: 'k', doc: '{"a":1}' }, /documents are JSON objects/],
  ['no document', {}, { _pk: 'k' }, /has no \\"doc\\"/],
  ['no record', {}, [], /a record is a JSON object/],
  ['half a document', {}, '{"_pk": "k", "doc": {"a": 1}', /the record is no JSON/],
  ['a number that nothing holds', {}, '{"_pk": "k", "doc": {"a": 1e400}}', /neither a double nor an int64/],
  ['half a character', {}, '{"_pk": "k", "doc": {"a": "\\ud800"}}', /half a surrogate pair/],
  [
    'a document nested too deep',
    {},
    `{"_pk": "k", "doc": {"a": ${'['.repeat(300)}${']'.repeat(300)}}}`,
    /nests deeper than 200/,
  ],
  [
    'an object in a normal table',
    { table_type: 0 },
    { _pk: 'k', doc: { a: 1 } },
    /documents are strings, got an object/,
  ],
  ['text in a primitive table', { table_type: 4 }, { _pk: 'k', doc: 'many' }, /holds whole numbers within 64 bits/],
  ['a fraction in a primitive table', { table_type: 4 }, { _pk: 'k', doc: 1.5 }, /holds whole numbers within 64 bits/],
]

for (const [what, settings, body, said] of wrong) {
  test(`a record is refused: ${what}`, async (t) => {
    const name = await table(settings)
    const answer = await doc(name, body)
    t.is(answer.status, 400, answer.text)
    t.regex(answer.text, said)
    t.is(answer.body.errcode, -1)
    t.is(typeof answer.body.msg, 'string')
    t.is(await client.count(`select count(*) from ${name}`), 0)
  })
}

test('a record of a megabyte, and pages of some', async (t) => {
  const name = await table()
  const text = 'x'.repeat(1024 * 1024)
  for (let n = 0; n < 12; n++) await store(name, { _pk: `k${n}`, doc: { n, text } })
  const keys: unknown[] = []
  let page = await client.ok(query(`select * from ${name}`))
  t.is(page.more_data_to_come, 1)
  for (;;) {
    keys.push(...page.rows.map(({ k }: { k: string }) => k))
    if (page.more_data_to_come === 0) break
    page = await client.ok(query(`select * from ${name}`, { levk: page.levk, sec_buf: page.sec_buf }))
  }
  t.deepEqual(keys, Array.from({ length: 12 }, (_, n) => `k${n}`).sort())
})
