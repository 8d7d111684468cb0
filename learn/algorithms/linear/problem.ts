import type { Random } from '../../random.ts'
import type { Columns } from '../columns.ts'
import type { Rows } from './rows.ts'

/** One linear problem: two classes, or a regression. */
export type Problem = {
  readonly rows: Rows
  /** The same cells by column, made on demand: only the L1-regularized solvers ask. */
  readonly columns: () => Columns
  /** 1 and -1 for classes, the numbers themselves for a regression. */
  readonly targets: Float64Array
  /** C of each row. */
  readonly costs: Float64Array
  /** The tolerance of the solver's own stopping rule, as in LIBLINEAR. */
  readonly eps: number
  /** Half the width of the tube in which a regression's errors cost nothing. */
  readonly p: number
  readonly random: Random
  /** Called at least once a pass with the share of the allowed passes that is used; throws to stop the fit. */
  readonly beat: (share: number) => void
}

export type Solution = {
  readonly weights: Float64Array
  readonly passes: number
  /** False where the passes ran out first. */
  readonly converged: boolean
}
