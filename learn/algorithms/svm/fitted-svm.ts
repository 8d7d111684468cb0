import type { Features } from '../../dataset.ts'
import type { Sigmoid } from './probability/sigmoid.ts'
import type { KernelSettings, SvmType } from './settings.ts'

/** A trained machine: plain data, laid out as LIBSVM's model. */
export type FittedSvm = {
  readonly algorithm: 'SVM'
  readonly type: SvmType
  readonly kernel: KernelSettings
  /** The labels of a classifier, in LIBSVM's order; pairs (i, j), i < j, follow it. */
  readonly labels: readonly (number | string)[]
  /** Grouped by class in the order of `labels`. */
  readonly supportVectors: Features
  /** How many support vectors each class has. */
  readonly supportCounts: Int32Array
  /**
   * `[classes - 1, support vectors]` row-major (one row without classes). In the pair (i, j) a vector of class i
   * takes row j - 1 and a vector of class j row i.
   */
  readonly coefficients: Float64Array
  /** The thresholds, one a pair. */
  readonly rho: Float64Array
  /** One a pair, where probabilities were asked for. */
  readonly sigmoids?: readonly Sigmoid[]
  /** The label is the one with most votes even where probabilities are there: balanced class weights move votes alone. */
  readonly votes?: true
  /** The scale of the Laplace distribution of residuals, of a regression with probabilities. */
  readonly laplaceScale?: number
  readonly iterations: number
}
