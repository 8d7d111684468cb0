import type { Bins } from './bins.ts'

/** By column and bin, the missing bin last: sums of gradients, of curvatures, and the number of rows, side by side. */
export type Layout = {
  /** Where each column's bins begin, counted in bins; the last entry is their number. */
  readonly starts: Int32Array
}

export type Histogram = Float64Array

/** The rows of a node as a stretch of `order`, and the derivatives of the loss by row. */
export type NodeRows = {
  readonly order: Int32Array
  readonly start: number
  readonly end: number
}

export type Derivatives = { readonly gradients: Float64Array; readonly curvatures: Float64Array }

export function layoutOf({ edges }: Bins): Layout {
  const starts = new Int32Array(edges.length + 1)
  for (const [j, { length }] of edges.entries()) starts[j + 1] = (starts[j] ?? 0) + length + 2
  return { starts }
}

export function createHistogram({ starts }: Layout): Histogram {
  return new Float64Array(3 * (starts.at(-1) ?? 0))
}

/** Sums the node's rows by bin; `gathered` is space for the derivatives of as many rows. */
export function fillHistogram(
  histogram: Histogram,
  { starts }: Layout,
  { rows, codes, edges }: Bins,
  { order, start, end }: NodeRows,
  { gradients, curvatures }: Derivatives,
  gathered: Derivatives,
): void {
  histogram.fill(0)
  // Gathered once, they are read in order for each column.
  const { gradients: slopes, curvatures: bends } = gathered
  for (let at = start; at < end; at++) {
    const row = order[at] ?? 0
    slopes[at] = gradients[row] ?? 0
    bends[at] = curvatures[row] ?? 0
  }
  // Two columns at a time, so that rows and derivatives are read half as often.
  const paired = edges.length - (edges.length % 2)
  for (let j = 0; j < paired; j += 2) {
    const [first, second] = [3 * (starts[j] ?? 0), 3 * (starts[j + 1] ?? 0)]
    const [a, b] = [j * rows, (j + 1) * rows]
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0
      const slope = slopes[at] ?? 0
      const bend = bends[at] ?? 0
      const x = first + 3 * (codes[a + row] ?? 0)
      histogram[x] = (histogram[x] ?? 0) + slope
      histogram[x + 1] = (histogram[x + 1] ?? 0) + bend
      histogram[x + 2] = (histogram[x + 2] ?? 0) + 1
      const y = second + 3 * (codes[b + row] ?? 0)
      histogram[y] = (histogram[y] ?? 0) + slope
      histogram[y + 1] = (histogram[y + 1] ?? 0) + bend
      histogram[y + 2] = (histogram[y + 2] ?? 0) + 1
    }
  }
  for (let j = paired; j < edges.length; j++) {
    const first = 3 * (starts[j] ?? 0)
    for (let at = start; at < end; at++) {
      const x = first + 3 * (codes[j * rows + (order[at] ?? 0)] ?? 0)
      histogram[x] = (histogram[x] ?? 0) + (slopes[at] ?? 0)
      histogram[x + 1] = (histogram[x + 1] ?? 0) + (bends[at] ?? 0)
      histogram[x + 2] = (histogram[x + 2] ?? 0) + 1
    }
  }
}

/** whole -= part: the rest is the other child's. */
export function subtract(whole: Histogram, part: Histogram): void {
  for (let cell = 0; cell < whole.length; cell++) whole[cell] = (whole[cell] ?? 0) - (part[cell] ?? 0)
}
