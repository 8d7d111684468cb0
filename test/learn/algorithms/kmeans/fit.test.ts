import test from 'ava'
import { fitKMeans } from '../../../../learn/algorithms/kmeans/fit.ts'
import { iterate } from '../../../../learn/algorithms/kmeans/lloyd.ts'
import type { KMeansModel } from '../../../../learn/algorithms/kmeans/model.ts'
import { kmeansParameters } from '../../../../learn/algorithms/kmeans/parameters.ts'
import { pointsOf, vectorOf } from '../../../../learn/algorithms/kmeans/points.ts'
import { predictKMeans } from '../../../../learn/algorithms/kmeans/predict.ts'
import type { Matrix } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom, type Random } from '../../../../learn/random.ts'
import { matrixOf, normal, normalRows, seed, silent, sparseOf } from '../../make-data.ts'

const cluster = (features: Parameters<typeof fitKMeans>[0], body: Record<string, unknown>): KMeansModel =>
  fitKMeans(features, decodeParameters(kmeansParameters, body), silent)
const rowsOf = ({ rows, columns, values }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => [...values.subarray(i * columns, (i + 1) * columns)])
const squared = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, j) => sum + (value - (b[j] ?? 0)) ** 2, 0)
const meanOf = (rows: readonly number[][]): number[] =>
  (rows[0] ?? []).map((_, j) => rows.reduce((sum, row) => sum + (row[j] ?? 0), 0) / rows.length)

test("each row ends with the centre that a naive Lloyd's gives it from the same first centres", (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 20; round++) {
    const features = normalRows(50 + random.below(300), 1 + random.below(5), random)
    const seeds = Array.from({ length: 1 + random.below(9) }, (_, c) => c * 3)
    const rows = rowsOf(features)
    for (const form of [features, sparseOf(features)]) {
      const points = pointsOf(form)
      const found = iterate(
        points,
        seeds.map((point) => vectorOf(points, point)),
        { maxIterations: 500, tolerance: 0, beat: () => {} },
      )
      t.deepEqual([...found.labels], naiveLloyd(rows, seeds), `round ${round}, ${seeds.length} clusters`)
    }
  }
})

function naiveLloyd(rows: readonly number[][], seeds: readonly number[]): number[] {
  let centers = seeds.map((point) => rows[point] ?? [])
  for (;;) {
    const labels = rows.map((row) => nearest(row, centers))
    const moved = centers.map((center, c) => {
      const own = rows.filter((_, i) => labels[i] === c)
      return own.length === 0 ? center : meanOf(own)
    })
    if (JSON.stringify(moved) === JSON.stringify(centers)) return labels
    centers = moved
  }
}

function nearest(row: readonly number[], centers: readonly (readonly number[])[]): number {
  const distances = centers.map((center) => squared(row, center))
  return distances.indexOf(Math.min(...distances))
}

/** The least inertia of all ways to part a few rows into k clusters. */
function bestInertia(rows: readonly number[][], k: number): number {
  let best = Infinity
  for (let code = 0; code < k ** rows.length; code++) {
    const labels = rows.map((_, i) => Math.floor(code / k ** i) % k)
    const inertia = Array.from({ length: k }, (_, c) => rows.filter((_, i) => labels[i] === c))
      .filter((own) => own.length > 0)
      .reduce((sum, own) => sum + own.reduce((part, row) => part + squared(row, meanOf(own)), 0), 0)
    best = Math.min(best, inertia)
  }
  return best
}

test('of a few rows the best of all partitions is found, by k-means and by kernel k-means with a linear polynomial', (t) => {
  // A local optimum may be all that restarts find: these draws are ones where they find the best.
  const random = createRandom(12)
  for (let round = 0; round < 6; round++) {
    const features = normalRows(8, 2, random)
    const best = bestInertia(rowsOf(features), 3)
    const body = { k: 3, restarts: 60, tol: 0, seed: round }
    t.true(Math.abs(cluster(features, body).inertia - best) < 1e-9, `round ${round}`)
    const kernel = { ...body, kernel_type: 'poly', degree: 1, gamma: 1, restarts: 60 }
    t.true(Math.abs(cluster(features, kernel).inertia - best) < 1e-9, `kernel, round ${round}`)
  }
})

function blobs(random: Random, centers: readonly (readonly number[])[], each: number): Matrix {
  return matrixOf(
    centers.flatMap((center) => Array.from({ length: each }, () => center.map((c) => c + 0.2 * normal(random)))),
  )
}

test('well-parted groups are found whole, with their sizes and the inertia of their rows', (t) => {
  const features = blobs(
    createRandom(1),
    [
      [0, 0],
      [5, 0],
      [0, 5],
      [5, 5],
    ],
    100,
  )
  const model = cluster(features, { num_centers: 4 })
  t.deepEqual([...model.sizes], [100, 100, 100, 100])
  const labels = predictKMeans(model, features)
  for (let group = 0; group < 4; group++) t.is(new Set(labels.subarray(group * 100, group * 100 + 100)).size, 1)
  const groups = Array.from({ length: 4 }, (_, g) => rowsOf(features).slice(g * 100, g * 100 + 100))
  const inertia = groups.reduce((sum, own) => sum + own.reduce((part, row) => part + squared(row, meanOf(own)), 0), 0)
  t.true(Math.abs(model.inertia - inertia) < 1e-8 * inertia)
})

test('a cluster that loses all its rows gets the farthest row of another one', (t) => {
  const points = pointsOf(matrixOf([[0], [1], [2], [9], [10]]))
  const found = iterate(points, [Float64Array.of(1), Float64Array.of(9), Float64Array.of(99)], {
    maxIterations: 50,
    tolerance: 0,
    beat: () => {},
  })
  t.deepEqual([...found.counts].sort(), [1, 2, 2])
})

test('two rings, which no straight line parts, are parted by an RBF kernel', (t) => {
  const random = createRandom(8)
  const features = matrixOf(
    Array.from({ length: 300 }, (_, i) => {
      const [angle, radius] = [2 * Math.PI * random.uniform(), (i < 100 ? 0.2 : 4) + 0.05 * normal(random)]
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    }),
  )
  const labels = predictKMeans(cluster(features, { k: 2, kernel_type: 2, gamma: 0.5, restarts: 10 }), features)
  t.is(new Set(labels.subarray(0, 100)).size, 1)
  t.is(new Set(labels.subarray(100)).size, 1)
  t.not(labels[0], labels[100])
})

test('kernel k-means of more rows than landmarks clusters a sample, says so, and counts every row', (t) => {
  const features = blobs(
    createRandom(2),
    [
      [0, 0],
      [5, 5],
    ],
    400,
  )
  const lines: string[] = []
  const parameters = decodeParameters(kmeansParameters, { k: 2, kernel: 'rbf', landmarks: 50 })
  const model = fitKMeans(features, parameters, { beat: () => {}, log: (line) => lines.push(line) })
  t.true(lines.includes('kernel k-means on a sample of 50 of 800 rows'))
  t.deepEqual([...model.sizes], [400, 400])
  t.is(model.space.kind === 'kernel' && model.space.labels.length, 50)
})

test('clusters are repeatable by their seed', (t) => {
  const features = normalRows(300, 3, createRandom(3))
  t.deepEqual(cluster(features, { k: 5, seed: 2 }), cluster(features, { k: 5, seed: 2 }))
  t.notDeepEqual(cluster(features, { k: 5, seed: 2, restarts: 1 }), cluster(features, { k: 5, seed: 3, restarts: 1 }))
})

for (const [what, rows, body, message] of [
  ['more clusters than rows', [[1], [2]], { k: 3 }, /only 2 rows/],
  ['more clusters than distinct rows', [[1], [2], [2], [1]], { k: 3 }, /only 2 distinct rows/],
  ['the same of kernel k-means', [[1], [2], [2], [1]], { k: 3, kernel: 'rbf' }, /only 2 distinct rows/],
] as const) {
  test(`${what}: refused, with the reason`, (t) => {
    t.throws(() => cluster(matrixOf(rows), body), { message })
  })
}

test('a training ends where its watch says so', (t) => {
  const stop = () => {
    throw new Error('cancelled')
  }
  for (const kernel of ['linear', 'rbf']) {
    const parameters = decodeParameters(kmeansParameters, { k: 3, kernel })
    t.throws(() => fitKMeans(normalRows(30, 2), parameters, { beat: stop, log: () => {} }), { message: 'cancelled' })
  }
})

test('restarts on many rows are compared on a sample, and all rows then move the centres and are counted', (t) => {
  const random = createRandom(7)
  const rows = 45_000
  const values = Float64Array.from({ length: 2 * rows }, (_, cell) => 10 * ((cell >> 1) % 3) + normal(random))
  const lines: string[] = []
  const watch = { beat: () => {}, log: (line: string) => void lines.push(line) }
  const model = fitKMeans({ rows, columns: 2, values }, decodeParameters(kmeansParameters, { k: 3 }), watch)
  t.is(lines[0], 'restarts are compared on a sample of 20000 of 45000 rows')
  t.is(lines.length, 4)
  t.deepEqual([...model.sizes].sort(), [15_000, 15_000, 15_000])
  const means = [0, 1, 2].flatMap((group) =>
    [0, 1].map((column) => {
      let sum = 0
      for (let row = group; row < rows; row += 3) sum += values[2 * row + column] ?? 0
      return sum / 15_000
    }),
  )
  const { space } = model
  if (space.kind !== 'linear') return t.fail()
  const found = [0, 1, 2]
    .map((k) => [...space.centers.slice(2 * k, 2 * k + 2)])
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
  for (const [i, mean] of found.flat().entries()) t.true(Math.abs(mean - (means[i] ?? 0)) < 1e-9)
})
