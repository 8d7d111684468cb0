import test from 'ava'
import { createBodyBudget } from '../../../infra/limits/body-budget.ts'

const megabyte = 1024 * 1024
const body = 200 * 1024

/** Requests of a place that hold their bodies, or wait. */
function held(budget: ReturnType<typeof createBodyBudget>, place: string, count: number, bytes = body) {
  const holds = Array.from({ length: count }, () => budget.open({ place }))
  const waiting = holds.map((hold) => hold.take(bytes)).filter((turn) => turn !== undefined)
  for (const turn of waiting) turn.catch(() => {})
  return { holds, waiting }
}

test('bodies that one schema holds leave room for those of another, and for queries', async (t) => {
  const budget = createBodyBudget(16 * megabyte)
  const { holds, waiting } = held(budget, 'stream/shut', 120)
  t.true(waiting.length > 100)
  const large = held(budget, 'stream/shut', 10, 3 * megabyte)
  t.true(large.waiting.length > 6)
  const other = budget.open({ place: 'stream/open' })
  t.is(other.take(body), undefined)
  t.is(budget.open({ place: 'stream/open' }).take(2 * megabyte), undefined)
  for (let n = 0; n < 5; n++) t.is(budget.open({ isQuery: true, place: 'db/open' }).take(1000), undefined)
  for (const hold of [...holds, ...large.holds]) hold.close()
  await Promise.allSettled([...waiting, ...large.waiting])
  const again = held(budget, 'stream/shut', 10)
  t.deepEqual(again.waiting, [], 'all of it is given back')
})

test('queries wait for each other alone', async (t) => {
  const budget = createBodyBudget(8 * megabyte)
  const first = budget.open({ isQuery: true })
  t.is(first.take(megabyte), undefined)
  const second = budget.open({ isQuery: true })
  const turn = second.take(megabyte)
  t.truthy(turn)
  t.is(held(budget, 'stream/s', 5).waiting.length, 0)
  first.close()
  await turn
  t.false(second.isWanted())
})

test('what was closed while it waited holds nothing', async (t) => {
  const budget = createBodyBudget(megabyte)
  const first = budget.open({ place: 'a' })
  t.is(first.take(megabyte / 4), undefined)
  const second = budget.open({ place: 'a' })
  const turn = second.take(megabyte / 8)
  t.truthy(turn)
  t.true(first.isWanted())
  second.close()
  await t.throwsAsync(turn ?? Promise.resolve())
  first.close()
  t.is(budget.open({ place: 'b' }).take(megabyte / 4), undefined)
})
