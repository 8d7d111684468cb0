import test from 'ava'
import { createAliasStore } from '../../../../activities/models/stores/aliases.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

test("an alias that was set while the computer's clock was ahead is set, and taken away, once it is back", async (t) => {
  const aliases = createAliasStore(clickhouse)
  const key = { schema: 'shop', model: 'm' }
  const ahead = String((Date.now() + 3_600_000) * 1000)
  const text = `INSERT INTO weir.model_aliases VALUES ('shop', 'm', 'champion', 1, ${ahead})`
  await clickhouse.run({ text, params: {} })
  await aliases.set(key, 'champion', 2)
  await aliases.set({ ...key, model: 'other' }, 'champion', 7)
  t.deepEqual([...(await aliases.list(key))], [['champion', 2]])
  await aliases.remove(key, 'champion')
  t.deepEqual([...(await aliases.list(key))], [])
})
