import test from 'ava'
import fc from 'fast-check'
import { runs } from '../../support/random/seed.ts'
import { damage, inSchema, orders } from './damage.ts'
import { expected, type Order } from './shop.ts'
import { createWorkplace, wrongOf } from './workplace.ts'

const workplace = createWorkplace()
test.before(workplace.start)
test.after.always(workplace.close)

/** A message is delivered whole. */
function halves(all: readonly Order[]): [Order[], Order[]] {
  const middle = all[Math.floor(all.length / 2)]
  const isEarly = (order: Order) =>
    order.seq <= (middle?.seq ?? 0) ||
    all.some(
      (other) => other.seq <= (middle?.seq ?? 0) && other.lane === order.lane && other.position === order.position,
    )
  return [all.filter(isEarly), all.filter((order) => !isEarly(order))]
}

test('whatever is damaged, a reconciliation brings back what the events give, and deliveries go on', async (t) => {
  t.timeout(900_000)
  await fc.assert(
    fc.asyncProperty(orders(1, 60), fc.array(damage, { minLength: 1, maxLength: 4 }), async (all, statements) => {
      const place = await workplace.place()
      const [early, late] = halves(all)
      await place.deliver(early)
      t.deepEqual(await place.contents(), expected(early), 'before')
      for (const statement of statements) await workplace.run(inSchema(statement, place.name))
      await place.reconcile()
      t.deepEqual(await place.contents(), expected(early), 'repaired')
      t.deepEqual(wrongOf(await place.reconcile()), {}, 'again')
      // All once more, as after a consumer that had not committed: repaired tables pass over it.
      await place.deliver(early)
      await place.deliver(late)
      await place.deliver(late)
      t.deepEqual(await place.contents(), expected(all), 'after')
      t.deepEqual(wrongOf(await place.reconcile()), {}, 'at last')
      await workplace.run(`DROP DATABASE ${place.name}`)
    }),
    { numRuns: runs(4, 40), endOnFailure: true },
  )
})
