import type { Features, FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom } from '../../random.ts'
import { isAsGood, type Outcome, type Point } from '../../tuning/choose.ts'
import { gridOf } from '../../tuning/grid.ts'
import type { Trial } from '../../tuning/tune.ts'
import type { KnownRows, Opening, Tuning } from '../../tuning/tuning.ts'
import { pickClasses } from '../labels.ts'
import { type Bins, binFeatures } from './bins.ts'
import { createBooster, usualLeaf } from './boost.ts'
import { fitTree } from './fit.ts'

/** Depths, rows of a leaf as multiples of what is usual, and rates, by `train_speed` 1 to 5. */
const axes = [
  { depths: [1, 3, 6], leaves: [1], rates: [0.1] },
  { depths: [1, 3, 6], leaves: [1], rates: [0.05, 0.2] },
  { depths: [1, 3, 6], leaves: [1, 4], rates: [0.05, 0.2] },
  { depths: [1, 2, 4, 6, 8], leaves: [0.5, 1, 4], rates: [0.05, 0.1, 0.2] },
  { depths: [1, 2, 3, 4, 6, 8, 10], leaves: [0.25, 0.5, 1, 2, 4], rates: [0.025, 0.05, 0.1, 0.2] },
] as const

function treeCandidates(_: Parameters, trainSpeed: number, rows: number): readonly Point[] {
  const found = axes[trainSpeed - 1]
  if (found === undefined) throw new RangeError(`train_speed is ${trainSpeed}; it must be 1 to 5`)
  const leaves = found.leaves.map((share) => Math.max(1, Math.round(share * usualLeaf(rows))))
  return gridOf({ max_depth: found.depths, min_leaf: [...new Set(leaves)], learning_rate: found.rates })
}

type BinnedFold = { readonly held: Int32Array; readonly rest: Int32Array; readonly bins: Bins }

/** The bins of each fold serve all candidates. */
function openFolds({ data: { target, rows, folds }, parameters }: Opening<Features>, watch: FitWatch): Trial {
  const all = Int32Array.from({ length: rows }, (_, place) => place)
  const maxBins = numberOf(parameters, 'max_bins')
  const binned = folds.map(({ held, rest, data }) => {
    const bins = binFeatures(data(all), maxBins, () => watch.beat(0, 'bins'))
    return { held, rest, bins }
  })
  return (values, own) => boostFolds(binned, target, { ...parameters, ...values }, values, own)
}

type Snapshot = Pick<Outcome, 'losses' | 'folds' | 'performance'> & { readonly round: number; readonly mean: number }

/** Rounds whose outcomes are kept beside the best one's: each a quarter more than the one before. */
const nextKept = (round: number): number => Math.max(round + 1, Math.ceil(round * 1.25))

/**
 * All folds are boosted side by side, until no round has lowered the loss of the rows held out, all folds taken together, for as many
 * rounds as early stopping waits. Gives the best round, and earlier ones that are as good but for chance.
 */
function boostFolds(
  folds: readonly BinnedFold[],
  target: Target,
  parameters: Parameters,
  values: Point,
  watch: FitWatch,
): readonly Outcome[] {
  const limit = numberOf(parameters, 'trees')
  const patience = numberOf(parameters, 'early_stopping')
  const boosted = folds.map(({ held, rest, bins }) => {
    const random = createRandom(numberOf(parameters, 'seed'))
    // Drawing a part of the rows changes their order.
    const booster = createBooster({ bins, target, training: rest.slice() }, parameters, random, watch.log)
    return { ...booster, held }
  })
  const rows = folds.reduce((sum, { held }) => sum + held.length, 0)
  const losses = new Float64Array(rows)
  const snapshot = (round: number, mean: number): Snapshot => {
    const measures = boosted.map(({ held, scores }) => measureOf(target, held, scores, losses))
    const performance = folds.reduce((sum, { held }, fold) => sum + (measures[fold] ?? 0) * held.length, 0) / rows
    return { round, mean, losses: losses.slice(), folds: measures, performance }
  }
  const kept: Snapshot[] = []
  let best: Snapshot | undefined
  let next = 1
  for (let round = 1; round <= limit; round++) {
    for (const { grow, objective, scores, held } of boosted) {
      grow(() => watch.beat(round / limit))
      for (const place of held) losses[place] = objective.lossOf(scores, place) * objective.scale ** 2
    }
    if (patience === 0 && round < limit) continue
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / rows
    if (best === undefined || mean < best.mean) best = snapshot(round, mean)
    else if (round - best.round >= patience) break
    if (round !== next) continue
    kept.push(best.round === round ? best : snapshot(round, mean))
    next = nextKept(round)
  }
  const { losses: min, round: last } = best ?? { losses, round: 0 }
  const earlier = kept.filter((each) => each.round < last && isAsGood(each.losses, min))
  return [...(best === undefined ? [] : [best]), ...earlier].map(({ round, mean: _, ...outcome }) => ({
    ...outcome,
    values: { ...values, trees: round, early_stopping: 0 },
    complexity: round * leavesOf(parameters, rows),
  }))
}

/** The most leaves of a tree. */
const leavesOf = (parameters: Parameters, rows: number): number =>
  Math.min(2 ** numberOf(parameters, 'max_depth'), Math.ceil(rows / numberOf(parameters, 'min_leaf', 1)))

/** The accuracy of a fold, or the mean of its squared errors. */
function measureOf(target: Target, held: Int32Array, scores: readonly Float64Array[], losses: Float64Array): number {
  if (target.kind !== 'classes') return held.reduce((sum, place) => sum + (losses[place] ?? 0), 0) / held.length
  const byRow = Float64Array.from(
    { length: held.length * scores.length },
    (_, cell) => scores[cell % scores.length]?.[held[Math.floor(cell / scores.length)] ?? 0] ?? 0,
  )
  const found = pickClasses(byRow, scores.length)
  return held.filter((place, at) => target.classes[place] === found[at]).length / held.length
}

/** More rows bear more rounds. */
function settleRounds(
  { data, target, groups }: KnownRows<Features>,
  parameters: Parameters,
  chosen: Point,
  watch: FitWatch,
): Point {
  const { early_stopping, trees } = parameters
  if (early_stopping === 0 || early_stopping === undefined || trees === undefined) return chosen
  const asked = { ...parameters, ...chosen, early_stopping, trees }
  return { ...chosen, trees: fitTree(data, target, asked, watch, groups).rounds }
}

export const treeTuning: Tuning<Features> = {
  maxRows: 20_000,
  candidates: treeCandidates,
  open: openFolds,
  settle: settleRounds,
}
