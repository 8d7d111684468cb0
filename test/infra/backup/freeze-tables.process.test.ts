/** A copy of ClickHouse's tables that is begun while they change. */
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createFreeze } from '../../../infra/backup/freeze-tables.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createServerClickHouse } from '../../../infra/clickhouse/server/client.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const [from, to, rowsTo] = [join(folder, 'clickhouse'), join(folder, 'stage'), join(folder, 'rows')]
const clickhouse = createEmbeddedClickHouse({ path: from })
test.after.always(() => clickhouse.close())

const settings = 'ORDER BY k SETTINGS non_replicated_deduplication_window = 100'
const make = (name: string) => clickhouse.run(`CREATE TABLE db.${name} (k Int64) ENGINE = MergeTree ${settings}`)
const add = (name: string, k: number) =>
  clickhouse.insert({ table: `\`db\`.\`${name}\``, rows: Buffer.from(`{"k":${k}}\n`), token: `${name} ${k}` })

/** When each mark of deduplication in the copy was written. */
const marksIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('deduplication_log_'))
    .map((file) => `${file} ${statSync(join(path, file)).mtimeMs}`)

test('the copy is of the moment in which nothing was written, and that takes what has changed', async (t) => {
  await clickhouse.run('CREATE DATABASE db')
  await clickhouse.run('CREATE DATABASE other')
  await clickhouse.run('CREATE TABLE other.gone (k Int64) ENGINE = MergeTree ORDER BY k')
  for (const name of ['still', 'fed', 'dropped', 'altered', 'mutated', 'merged', 'emptied']) {
    await make(name)
    for (let k = 0; k < 3; k++) await add(name, k)
  }
  // Tables that were changed in the last seconds are looked at once more.
  await sleep(4_000)
  const freeze = createFreeze({ from, to, rowsTo })
  await freeze.prepare(clickhouse)
  const before = marksIn(to)

  await add('fed', 3)
  await clickhouse.run('DROP TABLE db.dropped SYNC')
  await clickhouse.run('DROP DATABASE other SYNC')
  await clickhouse.run('ALTER TABLE db.altered ADD COLUMN more String DEFAULT 7')
  await clickhouse.run('ALTER TABLE db.mutated DELETE WHERE k = 1 SETTINGS mutations_sync = 2')
  await clickhouse.run('OPTIMIZE TABLE db.merged FINAL')
  await clickhouse.run('TRUNCATE TABLE db.emptied')
  await make('made')
  await add('made', 1)
  await clickhouse.run('CREATE VIEW db.seen AS SELECT k FROM db.still')
  await clickhouse.still((held) => freeze.hold(held))
  await add('still', 3)
  await add('made', 2)
  await clickhouse.run('DROP TABLE db.fed SYNC')
  await freeze.finish()

  const kept = marksIn(to)
  t.is(before.length, 7)
  t.is(before.filter((mark) => kept.includes(mark)).length, 1, 'one table has not changed, and was not looked at again')
  const copy = join(folder, 'copy')
  for (const part of [to, rowsTo]) cpSync(part, copy, { recursive: true })
  const server = await startTestClickHouse({ folder: copy })
  const restored = createServerClickHouse({ url: server.url })
  t.teardown(async () => {
    await restored.close()
    await server.kill()
  })
  const keysOf = async (name: string): Promise<unknown[]> =>
    (await restored.rows<{ k: number }>({ text: `SELECT k FROM db.${name} ORDER BY k`, params: {} })).map(({ k }) => k)
  const tables = ['altered', 'emptied', 'fed', 'made', 'merged', 'mutated', 'seen', 'still']
  const there = await restored.rows<{ name: string }>({
    text: "SELECT name FROM system.tables WHERE database IN ('db', 'other') ORDER BY name",
    params: {},
  })
  t.deepEqual(
    there.map(({ name }) => name),
    tables,
  )
  t.deepEqual(Object.fromEntries(await Promise.all(tables.map(async (name) => [name, await keysOf(name)]))), {
    altered: [0, 1, 2],
    emptied: [],
    fed: [0, 1, 2, 3],
    made: [1],
    merged: [0, 1, 2],
    mutated: [0, 2],
    seen: [0, 1, 2],
    still: [0, 1, 2],
  })
  t.deepEqual(await restored.rows({ text: 'SELECT more FROM db.altered LIMIT 1', params: {} }), [{ more: '7' }])
  // The copy knows an insert that comes again, and does not know one that came after that moment.
  for (const [name, k] of [
    ['fed', 3],
    ['made', 1],
    ['made', 2],
    ['still', 3],
  ] as const) {
    await restored.insert({ table: `\`db\`.\`${name}\``, rows: Buffer.from(`{"k":${k}}\n`), token: `${name} ${k}` })
  }
  t.deepEqual(
    [await keysOf('fed'), await keysOf('made'), await keysOf('still')],
    [
      [0, 1, 2, 3],
      [1, 2],
      [0, 1, 2, 3],
    ],
  )
})
