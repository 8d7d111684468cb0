/** Analysts' SQL over a ClickHouse server, by an account that the service makes there. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const schemaOf = (schema: string) => ({
  schema,
  streams: [
    {
      ...{ name: 'orders', type: 1, swsz: 0 },
      attr: [
        { name: 'country', type: 'STRING' },
        { name: 'price', type: 'DOUBLE', stat: 'RSTAT' },
      ],
    },
  ],
})

test('with a ClickHouse server POST /sql answers by an account of its own, after all that was acknowledged', async (t) => {
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server'), accounts: true })
  t.teardown(server.kill)
  const start = (name: string) => spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
  const [one, two] = await Promise.all([start('one'), start('two')])
  await one.client.register(schemaOf('shop'))
  const sql = async (body: object, { client } = one) => client.post('/sql', { format: 'JSONCompactEachRow', ...body })
  for (let n = 1; n <= 20; n++) {
    await one.client.event('shop.orders', { country: n % 2 === 0 ? 'DE' : 'FR', price: n })
    const answer = await sql({ sql: 'SELECT count(), sum(price) FROM shop.orders' })
    t.is(answer.text, `[${n}, ${(n * (n + 1)) / 2}]\n`)
  }
  const given = { sql: 'SELECT count() FROM shop.orders WHERE country = {c:String} FORMAT CSV', params: { c: 'DE' } }
  t.is((await sql(given)).text, '10\n')
  t.is((await sql(given, two)).text, '10\n', 'processes share the account')
  t.regex((await sql({ sql: 'SELECT price_cnt FROM shop.orders_by_60s' })).text, /^\[\d+\]/)
  t.true((await sql({ sql: 'SHOW TABLES FROM shop' })).text.includes('"orders_by_60s"'))
  t.regex((await sql({ sql: 'EXPLAIN SELECT 1' })).text, /ReadFromSystemOne/)
  const many = await sql({ sql: 'SELECT number FROM numbers(300000)' })
  t.is(many.text.split('\n').length, 300_001)

  // The fence, and behind it the rights of the account.
  const refused = async (text: string, reason: RegExp, status = 400): Promise<void> => {
    const answer = await sql({ sql: text })
    t.is(answer.status, status, `${text}: ${answer.text}`)
    t.regex(answer.body.error[0], reason, text)
  }
  await refused('SELECT contry FROM shop.orders', /^line 1, column 8: Unknown expression identifier `contry`/)
  await refused('SELECT FROM', /line 1, column/)
  await refused('SELECT * FROM weir.secrets', /the database weir is the service's own/, 403)
  await refused('DROP TABLE shop.orders', /readonly/)
  await refused("SELECT * FROM url('http://127.0.0.1/')", /the table function url is not for analysts/, 403)
  const slow = 'SELECT count() FROM numbers(1900000000) WHERE NOT ignore(sipHash64(number))'
  await refused(`${slow} SETTINGS max_execution_time = 1`, /time/i, 504)
  await refused('SELECT count() FROM numbers(100000000000) WHERE NOT ignore(number)', /max_rows_to_read/)
  const direct = await fetch(server.url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': 'weir_analyst', 'x-clickhouse-key': 'guessed' },
    body: 'SELECT 1',
  })
  t.is(direct.status, 403, 'its password is no guess')

  t.deepEqual(
    (await server.granted()).filter((place) => !place.startsWith('system.')),
    ['`graph`.*', '`shop`.*', '`weir_records`.*'],
  )
  await one.client.register(schemaOf('later'))
  await one.client.event('later.orders', { country: 'IT', price: 1 })
  t.is((await sql({ sql: 'SELECT count() FROM later.orders' })).text, '[1]\n')
  t.true((await server.granted()).includes('`later`.*'))
  await one.client.ok(one.client.send('DELETE', '/stream/later'))
  await refused('SELECT count() FROM later.orders', /later/, 404)
  t.false((await server.granted()).includes('`later`.*'))

  // A client that leaves ends its statement, and leaves its place.
  const leaving = new AbortController()
  const cut = fetch(`${one.url}/sql`, { method: 'POST', body: JSON.stringify({ sql: slow }), signal: leaving.signal })
  const running = async () => {
    const text = "SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%'"
    return Number(await (await fetch(server.url, { method: 'POST', body: text })).text())
  }
  await until('it runs', async () => (await running()) > 0)
  leaving.abort()
  t.is(
    await cut.then(
      () => 'answered',
      () => 'cut',
    ),
    'cut',
  )
  await until('it is killed', async () => (await running()) === 0)
  for (const { end } of [one, two]) t.is((await end('SIGTERM')).code, 0)
})

test("a server on which the service may make no user is told by /health/ready and the refusal, with an administrator's statement", async (t) => {
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(server.kill)
  const { client, end } = await spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url })
  const statement =
    /GRANT ACCESS MANAGEMENT ON \*\.\* TO 'default'; GRANT SELECT, SHOW ON \*\.\* TO 'default' WITH GRANT OPTION/
  const refused = await client.post('/sql', { sql: 'SELECT 1' })
  t.is(refused.status, 409)
  t.regex(refused.body.error[0], statement)
  const ready = await client.get('/health/ready')
  t.is(ready.status, 200)
  t.like(ready.body.parts.sql, { status: 'failing', takes: true, answers: false })
  t.regex(ready.body.parts.sql.reason, statement)
  await end('SIGTERM')
})
