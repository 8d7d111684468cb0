import { Refusal } from '../../../base/refusal.ts'
import type { Features, FitWatch } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, draw, type Random } from '../../random.ts'
import { selectRows } from '../../select-rows.ts'
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

  const random = createRandom(numberOf(parameters, 'seed'))
  const count = Math.max(fewestSampled, sampledByCluster * k)
  const isSampled = features.rows > 2 * count
  const sample = isSampled ? selectRows(features, sampleOf(features.rows, count, random)) : features
  if (isSampled) watch.log(`restarts are compared on a sample of ${count} of ${features.rows} rows`)
  const share = isSampled ? 0.5 : 1
  const best = bestRestart(sample, k, parameters, random, {
    log: watch.log,
    beat: (fraction, note) => watch.beat(share * fraction, note),
  })
  if (!isSampled) return best
  const { space } = best
  const seeds = Array.from({ length: k }, (_, cluster) =>
    space.centers.slice(cluster * features.columns, (cluster + 1) * features.columns),
  )
  const points = pointsOf(features)
  return settle(features, points, seeds, limitsOf(points, parameters), (fraction) =>
    watch.beat(share + (1 - share) * fraction),
  )
}

/** Of twice as many rows restarts begin on a sample: it shows where centres lie, and all rows then move them to their place. */
const fewestSampled = 20_000
const sampledByCluster = 50

function sampleOf(rows: number, count: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  draw(order, random, count)
  return order.slice(0, count).sort()
}

type LinearModel = KMeansModel & { readonly space: { readonly kind: 'linear'; readonly centers: Float64Array } }

function bestRestart(
  features: Features,
  k: number,
  parameters: Parameters,
  random: Random,
  watch: FitWatch,
): LinearModel {
  const points = pointsOf(features)
  const restarts = numberOf(parameters, 'restarts')
  const limits = limitsOf(points, parameters)
  let best: LinearModel | undefined
  for (let restart = 0; restart < restarts; restart++) {
    const beat = (share: number): void => watch.beat((restart + share) / restarts, `restart ${restart + 1}`)
    const seeds = seedVectors(points, k, random, () => beat(0))
    const model = settle(features, points, seeds, limits, beat)
    watch.log(`restart ${restart + 1}: inertia ${model.inertia} after ${model.iterations} iterations`)
    if (best === undefined || model.inertia < best.inertia) best = model
  }
  if (best === undefined) throw new Refusal('restarts must be 1 or more')
  return best
}

type Limits = { readonly maxIterations: number; readonly tolerance: number }

const limitsOf = (points: Points, parameters: Parameters): Limits => ({
  maxIterations: numberOf(parameters, 'max_iter'),
  tolerance: numberOf(parameters, 'tol') * meanVariance(points),
})

/** Moves the centres until they stay. */
function settle(
  features: Features,
  points: Points,
  seeds: readonly Float64Array[],
  { maxIterations, tolerance }: Limits,
  beat: (share: number) => void,
): LinearModel {
  const { flat: centers, iterations } = iterate(points, seeds, {
    maxIterations,
    tolerance,
    beat: (iteration) => beat(iteration / maxIterations),
  })
  const shape = { k: seeds.length, columns: features.columns, iterations, space: { kind: 'linear', centers } } as const
  return { ...shape, ...measureClusters(shape, features, () => beat(1)) }
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

/** The mean over the attributes of their variance. */
function meanVariance(points: Points): number {
  const mean = new Float64Array(points.size)
  for (let i = 0; i < points.count; i++) points.add(i, 1 / points.count, mean)
  const norm = squaredNormOf(mean)
  let sum = 0
  for (let i = 0; i < points.count; i++) sum += points.squaredDistance(i, mean, norm)
  return sum / points.count / Math.max(points.size, 1)
}
