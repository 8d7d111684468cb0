import test from 'ava'
import fc from 'fast-check'
import { createRowCache } from '../../../../learn/algorithms/svm/rows/row-cache.ts'
import { seed } from '../../../support/random/seed.ts'

const length = 600
const megabytes = 0.02
const place = fc.integer({ min: 0, max: length - 1 })
const actions = fc.array(
  fc.oneof(
    fc.record({ row: place, size: fc.integer({ min: 1, max: length }) }),
    fc.record({ exchange: fc.array(fc.tuple(place, place), { maxLength: 20 }) }),
  ),
  { maxLength: 200 },
)

test('rows stay what they are through growth, eviction and exchanges, within the megabytes given', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const holds = (list: typeof actions extends fc.Arbitrary<infer A> ? A : never) => {
    const cache = createRowCache(length, megabytes)
    const variables = Array.from({ length }, (_, i) => i)
    const valueOf = (i: number, j: number) => Math.fround((variables[i] ?? 0) * length + (variables[j] ?? 0))
    for (const action of list) {
      if ('exchange' in action) {
        const pairs = action.exchange
          .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
          .filter(([a, b]) => a < b)
        cache.exchange(pairs.flat())
        for (const [a, b] of pairs) {
          const variable = variables[a] ?? 0
          variables[a] = variables[b] ?? 0
          variables[b] = variable
        }
        continue
      }
      const { row, from } = cache.take(action.row, action.size)
      for (let j = from; j < action.size; j++) row[j] = valueOf(action.row, j)
      for (let j = 0; j < action.size; j++) if (row[j] !== valueOf(action.row, j)) return false
      if (cache.used() * 4 > megabytes * 2 ** 20) return false
    }
    return true
  }
  fc.assert(fc.property(actions, holds), { numRuns: 100, seed })
  t.pass()
})

test('a row that was asked for a moment ago is not computed again', (t) => {
  const cache = createRowCache(length, megabytes)
  t.is(cache.take(3, 100).from, 0)
  t.is(cache.take(3, 100).from, 100)
  t.is(cache.take(3, 250).from, 100)
})
