import test from 'ava'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { bind, type SqlStatement } from '../../../../sql/statement.ts'
import { matchesGolden } from '../../../support/golden.ts'
import { startService } from '../../../support/service.ts'
import { answerTo, fillShop, forms, lasting } from './query-forms.ts'

const asked: string[] = []
const listening = (part: ClickHouse): ClickHouse => ({
  ...part,
  read: (statement, format) => part.read(noted(statement), format),
  rows: (statement) => part.rows(noted(statement)),
})
const noted = <Row>(statement: SqlStatement<Row>): SqlStatement<Row> => {
  const text = bind(statement)
  // Runs of dead processes and graphs at rest are looked for now and then, and by no query.
  if (!text.includes(' weir.runs ') && !text.includes(' FROM system.parts ')) asked.push(text)
  return statement
}

const { client, close } = await startService({}, silentLogger(), { clickhouse: listening })
test.after.always(close)

test.before(() => fillShop(client))

test('every form of a query on streams: its text, its SQL and its answer', async (t) => {
  const chapters: string[] = []
  for (const form of forms) {
    asked.length = 0
    const answer = await answerTo(client, form)
    chapters.push([`> ${form}`, ...asked.map((sql) => sql.replace(/^/gm, '  ')), answer].join('\n'))
  }
  matchesGolden(t, `${lasting(chapters.join('\n\n'))}\n`, new URL('queries.golden.txt', import.meta.url))
})

test.serial('backslashes in skey stand as in the k of an answer, or doubled', async (t) => {
  const [single, double] = await Promise.all(
    ['a\\:b:*', 'a\\\\:b:*'].map((skey) =>
      client.rows(`select aggr(price) from shop.sales where skey = "${skey}" groupby item:city`),
    ),
  )
  t.regex(String(single?.[0]?.k), /^a\\:b:/)
  t.deepEqual(double, single)
})

test.serial('POST /stream/usage takes the statement on usage and no other', async (t) => {
  const ask = (sql: unknown) => client.post('/stream/usage', { sql })
  for (const name of ['weir_stream', 'svc_stream']) {
    const { status, body } = await ask(`select usage from ${name}`)
    t.is(status, 200)
    t.deepEqual([body.num_items, body.more_data_to_come, body.switch_done], [1, 0, 0])
    const { aggr_val } = JSON.parse(body.rows[0].v)
    t.true(aggr_val.cnt > 0 && aggr_val.sum > 0)
  }
  for (const sql of ['select * from shop.sales', 'select usage from somewhere', 5]) t.is((await ask(sql)).status, 400)
  t.is((await client.get('/stream/usage')).status, 405)
})
