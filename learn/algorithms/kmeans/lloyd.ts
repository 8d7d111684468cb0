import { assign, type Clusters, createClusters, fillEmpty, moveCenters } from './clusters.ts'
import type { Points } from './points.ts'
import { createSweep, type Moves } from './sweep.ts'

type Limits = {
  readonly maxIterations: number
  /** The sum of the centres' squared moves at which it ends. */
  readonly tolerance: number
  readonly beat: (iteration: number) => void
}

/**
 * Lloyd's iterations, each point visited only where its nearest centre may have changed: Hamerly, SDM 2010. A point keeps an
 * upper bound of the distance to its centre and a lower bound of the distance to every other one.
 */
export function iterate(
  points: Points,
  seeds: readonly Float64Array[],
  { maxIterations, tolerance, beat }: Limits,
): Clusters & { readonly iterations: number } {
  const sweep = createSweep(points, seeds.length)
  const { upper, lower } = sweep
  const clusters = createClusters(points, seeds, sweep.labels)
  let moved = movesOf(new Float64Array(seeds.length))

  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    beat(iteration)
    let changed = 0
    sweep.pass(clusters, halfDistances(clusters), moved, (point, cluster) => {
      assign(clusters, points, point, cluster)
      changed++
    })
    for (const point of fillEmpty(clusters, points)) {
      upper[point] = Infinity
      lower[point] = 0
      changed++
    }
    const moves = moveCenters(clusters)
    const squared = moves.reduce((sum, move) => sum + move * move, 0)
    if (changed === 0 || squared <= tolerance) return { ...clusters, iterations: iteration }
    moved = movesOf(moves)
  }
  return { ...clusters, iterations: maxIterations }
}

/** Half of each centre's distance to the nearest other one: a point nearer than that to its centre stays. */
function halfDistances({ centers }: Clusters): Float64Array {
  return Float64Array.from(centers, (center, a) => {
    let nearest = Infinity
    for (const [b, other] of centers.entries()) {
      if (a === b) continue
      let sum = 0
      for (let j = 0; j < center.length; j++) sum += ((center[j] ?? 0) - (other[j] ?? 0)) ** 2
      nearest = Math.min(nearest, sum)
    }
    return Math.sqrt(nearest) / 2
  })
}

function movesOf(distances: Float64Array): Moves {
  const farthest = distances.indexOf(Math.max(...distances))
  const greatest = distances[farthest] ?? 0
  const next = distances.reduce((max, move, cluster) => (cluster === farthest ? max : Math.max(max, move)), 0)
  return { distances, farthest, greatest, next }
}
