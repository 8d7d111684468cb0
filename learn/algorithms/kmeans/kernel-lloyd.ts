type KernelClusters = {
  readonly labels: Int32Array
  /** The squared length of each centre, in the kernel's space. */
  readonly squaredNorms: Float64Array
  readonly inertia: number
  readonly iterations: number
}

/**
 * Lloyd's iterations in the kernel's space, where point i is K_ii - 2 mean_j K_ij + |centre|^2 from the mean of the points
 * j; until no point moves. `matrix` is `[count, count]`.
 */
export function iterateKernel(
  matrix: Float64Array,
  count: number,
  seeds: readonly number[],
  maxIterations: number,
  beat: () => void,
): KernelClusters {
  const k = seeds.length
  const labels = labelsBySeed(matrix, count, seeds)
  for (let iteration = 1; ; iteration++) {
    beat()
    const centers = describe(matrix, count, k, labels)
    const { nearest, squaredDistances, changed } = findNearest(matrix, count, labels, centers)
    if (changed === 0 || iteration === maxIterations) {
      const inertia = squaredDistances.reduce((sum, distance) => sum + Math.max(0, distance), 0)
      return { labels, squaredNorms: centers.squaredNorms, inertia, iterations: iteration }
    }
    labels.set(nearest)
    fillEmpty(labels, k, squaredDistances)
  }
}

type Centers = {
  /** `[count, k]`: the mean of K over a cluster's points. */
  readonly means: Float64Array
  readonly squaredNorms: Float64Array
}

function labelsBySeed(matrix: Float64Array, count: number, seeds: readonly number[]): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => {
    const distances = seeds.map((seed) => (matrix[seed * count + seed] ?? 0) - 2 * (matrix[i * count + seed] ?? 0))
    // A seed keeps its own cluster also where another one is as near.
    return seeds.includes(i) ? seeds.indexOf(i) : distances.indexOf(Math.min(...distances))
  })
}

function describe(matrix: Float64Array, count: number, k: number, labels: Int32Array): Centers {
  const sizes = sizesOf(labels, k)
  const means = new Float64Array(count * k)
  const squaredNorms = new Float64Array(k)
  const sums = new Float64Array(k)
  for (let i = 0; i < count; i++) {
    sums.fill(0)
    for (let j = 0; j < count; j++) {
      const label = labels[j] ?? 0
      sums[label] = (sums[label] ?? 0) + (matrix[i * count + j] ?? 0)
    }
    for (let cluster = 0; cluster < k; cluster++) means[i * k + cluster] = (sums[cluster] ?? 0) / (sizes[cluster] ?? 1)
    const own = labels[i] ?? 0
    squaredNorms[own] = (squaredNorms[own] ?? 0) + (means[i * k + own] ?? 0) / (sizes[own] ?? 1)
  }
  return { means, squaredNorms }
}

/** The nearest centre of each point, and its squared distance to the centre of the cluster that it is in now. */
function findNearest(
  matrix: Float64Array,
  count: number,
  labels: Int32Array,
  { means, squaredNorms }: Centers,
): { nearest: Int32Array; squaredDistances: Float64Array; changed: number } {
  const k = squaredNorms.length
  const nearest = new Int32Array(count)
  const squaredDistances = new Float64Array(count)
  let changed = 0
  for (let i = 0; i < count; i++) {
    const own = labels[i] ?? 0
    const toOwn = (squaredNorms[own] ?? 0) - 2 * (means[i * k + own] ?? 0)
    // A point moves only to a centre that is nearer than its own, so that ties end.
    let [best, min] = [own, toOwn]
    for (let cluster = 0; cluster < k; cluster++) {
      const distance = (squaredNorms[cluster] ?? 0) - 2 * (means[i * k + cluster] ?? 0)
      if (distance >= min) continue
      min = distance
      best = cluster
    }
    nearest[i] = best
    squaredDistances[i] = (matrix[i * count + i] ?? 0) + toOwn
    if (best !== own) changed++
  }
  return { nearest, squaredDistances, changed }
}

/** Each empty cluster takes the farthest point of a cluster of several. */
function fillEmpty(labels: Int32Array, k: number, squaredDistances: Float64Array): void {
  const sizes = sizesOf(labels, k)
  const farthest = Int32Array.from(labels.keys()).sort(
    (a, b) => (squaredDistances[b] ?? 0) - (squaredDistances[a] ?? 0),
  )
  let at = 0
  for (let cluster = 0; cluster < k; cluster++) {
    if ((sizes[cluster] ?? 0) > 0) continue
    while (at < farthest.length && (sizes[labels[farthest[at] ?? 0] ?? 0] ?? 0) < 2) at++
    const point = farthest[at]
    if (point === undefined) return
    const from = labels[point] ?? 0
    sizes[from] = (sizes[from] ?? 0) - 1
    sizes[cluster] = 1
    labels[point] = cluster
    at++
  }
}

function sizesOf(labels: Int32Array, k: number): Int32Array {
  const sizes = new Int32Array(k)
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1
  return sizes
}
