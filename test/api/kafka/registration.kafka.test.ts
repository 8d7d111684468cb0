import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startTestKafka, withKafka } from '../../support/parts/kafka.ts'
import { startService } from '../../support/service.ts'
import { bare, next } from '../streams/crash-schema.ts'

/** Fails the next question about consumers, and no other. */
function failOnce() {
  let isDue = true
  return (part: ClickHouse): ClickHouse => ({
    ...part,
    async rows(statement) {
      if (isDue && statement.text.includes('weir.consumers')) {
        isDue = false
        throw new ClickHouseError(999, 'it fails here')
      }
      return part.rows(statement)
    },
  })
}

withKafka(
  'a registration that ClickHouse cuts off keeps none from succeeding after it, five at once on a new broker',
  async (t) => {
    t.timeout(600_000)
    const { brokers } = await startTestKafka(t)
    const service = await startService({ KAFKA_BROKERS: brokers }, silentLogger(), { clickhouse: failOnce() })
    t.teardown(service.close)
    const { client } = service
    t.is((await client.post('/stream', bare('first'))).status, 503)
    const names = ['first', 'second', 'third', 'fourth', 'fifth']
    const answers = await Promise.all(names.map((name) => client.post('/stream', bare(name))))
    t.deepEqual(
      answers.map(({ status, body }) => [status, body?.errcode]),
      names.map(() => [200, 0]),
    )
    await Promise.all(names.map((name) => client.lines(`${name}.s`, [next(), next()])))
    for (const name of names) t.is(await client.count(`select count(*) from ${name}.s`), 2)
  },
)
