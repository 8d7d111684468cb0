import type { FitWatch, Target } from '../../../learn/dataset.ts'
import type { Outcome, Point } from '../../../learn/tuning/choose.ts'
import { foldRows } from '../../../learn/tuning/folds.ts'
import { selectTarget } from '../../../learn/tuning/select-target.ts'
import type { SharedFolds } from '../../../learn/tuning/shared-folds.ts'
import { groupsOf, sampleRows, selectTogether, type Together } from '../../../learn/tuning/strata.ts'
import { type Budget, createBudget, limitedTrial, type Tuned, tune } from '../../../learn/tuning/tune.ts'
import type { Tuning } from '../../../learn/tuning/tuning.ts'
import type { TrainingRequest } from '../decode/request.ts'

/** The thread that chooses shares its folds with one that helps it. */
export type Sharing = { readonly folds: SharedFolds; readonly helps: boolean }

const seed = 1
/** With fewer rows no fold would have one. */
const leastRows = 5

export type TuneRequest = Pick<
  TrainingRequest,
  'algorithm' | 'parameters' | 'scale' | 'tune' | 'speed' | 'tuneBudget_s'
>

/** The rows that points are tried on. */
export type Known<Data> = {
  readonly rows: Int32Array
  /** The target of all rows, including the rows that are not in `rows`. */
  readonly target: Target
  /** Classes of which each fold has its share, where the target has none. */
  readonly strata?: Target
  /** Some rows, by ranges, means and words of the rows that it is fitted on. */
  readonly dataOf: (fitted: Int32Array) => (rows: Int32Array) => Data
  readonly measure: 'accuracy' | 'rmse' | 'f1'
  /** For all rows: the groups that stay in one fold. */
  readonly together?: Together | undefined
}

/** How good the chosen parameters were in each fold; `spread` is the standard deviation. */
export type FoldFigures = {
  readonly measure: Known<unknown>['measure']
  readonly values: readonly number[]
  readonly mean: number
  readonly spread: number
}

export type Found =
  | { readonly values: Point; readonly performance: number; readonly folds: FoldFigures }
  /** Why no parameters were chosen. */
  | { readonly untuned: string }

/** Tries candidates by cross-validation until all were tried or the time is over, and says in the log how that went. */
export function tryCandidates<Data>(
  { algorithm, parameters, speed, tuneBudget_s }: TuneRequest,
  tuning: Tuning<Data>,
  { rows, target, strata = target, dataOf, measure, together }: Known<Data>,
  watch: FitWatch,
  sharing?: Sharing,
): Found {
  const budget = createBudget(tuneBudget_s)
  if (rows.length < leastRows) return { untuned: `${rows.length} rows are too few to tune with` }
  const sample = sampleRows(selectTarget(strata, rows), rows.length, tuning.maxRows, seed)
  const tried = sample.map((at) => rows[at] ?? 0)
  const candidates = tuning.candidates(parameters, speed, tried.length)
  if (candidates.length === 0) return { untuned: `${algorithm} has nothing to tune here` }
  if (tried.length < rows.length && !sharing?.helps)
    watch.log(`tuning on a stratified sample of ${tried.length} of ${rows.length} training rows`)
  const data = foldRows(
    selectTarget(target, tried),
    {
      rows: tried.length,
      seed,
      strata: selectTarget(strata, tried),
      together: selectTogether(together, tried),
    },
    (rest) => {
      const give = dataOf(rest.map((place) => tried[place] ?? 0))
      return (places) => give(places.map((place) => tried[place] ?? 0))
    },
  )
  const opening = { data, parameters, candidates }
  if (sharing?.helps) {
    tuning.help?.(opening, sharing.folds)
    return { untuned: 'another thread chooses' }
  }
  const trial = limitedTrial({ budget, beat: () => watch.beat(0) }).run((own) =>
    tuning.open(opening, own, sharing?.folds),
  )
  const tuned: Tuned =
    typeof trial === 'function'
      ? tune({ candidates, trial, budget }, watch)
      : { tried: 0, abandoned: 0, isOutOfTime: true }
  watch.log(endOf(tuned, candidates.length, budget))
  const { chosen, best } = tuned
  if (chosen === undefined || best === undefined) return { untuned: 'no candidate was tried in time' }
  const folds = figuresOf(chosen, measure)
  watch.log(
    `chose ${wordsOf(chosen.values)}: ${measure} ${shown(folds.mean)}, spread over ${folds.values.length} folds ${shown(folds.spread)}`,
  )
  if (chosen !== best)
    watch.log(
      `the least loss had ${wordsOf(best.values)}, with ${measure} ${shown(figuresOf(best, measure).mean)}: within one standard error the simpler one is taken`,
    )
  const values = settled(chosen.values, budget, watch, (own) =>
    tried.length === rows.length
      ? undefined
      : tuning.settle?.(
          {
            data: dataOf(rows)(rows),
            target: selectTarget(target, rows),
            groups: groupsOf(selectTogether(together, rows)),
          },
          parameters,
          chosen.values,
          own,
        ),
  )
  return { values, performance: chosen.performance, folds }
}

function endOf({ tried, abandoned, isOutOfTime }: Tuned, all: number, { seconds }: Budget): string {
  const counts = `${tried} of ${all} candidates were tried, ${abandoned} of them given up early`
  return isOutOfTime ? `tuning ended after ${seconds} s (tune_budget_s): ${counts}` : counts
}

/** The parameters that `find` finds on all rows; `values`, which the sample gave, if it finds none or the time is over. */
function settled(values: Point, budget: Budget, watch: FitWatch, find: (own: FitWatch) => Point | undefined): Point {
  const found = limitedTrial({ budget, beat: () => watch.beat(1) }).run(find)
  if (typeof found !== 'object') {
    if (found !== undefined)
      watch.log('tune_budget_s was over before all rows were looked at: parameters are those of the sample')
    return values
  }
  watch.log(`on all training rows: ${wordsOf(found)}`)
  return found
}

function figuresOf({ folds }: Outcome, measure: FoldFigures['measure']): FoldFigures {
  const values = measure === 'rmse' ? folds.map(Math.sqrt) : folds
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { measure, values, mean, spread: Math.sqrt(squares / Math.max(1, values.length - 1)) }
}

const wordsOf = (values: Point): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`)
    .join(', ')

const shown = (figure: number): string => String(Number(figure.toPrecision(4)))
