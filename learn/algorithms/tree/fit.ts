import type { Features, FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, draw, type Random } from '../../random.ts'
import { cutFolds } from '../../tuning/strata.ts'
import { excessOf } from '../class-weights.ts'
import { binFeatures } from './bins.ts'
import { createBooster } from './boost.ts'
import { forestOf, type GrownTree } from './forest.ts'
import type { TreeModel } from './model.ts'

/** With fewer rows all are trained on. */
const heldOutFrom = 100

/** Rows x columns x outputs: of fewer a few fits more cost little, and a single part held out shows little. */
const fewCells = { forFolds: 25_000, forAllRows: 2_000_000 } as const
const mostFolds = 5

/** Gradient boosting (Friedman, 2001) with second-order steps and histograms; missing values (NaN) take a learnt way. */
export function fitTree(features: Features, target: Target, parameters: Parameters, watch: FitWatch): TreeModel {
  const random = createRandom(numberOf(parameters, 'seed'))
  const bins = binFeatures(features, numberOf(parameters, 'max_bins'), () => watch.beat(0, 'bins'))
  const limit = numberOf(parameters, 'trees')
  const parts = partsOf(features, target, parameters, random)
  const boost = (training: Int32Array, own: Parameters = parameters) =>
    createBooster({ bins, target, training }, own, random, watch.log)
  const all = Int32Array.from({ length: features.rows }, (_, row) => row)
  if (parts.length === 0) return grown(boost(all), limit, watch.beat)

  const share = cellsOf(features, target) > fewCells.forAllRows ? 1 : 0.8
  const searched = search(
    parts.map(({ training, heldOut }) => ({ ...boost(training), heldOut })),
    { limit, patience: numberOf(parameters, 'early_stopping') },
    (fraction, note) => watch.beat(share * fraction, note),
  )
  const { rounds, loss } = searched
  const held = parts.length > 1 ? `${parts.length} parts held out in turn` : `${parts[0]?.heldOut.length} held-out rows`
  const last = share < 1 ? '; all rows are learnt from in as many rounds' : ''
  watch.log(`kept ${rounds} rounds, with a loss of ${loss} on ${held}${last}`)
  if (share < 1) return grown(boost(all), rounds, (fraction, note) => watch.beat(share + (1 - share) * fraction, note))
  const [only] = searched.boosted
  if (only === undefined) throw new Error('there is nothing to hold out')
  return modelOf(only, only.trees, rounds)

  function grown(booster: Booster, rounds: number, beat: FitWatch['beat']): TreeModel {
    const trees: GrownTree[] = []
    for (let round = 1; round <= rounds; round++) {
      trees.push(...booster.grow(() => beat(round / rounds, `round ${round} of ${rounds}`)))
    }
    return modelOf(booster, trees, rounds)
  }

  function modelOf({ objective, scores }: Booster, trees: readonly GrownTree[], rounds: number): TreeModel {
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
}

type Booster = ReturnType<typeof createBooster>
type Part = { readonly training: Int32Array; readonly heldOut: Int32Array }

/** All are boosted side by side until the rows held out gain nothing for so many rounds as early stopping waits. */
function search(
  boosters: readonly (Booster & Pick<Part, 'heldOut'>)[],
  { limit, patience }: { readonly limit: number; readonly patience: number },
  beat: FitWatch['beat'],
) {
  const boosted = boosters.map((booster) => ({ ...booster, trees: [] as GrownTree[] }))
  const rows = boosters.reduce((sum, { heldOut }) => sum + heldOut.length, 0)
  const lossOf = (): number =>
    boosted.reduce((sum, { objective, scores, heldOut }) => sum + objective.loss(scores, heldOut) * heldOut.length, 0) /
    rows
  let best = { round: 0, loss: lossOf() }
  for (let round = 1; round <= limit; round++) {
    for (const { grow, trees } of boosted) {
      trees.push(...grow(() => beat(round / limit, `round ${round} of ${limit}`)))
    }
    const loss = lossOf()
    if (loss < best.loss) best = { round, loss }
    else if (round - best.round >= patience) break
  }
  return { boosted, rounds: Math.max(1, best.round), loss: best.loss }
}

const cellsOf = ({ rows, columns }: Features, target: Target): number =>
  rows * columns * (target.kind === 'classes' && target.labels.length > 2 ? target.labels.length : 1)

/** The rows that show how many rounds are enough; none where the rounds are as asked. */
function partsOf(features: Features, target: Target, parameters: Parameters, random: Random): readonly Part[] {
  const { rows } = features
  const share = numberOf(parameters, 'validation')
  if (numberOf(parameters, 'early_stopping') === 0 || rows < heldOutFrom) return []
  if (cellsOf(features, target) > fewCells.forFolds) {
    const order = Int32Array.from({ length: rows }, (_, row) => row)
    const count = Math.round(share * rows)
    draw(order, random, count)
    return [{ training: order.slice(count).sort(), heldOut: order.slice(0, count) }]
  }
  const folds = cutFolds(target, rows, Math.min(mostFolds, Math.round(1 / share)), numberOf(parameters, 'seed'))
  return folds.map((heldOut) => {
    const isHeld = new Uint8Array(rows)
    for (const row of heldOut) isHeld[row] = 1
    return { training: Int32Array.from({ length: rows }, (_, row) => row).filter((row) => isHeld[row] === 0), heldOut }
  })
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
