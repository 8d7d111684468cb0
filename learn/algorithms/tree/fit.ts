import type { Features, FitWatch, Target } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import { createRandom, draw, type Random } from '../../random.ts'
import { drawGroups } from '../../tuning/strata.ts'
import { excessOf } from '../class-weights.ts'
import { binFeatures } from './bins.ts'
import { createBooster, usualLeaf } from './boost.ts'
import { forestOf, type GrownTree } from './forest.ts'
import type { TreeModel } from './model.ts'

/** With fewer rows all are trained on. */
const HOLD_OUT_FROM = 100

/** Rows x columns x outputs: of fewer a few fits more cost little, and few rows held out show little. */
const fewCells = { forRepeats: 25_000, forAllRows: 2_000_000 } as const
const repeats = 5

/**
 * Gradient boosting (Friedman, 2001) with second-order steps and histograms; missing values (NaN) take a learnt way.
 * @param groups by row its group: whole groups are held out for early stopping, as rows of one give each other away
 */
export function fitTree(
  features: Features,
  target: Target,
  parameters: Parameters,
  watch: FitWatch,
  groups?: Int32Array,
): TreeModel {
  const random = createRandom(numberOf(parameters, 'seed'))
  const bins = binFeatures(features, numberOf(parameters, 'max_bins'), () => watch.beat(0, 'bins'))
  const limit = numberOf(parameters, 'trees')
  const cells = cellsOf(features, target)
  const patience = numberOf(parameters, 'early_stopping')
  const isSearched = patience > 0 && features.rows >= HOLD_OUT_FROM
  const fits = !isSearched ? 1 : cells <= fewCells.forRepeats ? repeats + 1 : cells <= fewCells.forAllRows ? 2 : 1
  const parted = groups?.some((group) => group !== groups[0]) ? groups : undefined
  let done = 0
  const boost = (part: Part, rounds: number, patience: number, own = parameters): Boosted => {
    const booster = createBooster({ bins, target, training: part.training }, own, random, watch.log)
    const boosted = boostRounds(booster, part.heldOut, { rounds, patience }, (share, note) =>
      watch.beat((done + share) / fits, note),
    )
    done += 1
    return boosted
  }

  if (!isSearched) return modelOf(boost(allRows(features.rows), limit, 0))
  const part = (): Part => holdOut(features.rows, numberOf(parameters, 'validation'), random, parted)
  const searched = Array.from({ length: Math.max(1, fits - 1) }, () => boost(part(), limit, patience))
  const [only] = searched
  if (only === undefined) throw new Error('no rounds were searched')
  const held = `${only.heldOut} held-out rows${parted ? ' of whole groups' : ''}`
  if (fits === 1) {
    watch.log(`kept ${only.rounds} rounds, with a loss of ${only.loss} on ${held}`)
    return modelOf(only)
  }
  const rounds = middleOf(searched.map((each) => each.rounds))
  const loss = searched.reduce((sum, each) => sum + each.loss, 0) / searched.length
  const found =
    searched.length === 1
      ? `${rounds} rounds, with a loss of ${loss} on ${held}`
      : `${rounds} rounds, the middle of ${searched.length} draws of ${held}, with a mean loss of ${loss}`
  watch.log(`kept ${found}; all rows are learnt from in as many`)
  // The rounds are right for leaves as they were in the search.
  const min_leaf = numberOf(parameters, 'min_leaf', usualLeaf(features.rows - only.heldOut))
  return modelOf(boost(allRows(features.rows), rounds, 0, { ...parameters, min_leaf }))

  function modelOf({ objective, trees, rounds }: Boosted): TreeModel {
    const outputs = objective.start.length
    const excess = excessOf(parameters, target, outputs)
    const kept = trees.slice(0, rounds * outputs)
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
type Boosted = {
  readonly objective: Booster['objective']
  readonly trees: readonly GrownTree[]
  readonly rounds: number
  /** The loss on the rows that were held out. */
  readonly loss: number
  readonly heldOut: number
}

/** Ends after as many rounds without a gain on the rows held out as patience says; without such rows, never. */
function boostRounds(
  { objective, scores, grow }: Booster,
  heldOut: Int32Array,
  { rounds: limit, patience }: { readonly rounds: number; readonly patience: number },
  beat: FitWatch['beat'],
): Boosted {
  const trees: GrownTree[] = []
  let best = { round: 0, loss: objective.loss(scores, heldOut) }
  for (let round = 1; round <= limit; round++) {
    trees.push(...grow(() => beat(round / limit, `round ${round} of ${limit}`)))
    if (heldOut.length === 0) continue
    const loss = objective.loss(scores, heldOut)
    if (loss < best.loss) best = { round, loss }
    else if (round - best.round >= patience) break
  }
  const rounds = heldOut.length === 0 ? limit : Math.max(1, best.round)
  return { objective, trees, rounds, loss: best.loss, heldOut: heldOut.length }
}

const cellsOf = ({ rows, columns }: Features, target: Target): number =>
  rows * columns * (target.kind === 'classes' && target.labels.length > 2 ? target.labels.length : 1)

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1

function gainsOf(trees: readonly GrownTree[], columns: number): Float64Array {
  const gains = new Float64Array(columns)
  for (const { nodes } of trees) {
    for (const node of nodes) {
      if (node.kind === 'split') gains[node.split.column] = (gains[node.split.column] ?? 0) + node.split.gain
    }
  }
  return gains
}

const allRows = (rows: number): Part => ({
  training: Int32Array.from({ length: rows }, (_, row) => row),
  heldOut: new Int32Array(),
})

function holdOut(rows: number, share: number, random: Random, groups: Int32Array | undefined): Part {
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  if (groups !== undefined) {
    const drawn = drawGroups(groups, share, random)
    const isHeld = (row: number): boolean => drawn.has(groups[row] ?? -1)
    return { training: order.filter((row) => !isHeld(row)), heldOut: order.filter(isHeld) }
  }
  const count = Math.round(share * rows)
  draw(order, random, count)
  return { training: order.slice(count).sort(), heldOut: order.slice(0, count) }
}
