import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createLeases } from '../../../infra/processes/leases.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test('of many processes that want a lease one has it at a time, and each gets it', async (t) => {
  t.timeout(300_000)
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

test('a holder that wants its lease again and again lets another one in between', async (t) => {
  const [busy, other] = ['busy', 'patient'].map((id) => createLeases({ clickhouse, id }))
  let had = 0
  let isOver = false
  const again = async () => {
    while (!isOver) {
      const lease = await busy?.take('shared')
      had++
      await after(150)
      await lease?.end()
    }
  }
  const working = again()
  let passed = 0
  for (let round = 0; round < 5; round++) {
    const before = had
    await (await other?.take('shared'))?.end()
    passed += had - before
    await after(300)
  }
  isOver = true
  await working
  // The lease that is under way each time, and some more where the machine is slow; a hundred where a holder never gives way.
  t.true(passed <= 20, `${passed}`)
  t.true(had >= 2, `${had}`)
})

test('a lease that its holder does not give back passes on once the holder is silent, and subjects do not meet', async (t) => {
  const [dead, next] = ['dead', 'next'].map((id) => createLeases({ clickhouse, id }))
  const rows = [
    { subject: 'left', number: 7, holder: 'gone', step: 'taken', at: '2020-01-01 00:00:00' },
    { subject: 'kept', number: 1, holder: 'other', step: 'taken' },
  ]
  await clickhouse.insert({
    table: '`weir`.`leases`',
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

test('ClickHouse refuses a write under a lease that another process has by now, and its holder knows from then on', async (t) => {
  const lease = await createLeases({ clickhouse, id: 'slow' }).take('fenced')
  const note = (step: string) => ({
    text: "INSERT INTO weir.leases (subject, number, holder, step) SELECT 'noted', 1, 'slow', {step:String}",
    params: { step },
  })
  await lease.write(note('before'))
  t.true(lease.isHeld())
  const taken = JSON.stringify({ subject: 'fenced', number: 2, holder: 'next', step: 'taken' })
  await clickhouse.insert({ table: '`weir`.`leases`', rows: Buffer.from(`${taken}\n`) })
  await t.throwsAsync(lease.write(note('after')), { message: /has lost its lease/ })
  t.false(lease.isHeld())
  t.throws(() => lease.check(), { message: /has lost its lease/ })
  const text = "SELECT step FROM weir.leases WHERE subject = 'noted'"
  t.deepEqual(await clickhouse.rows({ text, params: {} }), [{ step: 'before' }])
})

test('a holder that ClickHouse has not answered for ten seconds takes itself for one no more, before another can', async (t) => {
  let isAway = false
  let now = 0
  const unheard = createLeases({
    time: { now: () => now },
    clickhouse: { ...clickhouse, run: (statement) => (isAway ? new Promise(() => {}) : clickhouse.run(statement)) },
    id: 'unheard',
  })
  const lease = await unheard.take('alone')
  isAway = true
  t.true(lease.isHeld())
  now += 9_900
  t.true(lease.isHeld())
  now += 200
  t.false(lease.isHeld())
  t.throws(() => lease.check(), { message: /has lost its lease/ })
})

test('a lease passes on though the clock of ClickHouse was set back since its holder died, and not while the holder lives', async (t) => {
  let now = 0
  const next = createLeases({ clickhouse, id: 'after-clock', time: { now: () => now } })
  const put = (subject: string, step: string) =>
    clickhouse.insert({
      table: '`weir`.`leases`',
      rows: Buffer.from(
        `${JSON.stringify({ subject, number: 3, holder: 'ahead', step, at: '2099-01-01 00:00:00' })}\n`,
      ),
    })
  for (const subject of ['dead ahead', 'living ahead']) {
    await put(subject, 'taken')
    t.is(await next.tryTake(subject), undefined)
  }
  for (let round = 0; round < 3; round++) {
    now += 7_000
    await put('living ahead', 'alive')
    t.is(await next.tryTake('living ahead'), undefined)
  }
  t.truthy(await next.tryTake('dead ahead'))
})
