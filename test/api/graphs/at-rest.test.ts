import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const clickhouse = breakableClickHouse()
const service = await startService({ DATA_DIR: temporaryFolder() }, silentLogger(), { clickhouse: clickhouse.wrap })
test.after.always(() => service.close())

const { client } = service
test('a graph that nobody writes to comes to be one part a table by itself', async (t) => {
  const ask = (text: string) => client.ok(client.send('POST', '/graph/g/query', text))
  await client.ok(client.send('GET', '/graph/g/new'))
  for (let i = 0; i < 3; i++) {
    await ask(`CREATE (P:a${i})-[R]->(P:b)`)
    t.is((await ask('s=>(*)-[*]->(*)')).triple.length, i + 1)
  }
  const parts = () =>
    clickhouse.real().rows<{ parts: number }>({
      text: "SELECT toUInt32(count()) AS parts FROM system.parts WHERE database = 'graph' AND active GROUP BY table",
      params: {},
    })
  t.true((await parts()).some(({ parts }) => parts > 1))
  await until('each table is one part', async () => (await parts()).every(({ parts }) => parts === 1), 40_000)
  t.is((await ask('s=>(*)-[*]->(*)')).triple.length, 3)
})
