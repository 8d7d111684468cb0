import { Refusal } from '../../../base/refusal.ts'
import { type Features, isSparse } from '../../dataset.ts'
import { createRandom, draw } from '../../random.ts'
import { columnsOf } from '../columns.ts'

/** The view that splits have of a value: in which of its column's bins it lies. */
export type Bins = {
  readonly rows: number
  /** Column-major: the bin of row i in column j is `codes[j * rows + i]`; a missing value's is edges[j].length + 1. */
  readonly codes: Uint8Array
  /** By column: a value lies in bin b if it is at most edges[b] and above edges[b - 1]; the last bin has no edge. */
  readonly edges: readonly Float64Array[]
}

/** The max cells, one byte each. */
const CELLS = 1_000_000_000
const SAMPLE = 200_000

/** Edges are quantiles of a seeded sample, half-way between neighbours in it; few values get a bin each. */
export function binFeatures(features: Features, maxBins: number, beat: () => void): Bins {
  const { rows, columns } = features
  if (rows * columns > CELLS) {
    throw new Refusal(
      `trees take at most ${CELLS} cells, and ${rows} rows of ${columns} attributes are ${rows * columns}`,
    )
  }
  const sample = sampleRows(rows)
  const codes = new Uint8Array(rows * columns)
  const column = new Float64Array(rows)
  const read = columnReader(features)
  const edges = Array.from({ length: columns }, (_, j) => {
    beat()
    read(j, column)
    const found = edgesOf(sample === undefined ? column.slice() : sample.map((row) => column[row] ?? 0), maxBins)
    for (let i = 0; i < rows; i++) codes[j * rows + i] = binOf(column[i] ?? 0, found)
    return found
  })
  return { rows, codes, edges }
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

/** At least `low` and below `high`. */
function between(low: number, high: number): number {
  const middle = low + (high - low) / 2
  return middle >= low && middle < high ? middle : low
}

/** After the bin that has no edge. */
function missingBin(edges: Float64Array): number {
  return edges.length + 1
}

export function binOf(value: number, edges: Float64Array): number {
  if (Number.isNaN(value)) return missingBin(edges)
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (value <= (edges[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
