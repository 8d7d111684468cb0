/** How processes on one ClickHouse tell that one of them was cut off. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { type Clock, createClock } from '../../../infra/clock.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createProcesses, silence_ms } from '../../../infra/processes/processes.ts'
import { createAlone, createShared } from '../../../infra/processes/sharing.ts'
import { createVersions } from '../../../infra/processes/versions.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

/** A process of the service, as far as its place among the others goes. */
async function open(id: string, clock = createClock(), through: ClickHouse = clickhouse) {
  const versions = createVersions(clock)
  const catalogue = createCatalogue(clickhouse, clock.next, versions.next)
  const sharing = createShared({ id, clickhouse: through, catalogue, versions, clock, logger: silentLogger() })
  await sharing.join(async () => {})
  const part = { load: async () => {}, apply: async () => {}, repair: async () => {} }
  await sharing.start([{ ...part, hasLeftOvers: () => false, isEdited: () => false }])
  return sharing
}

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test.serial(
  'a process that is alone tells that the one before it was cut off, and not that it was stopped',
  async (t) => {
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
  },
)

test.serial('of several processes one tells that another was cut off', async (t) => {
  t.timeout(150_000)
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

/** A clock with the values of a computer whose time of day is off by `by_us`. */
const clockOff = (by_us: number) => createClock(0, () => Date.now() * 1000 + by_us)
const taken = ({ next }: Clock, count: number): number[] => Array.from({ length: count }, next)
const second_us = 1_000_000

test.serial(
  'the values of a process whose clock is behind meet none that another took when it was alone',
  async (t) => {
    const [ahead, behind] = [clockOff(30 * second_us), clockOff(0)]
    const one = await open('ahead', ahead)
    const before = new Set(taken(ahead, 20_000))
    const two = await open('behind', behind)
    // The process that was alone has left values out since it knows of the other: what it took before it may have by now.
    const after = taken(behind, 20_000)
    t.deepEqual(
      after.filter((value) => before.has(value)),
      [],
    )
    const most = Math.max(...before)
    t.true(after.every((value) => value > most))
    t.true(Math.max(...after) < most + 3 * second_us, 'and it is not further ahead than that')
    for (const sharing of [two, one]) await sharing.stop()
  },
)

test.serial('a process that takes the place of one that left, or died, goes on behind its values', async (t) => {
  const [stays, left, died, next] = [clockOff(0), clockOff(60 * second_us), clockOff(120 * second_us), clockOff(0)]
  const staying = await open('stays', stays)
  const leaving = await open('left', left)
  const last = Math.max(...taken(left, 1_000))
  await leaving.stop()
  const dying = await open('died', died)
  t.true(Math.min(...taken(died, 10)) > last)
  const reach = Math.max(...taken(died, 1_000))
  await until('it has told', async () => (await reachOf('died')) >= reach)
  dying.leaveCutOff()
  await dying.stop()
  await saidNothingFor1Minute('died')
  await until('it counts as dead', async () => !(await staying.living()).has('died'), 20_000)
  const joined = await open('next', next)
  t.true(Math.min(...taken(next, 10)) > reach)
  for (const sharing of [joined, staying]) await sharing.stop()
})

/**
 * Puts the last heartbeat of a process a minute back. A merge keeps the newer of two heartbeats, so the one of now goes
 * before the older one comes.
 */
async function saidNothingFor1Minute(id: string): Promise<void> {
  const text = 'SELECT * REPLACE(at - INTERVAL 1 MINUTE AS at) FROM weir.processes FINAL WHERE id = {id:String}'
  const rows = await clickhouse.rows({ text, params: { id } })
  await clickhouse.run(`ALTER TABLE weir.processes DELETE WHERE id = '${id}' SETTINGS mutations_sync = 1`)
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await clickhouse.insert({ table: '`weir`.`processes`', rows: Buffer.from(lines) })
}

async function reachOf(id: string): Promise<number> {
  const text = 'SELECT toString(reach) AS reach FROM weir.processes FINAL WHERE id = {id:String}'
  return Number((await clickhouse.rows<{ reach: string }>({ text, params: { id } }))[0]?.reach)
}

test.serial('a heartbeat that is under way when a process leaves does not come after that', async (t) => {
  let [isSlow, held] = [false, 0]
  const leaving = await open('leaving', createClock(), {
    ...clickhouse,
    async run(statement) {
      const text = typeof statement === 'string' ? statement : statement.text
      if (isSlow && /INTO weir\.processes .*, 0, /.test(text)) {
        held++
        await sleep(1_500)
      }
      return clickhouse.run(statement)
    },
  })
  isSlow = true
  await until('a heartbeat is under way', () => held > 0)
  await leaving.stop()
  await sleep(2_000)
  const text = "SELECT toUInt8(is_gone) AS is_gone FROM weir.processes FINAL WHERE id = 'leaving'"
  t.deepEqual(await clickhouse.rows({ text, params: {} }), [{ is_gone: 1 }])
})

test.serial('a process joins no other that is of another release, also where both began at once', async (t) => {
  const row = { id: 'of another release', release: '99.0.0', slot: 0, slots: 1, seen: '0', reach: '0', is_gone: 0 }
  const put = (is_gone: number) =>
    clickhouse.insert({
      table: '`weir`.`processes`',
      rows: Buffer.from(`${JSON.stringify({ ...row, is_gone })}\n`),
    })
  await put(0)
  await t.throwsAsync(open('late'), { message: /^Weir 99\.0\.0 began on this ClickHouse at the same moment/ })
  await put(1)
  await (await open('late')).stop()
})

test.serial(
  'heartbeats count though the clock of ClickHouse was set back, and a process that gives none any more is dead',
  async (t) => {
    let now = 0
    const processes = createProcesses(clickhouse, { now: () => now })
    const state = { release: '', slot: 0, slots: 1, reach: 0 }
    const at = '2099-01-01 00:00:00'
    const rows = ['beats', 'died'].map((id) =>
      JSON.stringify({ id, slot: 0, slots: 1, seen: '1', reach: '0', is_gone: 0, at }),
    )
    await clickhouse.insert({ table: '`weir`.`processes`', rows: Buffer.from(rows.map((row) => `${row}\n`).join('')) })
    const living = async () =>
      (await processes.living()).filter(({ id }) => id === 'beats' || id === 'died').map(({ id, seen }) => [id, seen])
    await processes.tell({ ...state, id: 'beats', seen: 2 })
    t.deepEqual(await living(), [
      ['beats', 2],
      ['died', 1],
    ])
    now += silence_ms + 1
    await processes.tell({ ...state, id: 'beats', seen: 3 })
    t.deepEqual(await living(), [['beats', 3]])
    await processes.leave('beats', 0)
    t.deepEqual(await living(), [])
    await clickhouse.run("DELETE FROM weir.processes WHERE id IN ('beats', 'died')")
  },
)
