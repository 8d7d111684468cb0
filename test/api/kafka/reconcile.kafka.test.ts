/** Reconciliation of a service over a real Kafka. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { brokerOfRun, type KafkaSettings, withKafka } from '../../support/parts/kafka.ts'
import { spawnService } from '../../support/process.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
let service: RunningService | undefined
let clickhouse: ClickHouse | undefined
test.after.always(() => service?.close())

/** A service in this process, whose ClickHouse runs `first` before anything else. */
async function start(settings: KafkaSettings, first: readonly string[]): Promise<RunningService> {
  let done: Promise<void> | undefined
  const damaged = (part: ClickHouse): ClickHouse => ({
    ...part,
    async run(statement) {
      done ??= runAll(part, first)
      await done
      return part.run(statement)
    },
  })
  const keep = (part: ClickHouse): ClickHouse => {
    clickhouse = part
    return damaged(part)
  }
  service = await startService({ DATA_DIR: folder, ...settings }, undefined, { clickhouse: keep })
  return service
}

async function runAll(part: ClickHouse, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await part.run(statement)
}

const schema = {
  schema: 'market',
  streams: [
    {
      name: 'sales',
      type: 1,
      attr: [
        { name: 'buyer', type: 5, stat: 'COUNT' },
        { name: 'price', type: 11, stat: 'RSTAT' },
      ],
      rels: [{ sub: 'buyer', rel: 'PAID', obj: 'price' }],
    },
  ],
}

const damage = [
  'INSERT INTO market.sales SELECT * FROM market.sales WHERE _seq % 2 = 0 SETTINGS insert_deduplicate = 0',
  'INSERT INTO market.sales__60 SELECT * FROM market.sales__60 SETTINGS insert_deduplicate = 0',
  'ALTER TABLE graph.market_graph_rel DELETE WHERE true SETTINGS mutations_sync = 2',
]

const sales = (count: number) => Array.from({ length: count }, (_, n) => ({ buyer: `b${n % 7}`, price: n }))

async function counts(): Promise<number[]> {
  const [row] =
    (await clickhouse?.rows<{ events: number; counted: number; triples: number }>({
      text: `SELECT (SELECT count() FROM market.sales) AS events, (SELECT sum(_cnt_price) FROM market.sales__60) AS counted,
        (SELECT count() FROM graph.market_graph_rel) AS triples`,
      params: {},
    })) ?? []
  return row ? [Number(row.events), Number(row.counted), Number(row.triples)] : []
}

withKafka.serial(
  'after a cut what the last hour has touched is repaired without being asked, and after a proper stop nothing is compared',
  async (t) => {
    t.timeout(750_000)
    const { settings } = await brokerOfRun()
    const spawn = async () => {
      const spawned = await spawnService({ DATA_DIR: folder, ...settings })
      t.teardown(() => spawned.end('SIGKILL'))
      return spawned
    }
    const before = await spawn()
    await before.client.register(schema)
    await before.client.lines('market.sales', sales(100))
    await until('events', async () => (await before.client.count('select count(*) from market.sales')) === 100, 60_000)
    await before.end('SIGTERM')
    const next = await spawn()
    t.is(await next.client.count('select count(*) from market.sales'), 100)
    t.notRegex(next.errors(), /was cut off/)
    await next.end('SIGKILL')
    // A child that tsx started may have the lock for a moment longer.
    await sleep(1_000)
    await start(settings, damage)
    await until('the repair', async () => (await counts()).join() === '100,100,100', 120_000)
  },
)

withKafka.serial('what is damaged is repaired, and consuming goes on', async (t) => {
  t.timeout(600_000)
  if (!service || !clickhouse) return t.fail('no service')
  const { client } = service
  await client.ok(client.post('/reconcile', {})) // behind the one after the start
  await runAll(clickhouse, damage)
  t.notDeepEqual(await counts(), [100, 100, 100])
  const { streams } = await client.ok(client.post('/reconcile?force=1', {}))
  t.true(streams.some(({ repaired }: { repaired: number }) => repaired > 0))
  t.deepEqual(await counts(), [100, 100, 100])
  await client.lines('market.sales', sales(20))
  await until('the rest', async () => (await client.count('select count(*) from market.sales')) === 120, 60_000)
  t.deepEqual(await counts(), [120, 120, 120])
})
