import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import { createDeletionCatalogue } from '../../../infra/catalogue/deletions.ts'
import { createDoorCatalogue } from '../../../infra/catalogue/doors.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createClock } from '../../../infra/clock.ts'
import { synced } from '../../../sql/synced.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import '../../support/random/seed.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
const catalogue = createCatalogue(clickhouse, createClock().next)
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test.serial('each migration is applied once, and all of them can be repeated', async (t) => {
  const applied = () =>
    clickhouse.rows<{ name: string; n: number }>({
      text: 'SELECT name, count() AS n FROM weir.migrations GROUP BY name ORDER BY name',
      params: {},
    })
  const once = await applied()
  t.true(once.length > 0)
  t.true(once.every(({ name, n }) => /^\d{4}_\w+\.sql$/.test(name) && Number(n) === 1))
  await migrate(clickhouse)
  t.deepEqual(await applied(), once)

  await catalogue.putSchema({ name: 'kept', body: '{}', state: 'ready' })
  await clickhouse.run('TRUNCATE TABLE weir.migrations')
  await migrate(clickhouse)
  t.deepEqual(
    (await applied()).map(({ name }) => name),
    once.map(({ name }) => name),
  )
  t.true((await catalogue.schemas()).some(({ name }) => name === 'kept'))
})

test.serial('each table of Weir itself is synced, in a folder that has known none of it, too', async (t) => {
  const tables = 'FROM system.tables WHERE database = {weir:String} AND engine LIKE {engine:String}'
  const named = async (condition: string): Promise<readonly string[]> => {
    const text = `SELECT name ${tables} AND ${condition} ORDER BY name`
    const rows = await clickhouse.rows<{ name: string }>({ text, params: { weir: 'weir', engine: '%MergeTree' } })
    return rows.map(({ name }) => name)
  }
  const isSynced = synced.split(', ').map((setting) => `position(engine_full, '${setting}') > 0`)
  const unsynced = () => named(`NOT (${isSynced.join(' AND ')})`)
  t.deepEqual(await unsynced(), [])

  const late = ['api_key_uses', 'leases', 'migrations', 'processes']
  const settings = synced.replaceAll(' = 1', '')
  for (const table of late) await clickhouse.run(`ALTER TABLE weir.${table} RESET SETTING ${settings}`)
  await clickhouse.run("DELETE FROM weir.migrations WHERE name = '0017_synced.sql'")
  t.deepEqual(await unsynced(), late)
  await migrate(clickhouse)
  t.deepEqual(await unsynced(), [])
})

test.serial('the latest state of a schema counts, and one that is gone does not show', async (t) => {
  for (const state of ['making', 'ready', 'dropping'] as const) {
    await catalogue.putSchema({ name: 's', body: state, state })
    t.like(
      (await catalogue.schemas()).find(({ name }) => name === 's'),
      { body: state, state },
    )
  }
  await catalogue.putSchema({ name: 's', body: '', state: 'gone' })
  t.is(
    (await catalogue.schemas()).find(({ name }) => name === 's'),
    undefined,
  )
})

test.serial('the body of a schema comes back as it was, however long it is and whatever it holds', async (t) => {
  const bodies = [
    `{"a":"{name:String} {version:UInt64}"}`,
    `'; DROP TABLE weir.schemas; --`,
    `\\ ' " \` \n \r \t \0 {} ? $1 ünï 🎈`,
    'x'.repeat(2_000_000),
  ]
  for (const body of bodies) {
    await catalogue.putSchema({ name: 'odd', body, state: 'ready' })
    t.is((await catalogue.schemas()).find(({ name }) => name === 'odd')?.body, body)
  }
})

test.serial('any text comes back as it was', async (t) => {
  const unicode = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(unicode, async (body) => {
      await catalogue.putSchema({ name: 'any', body, state: 'ready' })
      return (await catalogue.schemas()).find(({ name }) => name === 'any')?.body === body
    }),
    { numRuns: 100 },
  )
  t.pass()
})

test.serial('states of streams are kept, the latest one of each', async (t) => {
  await catalogue.putStreamState('s', 'a', 0)
  await catalogue.putStreamState('s', 'b', 0)
  await catalogue.putStreamState('s', 'a', 1)
  const states = (await catalogue.streamStates()).map(({ schema, stream, state }) => `${schema}.${stream} ${state}`)
  t.deepEqual(states.toSorted(), ['s.a 1', 's.b 0'])
})

test.serial('pivots come back exactly', async (t) => {
  const values = [0, -0.1, 1 / 3, 1e9 + 0.123456789, 5e-324, 1.7976931348623157e308, 2 ** 53]
  for (const [index, value] of values.entries()) await catalogue.putPivot('s.a', `a${index}`, value)
  const kept = new Map((await catalogue.pivots()).map(({ attribute, value }) => [attribute, value]))
  t.deepEqual(
    values.map((_, index) => kept.get(`a${index}`)),
    values,
  )
})

test.serial('a secret is made once and stays', async (t) => {
  const made = await catalogue.secret('one')
  t.true(Buffer.from(made, 'base64').length >= 32)
  t.is(await catalogue.secret('one'), made)
  t.not(await catalogue.secret('two'), made)
})

test.serial('a note of an erasure is read without the position of no partition that it may have', async (t) => {
  const loss = { until_us: '7', seq: 7 }
  await catalogue.putErased('wiped.a', { ...loss, positions: { undefined: 4 } })
  await catalogue.putErased('wiped.b', { ...loss, positions: { undefined: 4, 0: 2 } })
  t.deepEqual([...(await catalogue.erased('wiped'))].toSorted(), [
    ['a', loss],
    ['b', { ...loss, positions: { 0: 2 } }],
  ])
})

test.serial(
  'a later write counts, though the clock of its process is behind that of the process that wrote before',
  async (t) => {
    const now = Date.now() * 1000
    let ticks = 0
    const clockOf = (offset_us: number) => () => now + offset_us + ++ticks
    const [ahead, behind] = [clockOf(60_000_000), clockOf(0)] as const
    const [first, second] = [createCatalogue(clickhouse, ahead), createCatalogue(clickhouse, behind)]
    for (const each of [first, second]) {
      const own = each === first ? 'first' : 'second'
      await each.putSchema({ name: 'skewed', body: own, state: 'ready' })
      await each.putOrderOwner('skewed', own)
      await each.putErased('skewed.a', { seq: each === first ? 1 : 2 })
      await each.putStreamState('skewed', 'a', each === first ? 0 : 1)
      await each.putConsumer('skewed.a', own)
      await each.putPivot('skewed.a', 'x', each === first ? 1 : 2)
      await each.putPositionBase('skewed.a', each === first ? 1 : 2)
    }
    t.is((await second.schemas()).find(({ name }) => name === 'skewed')?.body, 'second')
    t.is(await second.orderOwner('skewed'), 'second')
    t.deepEqual((await second.erased('skewed')).get('a'), { seq: 2 })
    t.is((await second.streamStates()).find(({ schema }) => schema === 'skewed')?.state, 1)
    t.deepEqual(await second.consumers('skewed'), [{ queue: 'skewed.a', consumer_group: 'second' }])
    t.is((await second.pivots()).find(({ stream }) => stream === 'skewed.a')?.value, 2)
    t.is(await second.positionBase('skewed.a'), 2)

    const deletion = { id: 'skewed', kind: 'table', name: 'skewed', body: '', deleted: 1, until: now } as const
    const hook = { name: 'skewed', body: '', author: '', at: 1 }
    const [earlier, later] = [createDeletionCatalogue(clickhouse, ahead), createDeletionCatalogue(clickhouse, behind)]
    await earlier.put({ ...deletion, state: 'kept' })
    await later.put({ ...deletion, state: 'restoring' })
    t.is((await later.one('skewed'))?.state, 'restoring')
    for (const kind of ['hooks', 'sources'] as const) {
      await createDoorCatalogue(kind, clickhouse, ahead).put({ ...hook, state: 'live' })
      await createDoorCatalogue(kind, clickhouse, behind).put({ ...hook, state: 'gone' })
      t.deepEqual(await createDoorCatalogue(kind, clickhouse, behind).all(), [])
    }
  },
)

test.serial('processes that have not written for a day how far their events are leave nothing behind', async (t) => {
  const now = Date.now() * 1000
  const day_us = 86_400_000_000
  const before = createCatalogue(clickhouse, () => now - 2 * day_us)
  await before.putHorizon('no-log-gone', { settled: 1, behind: [] })
  await before.putOrderOwner('kept', 'no-log-gone')
  await catalogue.putHorizon('living', { settled: 2, behind: [] })
  t.deepEqual([...(await catalogue.horizons()).keys()].toSorted(), ['living', 'no-log-gone'])
  await catalogue.forgetHorizons(now - day_us)
  t.deepEqual([...(await catalogue.horizons()).keys()], ['living'])
  t.is(await catalogue.orderOwner('kept'), 'no-log-gone', 'other settings stay')
})
