import { Refusal } from '../../../base/refusal.ts'
import type { Features, FitWatch } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, type Random } from '../../random.ts'
import { fitKernelKMeans } from './kernel-fit.ts'
import { iterate } from './lloyd.ts'
import type { KMeansModel } from './model.ts'
import { kernels } from './parameters.ts'
import { type Points, pointsOf, squaredNormOf, vectorOf } from './points.ts'
import { measureClusters } from './predict.ts'
import { chooseSeeds } from './seeding.ts'

/** k-means on the rows as they are; the best of a few restarts. */
export function fitKMeans(features: Features, parameters: Parameters, watch: FitWatch): KMeansModel {
  const k = numberOf(parameters, 'k')
  if (features.rows < k) throw new Refusal(`k is ${k}, and there are only ${features.rows} rows`)
  if (numberOf(parameters, 'kernel_type') !== kernels.LINEAR) return fitKernelKMeans(features, parameters, watch)

  const points = pointsOf(features)
  const random = createRandom(numberOf(parameters, 'seed'))
  const restarts = numberOf(parameters, 'restarts')
  const maxIterations = numberOf(parameters, 'max_iter')
  const tolerance = numberOf(parameters, 'tol') * meanVariance(points)
  let best: KMeansModel | undefined
  for (let restart = 0; restart < restarts; restart++) {
    const beat = (share: number): void => watch.beat((restart + share) / restarts, `restart ${restart + 1}`)
    const seeds = seedVectors(points, k, random, () => beat(0))
    const found = iterate(points, seeds, {
      maxIterations,
      tolerance,
      beat: (iteration) => beat(iteration / maxIterations),
    })
    const space = { kind: 'linear', centers: flatten(found.centers, features.columns) } as const
    const shape = { k, columns: features.columns, iterations: found.iterations, space }
    const model = { ...shape, ...measureClusters(shape, features, () => beat(1)) }
    watch.log(`restart ${restart + 1}: inertia ${model.inertia} after ${found.iterations} iterations`)
    if (best === undefined || model.inertia < best.inertia) best = model
  }
  if (best === undefined) throw new Refusal('restarts must be 1 or more')
  return best
}

function seedVectors(points: Points, k: number, random: Random, beat: () => void): readonly Float64Array[] {
  const seeds = chooseSeeds(
    points.count,
    k,
    (point, distances) => {
      beat()
      const center = vectorOf(points, point)
      const norm = squaredNormOf(center)
      for (let i = 0; i < points.count; i++) distances[i] = points.squaredDistance(i, center, norm)
    },
    random,
  )
  return seeds.map((point) => vectorOf(points, point))
}

function flatten(centers: readonly Float64Array[], columns: number): Float64Array {
  const flat = new Float64Array(centers.length * columns)
  for (const [cluster, center] of centers.entries()) flat.set(center, cluster * columns)
  return flat
}

/** The mean over the attributes of their variance. */
function meanVariance(points: Points): number {
  const mean = new Float64Array(points.size)
  for (let i = 0; i < points.count; i++) points.add(i, 1 / points.count, mean)
  const norm = squaredNormOf(mean)
  let sum = 0
  for (let i = 0; i < points.count; i++) sum += points.squaredDistance(i, mean, norm)
  return sum / points.count / Math.max(points.size, 1)
}
