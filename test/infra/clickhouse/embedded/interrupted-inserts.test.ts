import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const table = '`d`.`t`'
const insert = (clickhouse: ClickHouse, token: string, values: readonly number[]) =>
  clickhouse.insert({
    table,
    rows: Buffer.from(values.map((a) => `${JSON.stringify({ a, kind: a % 2 })}\n`).join('')),
    token,
  })
const contents = async (clickhouse: ClickHouse): Promise<number[]> =>
  (await clickhouse.rows<{ a: number }>({ text: 'SELECT a FROM d.t ORDER BY a', params: {} })).map(({ a }) => Number(a))

/**
 * Data of a table with a partition a kind, as a process leaves it that was killed before `lost` was named. `id` is the
 * number of that process, which another may have by now.
 */
async function killedBefore(
  lost: RegExp,
  done: (clickhouse: ClickHouse) => Promise<void>,
  id = process.pid,
): Promise<ClickHouse> {
  const path = temporaryFolder()
  const clickhouse = createEmbeddedClickHouse({ path })
  await clickhouse.run('CREATE DATABASE d')
  const settings = 'non_replicated_deduplication_window = 1000'
  await clickhouse.run(
    `CREATE TABLE d.t (a Int64, kind Int64) ENGINE = MergeTree PARTITION BY kind ORDER BY a SETTINGS ${settings}`,
  )
  await done(clickhouse)
  await clickhouse.close()
  const parts = readdirSync(join(path, 'store'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    lost.test(name),
  )
  for (const part of parts) rmSync(join(path, 'store', part), { recursive: true })
  writeFileSync(join(path, 'status'), `PID: ${id}\n`)
  return createEmbeddedClickHouse({ path })
}

test.serial('an insert whose token was noted, but not its part, is made by its repeat', async (t) => {
  const again = await killedBefore(/\/0_3_3_0$/, async (clickhouse) => {
    await insert(clickhouse, 'one', [1, 3])
    await insert(clickhouse, 'two', [5])
    await insert(clickhouse, 'three', [2, 4])
  })
  t.deepEqual(await contents(again), [1, 3, 5])
  for (const _ of 'twice') await insert(again, 'three', [2, 4])
  await insert(again, 'one', [1, 3])
  t.deepEqual(await contents(again), [1, 2, 3, 4, 5])
  await again.close()
})

test.serial(
  'an insert without its part is made by its repeat, too, where another program has the number of the killed process',
  async (t) => {
    const inserted = async (clickhouse: ClickHouse): Promise<void> => {
      await insert(clickhouse, 'one', [1])
      await insert(clickhouse, 'two', [3])
    }
    const again = await killedBefore(/\/1_2_2_0$/, inserted, process.ppid)
    t.deepEqual(await contents(again), [1])
    await insert(again, 'two', [3])
    t.deepEqual(await contents(again), [1, 3])
    await again.close()
  },
)

test.serial('a repeat changes nothing where the part is there, also merged into another', async (t) => {
  for (const isMerged of [false, true]) {
    const again = await killedBefore(/nothing/, async (clickhouse) => {
      await insert(clickhouse, 'one', [1])
      await insert(clickhouse, 'two', [3])
      if (isMerged) await clickhouse.run('OPTIMIZE TABLE d.t FINAL')
    })
    await insert(again, 'two', [3])
    await insert(again, 'one', [1])
    t.deepEqual(await contents(again), [1, 3])
    await again.close()
  }
})

test.serial(
  'of several inserts whose tokens were noted, but not their parts, each is made by its repeat',
  async (t) => {
    const again = await killedBefore(/\/[01]_[34]_[34]_0$/, async (clickhouse) => {
      await insert(clickhouse, 'one', [1])
      await insert(clickhouse, 'two', [2])
      await insert(clickhouse, 'three', [3, 4])
    })
    t.deepEqual(await contents(again), [1, 2])
    for (const _ of 'twice') await insert(again, 'three', [3, 4])
    await insert(again, 'two', [2])
    t.deepEqual(await contents(again), [1, 2, 3, 4])
    await again.close()
  },
)

for (const [what, end] of [
  ['within a line', '1\t1_9_9_0\t1_77'],
  ['before a page of zeros', '\0'.repeat(4096)],
]) {
  test.serial(`a table opens whose log of tokens was torn ${what}, and remembers those before`, async (t) => {
    const path = temporaryFolder()
    const first = createEmbeddedClickHouse({ path })
    await first.run('CREATE DATABASE d')
    await first.run(
      'CREATE TABLE d.t (a Int64, kind Int64) ENGINE = MergeTree PARTITION BY kind ORDER BY a SETTINGS non_replicated_deduplication_window = 1000',
    )
    await insert(first, 'one', [1])
    await first.close()
    for (const name of readdirSync(join(path, 'store'), { recursive: true, encoding: 'utf8' })) {
      if (/deduplication_log_\d+\.txt$/.test(name) && statSync(join(path, 'store', name)).size > 0)
        appendFileSync(join(path, 'store', name), end ?? '')
    }
    const again = createEmbeddedClickHouse({ path })
    await insert(again, 'one', [1])
    await insert(again, 'two', [2])
    t.deepEqual(await contents(again), [1, 2])
    await again.close()
  })
}
