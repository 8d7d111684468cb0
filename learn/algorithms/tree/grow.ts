import type { Bins } from './bins.ts'
import { createHistogram, type Derivatives, fillHistogram, type Histogram, type Layout, subtract } from './histogram.ts'
import { findSplit, type Split, type SplitRules, type Totals } from './split.ts'

/** A node of one tree; children follow their parent. */
export type TreeNode =
  | { readonly kind: 'leaf'; readonly value: number }
  | { readonly kind: 'split'; readonly split: Split; left: number; right: number }

export type GrowRules = SplitRules & { readonly maxDepth: number; readonly learningRate: number }

/** The data that trees are grown from; the histograms are used again by each tree. */
export type Grower = {
  readonly bins: Bins
  readonly layout: Layout
  readonly rules: GrowRules
  readonly pool: Histogram[]
  readonly gathered: Derivatives
  readonly aside: Int32Array
}

export function createGrower(bins: Bins, layout: Layout, rules: GrowRules): Grower {
  const gathered = { gradients: new Float64Array(bins.rows), curvatures: new Float64Array(bins.rows) }
  return { bins, layout, rules, pool: [], gathered, aside: new Int32Array(bins.rows) }
}

/** Grows a tree on the rows of `order`, which is parted in place as the tree parts them. */
export function growTree(grower: Grower, order: Int32Array, derivatives: Derivatives): readonly TreeNode[] {
  const { bins, layout, rules, pool, gathered } = grower
  const nodes: TreeNode[] = []
  const take = (): Histogram => pool.pop() ?? createHistogram(layout)

  // Depth first: only one histogram a level is alive. It belongs to the node, which gives it back.
  const grow = (start: number, end: number, depth: number, histogram: Histogram | undefined): number => {
    const index = nodes.length
    const totals = totalsOf(order, start, end, derivatives)
    const split = histogram === undefined ? undefined : findSplit(histogram, layout, totals, rules)
    if (histogram === undefined || split === undefined) {
      nodes.push({ kind: 'leaf', value: leafValue(totals, rules) })
      if (histogram !== undefined) pool.push(histogram)
      return index
    }
    const own = { kind: 'split' as const, split, left: 0, right: 0 }
    nodes.push(own)
    const middle = part(grower, order, start, end, split)
    const deeper = depth + 1 < rules.maxDepth
    if (!deeper) pool.push(histogram)
    const leftSmaller = middle - start < end - middle
    const small = deeper ? take() : undefined
    if (small !== undefined) {
      const rows = leftSmaller ? { order, start, end: middle } : { order, start: middle, end }
      fillHistogram(small, layout, bins, rows, derivatives, gathered)
      subtract(histogram, small)
    }
    const large = deeper ? histogram : undefined
    own.left = grow(start, middle, depth + 1, leftSmaller ? small : large)
    own.right = grow(middle, end, depth + 1, leftSmaller ? large : small)
    return index
  }

  const root = take()
  fillHistogram(root, layout, bins, { order, start: 0, end: order.length }, derivatives, gathered)
  grow(0, order.length, 0, root)
  return nodes
}

function totalsOf(order: Int32Array, start: number, end: number, { gradients, curvatures }: Derivatives): Totals {
  let gradient = 0
  let curvature = 0
  for (let at = start; at < end; at++) {
    gradient += gradients[order[at] ?? 0] ?? 0
    curvature += curvatures[order[at] ?? 0] ?? 0
  }
  return { gradient, curvature, count: end - start }
}

/** A multiple of 2^-30 within a million. */
function leafValue({ gradient, curvature }: Totals, { lambda, learningRate }: GrowRules): number {
  const newton = (-learningRate * gradient) / Math.max(curvature + lambda, 1e-12)
  return Math.round(Math.min(Math.max(newton, -1e6), 1e6) * 2 ** 30) / 2 ** 30
}

/** Parts the stretch of rows, each side in its order; where the right side begins. */
function part({ bins, aside }: Grower, order: Int32Array, start: number, end: number, split: Split): number {
  const column = split.column * bins.rows
  let left = start
  let right = 0
  for (let at = start; at < end; at++) {
    const row = order[at] ?? 0
    if (goesLeft(split, bins.codes[column + row] ?? 0)) order[left++] = row
    else aside[right++] = row
  }
  order.set(aside.subarray(0, right), left)
  return left
}

export function goesLeft({ bin, missing, missingLeft }: Split, code: number): boolean {
  return code === missing ? missingLeft : code <= bin
}
