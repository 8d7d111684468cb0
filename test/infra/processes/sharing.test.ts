/** How processes on one ClickHouse tell that one of them was cut off. */
import { join } from 'node:path'
import test from 'ava'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/embedded.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createClock } from '../../../infra/clock.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createAlone, createShared } from '../../../infra/processes/sharing.ts'
import { createVersions } from '../../../infra/processes/versions.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test('a process that is alone tells that the one before it was cut off, and not that it was stopped', async (t) => {
  const catalogue = createCatalogue(clickhouse, createClock().next)
  const next = () => createAlone({ clickhouse, catalogue })
  const first = next()
  t.false(await first.wasCutOff(), 'there was none')
  await first.stop()
  const second = next()
  t.false(await second.wasCutOff())
  const third = next()
  t.true(await third.wasCutOff(), 'the second did not stop')
  await third.stop()
  t.false(await next().wasCutOff())
})

test('of several processes one tells that another was cut off', async (t) => {
  t.timeout(60_000)
  const open = async (id: string) => {
    const clock = createClock()
    const versions = createVersions(clock)
    const catalogue = createCatalogue(clickhouse, clock.next, versions.next)
    const sharing = createShared({ id, clickhouse, catalogue, versions, clock, logger: silentLogger() })
    await sharing.join(async () => {})
    const part = { load: async () => {}, apply: async () => {}, repair: async () => {} }
    await sharing.start([{ ...part, hasLeftOvers: () => false, isEdited: () => false }])
    return sharing
  }
  const row = (id: string, is_gone: number) => ({
    id,
    slot: 0,
    slots: 1,
    seen: '0',
    is_gone,
    at: '2026-01-01 00:00:00',
  })
  await clickhouse.insert({
    table: '`weir`.`processes`',
    rows: Buffer.from(
      [row('killed', 0), row('stopped', 1)]
        .map((each) => ({ ...each, at: new Date(Date.now() - 60_000).toISOString().replace(/[TZ]/g, ' ').trim() }))
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    ),
  })
  const both = await Promise.all([open('one'), open('two')])
  const told = await Promise.all(both.map((sharing) => sharing.wasCutOff()))
  t.deepEqual(told.sort(), [false, true])
  for (const sharing of both) await sharing.stop()
})
