import type { Kernel } from './kernel.ts'

/** Plain data. `inertia` is the sum of squared distances of the rows to their centres, in the kernel's space if there is one. */
export type KMeansModel = {
  readonly k: number
  readonly columns: number
  readonly inertia: number
  /** Rows of each cluster. */
  readonly sizes: Int32Array
  readonly iterations: number
  readonly space:
    | { readonly kind: 'linear' /** `[k, columns]` */; readonly centers: Float64Array }
    | {
        readonly kind: 'kernel'
        readonly kernel: Kernel
        /** `[landmarks, columns]` */
        readonly landmarks: Float64Array
        /** The cluster of each landmark: a centre is the mean of its landmarks in the kernel's space. */
        readonly labels: Int32Array
        /** The squared length of each centre in the kernel's space. */
        readonly squaredNorms: Float64Array
      }
}
