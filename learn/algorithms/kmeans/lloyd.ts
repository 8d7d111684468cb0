import { assign, type Clusters, createClusters, distanceTo, fillEmpty, moveCenters } from './clusters.ts'
import { noneNearest, type Points } from './points.ts'

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
  const clusters = createClusters(points, seeds)
  const upper = new Float64Array(points.count).fill(Infinity)
  const lower = new Float64Array(points.count)

  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    beat(iteration)
    let changed = assignAll(clusters, points, upper, lower)
    for (const point of fillEmpty(clusters, points)) {
      upper[point] = Infinity
      lower[point] = 0
      changed++
    }
    const moves = moveCenters(clusters)
    const squared = moves.reduce((sum, move) => sum + move * move, 0)
    if (changed === 0 || squared <= tolerance) return { ...clusters, iterations: iteration }
    loosen(clusters.labels, moves, upper, lower)
  }
  return { ...clusters, iterations: maxIterations }
}

/** How many points changed their cluster. */
function assignAll(clusters: Clusters, points: Points, upper: Float64Array, lower: Float64Array): number {
  const halves = halfDistances(clusters)
  const { labels, flat, squaredNorms } = clusters
  const found = noneNearest()
  let changed = 0
  for (let point = 0; point < points.count; point++) {
    const label = labels[point] ?? -1
    if (label >= 0) {
      const safe = Math.max(halves[label] ?? 0, lower[point] ?? 0)
      if ((upper[point] ?? 0) < safe) continue
      const exact = distanceTo(clusters, points, point, label)
      upper[point] = exact
      if (exact < safe) continue
    }
    points.nearest(point, flat, squaredNorms, found)
    upper[point] = Math.sqrt(found.first)
    lower[point] = Math.sqrt(found.second)
    if (found.cluster === label) continue
    assign(clusters, points, point, found.cluster)
    changed++
  }
  return changed
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

function loosen(labels: Int32Array, moves: Float64Array, upper: Float64Array, lower: Float64Array): void {
  const farthest = moves.indexOf(Math.max(...moves))
  const greatest = moves[farthest] ?? 0
  const next = moves.reduce((most, move, cluster) => (cluster === farthest ? most : Math.max(most, move)), 0)
  for (let point = 0; point < labels.length; point++) {
    const label = labels[point] ?? 0
    upper[point] = (upper[point] ?? 0) + (moves[label] ?? 0)
    lower[point] = (lower[point] ?? 0) - (label === farthest ? next : greatest)
  }
}
