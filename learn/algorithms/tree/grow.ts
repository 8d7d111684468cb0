import type { Bins } from './bins.ts'
import { createHistogram, type Derivatives, fillHistogram, type Histogram, type Layout, subtract } from './histogram.ts'
import type { RowSpace } from './row-space.ts'
import { findSplit, type Split, type SplitRules, type Totals } from './split.ts'

/** A node of one tree; children follow their parent. */
export type TreeNode =
  | { readonly kind: 'leaf'; readonly value: number }
  | { readonly kind: 'split'; readonly split: Split; left: number; right: number }

export type GrowRules = SplitRules & { readonly maxDepth: number; readonly learningRate: number }

/** The data that trees are grown from; the histograms are used again by each tree. */
export type Grower = {
  readonly space: RowSpace
  readonly layout: Layout
  readonly rules: GrowRules
  readonly pool: Histogram[]
}

/** A leaf's rows: order[start] to order[end - 1] of the space, until the next tree is grown. */
export type Leaf = { readonly start: number; readonly end: number; readonly value: number }

export type Grown = { readonly nodes: readonly TreeNode[]; readonly leaves: readonly Leaf[] }

export function createGrower({ space }: Bins, layout: Layout, rules: GrowRules): Grower {
  return { space, layout, rules, pool: [] }
}

/** Grows a tree on these rows, which are ascending. */
export function growTree(grower: Grower, rows: Int32Array, derivatives: Derivatives): Grown {
  const { space, layout, rules, pool } = grower
  const nodes: TreeNode[] = []
  const leaves: Leaf[] = []
  const take = (): Histogram => pool.pop() ?? createHistogram(layout)
  place(space, rows, derivatives)

  // Depth first: only one histogram a level is alive. It belongs to the node, which gives it back.
  const grow = (start: number, end: number, depth: number, histogram: Histogram | undefined): number => {
    const index = nodes.length
    const split = histogram && findSplit(histogram, layout, totalsIn(histogram, layout), rules)
    if (histogram === undefined || split === undefined) {
      const value = leafValue(totalsOf(space, start, end), rules)
      nodes.push({ kind: 'leaf', value })
      leaves.push({ start, end, value })
      if (histogram !== undefined) pool.push(histogram)
      return index
    }
    const own = { kind: 'split' as const, split, left: 0, right: 0 }
    nodes.push(own)
    const middle = space.part(start, end, split)
    const deeper = depth + 1 < rules.maxDepth
    if (!deeper) pool.push(histogram)
    const leftSmaller = middle - start < end - middle
    const small = deeper ? take() : undefined
    if (small !== undefined) {
      if (leftSmaller) fillHistogram(small, layout, space, start, middle)
      else fillHistogram(small, layout, space, middle, end)
      subtract(histogram, small)
    }
    const large = deeper ? histogram : undefined
    own.left = grow(start, middle, depth + 1, leftSmaller ? small : large)
    own.right = grow(middle, end, depth + 1, leftSmaller ? large : small)
    return index
  }

  const root = take()
  fillHistogram(root, layout, space, 0, rows.length)
  grow(0, rows.length, 0, root)
  return { nodes, leaves }
}

function place({ order, slopes }: RowSpace, rows: Int32Array, { gradients, curvatures }: Derivatives): void {
  order.set(rows)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0
    slopes[2 * row] = gradients[row] ?? 0
    slopes[2 * row + 1] = curvatures[row] ?? 0
  }
}

/** Any column has all rows. */
function totalsIn(histogram: Histogram, { starts }: Layout): Totals {
  let [gradient, curvature, count] = [0, 0, 0]
  const end = 3 * (starts[1] ?? 0)
  for (let cell = 0; cell < end; cell += 3) {
    gradient += histogram[cell] ?? 0
    curvature += histogram[cell + 1] ?? 0
    count += histogram[cell + 2] ?? 0
  }
  return { gradient, curvature, count }
}

/** Row by row, without the rounding of histograms that were taken from each other. */
function totalsOf(space: RowSpace, start: number, end: number): Totals {
  const [gradient = 0, curvature = 0] = space.total(start, end)
  return { gradient, curvature, count: end - start }
}

/** A multiple of 2^-30 within a million. */
function leafValue({ gradient, curvature }: Totals, { lambda, learningRate }: GrowRules): number {
  const newton = (-learningRate * gradient) / Math.max(curvature + lambda, 1e-12)
  return Math.round(Math.min(Math.max(newton, -1e6), 1e6) * 2 ** 30) / 2 ** 30
}

export function goesLeft({ bin, missing, missingLeft }: Split, code: number): boolean {
  return code === missing ? missingLeft : code <= bin
}
