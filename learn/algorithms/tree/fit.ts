import type { Features, FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, draw, type Random } from '../../random.ts'
import { excessOf } from '../class-weights.ts'
import { binFeatures } from './bins.ts'
import { createBooster } from './boost.ts'
import { forestOf, type GrownTree } from './forest.ts'
import type { TreeModel } from './model.ts'

/** With fewer rows all are trained on. */
const HOLD_OUT_FROM = 100

/** Gradient boosting (Friedman, 2001) with second-order steps and histograms; missing values (NaN) take a learnt way. */
export function fitTree(features: Features, target: Target, parameters: Parameters, watch: FitWatch): TreeModel {
  const random = createRandom(numberOf(parameters, 'seed'))
  const patience = numberOf(parameters, 'early_stopping')
  const { training, heldOut } = holdOut(features.rows, patience === 0 ? 0 : numberOf(parameters, 'validation'), random)
  const bins = binFeatures(features, numberOf(parameters, 'max_bins'), () => watch.beat(0, 'bins'))
  const { objective, scores, grow } = createBooster({ bins, target, training }, parameters, random, watch.log)
  const limit = numberOf(parameters, 'trees')
  const trees: GrownTree[] = []
  let best = { round: 0, loss: objective.loss(scores, heldOut) }

  for (let round = 1; round <= limit; round++) {
    trees.push(...grow(() => watch.beat(round / limit, `round ${round} of ${limit}`)))
    if (heldOut.length === 0) continue
    const loss = objective.loss(scores, heldOut)
    if (loss < best.loss) best = { round, loss }
    else if (round - best.round >= patience) break
  }

  const rounds = heldOut.length === 0 ? limit : Math.max(1, best.round)
  if (heldOut.length > 0)
    watch.log(`kept ${rounds} rounds, with a loss of ${best.loss} on ${heldOut.length} held-out rows`)
  const excess = excessOf(parameters, target, scores.length)
  const kept = trees.slice(0, rounds * scores.length)
  return {
    ...(target.kind === 'classes' ? { labels: target.labels } : {}),
    columns: features.columns,
    base: objective.start.map((start) => objective.offset + start),
    scale: objective.scale,
    rounds,
    forest: forestOf(kept, bins.edges),
    ...(excess && { excess }),
    gains: gainsOf(kept, features.columns),
  }
}

function gainsOf(trees: readonly GrownTree[], columns: number): Float64Array {
  const gains = new Float64Array(columns)
  for (const { nodes } of trees) {
    for (const node of nodes) {
      if (node.kind === 'split') gains[node.split.column] = (gains[node.split.column] ?? 0) + node.split.gain
    }
  }
  return gains
}

function holdOut(rows: number, share: number, random: Random): { training: Int32Array; heldOut: Int32Array } {
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  if (rows < HOLD_OUT_FROM || share === 0) return { training: order, heldOut: new Int32Array() }
  const count = Math.round(share * rows)
  draw(order, random, count)
  return { training: order.slice(count).sort(), heldOut: order.slice(0, count) }
}
