import test from 'ava'
import { createAudit } from '../../../activities/audit/audit.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createClock } from '../../../infra/clock.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { until } from '../../support/until.ts'

test('a change whose record ClickHouse does not take at once is recorded later, once, and in its order', async (t) => {
  const taken = new Map<string, string>()
  let isAway = true
  const clickhouse = {
    async insert({ rows, token = '' }: { readonly rows: Buffer; readonly token?: string }) {
      if (isAway) throw new Error('away')
      taken.set(token, JSON.parse(rows.toString()).name)
    },
  } as unknown as ClickHouse
  const audit = createAudit({ clickhouse, clock: createClock(), logger: silentLogger() })
  const change = (name: string) => audit.record({ by: 'me', what: 'table', name, detail: 'created' })
  await change('first')
  await change('second')
  t.is(taken.size, 0)
  isAway = false
  await until('both records', () => taken.size === 2)
  t.deepEqual([...taken.values()], ['first', 'second'])

  isAway = true
  await change('last')
  isAway = false
  await audit.close()
  t.deepEqual([...taken.values()], ['first', 'second', 'last'])
})
