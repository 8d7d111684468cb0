import { readFileSync } from 'node:fs'
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** That analysts have in embedded ClickHouse. */
const lanes = 2
const endless = 'SELECT count() FROM numbers(1900000000) WHERE sipHash64(number, 1, 2, 3) = sipHash64(number, 3, 2, 1)'

test('events are taken and counted while analysts keep every lane busy, and the service stops under them', async (t) => {
  const port = await freePort()
  let clickhouse: ClickHouse | undefined
  const service = await startService({ CLICKHOUSE_HTTP_PORT: String(port) }, silentLogger(), {
    clickhouse: (part) => {
      clickhouse = part
      return part
    },
  })
  const url = `http://127.0.0.1:${port}/`
  const schema = readFileSync(new URL('../../../examples/shop/schema.json', import.meta.url), 'utf8')
  await service.client.ok(service.client.send('POST', '/stream', schema))
  const heavy = Array.from({ length: 6 }, () =>
    fetch(url, { method: 'POST', body: endless }).then(
      (answer) => answer.text(),
      (error: unknown) => String(error),
    ),
  )
  const running = async (): Promise<number> => {
    const text =
      "SELECT count() AS n FROM system.processes WHERE position(query, 'sipHash64') > 0 AND position(query, 'processes') = 0"
    const rows = await clickhouse?.rows<{ n: number }>({ text, params: {} })
    return Number(rows?.[0]?.n)
  }
  await until('every lane is busy', async () => (await running()) === lanes, 60_000)
  for (let i = 0; i < 200; i++) {
    const event = JSON.stringify({ _pk: 1_700_000_000_000_000 + i, visitor: `v${i}`, page: 'home', country: 'DE' })
    await service.client.ok(
      service.client.send('POST', '/stream/shop/visits', event, { 'Content-Type': 'application/json' }),
    )
  }
  await until(
    'every event is counted',
    async () => (await service.client.query('select count(*) from shop.visits')).body?.retval === 200,
    60_000,
  )
  t.is(await running(), lanes)
  await service.close()
  for (const text of await Promise.all(heavy)) t.notRegex(text, /^\d+\n$/)
})
