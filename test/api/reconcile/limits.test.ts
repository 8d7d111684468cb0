/** Aggregates that differ from the events that are there, and are right. */
import test from 'ava'
import { expected, type Order, shopSchema, start_us } from './shop.ts'
import { createWorkplace, wrongOf } from './workplace.ts'

const workplace = createWorkplace()
test.before(workplace.start)
test.after.always(workplace.close)

const day_us = 86_400_000_000

/** A minute's worth of orders, from `from_us` on. */
const ordersAt = (from_us: number, first: number, count = 20): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    pk: from_us + index * 3_000_000,
    seq: start_us + first + index,
    lane: 0,
    position: first + index,
    buyer: `b${index % 3}`,
    item: `i${index % 2}`,
    price: index * 4.5,
  }))

const todays = () => Math.floor((Date.now() * 1000 - 7_200_000_000) / 300_000_000) * 300_000_000

test.serial('nothing is changed where nothing is wrong', async (t) => {
  const place = await workplace.place()
  await place.deliver(ordersAt(start_us, 1))
  const before = await place.parts()
  const report = await place.reconcile()
  t.deepEqual(wrongOf(report), {})
  t.is(report.find(({ table }) => table === 'orders')?.checked, 20)
  t.true(
    report.every(({ checked }) => checked > 0),
    JSON.stringify(report),
  )
  const after = await place.parts()
  const tablesOf = (parts: typeof before) => [
    ...new Set(parts.map(({ part }) => part.split(' ').slice(0, 2).join(' '))),
  ]
  t.deepEqual(tablesOf(after), tablesOf(before))
  t.deepEqual(await place.contents(), expected(ordersAt(start_us, 1)))
})

test.serial('what a reconciliation needs is gone when it ends', async (t) => {
  const place = await workplace.place()
  await place.deliver(ordersAt(start_us, 1))
  await workplace.run(
    `INSERT INTO ${place.name}.orders__60 SELECT * FROM ${place.name}.orders__60 SETTINGS insert_deduplicate = 0`,
  )
  await place.reconcile()
  t.deepEqual(await workplace.rows("SELECT name FROM system.databases WHERE startsWith(name, 'weir_reconcile')"), [])
})

test.serial('aggregates of events that have expired stay, and within the window they are repaired', async (t) => {
  const place = await workplace.place((name) => shopSchema(name, 86_400))
  const S = place.name
  const [old, recent] = [ordersAt(todays() - 5 * day_us, 1), ordersAt(todays(), 21)]
  await place.deliver([...old, ...recent])
  await workplace.run(`ALTER TABLE ${S}.orders DELETE WHERE _pk < ${todays() - day_us} SETTINGS mutations_sync = 2`)
  await workplace.run(`ALTER TABLE ${S}.dear DELETE WHERE _pk < ${todays() - day_us} SETTINGS mutations_sync = 2`)
  const whole = { ...expected([...old, ...recent]), orders: expected(recent).orders, dear: expected(recent).dear }
  t.deepEqual(wrongOf(await place.reconcile()), {})
  t.deepEqual(await place.contents(), whole)

  await workplace.run(
    `INSERT INTO ${S}.orders__60 SELECT * FROM ${S}.orders__60 WHERE _interval >= ${todays()} SETTINGS insert_deduplicate = 0`,
  )
  t.deepEqual(wrongOf(await place.reconcile()), { orders__60: 1 })
  t.deepEqual(await place.contents(), whole)

  for (const table of ['buyers__keys', 'buyers__keys___top__items'])
    await workplace.run(`ALTER TABLE ${S}.${table} DELETE WHERE buyer = 'b1' SETTINGS mutations_sync = 2`)
  t.deepEqual(wrongOf(await place.reconcile()), { buyers__keys: 1, buyers__keys___top__items: 2 })
  const known = (await place.contents()).buyers?.find(([buyer]) => buyer === 'b1')
  t.deepEqual(
    known,
    expected(recent).buyers?.find(([buyer]) => buyer === 'b1'),
  )
})

test.serial('a stream whose window was changed keeps what it has counted', async (t) => {
  const place = await workplace.place()
  const S = place.name
  await place.deliver(ordersAt(start_us, 1))
  await workplace.run(
    `ALTER TABLE ${S}.orders MODIFY TTL toDateTime(greatest(4294967295, least(_pk, 1)))`,
    `ALTER TABLE ${S}.orders DELETE WHERE _seq % 2 = 0 SETTINGS mutations_sync = 2`,
  )
  const before = await place.contents()
  t.deepEqual(wrongOf(await place.reconcile()), {})
  t.deepEqual(await place.contents(), before)
})

test.serial('an entity or filter stream that was OFF keeps what it missed', async (t) => {
  const place = await workplace.place()
  const S = place.name
  await place.deliver(ordersAt(start_us, 1))
  const version = (Date.now() + 3_600_000) * 1000
  for (const stream of ['buyers', 'dear'])
    await workplace.run(`INSERT INTO weir.stream_states VALUES ('${S}', '${stream}', 1, ${version})`)
  await workplace.run(`ALTER TABLE ${S}.buyers__keys DELETE WHERE buyer = 'b1' SETTINGS mutations_sync = 2`)
  await workplace.run(`ALTER TABLE ${S}.dear DELETE WHERE _seq % 2 = 0 SETTINGS mutations_sync = 2`)
  await workplace.run(
    `INSERT INTO ${S}.buyers__keys SELECT * FROM ${S}.buyers__keys WHERE buyer = 'b2' SETTINGS insert_deduplicate = 0`,
  )
  const { dear, buyers } = await place.contents()
  t.deepEqual(wrongOf(await place.reconcile()), { buyers__keys: 1, dear__300: 1 })
  const after = await place.contents()
  t.deepEqual(after.dear, dear)
  t.is(after.buyers?.length, buyers?.length)
})

test.serial('what events of the last hour have touched is found alone, where that is asked for', async (t) => {
  const place = await workplace.place()
  const S = place.name
  const recent_us = todays() - 600_000_000
  await place.deliver([...ordersAt(start_us, 1), ...ordersAt(todays(), 21)])
  await workplace.run(`INSERT INTO ${S}.orders__60 SELECT * FROM ${S}.orders__60 SETTINGS insert_deduplicate = 0`)
  await workplace.run(`INSERT INTO ${S}.buyers__keys SELECT * FROM ${S}.buyers__keys SETTINGS insert_deduplicate = 0`)
  t.deepEqual(wrongOf(await place.reconcile(undefined, recent_us)), { orders__60: 1, buyers__keys: 3 })
  t.deepEqual(wrongOf(await place.reconcile()), { orders__60: 1 })
})
