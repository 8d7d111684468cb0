import { join } from 'node:path'
import test from 'ava'
import { Session } from 'chdb'
import fc from 'fast-check'
import { startService } from '../../support/service.ts'
import '../../support/random/seed.ts'

const { client, folder, close } = await startService()
const { post, query, send } = client
const session = new Session(join(folder, 'clickhouse'))
const clickhouse = (text: string): string => session.query(text, 'TSV').trim()

test.after.always(async () => {
  session.close()
  await close()
})

test.serial('64 writers share inserts, and parts stay few', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'shared', table_type: 1, key_type: 1 }))
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, Number(clickhouse("SELECT count() FROM system.parts WHERE active AND table LIKE '%shared%'")))
  }, 50)
  await Promise.all(
    Array.from({ length: 64 }, async (_, writer) => {
      for (let i = 0; i < 30; i++) await client.ok(post('/db/mydb/shared/doc', { _pk: `${writer}-${i}`, doc: { i } }))
    }),
  )
  clearInterval(watch)
  t.is(await client.count('select count(*) from shared'), 64 * 30)
  const inserts = Number(clickhouse("SELECT max(max_block_number) FROM system.parts WHERE table LIKE '%shared%'"))
  t.true(inserts < (64 * 30) / 4, `${inserts} inserts for ${64 * 30} records`)
  t.true(most < 110, `${most} parts at a time`)
})

test.serial('two writers of one key: the later acknowledged one wins, whole', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'one', table_type: 1, key_type: 1, version_type: 1 }))
  await client.ok(post('/db/mydb/one/index', { index_name: 'by', key_type: 1, key_size: 24 }))
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 8 }, (_, by) =>
        client.ok(post('/db/mydb/one/doc', { _pk: 'k', doc: { by: `w${by}`, again: `w${by}` } })),
      ),
    )
    await client.ok(post('/db/mydb/one/doc', { _pk: 'k', doc: { by: 'last', again: 'last' } }))
    t.deepEqual(await client.documents('select * from one'), [
      { _pk: 'k', _v: 9 * (round + 1), by: 'last', again: 'last' },
    ])
    t.is(await client.count('select count(*) from one where by >= ""'), 1)
  }
})

test.serial('of many that insert one key, one does', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'race', table_type: 1, key_type: 1 }))
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) => client.ok(query(`insert into race values "k" {"n": ${n}}`))),
  )
  t.deepEqual(answers.map(({ retval }) => retval).sort(), [0, ...Array.from({ length: 63 }, () => 1)])
  const winner = answers.findIndex(({ retval }) => retval === 0)
  t.deepEqual(await client.documents('select * from race'), [{ _pk: 'k', _v: 1, n: winner }])
})

test.serial('a read sees what was acknowledged before it, under load', async (t) => {
  await client.ok(post('/db/mydb/table', { table_name: 'fresh', table_type: 1, key_type: 1 }))
  await Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 1; n <= 20; n++) {
        await client.ok(post('/db/mydb/fresh/doc', { _pk: `w${writer}`, doc: { n } }))
        t.is((await client.get(`/db/mydb/fresh?key=w${writer}`)).body.n, n)
      }
    }),
  )
})

type Step =
  | { readonly kind: 'post' | 'put' | 'insert'; readonly key: number; readonly a: string; readonly n: number }
  | { readonly kind: 'delete'; readonly key: number }
  | { readonly kind: 'update' | 'remove'; readonly a: string; readonly n: number }

const key = fc.integer({ min: 0, max: 5 })
const a = fc.constantFrom('x', 'y', 'z')
const n = fc.integer({ min: 0, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('post', 'put', 'insert'), key, a, n }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('update', 'remove'), a, n }) },
)

/** A table in memory; answers what the service should. */
function createOracle() {
  const records = new Map<number, { a: string; n: number; _v: number }>()
  const write = (key: number, a: string, n: number) => records.set(key, { a, n, _v: (records.get(key)?._v ?? 0) + 1 })
  const matching = (a: string) => [...records].filter(([, record]) => record.a === a).map(([key]) => key)
  return {
    records,
    run(step: Step): number {
      switch (step.kind) {
        case 'post':
          write(step.key, step.a, step.n)
          return 200
        case 'put':
          if (!records.has(step.key)) return 404
          write(step.key, step.a, step.n)
          return 200
        case 'insert':
          if (records.has(step.key)) return 1
          write(step.key, step.a, step.n)
          return 0
        case 'delete':
          return records.delete(step.key) ? 200 : 404
        case 'update': {
          const keys = matching(step.a)
          for (const key of keys) write(key, 'u', step.n)
          return keys.length
        }
        case 'remove': {
          const keys = matching(step.a)
          for (const key of keys) records.delete(key)
          return keys.length
        }
      }
    },
  }
}

async function run(table: string, step: Step): Promise<number> {
  const path = `/db/mydb/${table}`
  switch (step.kind) {
    case 'post':
    case 'put': {
      const method = step.kind === 'post' ? 'POST' : 'PUT'
      return (await send(method, `${path}/doc`, { _pk: step.key, doc: { a: step.a, n: step.n } })).status
    }
    case 'insert':
      return (await query(`insert into ${table} values ${step.key} {"a": "${step.a}", "n": ${step.n}}`)).body.retval
    case 'delete':
      return (await send('DELETE', `${path}?key=${step.key}`)).status
    case 'update':
      return (await query(`update ${table} set val = {"a": "u", "n": ${step.n}} where a = "${step.a}"`)).body.retval
    case 'remove':
      return (await query(`delete from ${table} where a = "${step.a}"`)).body.retval
  }
}

let made = 0
test.serial('random operations leave what a map would hold, with and without an index', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, indexed) => {
      const table_name = `random${++made}`
      await client.ok(post('/db/mydb/table', { table_name, table_type: 1, key_type: 10, version_type: 1 }))
      if (indexed) await client.ok(post(`/db/mydb/${table_name}/index`, { index_name: 'a', key_type: 1, key_size: 24 }))
      const oracle = createOracle()
      for (const each of steps) t.is(await run(table_name, each), oracle.run(each), JSON.stringify(each))
      const expected = [...oracle.records].sort(([k], [l]) => k - l).map(([_pk, { a, n, _v }]) => ({ _pk, _v, a, n }))
      t.deepEqual(await client.documents(`select * from ${table_name}`), expected)
      for (const value of ['x', 'u']) {
        const some = expected.filter((record) => record.a === value)
        t.deepEqual(await client.documents(`select * from ${table_name} where a = "${value}"`), some)
      }
      await client.ok(send('DELETE', `/db/mydb/${table_name}`))
    }),
    { numRuns: 25 },
  )
})
