/** Changes of the catalogue by two processes, one of which loses its lease without noticing it. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { Fault } from '../../../base/faults.ts'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import { createTableCatalogue } from '../../../infra/catalogue/tables.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createClock } from '../../../infra/clock.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createLeases } from '../../../infra/processes/leases.ts'
import { createShared } from '../../../infra/processes/sharing.ts'
import { createVersions } from '../../../infra/processes/versions.ts'
import { decodeTable } from '../../../sql/table/decode-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const part = { load: async () => {}, repair: async () => {}, hasLeftOvers: () => false, isEdited: () => false }

/** A process of the service, as far as its catalogue goes; `applied` are the versions from which it has followed. */
async function open(id: string, through: ClickHouse = clickhouse) {
  const clock = createClock()
  const versions = createVersions(clock)
  const plain = createCatalogue(clickhouse, clock.next, versions.next)
  const sharing = createShared({ id, clickhouse: through, catalogue: plain, versions, clock, logger: silentLogger() })
  const applied: number[] = []
  await sharing.join(async () => {})
  await sharing.start([{ ...part, apply: async (since) => void applied.push(since) }])
  return {
    sharing,
    versions,
    applied,
    catalogue: createCatalogue(sharing.guarded, clock.next, versions.next, sharing.write),
    tables: createTableCatalogue(sharing.guarded, versions.next, sharing.write),
  }
}

/** As another process does it that takes the newest lease for one whose holder is gone. */
async function takeAway(): Promise<void> {
  const text = "SELECT toString(max(number) + 1) AS number FROM weir.leases WHERE subject = 'catalogue'"
  const [row] = await clickhouse.rows<{ number: string }>({ text, params: {} })
  const taken = { subject: 'catalogue', number: row?.number, holder: 'another', step: 'taken' }
  const ended = { ...taken, step: 'ended' }
  await clickhouse.insert({
    table: '`weir`.`leases`',
    rows: Buffer.from([taken, ended].map((each) => `${JSON.stringify(each)}\n`).join('')),
  })
}

test.serial(
  'a catalogue write that reaches ClickHouse after the lease has passed on writes nothing, and its process learns it',
  async (t) => {
    const process = await open('late')
    const table = { ...decodeTable('d', { table_name: 'late', table_type: 1, key_type: 1 }), storage: 'late' }
    const before = process.versions.seen()
    const refused = await t.throwsAsync(
      process.sharing.changeSchemas(async () => {
        await process.catalogue.putSchema({ name: 'late', body: '{}', state: 'editing' })
        await takeAway()
        process.sharing.check()
        const late = await t.throwsAsync(process.tables.put(table, 'making'), { instanceOf: Fault })
        t.is(late?.kind, 'unavailable')
        const again = await t.throwsAsync(process.catalogue.putSchema({ name: 'late', body: 'old', state: 'ready' }), {
          instanceOf: Fault,
        })
        t.is(again?.kind, 'unavailable')
        await t.throwsAsync(process.sharing.guarded.run('DROP DATABASE IF EXISTS late'), { instanceOf: Fault })
      }),
      { instanceOf: Fault },
    )
    t.is(refused?.kind, 'unavailable', 'what it has done may be undone by now: it is not answered as done')
    const [row] = await process.catalogue.schemasSince(before)
    t.deepEqual([row?.state, row?.body], ['editing', '{}'])
    t.deepEqual(await process.tables.all(), [])
    await until('it follows from where it was before the change', () => process.applied.includes(before))
    await process.sharing.changeSchemas(async () => {
      await process.catalogue.putSchema({ name: 'late', body: '', state: 'gone' })
    })
    await process.sharing.stop()
  },
)

test.serial('a process follows its own write where the answer to it was lost, as other processes do', async (t) => {
  let loses = false
  const process = await open('unsure', {
    ...clickhouse,
    async run(statement) {
      await clickhouse.run(statement)
      if (loses && /weir\.schemas/.test(typeof statement === 'string' ? statement : statement.text))
        throw new Error('the connection broke')
    },
  })
  const before = process.versions.seen()
  loses = true
  await t.throwsAsync(
    process.sharing.changeSchemas(() => process.catalogue.putSchema({ name: 'unsure', body: '{}', state: 'ready' })),
    { message: 'the connection broke' },
  )
  loses = false
  await until('it follows from where it was before the change', () => process.applied.includes(before))
  t.true(process.versions.seen() > before)
  await process.sharing.changeSchemas(() => process.catalogue.putSchema({ name: 'unsure', body: '', state: 'gone' }))
  await process.sharing.stop()
})

test.serial(
  'a process that loses its lease while the others agree does not say that it has followed their changes',
  async (t) => {
    let lose = async (): Promise<void> => {}
    const process = await open('agreeing', {
      ...clickhouse,
      async rows(statement) {
        if (/weir\.processes/.test(statement.text)) await lose()
        return clickhouse.rows(statement)
      },
    })
    const other = createCatalogue(clickhouse, Date.now, () => Date.now() * 1000 + 1e9)
    const seen = async () => {
      const text = "SELECT toString(seen) AS seen FROM weir.processes FINAL WHERE id = 'agreeing'"
      return Number((await clickhouse.rows<{ seen: string }>({ text, params: {} }))[0]?.seen)
    }
    let written = 0
    await t.throwsAsync(
      process.sharing.changeSchemas(async () => {
        await process.catalogue.putSchema({ name: 'agreed', body: '', state: 'gone' })
        written = await process.catalogue.version()
        lose = async () => {
          lose = async () => {}
          await takeAway()
          await other.putSchema({ name: 'agreed', body: '{}', state: 'ready' })
          await sleep(2_500)
        }
      }),
      { instanceOf: Fault },
    )
    t.true((await seen()) <= written)
    await until('it has followed', async () => (await seen()) > written)
    t.true(process.applied.some((since) => since < written))
    await process.sharing.stop()
  },
)

test.serial(
  'DDL that the last holder of a lease has left running in ClickHouse is over before the next one has it',
  async (t) => {
    await clickhouse.insert({
      table: '`weir`.`leases`',
      rows: Buffer.from(
        `${JSON.stringify({ subject: 'ddl', number: 1, holder: 'gone', step: 'taken', at: '2020-01-01 00:00:00' })}\n`,
      ),
    })
    let isOver = false
    const ddl = clickhouse
      .run(
        'CREATE TABLE default.slow ENGINE = Memory AS SELECT sleepEachRow(0.5) AS slept FROM numbers(4) SETTINGS max_block_size = 1',
      )
      .then(() => {
        isOver = true
      })
    await until('the DDL runs', async () => {
      const text = "SELECT count() AS running FROM system.processes WHERE query_kind = 'Create'"
      return (await clickhouse.rows<{ running: number }>({ text, params: {} }))[0]?.running
    })
    const lease = await createLeases({ clickhouse, id: 'next' }).take('ddl')
    t.true(isOver)
    lease.check()
    await lease.end()
    await ddl
  },
)
