import type { FitWatch, Target } from '../dataset.ts'
import type { Parameters } from '../parameters.ts'
import type { Point } from './choose.ts'
import { crossValidate, type Judged, judgeFold, type Tunable } from './cross-validate.ts'
import type { TuningData } from './folds.ts'
import { chooseFolds, type FoldsShape, helpFolds, type SharedFolds, type TryFold } from './shared-folds.ts'
import type { Trial } from './tune.ts'

/** The work that all trials share, and all that a trial needs beside its point. */
export type Opening<Data> = {
  readonly data: TuningData<Data>
  readonly parameters: Parameters
  readonly candidates: readonly Point[]
}

export type KnownRows<Data> = {
  readonly data: Data
  readonly target: Target
  /** By row its group, where no part that is held out may have some rows of one. */
  readonly groups?: Int32Array | undefined
}

/** How an algorithm's parameters are chosen by trying. */
export type Tuning<Data> = {
  /** The most rows that points are tried on. */
  readonly maxRows: number
  /** In the order in which they are tried; empty where there is nothing to choose. `train_speed` is 1 to 5. */
  readonly candidates: (parameters: Parameters, trainSpeed: number, rows: number) => readonly Point[]
  /** The work that all trials share is done here. `shared` is the memory by which another thread may take some of it. */
  readonly open: (opening: Opening<Data>, watch: FitWatch, shared?: SharedFolds) => Trial
  /** Takes folds of the thread that chooses, where each is a fit of its own, until it is asked to leave. */
  readonly help?: (opening: Opening<Data>, shared: SharedFolds) => void
  /** Parameters that hang on the number of rows are found anew, on all rows where points were tried on a part of them. */
  readonly settle?: (rows: KnownRows<Data>, parameters: Parameters, chosen: Point, watch: FitWatch) => Point
}

const shapeOf = <Data>({ data, candidates }: Opening<Data>): FoldsShape => ({
  candidates: candidates.length,
  held: data.folds.map(({ held }) => held),
})

/** Each point is one model a fold. */
export function byCrossValidation<Fitted, Data>(
  tunable: Tunable<Fitted, Data>,
  complexityOf: (values: Point) => number,
): Required<Pick<Tuning<Data>, 'open' | 'help'>> {
  const foldsOf =
    ({ data, parameters, candidates }: Opening<Data>): TryFold =>
    (candidate, fold, watch): Judged =>
      judgeFold(tunable, data, { ...parameters, ...candidates[candidate] }, fold, watch)
  return {
    open: (opening, _, shared) => {
      const chooseFold = chooseFolds(shared, shapeOf(opening), foldsOf(opening))
      const { data, parameters } = opening
      return (values, watch, isHopeless) => {
        const complexity = complexityOf(values)
        const found = crossValidate(
          tunable,
          data,
          { ...parameters, ...values },
          watch,
          (losses) => isHopeless(losses, complexity),
          (fold, { beat }) => chooseFold(fold, { ...watch, beat }),
        )
        return found === undefined ? [] : [{ values, complexity, ...found }]
      }
    },
    help: (opening, shared) => helpFolds(shared, shapeOf(opening), foldsOf(opening)),
  }
}
