import { binOf, boundedMiddle } from '../../../sql/schema/statistics/bins.ts'

type Numeric = number | bigint

/** Numbers of values by bin, in the order of the bins, of which quantiles are made. */
export type BinCounts = readonly [
  total: number,
  min: Numeric | null,
  max: Numeric | null,
  bins: readonly number[],
  counts: readonly number[],
]

/** Bins of one row: 64 powers of two that are filled densely. Beyond it the two nearest to zero become one. */
const maxBins = 4_096

export const noBins: BinCounts = [0, null, null, [], []]

/** The index of the first bin that is not below one. */
function indexOf(bins: readonly number[], bin: number): number {
  let [from, to] = [0, bins.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((bins[middle] ?? 0) < bin) from = middle + 1
    else to = middle
  }
  return from
}

export function withNumber([total, min, max, bins, counts]: BinCounts, value: Numeric): BinCounts {
  const bin = binOf(Number(value))
  const index = indexOf(bins, bin)
  const isThere = bins[index] === bin
  const [least, most] = [min === null || value < min ? value : min, max === null || value > max ? value : max]
  if (isThere) return [total + 1, least, most, bins, counts.with(index, (counts[index] ?? 0) + 1)]
  return bounded([total + 1, least, most, bins.toSpliced(index, 0, bin), counts.toSpliced(index, 0, 1)])
}

function bounded(state: BinCounts): BinCounts {
  const [total, min, max, bins, counts] = state
  if (bins.length <= maxBins) return state
  const zero = indexOf(bins, 0)
  // Of the pair beside zero the outer bin stays.
  const gone = zero === bins.length ? zero - 1 : zero
  const into = gone + 1 < bins.length ? gone + 1 : gone - 1
  const joined = counts.with(into, (counts[into] ?? 0) + (counts[gone] ?? 0))
  return bounded([total, min, max, bins.toSpliced(gone, 1), joined.toSpliced(gone, 1)])
}

/** The values of two sets together. */
export function mergeBins(left: BinCounts, right: BinCounts): BinCounts {
  const [total1, min1, max1, bins1, counts1] = left
  const [total2, min2, max2, bins2, counts2] = right
  if (total1 === 0) return right
  if (total2 === 0) return left
  const bins: number[] = []
  const counts: number[] = []
  for (let [i, j] = [0, 0]; i < bins1.length || j < bins2.length; ) {
    const bin = Math.min(bins1[i] ?? Number.POSITIVE_INFINITY, bins2[j] ?? Number.POSITIVE_INFINITY)
    const [isLeft, isRight] = [bins1[i] === bin, bins2[j] === bin]
    bins.push(bin)
    counts.push((isLeft ? (counts1[i] ?? 0) : 0) + (isRight ? (counts2[j] ?? 0) : 0))
    if (isLeft) i++
    if (isRight) j++
  }
  return bounded([
    total1 + total2,
    min1 === null || (min2 !== null && min2 < min1) ? min2 : min1,
    max1 === null || (max2 !== null && max2 > max1) ? max2 : max1,
    bins,
    counts,
  ])
}

/** Goes on with the bins that ClickHouse has merged. */
export function binsFrom(
  merged: readonly (readonly [bin: number, count: number])[],
  min: Numeric | null,
  max: Numeric | null,
): BinCounts {
  const sorted = merged.toSorted(([a], [b]) => a - b)
  const counts = sorted.map(([, count]) => Number(count))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return bounded([total, min, max, sorted.map(([bin]) => bin), counts])
}

/** The middle of the first bin up to which there is this share of the values, which ClickHouse rounds up, too. */
export function quantileOf([total, min, max, bins, counts]: BinCounts, level: number): Numeric | undefined {
  if (min === null || max === null) return undefined
  if (min === max) return min
  let left = Math.ceil(total * level)
  for (const [index, count] of counts.entries()) {
    left -= count
    if (left <= 0) return boundedMiddle(bins[index] ?? 0, Number(min), Number(max))
  }
  return max
}
