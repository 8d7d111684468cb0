/** After a crash each schema is compared by itself: one whose events ClickHouse does not take holds up no other. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { spawnService } from '../../support/process.ts'
import { loader, pathOf } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const schema = (name: string) => ({
  schema: name,
  streams: [{ name: 'sales', type: 1, attr: [{ name: 'price', type: 11, stat: 'RSTAT' }] }],
})

/** In a process of its own: chDB opens one folder in a process. */
function run(folder: string, statement: string): void {
  const script = `
    import { createEmbeddedClickHouse } from ${JSON.stringify(pathOf('infra/clickhouse/embedded/client.ts'))}
    const clickhouse = createEmbeddedClickHouse({ path: process.argv[1] })
    await clickhouse.run(process.argv[2])
    process.exit(0)`
  const options = [...loader, '--input-type=module', '-e', script, `${folder}/clickhouse`, statement]
  execFileSync(process.execPath, options, { stdio: 'pipe', timeout: 60_000 })
}

withKafka(
  'a schema whose events ClickHouse does not take keeps no other from being compared after a crash',
  async (t) => {
    t.timeout(750_000)
    const folder = temporaryFolder()
    const { settings } = await brokerOfRun()
    const spawn = async () => {
      const spawned = await spawnService({ DATA_DIR: folder, ...settings })
      t.teardown(() => spawned.end('SIGKILL'))
      return spawned
    }
    const kill = async ({ end }: Awaited<ReturnType<typeof spawn>>, statement: string): Promise<void> => {
      await end('SIGKILL')
      await sleep(1_000) // a child that tsx started may have the lock for a moment longer
      run(folder, statement)
    }

    const first = await spawn()
    for (const name of ['broken', 'market']) await first.client.register(schema(name))
    await first.client.lines(
      'market.sales',
      Array.from({ length: 100 }, (_, price) => ({ price })),
    )
    await until('events', async () => (await first.client.count('select count(*) from market.sales')) === 100, 60_000)
    await kill(first, 'DROP TABLE broken.sales__60 SYNC')
    const second = await spawn()
    await second.client.lines('broken.sales', [{ price: 1 }])
    await kill(second, 'TRUNCATE TABLE market.sales__60')

    const { client, end } = await spawn()
    const counted = async (): Promise<number> => {
      const [row] = await client.rows('select aggr(price) from market.sales where st >= 0 rollup 1')
      return row ? JSON.parse(String(row.v)).aggr_val.cnt : 0
    }
    await until('the other schema is repaired', async () => (await counted()) === 100, 90_000)
    const failing = async () => (await client.get('/health/ready')).body.parts.schemas.failing ?? []
    await until('the schema that waits is told of', async () => (await failing()).length > 0, 60_000)
    t.like((await failing())[0], { schema: 'broken' })
    t.regex((await failing())[0].reason, /not compared with its events/)

    // A proper stop does not forget a comparison that is still to be made.
    await end('SIGTERM')
    const again = await spawn()
    await until('it is taken up', () => /was cut off/.test(again.errors()), 30_000)
  },
)
