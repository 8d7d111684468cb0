import type { FitWatch, Target } from '../dataset.ts'
import type { Parameters } from '../parameters.ts'
import type { Point } from './choose.ts'
import { crossValidate, type Tunable } from './cross-validate.ts'
import type { TuningData } from './folds.ts'
import type { Trial } from './tune.ts'

/** How an algorithm's parameters are chosen by trying. */
export type Tuning<Data> = {
  /** The most rows that points are tried on. */
  readonly maxRows: number
  /** In the order in which they are tried; empty where there is nothing to choose. `train_speed` is 1 to 5. */
  readonly candidates: (parameters: Parameters, trainSpeed: number, rows: number) => readonly Point[]
  /** The work that all trials share is done here. */
  readonly open: (data: TuningData<Data>, parameters: Parameters, watch: FitWatch) => Trial
  /** Parameters that hang on the number of rows are found anew, on all rows where points were tried on a part of them. */
  readonly settle?: (data: Data, target: Target, parameters: Parameters, chosen: Point, watch: FitWatch) => Point
}

/** Each point is one model a fold. */
export const byCrossValidation =
  <Fitted, Data>(tunable: Tunable<Fitted, Data>, complexityOf: (values: Point) => number): Tuning<Data>['open'] =>
  (data, parameters) =>
  (values, watch, isHopeless) => {
    const complexity = complexityOf(values)
    const found = crossValidate(tunable, data, { ...parameters, ...values }, watch, (losses) =>
      isHopeless(losses, complexity),
    )
    return found === undefined ? [] : [{ values, complexity, ...found }]
  }
