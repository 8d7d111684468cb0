import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.after.always(() => clickhouse.close())

const running = async (): Promise<number> => {
  const text = "SELECT count() AS n FROM system.processes WHERE query LIKE 'INSERT%'"
  const [row] = await clickhouse.rows<{ n: string }>({ text, params: {} })
  return Number(row?.n)
}

test.serial(
  'a caller that kills a statement and waits for its end is not kept waiting, however little else is asked',
  async (t) => {
    await clickhouse.run('CREATE TABLE filled (n UInt64) ENGINE = MergeTree ORDER BY n')
    const filling = clickhouse.run(
      'INSERT INTO filled SELECT number + sleepEachRow(0.01) FROM numbers(100000) SETTINGS max_block_size = 10',
    )
    const failed = t.throwsAsync(filling, { message: /cancelled/i })
    await until('it runs', async () => (await running()) === 1)
    // The next statement on its connection clears the rest of it away: else a failure here would never end.
    t.teardown(() => Promise.all(Array.from({ length: 32 }, () => clickhouse.run('SELECT sleep(0.1)'))))
    const killed = clickhouse.run("KILL QUERY WHERE query LIKE 'INSERT INTO filled%' SYNC").then(() => 'ended')
    t.is(await Promise.race([killed, after(20_000, 'still waiting', { ref: false })]), 'ended')
    await failed
    t.is(await running(), 0)
  },
)
