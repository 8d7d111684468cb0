/** A stream that fails while its neighbours feed a table that it shares with them. */
import test from 'ava'
import { type ClickHouse, ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const entityOf = (stream: string) => ({
  name: 'people',
  opid: 3,
  ratr: [`of_${stream}`],
  iatr: ['n'],
  pkatr: [{ name: 'who', type: 5, opid: 1, iatr: ['who'] }],
  rstm: 'people',
})
const attr = [
  { name: 'n', type: 'LONG', stat: 'RSTAT' },
  { name: 'who', type: 'STRING' },
]
const schema = {
  schema: 'shared',
  streams: [
    { name: 'a', type: 1, swsz: 0, attr, enty: [entityOf('a')] },
    { name: 'b', type: 1, swsz: 0, attr, enty: [entityOf('b')] },
    { name: 'people', type: 4, inpt: ['a', 'b'] },
  ],
}

test('a batch that is repeated after its token was forgotten counts once, in shared tables too', async (t) => {
  let clickhouse: ClickHouse | undefined
  let isFailing = false
  const { client, close } = await startService({}, silentLogger(), {
    clickhouse: (part) => {
      clickhouse = part
      return {
        ...part,
        async insert(insertion) {
          await part.insert(insertion)
          if (isFailing && insertion.table.includes('a__in')) throw new ClickHouseError(210, 'the connection broke')
        },
      }
    },
  })
  t.teardown(close)
  await client.register(schema)
  await clickhouse?.run('ALTER TABLE shared.people__keys MODIFY SETTING non_replicated_deduplication_window = 5')
  const sums = async (): Promise<number[]> =>
    (await client.rows('select * from shared.people')).map(({ v }) => JSON.parse(String(v)).of_a.sum)

  isFailing = true
  await client.event('shared.a', { n: 1000, who: 'x' })
  await until('it has failed', async () => (await client.get('/health/ready')).body.parts.log.status === 'failing')
  for (let i = 0; i < 40; i++) {
    await client.event('shared.b', { n: 1, who: 'x' })
    await client.count('select count(*) from shared.b')
  }
  // Usage and the list of streams wait for the streams that are fed, and say which are not.
  const [usage, info] = [
    await client.post('/stream/usage', { sql: 'select usage from weir_stream' }),
    await client.get('/stream/shared/info'),
  ]
  for (const { status, body } of [usage, info]) {
    t.is(status, 200)
    t.regex(body.error[0], /^events of shared\.a .*the connection broke/)
  }
  t.is((await client.post('/db/mydb/query', { sql: 'select count(*) from shared.a' })).status, 504)

  isFailing = false
  await client.count('select count(*) from shared.a')
  await until('it counts once', async () => (await sums())[0] === 1000, 20_000)
  t.is((await client.post('/stream/usage', { sql: 'select usage from weir_stream' })).body.error, undefined)
})
