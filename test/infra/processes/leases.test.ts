import { join } from 'node:path'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/embedded.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createLeases } from '../../../infra/processes/leases.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test('of many processes that want a lease one has it at a time, and each gets it', async (t) => {
  t.timeout(120_000)
  let inside = 0
  let had = 0
  const live = async (id: string) => {
    const leases = createLeases({ clickhouse, id })
    for (let round = 0; round < 3; round++) {
      const lease = await leases.take('work')
      t.is(++inside, 1)
      await clickhouse.rows({ text: 'SELECT sleep(0.01) AS slept', params: {} })
      lease.check()
      had++
      inside--
      await lease.end()
    }
  }
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(live))
  t.is(had, 15)
})

test('a lease that its holder does not give back passes on once the holder is silent, and subjects do not meet', async (t) => {
  const [dead, next] = ['dead', 'next'].map((id) => createLeases({ clickhouse, id }))
  const rows = [
    { subject: 'left', number: 7, holder: 'gone', step: 'taken', at: '2020-01-01 00:00:00' },
    { subject: 'kept', number: 1, holder: 'other', step: 'taken' },
  ]
  await clickhouse.insert({
    table: '`weir`.`turns`',
    rows: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  })
  t.is(await dead?.tryTake('kept'), undefined)
  t.true(await dead?.isHeldElsewhere('kept'))
  const lease = await next?.tryTake('left')
  t.truthy(lease)
  t.is(await dead?.tryTake('left'), undefined)
  await lease?.end()
  t.truthy(await dead?.tryTake('left'))
})
