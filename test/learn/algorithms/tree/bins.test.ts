import test from 'ava'
import { binFeatures, binFinder, edgesOf } from '../../../../learn/algorithms/tree/bins.ts'
import { createRandom } from '../../../../learn/random.ts'
import { normal, seed } from '../../make-data.ts'

test('a value is in a bin up to b exactly if it is at most edge b, so that bins and thresholds send a row the same way', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 50; round++) {
    const scale = 10 ** (random.below(30) - 15)
    const values = Float64Array.from({ length: 1 + random.below(500) }, () =>
      random.uniform() < 0.2 ? scale : scale * Math.round(normal(random) * 100),
    )
    const edges = edgesOf(values.slice(), 2 + random.below(40))
    for (const value of values) {
      const bin = binFinder(edges)(value)
      for (const [b, edge] of edges.entries()) t.is(value <= edge, bin <= b)
    }
  }
})

for (const [values, maxBins, edges] of [
  [[3, 1, 2, 2], 255, [1.5, 2.5]],
  [[5, 5, 5], 255, []],
  [[], 255, []],
  [[Number.NaN, 1, Number.NaN, 3], 255, [2]],
  [[1, 2, 3, 4, 5, 6, 7, 8], 4, [2.5, 4.5, 6.5]],
  [[0, 0, 0, 0, 0, 0, 1, 2], 2, [0.5]],
  [[-Infinity, 0, Infinity], 255, [-Infinity, 0]],
  [[1, 1 + Number.EPSILON], 255, [1]],
  [[-1.7e308, 1.7e308], 255, [-1.7e308]],
] as const) {
  test(`${JSON.stringify(values)} in ${maxBins} bins at most has the edges ${JSON.stringify(edges)}`, (t) => {
    t.deepEqual([...edgesOf(Float64Array.from(values), maxBins)], [...edges])
  })
}

test('a missing value has a bin of its own, after the last one', (t) => {
  t.deepEqual([0, 1.5, 9, Number.NaN].map(binFinder(Float64Array.of(1, 2))), [0, 1, 2, 3])
})

test('a column of more rows than the sample is binned from one end to the other', (t) => {
  const rows = 300_000
  const features = { rows, columns: 1, values: Float64Array.from({ length: rows }, (_, i) => i) }
  const [edges = new Float64Array()] = binFeatures(features, 10, () => {}).edges
  t.is(edges.length, 9)
  for (const [b, edge] of edges.entries()) t.true(Math.abs(edge - 30_000 * (b + 1)) < 2000, `edge ${b} is ${edge}`)
})
