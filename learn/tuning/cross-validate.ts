import type { Features, FitWatch, Target } from '../dataset.ts'
import type { Parameters } from '../parameters.ts'
import { selectRows } from '../select-rows.ts'
import { selectTarget } from './select-target.ts'

/** The functions of an algorithm that tuning needs. */
export type Tunable<Fitted> = {
  readonly fitModel: (features: Features, target: Target, parameters: Parameters, watch: FitWatch) => Fitted
  /** One label or number a row. */
  readonly predict: (fitted: Fitted, features: Features) => ArrayLike<number | string>
}

/** Wrongly labelled rows, each by the weight of its class, or the sum of squared errors; `complete` is false where the bound was passed before the end. */
export type Loss = { readonly loss: number; readonly complete: boolean }

/**
 * The loss of a model on rows that it was not trained on, each fold held out once. Losses only grow from fold to
 * fold: a trial that has lost more than `bound` cannot win any more and is given up.
 */
export function crossValidate<Fitted>(
  tunable: Tunable<Fitted>,
  data: {
    readonly features: Features
    readonly target: Target
    readonly folds: readonly Int32Array[]
    /** By label, how much an error counts; absent: 1. */
    readonly weights?: readonly number[] | undefined
  },
  parameters: Parameters,
  watch: FitWatch,
  bound = Infinity,
): Loss {
  const { features, target, folds, weights } = data
  let loss = 0
  for (const [fold, held] of folds.entries()) {
    const rest = Int32Array.from(folds.flatMap((rows, other) => (other === fold ? [] : [...rows]))).sort()
    const part: FitWatch = {
      log: watch.log,
      beat: (fraction, note) => watch.beat((fold + fraction) / folds.length, note),
    }
    const known = selectTarget(target, rest)
    const only = onlyLabel(known)
    const predicted =
      only === undefined
        ? tunable.predict(
            tunable.fitModel(selectRows(features, rest), known, parameters, part),
            selectRows(features, held),
          )
        : Array.from(held, () => only)
    loss += lossOf(predicted, selectTarget(target, held), weights)
    if (loss > bound) return { loss, complete: false }
  }
  return { loss, complete: true }
}

/** Where a class has all of its rows in the fold that is held out, there may be one class to learn: that is the answer. */
function onlyLabel(target: Target): number | string | undefined {
  if (target.kind !== 'classes') return undefined
  const [first] = target.classes
  return first !== undefined && target.classes.every((index) => index === first) ? target.labels[first] : undefined
}

function lossOf(predicted: ArrayLike<number | string>, target: Target, weights: readonly number[] | undefined): number {
  const answers = Array.from(predicted)
  if (target.kind === 'classes') {
    return answers.reduce<number>((sum, label, row) => {
      const index = target.classes[row] ?? -1
      return label === target.labels[index] ? sum : sum + (weights?.[index] ?? 1)
    }, 0)
  }
  if (target.kind === 'numbers') {
    return answers.reduce<number>((sum, value, row) => sum + (Number(value) - (target.values[row] ?? 0)) ** 2, 0)
  }
  throw new TypeError('without a target there is nothing to compare with')
}
