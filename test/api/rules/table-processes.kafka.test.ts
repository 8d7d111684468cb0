/** Lookups in tables over Kafka: whichever process takes an event's turn sees what was written before, by whichever process. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const schema = {
  schema: 'looked',
  streams: [
    {
      ...{ name: 'sale', type: 1 },
      attr: [
        { name: 'car', type: 'STRING' },
        { name: 'n', type: 'LONG' },
      ],
      refr: [
        {
          ...{ name: 'price', rstm: 'depot.cars', jqry: { cond: ['_pk'], args: ['car'] } },
          ...{ ratr: ['price'], iatr: ['price'] },
        },
      ],
    },
  ],
}

withKafka('over Kafka an event finds the record that any process has written before it', async (t) => {
  t.timeout(300_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(() => server.kill())
  const { settings } = await brokerOfRun()
  const shared = { DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...settings }
  const processes = [await spawnService(shared), await spawnService(shared)]
  const clientOf = (n: number) => {
    const client = processes[n % 2]?.client
    if (!client) throw new Error('no process')
    return client
  }
  const table = { table_name: 'cars', table_type: 'WIDE', key_type: 'NORMAL_KEY' }
  await clientOf(0).ok(clientOf(0).post('/db/depot/table', table))
  await clientOf(0).register(schema)
  await until(
    'both know the schema',
    async () => (await clientOf(1).get('/stream/looked/info'))?.status === 200,
    30_000,
  )

  const rounds = 40
  for (let n = 0; n < rounds; n++) {
    // Events before have the answer of another price remembered.
    const [writer, other] = [clientOf(n), clientOf(n >> 1)]
    await writer.ok(writer.post('/db/depot/cars/doc', { _pk: `c${n % 3}`, doc: { price: n } }))
    for (const car of ['c0', 'c1', 'c2']) await other.ok(other.post('/stream/looked/sale', { car, n }))
  }
  for (const n of [0, 1]) {
    // Events that the other process has acknowledged may take a while.
    await until(
      'all events are seen',
      async () => (await clientOf(n).count('select count(*) from looked.sale')) === 3 * rounds,
    )
    const { body } = await clientOf(n).post('/db/mydb/query', { sql: 'select * from looked.sale', rows: 'objects' })
    const found = new Map<string, number | undefined>(
      body.rows.map((row: { car: string; n: number; price?: number }) => [`${row.car} ${row.n}`, row.price]),
    )
    t.is(found.size, 3 * rounds)
    for (let round = 0; round < rounds; round++) {
      for (const car of [0, 1, 2]) {
        const last = round - ((round - car + 3) % 3)
        t.is(found.get(`c${car} ${round}`), last < 0 ? undefined : last, `c${car} of round ${round}`)
      }
    }
  }
})
