import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

let clickhouse: ClickHouse | undefined
const wrap = (real: ClickHouse): ClickHouse => {
  clickhouse = real
  return real
}
const service = await startService({ DATA_DIR: temporaryFolder() }, silentLogger(), { clickhouse: wrap })
test.after.always(() => service.close())

const { client } = service
const ask = (text: string) => client.ok(client.send('POST', '/graph/g/query', text))
const parts = async (): Promise<number[] | undefined> =>
  (
    await clickhouse?.rows<{ parts: number }>({
      text: "SELECT toUInt32(count()) AS parts FROM system.parts WHERE database = 'graph' AND active GROUP BY table",
      params: {},
    })
  )?.map(({ parts }) => parts)

test('a graph without writes comes to be one part a table by itself', async (t) => {
  await client.ok(client.send('GET', '/graph/g/new'))
  // ClickHouse's own merges leave it alone.
  for (const table of ['g_rel', 'g__properties'])
    await clickhouse?.run(`ALTER TABLE graph.${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`)
  for (let i = 0; i < 3; i++) {
    await ask(`CREATE (P:a${i})-[R]->(P:b)`)
    t.is((await ask('s=>(*)-[*]->(*)')).triple.length, i + 1)
  }
  await until('each table is one part', async () => (await parts())?.join() === '1,1', 40_000)
  t.is((await ask('s=>(*)-[*]->(*)')).triple.length, 3)
})
