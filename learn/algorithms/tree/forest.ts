import type { Bins } from './bins.ts'
import { type Grown, goesLeft, type TreeNode } from './grow.ts'
import type { Forest } from './model.ts'

export type GrownTree = { readonly output: number; readonly nodes: readonly TreeNode[] }

/** scores += the leaf's value, for some rows; trees read bins here and thresholds later. */
export function addTree(
  { nodes }: Pick<GrownTree, 'nodes'>,
  { space: { codes, columns } }: Bins,
  rows: Int32Array,
  scores: Float64Array,
): void {
  for (const row of rows) {
    let node = nodes[0]
    while (node?.kind === 'split') {
      node = nodes[goesLeft(node.split, codes[row * columns + node.split.column] ?? 0) ? node.left : node.right]
    }
    scores[row] = (scores[row] ?? 0) + (node?.value ?? 0)
  }
}

/** The same for the rows that the tree was just grown on. */
export function addLeaves({ leaves }: Grown, { space: { order } }: Bins, scores: Float64Array): void {
  for (const { start, end, value } of leaves) {
    for (let at = start; at < end; at++) {
      const row = order[at] ?? 0
      scores[row] = (scores[row] ?? 0) + value
    }
  }
}

/** Joins trees; a split after the last bin, known or missing, has the threshold Infinity. */
export function forestOf(trees: readonly GrownTree[], edges: readonly Float64Array[]): Forest {
  const total = trees.reduce((sum, { nodes }) => sum + nodes.length, 0)
  const forest: Forest = {
    roots: new Int32Array(trees.length),
    outputs: Int32Array.from(trees, ({ output }) => output),
    features: new Int32Array(total).fill(-1),
    thresholds: new Float64Array(total),
    missingLeft: new Uint8Array(total),
    left: new Int32Array(total),
    right: new Int32Array(total),
    values: new Float64Array(total),
  }
  let root = 0
  for (const [tree, { nodes }] of trees.entries()) {
    forest.roots[tree] = root
    for (const [index, node] of nodes.entries()) {
      const at = root + index
      if (node.kind === 'leaf') {
        forest.values[at] = node.value
        continue
      }
      const { column, bin, missingLeft } = node.split
      forest.features[at] = column
      forest.thresholds[at] = edges[column]?.[bin] ?? Infinity
      forest.missingLeft[at] = missingLeft ? 1 : 0
      forest.left[at] = root + node.left
      forest.right[at] = root + node.right
    }
    root += nodes.length
  }
  return forest
}
