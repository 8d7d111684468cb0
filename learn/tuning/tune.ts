import { balancedWeights, isBalanced } from '../algorithms/class-weights.ts'
import type { Features, FitWatch, Target } from '../dataset.ts'
import type { Parameters } from '../parameters.ts'
import { crossValidate, type Loss, type Tunable } from './cross-validate.ts'
import { cutFolds } from './strata.ts'

export type TuneOptions = {
  /** Points to try: parameters that replace those of the request. */
  readonly grid: readonly Readonly<Record<string, number>>[]
  readonly seed: number
  /** After this time the best point so far wins. */
  readonly seconds: number
  readonly now?: () => number
}

export type Tuned = {
  /** The request's parameters with those of the winning point. */
  readonly parameters: Parameters
  /** Share of held-out rows labelled right, each by the weight of its class, or the mean squared error. */
  readonly performance: number
  readonly tried: number
  readonly abandoned: number
}

const foldCount = 5
/** A trial may take this many times the beats (of equal work) of the costliest one that led until now, and 50 at least. */
const patience = 10
const minBeats = 50

/** Five-fold cross-validation over a grid; of equal points the earlier one wins. Nothing but `seconds` depends on the clock. */
export function tune<Fitted>(
  tunable: Tunable<Fitted>,
  features: Features,
  target: Target,
  parameters: Parameters,
  options: TuneOptions,
  watch: FitWatch,
): Tuned {
  const { grid, seed, seconds, now = Date.now } = options
  const { rows } = features
  const weights = target.kind === 'classes' && isBalanced(parameters) ? balancedWeights(target) : undefined
  const data = { features, target, weights, folds: cutFolds(target, rows, Math.min(foldCount, rows), seed) }
  const end = now() + seconds * 1000
  let best: { readonly values: Readonly<Record<string, number>>; readonly loss: number } | undefined
  let costliest = 0
  let tried = 0
  let abandoned = 0
  for (const values of grid) {
    if (best !== undefined && now() > end) {
      watch.log(`tuning stopped after ${seconds} s with ${tried} of ${grid.length} points tried`)
      break
    }
    const share = tried / grid.length
    const allowed = Math.max(minBeats, patience * costliest)
    const isOver = best === undefined ? () => false : (beats: number) => beats > allowed || now() > end
    const trial = limitedTrial(isOver, watch, (fraction) => share + fraction / grid.length)
    const result = trial.run((limited) =>
      crossValidate(tunable, data, { ...parameters, ...values }, limited, best?.loss ?? Infinity),
    )
    tried++
    if (!result.complete) abandoned++
    else if (best === undefined || result.loss < best.loss) {
      best = { values, loss: result.loss }
      costliest = Math.max(costliest, trial.beats())
    }
  }
  if (best === undefined) throw new RangeError('there is no point to try')
  const meanLoss = best.loss / rows
  const performance = target.kind === 'classes' ? 1 - meanLoss : meanLoss
  return { parameters: { ...parameters, ...best.values }, performance, tried, abandoned }
}

/** Thrown by a beat, to leave a fit that takes too long; never seen outside. */
class TooCostly extends Error {}

function limitedTrial(isOver: (beats: number) => boolean, watch: FitWatch, overall: (fraction: number) => number) {
  let beats = 0
  const limited: FitWatch = {
    log: () => {},
    beat: (fraction) => {
      watch.beat(overall(fraction))
      beats++
      if (isOver(beats)) throw new TooCostly()
    },
  }
  const run = (trial: (limited: FitWatch) => Loss): Loss => {
    try {
      return trial(limited)
    } catch (error) {
      if (error instanceof TooCostly) return { loss: Infinity, complete: false }
      throw error
    }
  }
  return { run, beats: () => beats }
}
