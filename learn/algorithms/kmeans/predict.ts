import type { Features } from '../../dataset.ts'
import { copyRow } from '../copy-row.ts'
import { kernelValue } from './kernel.ts'
import type { KMeansModel } from './model.ts'
import { noneNearest, pointsOf, squaredNormOf } from './points.ts'

type Space = Pick<KMeansModel, 'k' | 'columns' | 'space'>

/** The number of each row's cluster. */
export function predictKMeans(model: Space, features: Features): Int32Array {
  const labels = new Int32Array(features.rows)
  eachNearest(model, features, (row, cluster) => {
    labels[row] = cluster
  })
  return labels
}

/** How many rows each cluster gets, and the sum of their squared distances. */
export function measureClusters(
  model: Space,
  features: Features,
  beat: (share: number) => void,
): { inertia: number; sizes: Int32Array } {
  const sizes = new Int32Array(model.k)
  let inertia = 0
  eachNearest(model, features, (row, cluster, squaredDistance) => {
    if (row % 1024 === 0) beat(row / features.rows)
    sizes[cluster] = (sizes[cluster] ?? 0) + 1
    inertia += squaredDistance
  })
  return { inertia, sizes }
}

function eachNearest(
  { k, columns, space }: Space,
  features: Features,
  visit: (row: number, cluster: number, squaredDistance: number) => void,
): void {
  if (space.kind === 'linear') {
    eachNearestCenter(space, columns, features, visit)
    return
  }
  const distances = kernelDistances(space, columns, k, features)
  for (let row = 0; row < features.rows; row++) {
    const squared = distances(row)
    let best = 0
    for (let cluster = 1; cluster < k; cluster++) if ((squared[cluster] ?? 0) < (squared[best] ?? 0)) best = cluster
    visit(row, best, Math.max(0, squared[best] ?? 0))
  }
}

type Linear = Extract<KMeansModel['space'], { kind: 'linear' }>
type Kernelized = Extract<KMeansModel['space'], { kind: 'kernel' }>
/** A row's squared distances to all centres; the array is written anew at each call. */
type Distances = (row: number) => Float64Array

function eachNearestCenter(
  { centers }: Linear,
  columns: number,
  features: Features,
  visit: (row: number, cluster: number, squaredDistance: number) => void,
): void {
  const points = pointsOf(features)
  const norms = Float64Array.from({ length: columns === 0 ? 1 : centers.length / columns }, (_, cluster) =>
    squaredNormOf(centers.subarray(cluster * columns, (cluster + 1) * columns)),
  )
  const found = noneNearest()
  for (let row = 0; row < features.rows; row++) {
    points.nearest(row, centers, norms, found)
    visit(row, found.cluster, found.first)
  }
}

function kernelDistances(space: Kernelized, columns: number, k: number, features: Features): Distances {
  const { kernel, landmarks, labels, squaredNorms } = space
  const sizes = new Int32Array(k)
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1
  const cells = new Float64Array(columns)
  const sums = new Float64Array(k)
  const squared = new Float64Array(k)
  return (row) => {
    copyRow(features, row, cells)
    sums.fill(0)
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i] ?? 0
      sums[label] = (sums[label] ?? 0) + kernelValue(kernel, columns, cells, 0, landmarks, i * columns)
    }
    const own = kernelValue(kernel, columns, cells, 0, cells, 0)
    for (let cluster = 0; cluster < k; cluster++) {
      squared[cluster] = own - (2 * (sums[cluster] ?? 0)) / (sizes[cluster] ?? 1) + (squaredNorms[cluster] ?? 0)
    }
    return squared
  }
}
