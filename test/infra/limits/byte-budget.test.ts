import test from 'ava'
import { createByteBudget, type Held } from '../../../infra/limits/byte-budget.ts'

const none = (): Held => ({ bytes: 0 })
const open = (most: number, patience_ms = 10_000) => createByteBudget(most, patience_ms, 'MOST')

/** Whether it has settled yet. */
const isOver = async (work: Promise<void> | undefined): Promise<boolean> => {
  if (!work) return true
  let over = false
  work.then(
    () => {
      over = true
    },
    () => {},
  )
  await new Promise((resolve) => setTimeout(resolve, 5))
  return over
}

test('what fits is there at once, what does not waits for its turn and for room', async (t) => {
  const budget = open(100)
  const [a, b, c, d] = [none(), none(), none(), none()]
  t.is(budget.take(a, 60), undefined)
  t.is(budget.take(b, 40), undefined)
  const third = budget.take(c, 70)
  const fourth = budget.take(d, 10)
  t.deepEqual([await isOver(third), await isOver(fourth)], [false, false])
  budget.give(b)
  t.deepEqual([await isOver(third), await isOver(fourth)], [false, false])
  budget.give(a)
  t.deepEqual([await isOver(third), await isOver(fourth)], [true, true])
  t.deepEqual([a, b, c, d], [{ bytes: 0 }, { bytes: 0 }, { bytes: 70 }, { bytes: 10 }])
})

test('one that is larger than everything gets in alone', async (t) => {
  const budget = open(100)
  const [small, huge, next] = [none(), none(), none()]
  t.is(budget.take(small, 1), undefined)
  const alone = budget.take(huge, 1_000)
  t.false(await isOver(alone))
  budget.give(small)
  t.true(await isOver(alone))
  const behind = budget.take(next, 1)
  t.false(await isOver(behind))
  budget.give(huge)
  t.true(await isOver(behind))
})

test('of those that need more than was foreseen one goes on, then the next: none waits for another for ever', async (t) => {
  const budget = open(100)
  const all = Array.from({ length: 10 }, none)
  for (const held of all) t.is(budget.take(held, 10), undefined)
  const newcomer = none()
  const late = budget.take(newcomer, 10)
  const grown = all.map((held) => budget.take(held, 90))
  for (const [place, held] of all.entries()) {
    t.true(await isOver(grown[place]), `the one at ${place}`)
    t.false(await isOver(late))
    if (place < 3) t.false(await isOver(grown[place + 1]))
    budget.give(held)
  }
  t.true(await isOver(late))
})

test('after its patience a request is told the setting, and the rest of the line goes on', async (t) => {
  const budget = open(100, 30)
  const [a, b] = [none(), none()]
  t.is(budget.take(a, 50), undefined)
  const large = budget.take(b, 80)
  const small = budget.take(none(), 20)
  const fault = await t.throwsAsync(async () => large)
  t.like(fault, { kind: 'limited' })
  t.regex(fault?.message ?? '', /\(MOST\)/)
  await t.notThrowsAsync(async () => small)
  t.is(b.bytes, 0)
})

test('all that is taken is given back', async (t) => {
  const budget = open(100)
  for (let round = 0; round < 1_000; round++) {
    const held = none()
    await budget.take(held, (round % 150) + 1)
    await budget.take(held, 7)
    budget.give(held)
    budget.give(held)
  }
  t.is(budget.take(none(), 100), undefined)
})

test('who gives back what it holds waits for no more of it', async (t) => {
  const budget = open(100)
  const [a, b, c] = [none(), none(), none()]
  t.deepEqual([budget.take(a, 50), budget.take(b, 50)], [undefined, undefined])
  t.false(budget.isWanted())
  // One goes beyond the bound, the next one waits.
  t.is(budget.take(a, 50), undefined)
  const more = budget.take(b, 50)
  t.true(budget.isWanted())
  budget.give(b)
  await t.throwsAsync(async () => more, { message: /MOST/ })
  t.deepEqual([b.bytes, budget.isWanted()], [0, false])
  budget.give(a)
  t.is(budget.take(c, 100), undefined)
})
