import { classWeights, withBalance } from '../algorithms/class-weights.ts'
import type { FitWatch, Target } from '../dataset.ts'
import type { Parameters } from '../parameters.ts'
import type { Outcome } from './choose.ts'
import type { TuningData } from './folds.ts'
import { selectTarget } from './select-target.ts'

/** How held-out rows fared: their losses, and the measure that people see. */
export type Judged = { readonly losses: ArrayLike<number>; readonly measure: number }

/** The functions of an algorithm that tuning needs. */
export type Tunable<Fitted, Data> = {
  readonly fitModel: (data: Data, target: Target, parameters: Parameters, watch: FitWatch) => Fitted
  readonly judge: (fitted: Fitted, data: Data, truth: Target) => Judged
}

/** Whether a trial, whose outcome has this complexity, need not go on; rows that were not tried yet are NaN. */
export type Hopeless = (losses: Float64Array, complexity: number) => boolean

/** The losses of models on rows that they were not trained on, each fold held out once; undefined where it was given up. */
export function crossValidate<Fitted, Data>(
  tunable: Tunable<Fitted, Data>,
  data: TuningData<Data>,
  parameters: Parameters,
  watch: FitWatch,
  isHopeless: (losses: Float64Array) => boolean = () => false,
  tryFold = (fold: number, own: FitWatch): Judged => judgeFold(tunable, data, parameters, fold, own),
): Pick<Outcome, 'losses' | 'folds' | 'performance'> | undefined {
  const { target, rows, folds } = data
  const losses = new Float64Array(rows).fill(Number.NaN)
  const measures: number[] = []
  const costOf = costsOf(target, parameters)
  for (const [fold, { held }] of folds.entries()) {
    const part: FitWatch = {
      log: watch.log,
      beat: (fraction, note) => watch.beat((fold + fraction) / folds.length, note),
    }
    const judged = tryFold(fold, part)
    for (const [at, place] of held.entries()) losses[place] = (judged.losses[at] ?? Number.NaN) * costOf(place)
    measures.push(judged.measure)
    if (fold + 1 < folds.length && isHopeless(losses)) return undefined
  }
  const performance = folds.reduce((sum, { held }, fold) => sum + (measures[fold] ?? 0) * held.length, 0) / rows
  return { losses, folds: measures, performance }
}

/** How the rows of one fold fare with a model of the others. */
export function judgeFold<Fitted, Data>(
  { fitModel, judge }: Tunable<Fitted, Data>,
  { target, folds }: TuningData<Data>,
  parameters: Parameters,
  fold: number,
  watch: FitWatch,
): Judged {
  const cut = folds[fold]
  if (cut === undefined) throw new RangeError(`there is no fold ${fold}`)
  const known = selectTarget(target, cut.rest)
  const truth = selectTarget(target, cut.held)
  const only = onlyLabel(known)
  if (only === undefined)
    return judge(fitModel(cut.data(cut.rest), known, parameters, watch), cut.data(cut.held), truth)
  return judgeLabels(
    Array.from(cut.held, () => only),
    truth,
  )
}

/** An error of a row costs what its class does. */
function costsOf(target: Target, parameters: Parameters): (place: number) => number {
  if (target.kind !== 'classes') return () => 1
  const silent = (): void => {}
  const costs = classWeights(withBalance(parameters, target, silent), target.labels, silent)
  return (place) => costs[target.classes[place] ?? 0] ?? 1
}

/** Where a class has all of its rows in the fold that is held out, there may be one class to learn: that is the answer. */
function onlyLabel(target: Target): number | string | undefined {
  if (target.kind !== 'classes') return undefined
  const [first] = target.classes
  return first !== undefined && target.classes.every((index) => index === first) ? target.labels[first] : undefined
}

/** 1 for each wrong label, and the accuracy; or the squared errors, and their mean. */
export function judgeLabels(predicted: ArrayLike<number | string>, truth: Target): Judged {
  if (truth.kind === 'none') throw new TypeError('without a target there is nothing to compare with')
  const losses =
    truth.kind === 'classes'
      ? Float64Array.from(truth.classes, (index, row) => (truth.labels[index] === predicted[row] ? 0 : 1))
      : truth.values.map((value, row) => (Number(predicted[row]) - value) ** 2)
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length
  return { losses, measure: truth.kind === 'classes' ? 1 - mean : mean }
}
