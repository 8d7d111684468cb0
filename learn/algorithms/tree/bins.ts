import { Refusal } from '../../../base/refusal.ts'
import { type Features, isSparse } from '../../dataset.ts'
import { createRandom, draw } from '../../random.ts'
import { columnsOf } from '../columns.ts'
import { createRowSpace, type RowSpace } from './row-space.ts'

/** The view that splits have of a value: in which of its column's bins it lies. */
export type Bins = {
  readonly rows: number
  /** The bin of a missing value in column j is edges[j].length + 1. */
  readonly space: RowSpace
  /** By column: a value lies in bin b if it is at most edges[b] and above edges[b - 1]; the last bin has no edge. */
  readonly edges: readonly Float64Array[]
}

/** The max cells, one byte each. */
const CELLS = 1_000_000_000
const SAMPLE = 100_000

/** Edges are quantiles of a seeded sample, half-way between neighbours in it; few values get a bin each. */
export function binFeatures(features: Features, maxBins: number, beat: () => void): Bins {
  const { rows, columns } = features
  if (rows * columns > CELLS) {
    throw new Refusal(
      `trees take at most ${CELLS} cells, and ${rows} rows of ${columns} attributes are ${rows * columns}`,
    )
  }
  const sample = sampleRows(rows)
  const space = createRowSpace(rows, columns)
  const { codes } = space
  const column = new Float64Array(rows)
  const read = columnReader(features)
  const edges = Array.from({ length: columns }, (_, j) => {
    beat()
    read(j, column)
    const found = edgesOf(sample === undefined ? column.slice() : sample.map((row) => column[row] ?? 0), maxBins)
    const bin = binFinder(found)
    for (let i = 0; i < rows; i++) codes[i * columns + j] = bin(column[i] ?? 0)
    return found
  })
  return { rows, space, edges }
}

function sampleRows(rows: number): Float64Array | undefined {
  if (rows <= SAMPLE) return undefined
  const order = Int32Array.from({ length: rows }, (_, i) => i)
  draw(order, createRandom(rows), SAMPLE)
  return Float64Array.from(order.subarray(0, SAMPLE))
}

function columnReader(features: Features): (column: number, target: Float64Array) => void {
  if (!isSparse(features)) {
    const { rows, columns, values } = features
    return (j, target) => {
      for (let i = 0; i < rows; i++) target[i] = values[i * columns + j] ?? 0
    }
  }
  const { offsets, rows, values } = columnsOf(features, -1)
  return (j, target) => {
    target.fill(0)
    const end = offsets[j + 1] ?? 0
    for (let cell = offsets[j] ?? 0; cell < end; cell++) target[rows[cell] ?? 0] = values[cell] ?? 0
  }
}

/** `values` is sorted in place. */
export function edgesOf(values: Float64Array, maxBins: number): Float64Array {
  const sorted = values.sort()
  // NaN sorts last.
  let count = sorted.length
  while (count > 0 && Number.isNaN(sorted[count - 1])) count--
  const starts: number[] = []
  for (let i = 1; i < count; i++) if (sorted[i] !== sorted[i - 1]) starts.push(i)
  if (starts.length < maxBins) return Float64Array.from(starts, (i) => between(sorted[i - 1] ?? 0, sorted[i] ?? 0))

  const edges: number[] = []
  let begun = 0
  for (const start of starts) {
    // The values that are left are shared evenly by the bins that are left, so that a frequent value takes one bin and no more.
    const enough = (count - begun) / (maxBins - edges.length)
    if (start - begun < enough) continue
    edges.push(between(sorted[start - 1] ?? 0, sorted[start] ?? 0))
    begun = start
    if (edges.length === maxBins - 1) break
  }
  return Float64Array.from(edges)
}

/** A number that is at least `low` and below `high`. */
function between(low: number, high: number): number {
  const middle = low + (high - low) / 2
  return middle >= low && middle < high ? middle : low
}

/** After the bin that has no edge. */
function missingBin(edges: Float64Array): number {
  return edges.length + 1
}

/** The stretches of equal width that the values of a column are looked up by. */
const stretches = 1024

/** The bin of a value: the stretch that it lies in leaves a few edges to be compared with. */
export function binFinder(edges: Float64Array): (value: number) => number {
  const missing = missingBin(edges)
  const [min, greatest] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const factor = stretches / (greatest - min)
  const isEven = edges.length > 8 && Number.isFinite(factor) && factor > 0 && Number.isFinite(min)
  // By stretch how many edges are below it; stretch 0 begins at the least edge.
  const below = new Uint8Array(isEven ? stretches + 2 : 0)
  if (isEven) {
    const counts = new Int32Array(stretches + 2)
    for (const edge of edges) {
      const next = Math.floor((edge - min) * factor) + 1
      counts[next] = (counts[next] ?? 0) + 1
    }
    let sum = 0
    for (const [stretch, count] of counts.entries()) {
      sum += count
      below[stretch] = sum
    }
  }
  return (value) => {
    if (Number.isNaN(value)) return missing
    let low = 0
    let high = edges.length
    if (isEven) {
      if (value <= min) return 0
      if (value > greatest) return high
      const stretch = Math.floor((value - min) * factor)
      low = below[stretch] ?? 0
      high = below[stretch + 1] ?? high
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if (value <= (edges[middle] ?? 0)) high = middle
      else low = middle + 1
    }
    return low
  }
}
