/** Whether rows that replace one another meet on one shard: the test spreads them over two, as Distributed would by its key. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createWatchStore } from '../../../activities/saved/watch/store.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createClusterClickHouse } from '../../../infra/clickhouse/cluster.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { statementsOf } from '../../../infra/clickhouse/migrate.ts'
import { onCluster } from '../../../sql/cluster.ts'
import { createTable } from '../../../sql/table/ddl.ts'
import { decodeTable } from '../../../sql/table/decode-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse'), connections: 2 })
test.after.always(() => clickhouse.close())

const migrations = new URL('../../../sql/migrations/', import.meta.url)
const statements = [
  ...readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .flatMap((name) => statementsOf(readFileSync(new URL(name, migrations), 'utf8'))),
  ...createTable({
    ...decodeTable('shop', { table_name: 'orders', table_type: 1, key_type: 1 }),
    storage: 'shop__orders',
  }),
]

/** Where a part is made, its columns and engine, and behind it the key by which its rows are spread. */
const part = /^CREATE TABLE(?: IF NOT EXISTS)? (\S+___local`?) ON CLUSTER `two` ([\s\S]*)$/
const keyOf = /ENGINE = Distributed\('two', '[^']*', '[^']*', ([\s\S]*)\)$/

const written = statements.flatMap((statement) => onCluster(statement, 'two'))
const replacing = written.flatMap((statement, i) => {
  const [, name = '', body = ''] = part.exec(statement) ?? []
  const [, key = ''] = keyOf.exec(written[i + 1] ?? '') ?? []
  return /ReplacingMergeTree\b/.test(body)
    ? [{ name, key, body: body.replace('ENGINE = Replicated', 'ENGINE = ') }]
    : []
})

async function count(text: string): Promise<number> {
  const [row] = await clickhouse.rows<{ n: number }>({ text: `SELECT toInt32(count()) AS n FROM ${text}`, params: {} })
  return row?.n ?? Number.NaN
}

test.serial('there are such tables', (t) => {
  t.true(replacing.length > 5)
})

for (const [i, { name, key, body }] of replacing.entries()) {
  test.serial(`what replaces a row of ${name} is on the shard of that row`, async (t) => {
    const own = body.replace(/\b(?:non_)?replicated_deduplication_window[^,]*,?/g, '').replace(/SETTINGS\s*$/, '')
    for (const shard of ['rows', 'a', 'b']) {
      await clickhouse.run(`CREATE TABLE ${shard}${i} ${own}`)
      await clickhouse.run(`SYSTEM STOP MERGES ${shard}${i}`) // They would take what has outlived its table's TTL.
    }
    const columns = await clickhouse.rows<{ name: string; type: string }>({
      text: `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = 'rows${i}'`,
      params: {},
    })
    const shape = columns.map(({ name: column, type }) => `${column} ${type}`).join(', ')
    const plain = columns.some(({ name: column }) => column === '_deleted') ? '* REPLACE (0 AS _deleted)' : '*'
    await clickhouse.run(
      `INSERT INTO rows${i} SELECT ${plain} FROM generateRandom('${shape.replaceAll("'", "\\'")}', 1, 3, 3) LIMIT 100`,
    )
    for (let repeat = 0; repeat < 2; repeat++) {
      for (const [number, shard] of ['a', 'b'].entries())
        await clickhouse.run(`INSERT INTO ${shard}${i} SELECT * FROM rows${i} WHERE (${key}) % 2 = ${number}`)
    }
    const [a, b] = [await count(`a${i} FINAL`), await count(`b${i} FINAL`)]
    t.is(a + b, await count(`rows${i} FINAL`))
    t.true(a > 0 && b > 0, `${a} and ${b}`)
  })
}

test.serial('a watch that is gone is forgotten on every shard, with every version of its state', async (t) => {
  const body = replacing.find(({ name }) => name.includes('saved_log'))?.body ?? ''
  const own = body.replace(/\b(?:non_)?replicated_deduplication_window[^,]*,?/g, '')
  const shards = ['gone_a', 'gone_b']
  for (const shard of shards) {
    await clickhouse.run(`CREATE TABLE ${shard} ${own}`)
    for (const version of [1, 2])
      await clickhouse.run(
        `INSERT INTO ${shard} (kind, name, version) VALUES ('state', 'it''s', ${version}), ('state', 'other', ${version}), ('run', 'it''s', ${version})`,
      )
  }
  const onShards: ClickHouse = {
    ...clickhouse,
    async run(statement) {
      for (const shard of shards)
        await clickhouse.run(String(statement).replace('weir.saved_log___local ON CLUSTER `two`', shard))
    },
  }
  await createWatchStore(createClusterClickHouse(onShards, 'two')).forget(["it's"])
  for (const shard of shards) {
    t.is(await count(`${shard} WHERE kind = 'state' AND name = 'it''s'`), 0)
    t.is(await count(`${shard} FINAL`), 2)
  }
})
