import type { Features } from '../../../dataset.ts'

/** A set of rows of which dot products with any row of the same width are taken, many at once. */
export type Vectors = {
  readonly length: number
  /** Row . itself. */
  readonly squares: Float64Array
  /** row i . row j for j in from..to, in a buffer that the next call overwrites. */
  readonly dots: (i: number, from: number, to: number) => Float64Array
  /** row i of `other` . row j for all j, in that buffer. */
  readonly dotsWith: (other: Features, i: number) => Float64Array
  readonly exchange: (i: number, j: number) => void
}
