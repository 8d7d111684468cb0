import type { Bins } from './bins.ts'
import { codesOfColumn, type RowSpace } from './row-space.ts'

/** By column and bin, the missing bin last: sums of gradients, of curvatures, and the number of rows, side by side. */
export type Layout = {
  /** Where each column's bins begin, counted in bins; the last entry is their number. */
  readonly starts: Int32Array
}

export type Histogram = Float64Array

export type Derivatives = { readonly gradients: Float64Array; readonly curvatures: Float64Array }

export function layoutOf({ edges }: Bins): Layout {
  const starts = new Int32Array(edges.length + 1)
  for (const [j, { length }] of edges.entries()) starts[j + 1] = (starts[j] ?? 0) + length + 2
  return { starts }
}

export function createHistogram({ starts }: Layout): Histogram {
  return new Float64Array(3 * (starts.at(-1) ?? 0))
}

/** Sums the rows order[start] to order[end - 1] of the space by bin; the sums of the space are 0 before and after it. */
export function fillHistogram(
  histogram: Histogram,
  { starts }: Layout,
  { add, sums, counts }: RowSpace,
  start: number,
  end: number,
): void {
  add(start, end)
  for (let j = 0; j + 1 < starts.length; j++) {
    const first = starts[j] ?? 0
    const bins = (starts[j + 1] ?? 0) - first
    for (let bin = 0; bin < bins; bin++) {
      const from = codesOfColumn * j + bin
      const cell = 3 * (first + bin)
      histogram[cell] = sums[2 * from] ?? 0
      histogram[cell + 1] = sums[2 * from + 1] ?? 0
      histogram[cell + 2] = counts[from] ?? 0
      sums[2 * from] = 0
      sums[2 * from + 1] = 0
      counts[from] = 0
    }
  }
}

/** whole -= part: the rest is the other child's. */
export function subtract(whole: Histogram, part: Histogram): void {
  for (let cell = 0; cell < whole.length; cell++) whole[cell] = (whole[cell] ?? 0) - (part[cell] ?? 0)
}
