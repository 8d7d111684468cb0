import { join } from 'node:path'
import test from 'ava'
import { createKeyEngine } from '../../../activities/keys/engine.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { type Logger, silentLogger } from '../../../infra/logger.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const embedded = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(embedded))
test.after.always(() => embedded.close())

test('while ClickHouse refuses no use of a key is lost, and the log tells its beginning and its end alone', async (t) => {
  t.timeout(300_000)
  let isRefusing = false
  const refused = { reads: 0, inserts: 0 }
  const clickhouse: ClickHouse = {
    ...embedded,
    async rows(statement) {
      if (isRefusing) throw new Error(`refused ${++refused.reads}`)
      return embedded.rows(statement)
    },
    async insert(insertion) {
      if (isRefusing) throw new Error(`refused ${++refused.inserts}`)
      return embedded.insert(insertion)
    },
  }
  const lines: string[] = []
  const logger = {
    ...silentLogger(),
    warn: (_: unknown, line: string) => lines.push(`warn ${line}`),
    info: (line: string) => lines.push(`info ${line}`),
  } as unknown as Logger
  const engine = createKeyEngine({
    config: { API_KEYS: 'require', ADMIN_KEY: 'a key that is of no use but to be there' },
    world: { clickhouse, logger, sharing: { isShared: true }, secrets: { tokens: 'secret' } },
    writeUses_ms: 50,
  })
  await engine.open()
  const { record, token } = engine.keys.draft({ name: 'k', scopes: ['read'] })
  await engine.keys.add(record)

  isRefusing = true
  t.is(engine.find(token)?.by, record.id)
  await until('several refusals of each', () => refused.inserts > 3 && refused.reads > 3, 60_000)
  isRefusing = false
  await until('the log to tell both ends', () => lines.filter((line) => line.startsWith('info')).length === 2, 60_000)
  const [shown] = (await engine.keys.list()).keys
  t.true(Number(shown?.last_used) >= record.created_us)
  await engine.close()
  const written = await embedded.rows<{ id: string }>({ text: 'SELECT id FROM weir.api_key_uses', params: {} })
  t.deepEqual(written, [{ id: record.id }])
  t.deepEqual(lines.toSorted(), [
    'info keys of other processes followed again',
    'info uses of keys written again',
    'warn keys of other processes not followed, going on with those known',
    'warn uses of keys not written, retrying',
  ])
})
