/** Plain data: it crosses from a worker thread as it is. */
export type LinearModel = {
  /** The labels of the classes; absent for a regression. */
  readonly labels?: readonly (number | string)[]
  readonly solver: number
  readonly columns: number
  /**
   * One weight vector an output, each followed by its intercept (0 without a bias). Two classes have one output, positive for
   * the first label, but for MCSVM_CS, which has one a class.
   */
  readonly outputs: number
  readonly weights: Float64Array
  /** The classes were learnt together: probabilities are the softmax of the scores, not each score's own. */
  readonly together?: boolean
  /** By output, how much of its scores is due to balanced class weights: probabilities are without it. */
  readonly excess?: Float64Array
}
