/** An edit that was cut off, and a start at which Kafka is away. */
import test from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

/** A ClickHouse that is away for all that changes something, from the first statement that begins so. */
function awayFrom(begin: RegExp) {
  let isAway = false
  return (part: ClickHouse): ClickHouse => ({
    ...part,
    async run(statement) {
      isAway ||= begin.test(typeof statement === 'string' ? statement : statement.text)
      if (isAway) throw new ClickHouseError(999, 'it is away')
      await part.run(statement)
    },
  })
}

const schemaOf = (statistics: readonly string[]) => ({
  schema: 'cut',
  streams: [
    {
      ...{ name: 's', type: 1, swsz: 0 },
      attr: ['n', 'x'].map((name) => ({ name, type: 9, ...(statistics.includes(name) && { stat: 'COUNT' }) })),
    },
  ],
})

withKafka('an edit that was cut off is undone once Kafka is there, though it was away at the start', async (t) => {
  t.timeout(600_000)
  const port = await freePort()
  const [folder, ofKafka] = [temporaryFolder(), temporaryFolder()]
  const first = await startTestKafka(t, { folder: ofKafka, port })
  const settings = { KAFKA_BROKERS: first.brokers, DATA_DIR: folder }
  const before = await startService(settings, silentLogger(), { clickhouse: awayFrom(/^EXCHANGE TABLES/) })
  await before.client.register(schemaOf(['n']))
  await before.client.lines(
    'cut.s',
    Array.from({ length: 30 }, (_, n) => ({ n, x: n })),
  )
  t.is(await before.client.count('select count(*) from cut.s'), 30)
  t.is((await before.client.send('PUT', '/stream', schemaOf(['n', 'x']))).status, 503)
  await before.close()
  await first.kill()

  const { client, errors, end } = await spawnService(settings)
  t.teardown(() => end('SIGKILL'))
  await until('the start tells that it cannot', () => /undo of schema edit failed, retrying/.test(errors()), 60_000)
  await startTestKafka(t, { folder: ofKafka, port })
  await until(
    'an event is taken',
    async () => (await client.post('/stream/cut/s', { n: 30, x: 30 })).status === 200,
    120_000,
  )
  t.is(await client.count('select count(*) from cut.s'), 31)
  const [row] = await client.rows('select aggr(n) from cut.s rollup 1')
  t.is(JSON.parse(String(row?.v)).aggr_val.cnt, 31)
  t.is((await client.send('PUT', '/stream', schemaOf(['n', 'x']))).status, 200)
})
