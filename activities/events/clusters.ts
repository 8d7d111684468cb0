/** A cluster stands apart from the rest where the gap beside it is this many times as wide as the cluster. */
export const apartWidths = 16
/** Fewer values are single ones. */
export const minCluster = 3

/** Values close to each other, in order. `width` is their range, or the least step between values where they are all equal. */
export type Cluster = {
  readonly values: readonly number[]
  readonly median: number
  readonly deviation: number
  readonly width: number
}

/** The clusters into which values fall: one, where they lie about each other as those of one distribution do. */
export function clustersOf(values: readonly number[], beside: readonly number[]): Cluster[] {
  const sorted = values.toSorted((a, b) => a - b)
  const step = minStep([...sorted, ...beside].sort((a, b) => a - b))
  return split(sorted, step).map((cluster) => described(cluster, step))
}

function split(sorted: readonly number[], step: number): (readonly number[])[] {
  const widthUpTo = (first: number, last: number): number =>
    last - first + 1 < minCluster ? Infinity : Math.max(between(sorted, first, last), step)
  let [cut, max] = [0, apartWidths]
  for (let at = 1; at < sorted.length; at++) {
    const width = Math.min(widthUpTo(0, at - 1), widthUpTo(at, sorted.length - 1))
    const widths = between(sorted, at - 1, at) / width
    if (widths > max) [cut, max] = [at, widths]
  }
  return cut === 0 ? [sorted] : [...split(sorted.slice(0, cut), step), ...split(sorted.slice(cut), step)]
}

function described(sorted: readonly number[], step: number): Cluster {
  const median = middle(sorted)
  const range = between(sorted, 0, sorted.length - 1)
  const scatter = middle(sorted.map((value) => Math.abs(value - median)).sort((a, b) => a - b))
  return {
    values: sorted,
    median,
    deviation: Math.max(scatter, range / 64, Math.abs(median) * 1e-6),
    width: Math.max(range, step),
  }
}

function minStep(sorted: readonly number[]): number {
  let min = Infinity
  for (let at = 1; at < sorted.length; at++) {
    const step = between(sorted, at - 1, at)
    if (step > 0 && step < min) min = step
  }
  return min
}

const between = (sorted: readonly number[], from: number, to: number): number => (sorted[to] ?? 0) - (sorted[from] ?? 0)
const middle = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0
