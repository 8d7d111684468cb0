/** Writes are held while a copy is taken, so that all tables are of one moment. */
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createWritePause } from '../../../../infra/clickhouse/embedded/write-pause.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder(), connections: 2, queries: 1 })
await clickhouse.run('CREATE DATABASE d')
test.after.always(() => clickhouse.close())

/** A write that ends when it is told to. */
function openWrite() {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end }
}

test('still work waits for the writes that are under way, and those that come wait for it', async (t) => {
  const { writing, still } = createWritePause({ hold: 60_000 })
  const order: string[] = []
  const first = openWrite()
  const before = writing(async () => {
    await first.work()
    order.push('before')
  })
  const work = still(async () => {
    order.push('still')
  })
  const after = writing(async () => {
    order.push('after')
  })
  t.deepEqual(order, [])
  first.end()
  await Promise.all([before, work, after])
  t.deepEqual(order, ['before', 'still', 'after'])
})

test('a long write keeps others waiting for a moment alone, and then the still work is refused', async (t) => {
  const { writing, still } = createWritePause({ hold: 5, rest: 5, patience: 1 })
  const long = openWrite()
  const running = writing(long.work)
  const work = still(async () => t.fail('a write is under way'))
  await writing(async () => t.pass())
  await t.throwsAsync(work, { message: /long change/ })
  long.end()
  await running
  t.is(await still(async () => 1), 1)
})

test('work that fails lets writes pass again', async (t) => {
  const { writing, still } = createWritePause()
  await t.throwsAsync(still(async () => Promise.reject(new Error('no'))))
  t.is(await writing(async () => 1), 1)
})

test.serial('embedded ClickHouse holds inserts and statements while it stands still', async (t) => {
  await clickhouse.run('CREATE TABLE d.t (a Int64) ENGINE = MergeTree ORDER BY a')
  const count = { text: 'SELECT count() AS n FROM d.t', params: {} }
  const writes: Promise<void>[] = []
  await clickhouse.still(async ({ rows, run }) => {
    writes.push(clickhouse.insert({ table: 'd.t', rows: Buffer.from('{"a":1}\n') }))
    writes.push(clickhouse.run('INSERT INTO d.t VALUES (2)'))
    await run('INSERT INTO d.t VALUES (3)')
    for (let again = 0; again < 20; again++) t.deepEqual(await rows(count), [{ n: 1 }])
  })
  await Promise.all(writes)
  t.deepEqual(await clickhouse.rows(count), [{ n: 3 }])
})

test.serial('what merges the parts of a table is no write: neither waits for the other', async (t) => {
  await clickhouse.run('CREATE TABLE d.m (a UInt64) ENGINE = MergeTree ORDER BY a')
  for (let i = 0; i < 2; i++) await clickhouse.run(`INSERT INTO d.m SELECT ${i}`)
  await clickhouse.still(() => clickhouse.run('OPTIMIZE TABLE d.m FINAL'))
  t.deepEqual(
    await clickhouse.rows({
      text: "SELECT toUInt32(count()) AS parts FROM system.parts WHERE database = 'd' AND table = 'm' AND active",
      params: {},
    }),
    [{ parts: 1 }],
  )
})
