import test from 'ava'
import type { Statistics } from '../../../sql/schema/schema.ts'
import { objectText, type States } from '../../../sql/schema/statistic-values.ts'
import { differenceOf } from '../../support/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'

/** Count and power sums of the values' distances from a pivot. */
const sumsOf = (pivot: number, values: readonly number[]) => {
  const power = (exponent: number) => values.reduce((sum, value) => sum + (value - pivot) ** exponent, 0)
  return [pivot, values.length, power(1), power(2), power(3), power(4)] as const
}

/** Values about up to seven pivots, the least pivot first. */
const makeParts = (random: Random) =>
  Array.from({ length: random.whole(1, 7) }, (_, i) => {
    const pivot = 3 * i - 8 + random.next()
    return { pivot, values: Array.from({ length: random.whole(1, 9) }, () => pivot + random.normal()) }
  })

const moments: Statistics = { kinds: ['RSTAT'] }

test('moments are those of all values, whichever of them lie near zero and whichever about pivots', (t) => {
  const random = randomFor(t)
  for (let round = 0; round < 300; round++) {
    const parts = makeParts(random)
    const near = Array.from({ length: random.whole(0, 9) }, () => random.normal())
    const values = [...near, ...parts.flatMap((part) => part.values)]
    const ends = [String(Math.min(...values)), String(Math.max(...values))] as const
    const sums = parts.map(({ pivot, values }) => sumsOf(pivot, values))
    const far = [0, 1, 2, 3, 4, 5].map((which) => sums.map((each) => each[which] ?? Number.NaN))
    const text = objectText(moments, [values.length, sumsOf(0, near).slice(2), far, ...ends] as unknown as States)
    t.is(differenceOf(JSON.parse(text), values), undefined)
  }
})

test('a sum that no double holds is null, near zero and about a pivot', (t) => {
  const text = '{"cnt":5,"sum":null,"min":-1e308,"max":1e308,"avg":null,"stdd":null,"skew":null,"kurt":null}'
  t.is(objectText(moments, [5, [0, 0, 0, 0], [[1e308], [5], [null], [null], [null], [null]], '-1e308', '1e308']), text)
  t.is(objectText(moments, [5, [null, null, null, null], [[], []], '-1e308', '1e308']), text)
})
