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

/** By row its group, or its place in the order of time: rows of which one gives another away, so that no fold may part them. */
export type Together = { readonly by: 'group' | 'time'; readonly of: Int32Array }

/** Of some rows, in their order. */
export const selectTogether = (together: Together | undefined, rows: Int32Array): Together | undefined =>
  together && { ...together, of: rows.map((row) => together.of[row] ?? 0) }

/** By row its group, where rows are held together by groups. */
export const groupsOf = (together: Together | undefined): Int32Array | undefined =>
  together?.by === 'group' ? together.of : undefined

/** Groups drawn by chance until their rows are nearest to the share: one at least, and never all. */
export function drawGroups(of: Int32Array, share: number, random: Random): ReadonlySet<number> {
  const sizes = new Int32Array(of.reduce((max, group) => Math.max(max, group), -1) + 1)
  for (const group of of) sizes[group] = (sizes[group] ?? 0) + 1
  const order = Int32Array.from(sizes.keys())
  shuffle(order, random)
  const wanted = share * of.length
  const chosen = new Set<number>()
  let held = 0
  for (const group of order) {
    const more = held + (sizes[group] ?? 0)
    if (more === of.length || Math.abs(more - wanted) >= Math.abs(held - wanted)) continue
    chosen.add(group)
    held = more
  }
  // Where each group alone is too great, the smallest one is held out.
  if (chosen.size === 0)
    chosen.add(sizes.indexOf(sizes.reduce((min, size) => (size > 0 ? Math.min(min, size) : min), of.length)))
  return chosen
}

/** Cuts the rows into at most `count` folds: of whole groups, or of rows that follow each other in time. */
export function cutTogether({ by, of }: Together, count: number): readonly Int32Array[] {
  const foldOf = by === 'time' ? foldsOfTime(of, count) : foldsOfGroups(of, count)
  const all = allRows(of.length)
  const folds = Array.from({ length: count }, (_, fold) => all.filter((row) => foldOf[row] === fold))
  return folds.filter(({ length }) => length > 0)
}

/** Stretches of one length, give or take one row. */
function foldsOfTime(of: Int32Array, count: number): Int32Array {
  const foldOf = new Int32Array(of.length)
  const order = allRows(of.length).sort((a, b) => (of[a] ?? 0) - (of[b] ?? 0) || a - b)
  for (const [place, row] of order.entries()) foldOf[row] = Math.floor((place * count) / of.length)
  return foldOf
}

/** The largest group first, each to the fold that has the fewest rows. */
function foldsOfGroups(of: Int32Array, count: number): Int32Array {
  const sizes = new Map<number, number>()
  for (const group of of) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const filled = new Int32Array(count)
  const foldOfGroup = new Map<number, number>()
  for (const [group, size] of [...sizes].sort(([a, one], [b, other]) => other - one || a - b)) {
    const fold = filled.indexOf(filled.reduce((min, rows) => Math.min(min, rows)))
    foldOfGroup.set(group, fold)
    filled[fold] = (filled[fold] ?? 0) + size
  }
  return of.map((group) => foldOfGroup.get(group) ?? 0)
}

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
