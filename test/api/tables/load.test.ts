import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

let made = 0
async function table(settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const table_name = `load${++made}`
  await client.ok(client.post('/db/mydb/table', { table_name, table_type: 1, key_type: 1, ...settings }))
  return table_name
}

const ndjson = { 'content-type': 'application/x-ndjson' }
const load = (name: string, lines: readonly unknown[]) =>
  client.post(
    `/db/mydb/${name}/doc`,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    ndjson,
  )
const get = async (name: string, key: string) => (await client.get(`/db/mydb/${name}?key=${key}`)).body

test('records and documents go in a line each, the last of one key stays, and good lines are kept beside bad ones', async (t) => {
  const name = await table({ key_sz: 8 })
  const lines = [
    { _pk: 'a', doc: { n: 1 } },
    { _pk: 'b', n: 2 },
    '',
    '{broken',
    [1],
    { _pk: 'longer than 8', n: 3 },
    { _pk: 'c', doc: { _pk: 'd' } },
    { _pk: 'e', doc: 'a member of a document', other: 1 },
    { _pk: 'a', doc: { n: 4 } },
    { _pk: 'f', doc: { n: 5 }, _v: 1 },
  ]
  const { status, body } = await load(name, lines)
  t.is(status, 200)
  t.like(body, { errcode: 0, accepted: 5, rejected: 4 })
  t.deepEqual(
    body.errors.map(({ line }: { line: number }) => line),
    [4, 5, 6, 7],
  )
  t.regex(body.errors[2].error, /at most 8/)
  t.deepEqual(await get(name, 'a'), { _pk: 'a', _v: 1, n: 4 })
  t.deepEqual(await get(name, 'b'), { _pk: 'b', _v: 1, n: 2 })
  t.deepEqual(await get(name, 'e'), { _pk: 'e', _v: 1, doc: 'a member of a document', other: 1 })
  t.deepEqual(await get(name, 'f'), { _pk: 'f', _v: 1, n: 5 })
  t.is(await client.count(`select count(*) from ${name}`), 4)
})

test('a load of lines without keys makes one for each', async (t) => {
  const name = await table()
  t.like((await load(name, [{ n: 1 }, { doc: { n: 2 } }, { _pk: null, n: 3 }])).body, { accepted: 3, rejected: 0 })
  const keys = (await client.rows(`select * from ${name}`)).map(({ k }) => k)
  t.is(new Set(keys).size, 3)
  const short = await table({ key_sz: 8 })
  t.like((await load(short, [{ n: 1 }])).body, { accepted: 0, rejected: 1 })
})

test('normal and primitive tables take a record a line, and no bare value', async (t) => {
  const normal = await table({ table_type: 0, key_type: 10 })
  t.like((await load(normal, [{ _pk: 1, doc: 'x' }, { _pk: 2, doc: {} }, '"x"'])).body, { accepted: 1, rejected: 2 })
  const primitive = await table({ table_type: 4, key_type: 10 })
  t.like(
    (
      await load(primitive, [
        { _pk: 1, doc: 7 },
        { _pk: 2, doc: 7.5 },
      ])
    ).body,
    { accepted: 1, rejected: 1 },
  )
  t.deepEqual(await get(primitive, '1'), { _pk: 1, doc: 7, _v: 1 })
})

test('versions, duplicates and indexes hold for a load as for single records', async (t) => {
  const name = await table({ version_type: 1 })
  await client.ok(client.post(`/db/mydb/${name}/index`, { index_name: 'n', key_type: 10 }))
  await load(name, [
    { _pk: 'a', n: 1 },
    { _pk: 'a', n: 2 },
    { _pk: 'b', n: 2 },
  ])
  await load(name, [{ _pk: 'a', n: 3 }])
  t.like(await get(name, 'a'), { _v: 3, n: 3 })
  t.is(await client.count(`select count(*) from ${name} where n = 2`), 1)
  const twice = await table({ allow_duplicate: 1 })
  await load(twice, [
    { _pk: 'a', n: 1 },
    { _pk: 'a', n: 2 },
  ])
  t.is(await client.count(`select count(*) from ${twice}`), 2)
})

test('thirty thousand records of a packed body are there, each once', async (t) => {
  const name = await table()
  const lines = Array.from({ length: 30_000 }, (_, i) => `{"_pk":"k${i}","n":${i},"city":"c${i % 100}"}`).join('\n')
  const headers = { ...ndjson, 'content-encoding': 'gzip' }
  const answer = await client.send('POST', `/db/mydb/${name}/doc`, gzipSync(lines), headers)
  t.deepEqual(answer.body, { errcode: 0, accepted: 30_000, rejected: 0, errors: [] })
  t.is(await client.count(`select count(*) from ${name}`), 30_000)
  t.is(await client.count(`select count(*) from ${name} where city = "c7"`), 300)
})

test('a load into a table that is not there is a 404', async (t) => {
  t.is((await load('nowhere', [{ n: 1 }])).status, 404)
})
