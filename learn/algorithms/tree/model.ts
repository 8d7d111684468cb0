/** All trees one behind the other, as plain data. */
export type Forest = {
  /** Where each tree begins: its root's index. */
  readonly roots: Int32Array
  /** The output that each tree adds to. */
  readonly outputs: Int32Array
  /** -1 for a leaf. */
  readonly features: Int32Array
  /** A value up to the threshold goes left. */
  readonly thresholds: Float64Array
  /** 1 where a missing value (NaN) goes left. */
  readonly missingLeft: Uint8Array
  readonly left: Int32Array
  readonly right: Int32Array
  /** The value of a leaf: a multiple of 2^-30, so that sums are exact in any order. */
  readonly values: Float64Array
}

/**
 * An output is base + scale * (the sum of its trees, rounded to float32 as ONNX's operator does). Numbers have one output,
 * two classes too (the log-odds of the first label), more classes one each (of which softmax makes probabilities).
 */
export type TreeModel = {
  /** Absent for a regression. */
  readonly labels?: readonly (number | string)[]
  readonly columns: number
  readonly base: Float64Array
  readonly scale: number
  readonly rounds: number
  readonly forest: Forest
  /** By output, how much of its scores is due to balanced class weights: probabilities are without it. */
  readonly excess?: Float64Array
  /** For each column the sum of the gains of its splits. */
  readonly gains: Float64Array
}
