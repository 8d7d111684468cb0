import type { Target } from '../dataset.ts'
import { createRandom, type Random, shuffle } from '../random.ts'

/** Groups of rows of which samples and folds take equal shares, each in random order: the classes, else all rows. */
function strataOf(target: Target, rows: number, random: Random): Int32Array[] {
  if (target.kind !== 'classes') return [shuffled(allRows(rows), random)]
  const counts = new Int32Array(target.labels.length)
  for (const index of target.classes) counts[index] = (counts[index] ?? 0) + 1
  const groups = Array.from(counts, (count) => new Int32Array(count))
  counts.fill(0)
  for (const [row, index] of target.classes.entries()) {
    const at = counts[index] ?? 0
    const group = groups[index]
    if (group !== undefined) group[at] = row
    counts[index] = at + 1
  }
  return groups.map((group) => shuffled(group, random))
}

/** About `count` rows in ascending order, of each class its share and two at least; all rows where there are no more. */
export function sampleRows(target: Target, rows: number, count: number, seed: number): Int32Array {
  if (rows <= count) return allRows(rows)
  const strata = strataOf(target, rows, createRandom(seed))
  const shares = strata.map((group) => group.subarray(0, Math.max(2, Math.round((group.length * count) / rows))))
  return Int32Array.from(shares.flatMap((share) => [...share])).sort()
}

/** Cuts the rows into `count` parts that hold of each class the same share, give or take one row. */
export function cutFolds(target: Target, rows: number, count: number, seed: number): readonly Int32Array[] {
  const foldOf = new Int32Array(rows)
  let next = 0
  for (const group of strataOf(target, rows, createRandom(seed))) {
    for (const row of group) foldOf[row] = next++ % count
  }
  const all = allRows(rows)
  return Array.from({ length: count }, (_, fold) => all.filter((row) => foldOf[row] === fold))
}

/** Cuts the rows into `count` parts of rows that stand together, of one length, give or take one row. */
export const cutBlocks = (rows: number, count: number): readonly Int32Array[] =>
  Array.from({ length: count }, (_, block) => {
    const [from, to] = [block, block + 1].map((border) => Math.round((rows * border) / count))
    return allRows(rows).subarray(from, to)
  })

/** About this share of the rows in ascending order, of each class the same, give or take one row. */
export function cutShare(target: Target, rows: number, share: number, seed: number): Int32Array {
  const isHeld = new Uint8Array(rows)
  // A sum of shares that is whole but for its last digits is taken for whole.
  const below = (count: number): number => Math.ceil(count * share - 1e-9)
  let next = 0
  for (const group of strataOf(target, rows, createRandom(seed))) {
    for (const row of group) {
      if (below(next + 1) > below(next)) isHeld[row] = 1
      next += 1
    }
  }
  return allRows(rows).filter((row) => isHeld[row] === 1)
}

const allRows = (rows: number): Int32Array => Int32Array.from({ length: rows }, (_, row) => row)

function shuffled(rows: Int32Array, random: Random): Int32Array {
  shuffle(rows, random)
  return rows
}
