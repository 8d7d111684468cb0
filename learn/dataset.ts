/** Row-major, `rows x columns`. */
export type Matrix = { readonly rows: number; readonly columns: number; readonly values: Float64Array }

/** Compressed sparse rows: row i's cells are offsets[i]..offsets[i+1]; columns ascending, from 0. */
export type SparseMatrix = {
  readonly rows: number
  readonly columns: number
  readonly offsets: Int32Array
  readonly indices: Int32Array
  readonly values: Float64Array
}

export type Features = Matrix | SparseMatrix

/** The target of a classifier: `classes[i]` is an index into `labels` (labels in the order of first appearance, as LIBSVM). */
export type Classes = {
  readonly kind: 'classes'
  readonly labels: readonly (number | string)[]
  readonly classes: Int32Array
}

export type Numbers = { readonly kind: 'numbers'; readonly values: Float64Array }

export type Target = Classes | Numbers | { readonly kind: 'none' }

/** The questions that a fit may ask on its way; `beat` throws when the training was cancelled or its deadline has passed. */
export type FitWatch = {
  readonly beat: (fraction: number, note?: string) => void
  readonly log: (line: string) => void
}

/** Reading reports the bytes that it holds so far. Throws where there is no room for more. */
export type Room = (bytes: number) => void

export function isSparse(features: Features): features is SparseMatrix {
  return 'offsets' in features
}
