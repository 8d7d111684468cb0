import test from 'ava'
import { isPicked } from '../../support/random/seed.ts'
import { inSchema } from './damage.ts'
import { expected, type Order, start_us } from './shop.ts'
import { type Between, createWorkplace, wrongOf } from './workplace.ts'

const workplace = createWorkplace()
test.before(workplace.start)
test.after.always(workplace.close)

const ordersFrom = (first: number, count: number): Order[] =>
  Array.from({ length: count }, (_, index) => first + index).map((n) => ({
    pk: start_us + (n % 9) * 60_000_000,
    seq: start_us + n,
    lane: n % 2,
    position: 1 + Math.floor(n / 2),
    buyer: `b${n % 4}`,
    item: `i${n % 3}`,
    price: (n % 11) * 9.25,
  }))

const damages = [
  'INSERT INTO S.orders SELECT * FROM S.orders WHERE _seq % 5 = 1 SETTINGS insert_deduplicate = 0',
  'INSERT INTO S.orders__60 SELECT * FROM S.orders__60 WHERE _interval % 7 > 2 SETTINGS insert_deduplicate = 0',
  "ALTER TABLE S.buyers__keys DELETE WHERE buyer = 'b1' SETTINGS mutations_sync = 2",
  'ALTER TABLE S.dear DELETE WHERE _seq % 2 = 0 SETTINGS mutations_sync = 2',
  "ALTER TABLE graph.S_graph_rel DELETE WHERE subject = 'b2' SETTINGS mutations_sync = 2",
  "ALTER TABLE graph.S_graph__properties DELETE WHERE name = 'i1' SETTINGS mutations_sync = 2",
]

/** A run ends the process behind one in this many statements; all take minutes. */
const every = 10

/** Ends the process, as it were, behind a repair's statement of that number. */
function endingAfter(last: number) {
  let done = -1
  const between: Between = (clickhouse) => ({
    ...clickhouse,
    async run(statement) {
      if (done === last) throw new Error('the process is gone')
      await clickhouse.run(statement)
      const text = typeof statement === 'string' ? statement : statement.text
      const isRepair =
        !/`c\d+_(pass_\d|touched_\d)`[^`]*\(_k0|^DROP TABLE IF EXISTS \S+_(pass_\d|touched_\d)`|^INSERT INTO \S+_(pass_\d|touched_\d)`|DATABASE/.test(
          text,
        )
      if (isRepair) done++
    },
  })
  return { between, hasEnded: () => done === last }
}

test.serial('a crash behind any statement of a repair leaves what the next reconciliation mends', async (t) => {
  t.timeout(900_000)
  const place = await workplace.place()
  const orders = ordersFrom(0, 60)
  await place.deliver(orders)
  const whole = expected(orders)
  let cuts = 0
  for (let last = 0, isOver = false; !isOver; last++) {
    if (!isPicked(last, every)) continue
    for (const damage of damages) await workplace.run(inSchema(damage, place.name))
    const { between, hasEnded } = endingAfter(last)
    const outcome = await place.reconcile(between).then(
      () => 'done',
      () => 'cut',
    )
    if (outcome === 'cut') {
      cuts++
      await place.reconcile()
    }
    t.deepEqual(await place.contents(), whole, `cut behind statement ${last}`)
    isOver = !hasEnded()
  }
  t.true(cuts > 0, 'nothing was cut')
})

test.serial('what is repaired goes on taking events, also after a restart', async (t) => {
  t.timeout(750_000)
  const place = await workplace.place()
  await place.deliver(ordersFrom(0, 30))
  for (const damage of damages) await workplace.run(inSchema(damage, place.name))
  t.is(Object.keys(wrongOf(await place.reconcile())).length, 6)
  await workplace.restart()
  await place.deliver(ordersFrom(0, 60))
  t.deepEqual(await place.contents(), expected(ordersFrom(0, 60)))
})
