/** Plain answers: rows as JSON values, by objects and by lines, and the one cursor that goes on in them. */
import test from 'ava'
import { at } from '../../../support/era.ts'
import { read } from '../../../support/requests/client.ts'
import { startService } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const key = { 'x-api-key': ADMIN_KEY }
const lines = 'application/x-ndjson'

const ask = (sql: string, more: object = {}, headers: object = {}) =>
  client.post('/db/mydb/query', { sql, ...more }, { ...key, ...headers })
const objects = async (sql: string, more: object = {}) => client.ok(ask(sql, { rows: 'objects', ...more }))
const told = async (sql: string, more: object = {}) => {
  const { status, headers, text } = await ask(sql, more, { accept: lines })
  if (status !== 200) throw new Error(text)
  if (headers.get('content-type') !== lines) throw new Error(`${headers.get('content-type')}`)
  return text.split('\n').slice(0, -1).map(read)
}

const minute = 60_000_000
const start = at(0) - (at(0) % minute)
const big = 9_007_199_254_740_993n
const events = Array.from({ length: 7 }, (_, i) => ({
  _pk: start + Math.floor(i / 2) * minute + i,
  customer: i % 2 ? 'a:b' : 'c',
  value: i,
  n: i === 0 ? big : i,
  note: { deep: [i, null, 'x"y'] },
}))

test.before(async () => {
  await client.ok(
    client.post(
      '/stream',
      {
        schema: 'plain',
        streams: [
          {
            name: 's',
            type: 1,
            swsz: 0,
            attr: [
              { name: 'customer', type: 5 },
              { name: 'value', type: 9, stat: 1 },
              { name: 'n', type: 9, stat: 3 },
            ],
            gpby: [
              { gpat: ['customer'], iatr: 'n', stat: 1, gran: 60 },
              { gpat: ['value', 'customer'], iatr: 'n', stat: 3, gran: 60 },
            ],
            enty: [
              {
                ...{ name: 'e', opid: 3, ratr: ['spent'], iatr: ['n'], rstm: 'customers' },
                pkatr: [{ name: 'who', type: 5, iatr: ['customer'] }],
              },
            ],
          },
          { name: 'customers', type: 4, inpt: ['s'], attr: [] },
        ],
      },
      key,
    ),
  )
  const body = events.map((each) => JSON.stringify({ ...each, n: String(each.n) }).replace(/"n":"(\d+)"/, '"n":$1'))
  await client.ok(client.post('/stream/plain/s', `${body.join('\n')}\n`, { ...key, 'content-type': lines }))
  await client.ok(client.post('/db/mydb/table', { table_name: 'w', table_type: 1, key_type: 1 }, key))
  await client.ok(client.post('/db/mydb/table', { table_name: 'p', table_type: 0, key_type: 10 }, key))
  for (const i of [1, 2, 3]) {
    await client.ok(client.post('/db/mydb/w/doc', { _pk: `k${i}`, doc: { i } }, key))
    await client.ok(client.post('/db/mydb/p/doc', { _pk: i, doc: `text "${i}"` }, key))
  }
  await until('the events are there', async () => (await objects('select count(*) from plain.s')).rows[0].count === 7)
})

test('events are objects with their time beside their _pk, and integers keep their digits', async (t) => {
  const answer = await objects('select * from plain.s')
  t.deepEqual(Object.keys(answer), ['rows', 'num_items', 'more_data_to_come'])
  t.is(answer.num_items, 7)
  const last = answer.rows.at(-1)
  const _time = new Date(start / 1_000).toISOString().replace('Z', '000Z')
  t.deepEqual(last, { _pk: start, _time, _v: 1, ...events[0] })
  t.is(answer.rows[0]._time, new Date((start + 3 * minute) / 1_000).toISOString().replace('Z', '006Z'))
  t.deepEqual(await told('select * from plain.s'), answer.rows)
  t.deepEqual(await told('select * from plain.s where value > 3'), answer.rows.slice(0, 3))
})

test('an event that has a member _time of its own shows that', async (t) => {
  const schema = { schema: 'own', streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'a', type: 9 }] }] }
  await client.ok(client.post('/stream', schema, key))
  const own = [
    { a: 1, _time: 'mine' },
    { a: 2, deep: { _time: 'no' } },
  ]
  for (const each of own) await client.ok(client.post('/stream/own/s', each, key))
  const found = await until('both are there', async () => {
    const { rows } = await objects('select * from own.s')
    return rows.length === 2 && rows
  })
  t.deepEqual(
    found.map(({ _time }: { _time: string }) => /^\d{4}-/.test(_time)),
    [true, false],
  )
  t.deepEqual(await told('select * from own.s'), found)
})

test('intervals have from, to and value, both ends within', async (t) => {
  const span = `where st >= ${start} and et <= ${start + 3 * minute}`
  const sql = `select aggr(value) from plain.s ${span}`
  const { rows } = await objects(sql)
  t.deepEqual(rows.at(-1), { from: start, to: start + minute - 1, value: 2 })
  t.is(rows.length, 4)
  t.deepEqual(await told(sql), rows)
  const [whole] = (await objects(`${sql} rollup 1`)).rows
  t.deepEqual(whole, { from: start, to: start + 4 * minute - 1, value: 7 })
  const [old] = (await client.ok(ask(`${sql} rollup 1`))).rows
  t.like(JSON.parse(old.v), { fromts: whole.from, tots: whole.to })
  const [moments] = (await objects(`select aggr(n) from plain.s ${span} rollup 1`)).rows
  t.deepEqual(Object.keys(moments), ['from', 'to', 'value'])
  t.is(moments.value.max, big)
})

test('groups have their attributes beside the value; one that has a word of ours keeps it', async (t) => {
  const sql = 'select aggr(n) from plain.s groupby customer'
  const { rows } = await objects(sql)
  t.deepEqual(rows, [
    { customer: 'a:b', value: 3 },
    { customer: 'c', value: 4 },
  ])
  t.deepEqual(await told(sql), rows)
  const [newest] = (await objects(`${sql} rollup 0`)).rows
  t.deepEqual(newest, { from: start + 3 * minute, to: start + 4 * minute - 1, customer: 'c', value: 1 })
  const [first] = (await objects('select aggr(n) from plain.s groupby value:customer')).rows
  t.like(first, { value: 0, customer: 'c' })
  t.is(first._value.cnt, 1)
})

test('entities have their key by its name, records their _pk, and counts are a row', async (t) => {
  const { rows } = await objects('select * from plain.customers')
  t.deepEqual(
    rows.map(({ who, spent }: { who: string; spent: { cnt: number } }) => [who, spent.cnt]),
    [
      ['a:b', 3],
      ['c', 4],
    ],
  )
  t.deepEqual(await told('select * from plain.customers'), rows)
  t.deepEqual((await objects('select * from w limit 1')).rows, [{ _pk: 'k1', _v: 1, i: 1 }])
  t.deepEqual((await objects('select * from p limit 1')).rows, [{ _pk: 1, doc: 'text "1"', _v: 1 }])
  t.like(await objects('select count(*) from w'), { rows: [{ count: 3 }], retval: 3 })
  t.deepEqual(await told('select count(*) from w'), [{ count: 3 }])
  t.deepEqual(Object.keys((await objects('select usage from weir_stream')).rows[0]), ['from', 'to', 'value'])
  t.deepEqual(await told('update w set val = {"i": 9} where _pk = "none"'), [{ retval: 0 }])
})

const paged = [
  ...['select * from plain.s', 'select * from plain.s where value >= 0', 'select * from plain.customers'],
  ...['select aggr(n) from plain.s groupby customer', 'select aggr(n) from plain.s groupby value:customer rollup 0'],
  ...['select * from w', 'select * from p where _pk > 0', 'select * from plain.customers where spent.cnt > 0'],
  `select aggr(value) from plain.s where st >= ${start} and et <= ${start + 3 * minute}`,
]

for (const sql of paged) {
  test(`one cursor goes through all rows, by objects and by lines: ${sql}`, async (t) => {
    const all = (await objects(sql)).rows
    t.true(all.length > 1)
    for (const limit of [1, 2, 3]) {
      const found: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page === 0 || cursor !== undefined; page++) {
        const more = { ...(cursor !== undefined && { cursor }) }
        if (page % 2 === 0) {
          const answer = await objects(`${sql} limit ${limit}`, more)
          t.false('levk' in answer || 'sec_buf' in answer || 'switch_done' in answer)
          t.is(answer.more_data_to_come, 'cursor' in answer ? 1 : 0)
          found.push(...answer.rows)
          cursor = answer.cursor
        } else {
          const rows = await told(`${sql} limit ${limit}`, more)
          cursor = rows.at(-1)?.cursor
          found.push(...(cursor === undefined ? rows : rows.slice(0, -1)))
        }
        if (page > 20) throw new Error('no end')
      }
      t.deepEqual(found, all, `limit ${limit}`)
    }
  })
}

test('a cursor of another query, version or key is refused with the reason, and so is one that nobody made', async (t) => {
  const sql = 'select * from plain.s limit 2'
  const { cursor } = await objects(sql)
  t.regex(cursor, /^1\.[\w-]+$/)
  const refusedFor = async (given: unknown, text = sql, headers: object = {}) => {
    const { status, body } = await ask(text, { rows: 'objects', cursor: given }, headers)
    t.is(status, 400)
    return body.error[0]
  }
  t.regex(await refusedFor(cursor, 'select * from plain.s where value > 1 limit 2'), /^cursor: it is of another query/)
  t.regex(await refusedFor(cursor.replace('1.', '2.')), /^cursor: it is of version 2/)
  const { key: other } = await client.ok(client.post('/keys', { name: 'k', scopes: ['read'] }, key))
  t.regex(await refusedFor(cursor, sql, { 'x-api-key': other }), /^cursor: it is of another key/)
  for (const given of ['', 'x', '1.', '1.AAAA', `${cursor}A`, `1.${'A'.repeat(100_000)}`, cursor.toLowerCase()])
    if (given !== '') t.regex(await refusedFor(given), /^cursor: this service made no such text/)
  t.regex(await refusedFor(7), /^cursor: send the cursor/)
  t.is((await ask(sql, { cursor, levk: 1 })).status, 400)
  t.is((await ask(sql, { rows: 'lines' })).status, 400)
  t.like(await client.ok(ask('select * from plain.s limit 9', { cursor })), { num_items: 5 })
})

test('the published answer is as it was', async (t) => {
  const { text } = await ask('select * from w limit 1', {}, { accept: '*/*' })
  t.is(
    text,
    '{"rows":[{"k":"k1","v":"{\\"_pk\\":\\"k1\\",\\"_v\\":1,\\"i\\":1}"}],"num_items":1,"more_data_to_come":1,"switch_done":0,"levk":"k1"}',
  )
})

test('a refusal before the first line has its own status, and a note stands in a header', async (t) => {
  t.is((await ask('select * from plain.lost', {}, { accept: lines })).status, 404)
  t.is((await ask('select * from', {}, { accept: lines })).status, 400)
  const { headers, text } = await ask('select * from plain.s where lost = 1', {}, { accept: lines })
  t.is(text, '')
  t.regex(headers.get('x-weir-note') ?? '', /does not declare/)
})

test('many events come in several parts, none twice and none left out, and a limit ends within one', async (t) => {
  const schema = { schema: 'many', streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'i', type: 9 }] }] }
  await client.ok(client.post('/stream', schema, key))
  const count = 30_000
  const line = (i: number) => JSON.stringify({ _pk: start + Math.floor(i / 5), i, text: 'x'.repeat(i % 700) })
  const body = Array.from({ length: count }, (_, i) => line(i)).join('\n')
  await client.ok(client.post('/stream/many/s', `${body}\n`, { ...key, 'content-type': lines }))
  await until('all are there', async () => (await objects('select count(*) from many.s')).rows[0].count === count)
  const idsOf = (rows: readonly { readonly i: number }[]) => rows.map(({ i }) => i)
  const all = idsOf(await told('select * from many.s'))
  t.is(all.length, count)
  t.is(new Set(all).size, count)
  const even = idsOf(await told('select * from many.s where i >= 1000'))
  t.is(new Set(even).size, count - 1_000)
  const some = await told('select * from many.s limit 12345')
  t.deepEqual(idsOf(some.slice(0, -1)), all.slice(0, 12_345))
  const rest = await told('select * from many.s', { cursor: some.at(-1)?.cursor })
  t.deepEqual(idsOf(rest), all.slice(12_345))
})

test('events that are alike but for some come in parts as they were sent', async (t) => {
  const attr = [
    { name: 'i', type: 9 },
    { name: 'text', type: 5 },
    { name: 'never', type: 5 },
  ]
  await client.ok(client.post('/stream', { schema: 'alike', streams: [{ name: 's', type: 1, swsz: 0, attr }] }, key))
  const count = 60_000
  /** Some without the text, one with a member that is no attribute, one with an attribute that no other has. */
  const event = (i: number) => ({
    ...{ _pk: start + Math.floor(i / 5), i },
    ...(i % 20_000 !== 19 && { text: 'x"'.repeat(i % 200) }),
    ...(i === 31_000 && { more: { deep: [i] } }),
    ...(i === 52_000 && { never: 'seen' }),
  })
  const sent = Array.from({ length: count }, (_, i) => event(i))
  for (let from = 0; from < count; from += 20_000) {
    const body = sent.slice(from, from + 20_000).map((each) => JSON.stringify(each))
    await client.ok(client.post('/stream/alike/s', `${body.join('\n')}\n`, { ...key, 'content-type': lines }))
  }
  await until('all are there', async () => {
    const { status, body } = await ask('select count(*) from alike.s', { rows: 'objects' })
    return status === 200 && body.rows[0].count === count
  })
  const rows = await told('select * from alike.s')
  t.is(rows.length, count)
  rows.sort((one, other) => one.i - other.i)
  for (const [i, { _time, ...row }] of rows.entries()) {
    const { _pk, ...members } = event(i)
    const expected = JSON.stringify({ _pk, _v: 1, ...members })
    // Sixty thousand assertions take longer than the events.
    if (JSON.stringify(row) !== expected) t.is(JSON.stringify(row), expected)
  }
  const some = await told('select * from alike.s where i > 100 limit 41000')
  t.is(some.length, 41_001)
  t.is(new Set(some.slice(0, -1).map(({ i }) => i)).size, 41_000)
})

test('a member of a query that does nothing is told, or a page would come again and again under its misspelt mark', async (t) => {
  const sql = 'select * from plain.s limit 2'
  const said = 'levK is unknown and does nothing; did you mean levk?'
  const { body } = await ask(sql, { levK: 5 })
  t.deepEqual(Object(body).error, [said])
  const asObjects = await objects(sql, { levK: 5, sec_buf: '', rev_buf: 0, switch_done: 0, at: null })
  t.deepEqual(Object(asObjects).error, [said])
  const asLines = await ask(sql, { levK: 5 }, { accept: lines })
  t.is(asLines.headers.get('x-weir-note'), said)
  t.false('error' in Object((await ask(sql)).body))
  t.regex(String(Object((await ask(sql, { toString: 1 })).body).error), /^toString is unknown/)
})
