import { readFileSync } from 'node:fs'
import test from 'ava'
import createWabt from 'wabt'
import { createClusters } from '../../../../learn/algorithms/kmeans/clusters.ts'
import { pointsOf } from '../../../../learn/algorithms/kmeans/points.ts'
import { plainSweep, type Sweep, vectorSweep } from '../../../../learn/algorithms/kmeans/sweep.ts'
import { sweepModule } from '../../../../learn/algorithms/kmeans/sweep-module.ts'
import { createRandom } from '../../../../learn/random.ts'
import { normalRows, seed } from '../../make-data.ts'

const source = new URL('../../../../learn/algorithms/kmeans/sweep.wat', import.meta.url)

test('a pass over points gives the labels and bounds of plain code by WebAssembly too, to the bit', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 12; round++) {
    const features = normalRows(1 + random.below(3_000), 1 + random.below(12), random)
    const points = pointsOf(features)
    const k = 1 + random.below(9)
    const centres = Array.from({ length: 5 }, () =>
      Array.from({ length: k }, () => Float64Array.from({ length: features.columns }, () => random.uniform() * 4 - 2)),
    )
    const swept = (sweep: Sweep | undefined) => {
      if (sweep === undefined) throw new Error('no memory')
      const { labels, upper, lower, pass } = sweep
      let last: readonly Float64Array[] | undefined
      return centres.map((own) => {
        const distances = Float64Array.from(own, (centre, c) => (last === undefined ? 0 : apart(centre, last[c])))
        const farthest = distances.indexOf(Math.max(...distances))
        const others = [...distances].filter((_, c) => c !== farthest)
        const moves = { distances, farthest, greatest: distances[farthest] ?? 0, next: Math.max(0, ...others) }
        const halves = Float64Array.from(own, (centre, a) =>
          Math.min(...own.map((other, b) => (a === b ? Infinity : apart(centre, other) / 2))),
        )
        const changes: [number, number][] = []
        pass(createClusters(points, own, labels), halves, moves, (point, cluster) => {
          labels[point] = cluster
          changes.push([point, cluster])
        })
        last = own
        return { changes: changes.flat().join(), labels: labels.join(), bounds: `${upper.join()};${lower.join()}` }
      })
    }
    const found = swept(vectorSweep(points, features.values, k))
    t.deepEqual(found, swept(plainSweep(points)))
    t.is(found[0]?.changes.split(',').length, 2 * features.rows, 'at first each point is given a cluster')
  }
})

const apart = (a: Float64Array, b: Float64Array | undefined): number =>
  Math.sqrt(a.reduce((sum, value, j) => sum + (value - (b?.[j] ?? 0)) ** 2, 0))

test('the binary module is the one of its source', async (t) => {
  const { parseWat } = await createWabt()
  const { buffer } = parseWat('sweep.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({})
  t.is(sweepModule, Buffer.from(buffer).toString('base64'))
})
