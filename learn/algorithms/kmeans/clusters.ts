import { type Points, squaredNormOf } from './points.ts'

/** The cluster of each point, and the centres with the sums that they are the means of. */
export type Clusters = {
  /** `[clusters, size]`, and each one's part of it. */
  readonly flat: Float64Array
  readonly centers: readonly Float64Array[]
  readonly squaredNorms: Float64Array
  readonly sums: readonly Float64Array[]
  readonly counts: Int32Array
  readonly labels: Int32Array
}

/** `labels` are -1 for points without a cluster. */
export function createClusters(points: Points, seeds: readonly Float64Array[], labels: Int32Array): Clusters {
  const { size } = points
  const flat = new Float64Array(seeds.length * size)
  for (const [cluster, seed] of seeds.entries()) flat.set(seed, cluster * size)
  const centers = seeds.map((_, cluster) => flat.subarray(cluster * size, (cluster + 1) * size))
  return {
    flat,
    centers,
    squaredNorms: Float64Array.from(centers, squaredNormOf),
    sums: centers.map(() => new Float64Array(size)),
    counts: new Int32Array(centers.length),
    labels,
  }
}

export function distanceTo(
  { centers, squaredNorms }: Clusters,
  points: Points,
  point: number,
  cluster: number,
): number {
  const center = centers[cluster]
  return center === undefined ? Infinity : Math.sqrt(points.squaredDistance(point, center, squaredNorms[cluster] ?? 0))
}

/** Gives the point to a cluster; the centres stay until they are moved. */
export function assign({ labels, counts, sums }: Clusters, points: Points, point: number, cluster: number): void {
  const before = labels[point] ?? -1
  if (before === cluster) return
  const [left, joined] = [sums[before], sums[cluster]]
  if (left !== undefined) {
    points.add(point, -1, left)
    counts[before] = (counts[before] ?? 0) - 1
  }
  if (joined !== undefined) points.add(point, 1, joined)
  counts[cluster] = (counts[cluster] ?? 0) + 1
  labels[point] = cluster
}

/** Moves each centre to the mean of its points; the distances moved. */
export function moveCenters({ centers, squaredNorms, sums, counts }: Clusters): Float64Array {
  return Float64Array.from(centers, (center, cluster) => {
    const count = counts[cluster] ?? 0
    const sum = sums[cluster]
    if (count === 0 || sum === undefined) return 0
    let moved = 0
    for (let j = 0; j < center.length; j++) {
      const mean = (sum[j] ?? 0) / count
      moved += (mean - (center[j] ?? 0)) ** 2
      center[j] = mean
    }
    squaredNorms[cluster] = squaredNormOf(center)
    return Math.sqrt(moved)
  })
}

/** Each empty cluster takes the point that is farthest from its centre out of a cluster of several; the points taken. */
export function fillEmpty(clusters: Clusters, points: Points): readonly number[] {
  const empty = [...clusters.counts.keys()].filter((cluster) => clusters.counts[cluster] === 0)
  if (empty.length === 0) return []
  const distances = Float64Array.from(clusters.labels, (label, point) => distanceTo(clusters, points, point, label))
  const farthest = Int32Array.from(distances.keys()).sort((a, b) => (distances[b] ?? 0) - (distances[a] ?? 0))
  const taken: number[] = []
  for (const point of farthest) {
    const cluster = empty[taken.length]
    if (cluster === undefined) break
    if ((clusters.counts[clusters.labels[point] ?? 0] ?? 0) < 2) continue
    assign(clusters, points, point, cluster)
    taken.push(point)
  }
  return taken
}
