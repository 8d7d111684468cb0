import type { SparseMatrix } from '../../../dataset.ts'
import { createIntList } from '../int-list.ts'
import { numberRows, type Rows } from '../rows.ts'
import { type Counts, countFeatures, type FeatureScheme } from './features.ts'

/** How the graph turns counts into the numbers that are learnt from. */
export type Weighing = {
  readonly rows: Rows
  /** A row's inverse document frequency, 0 for row 0; of single precision, as in the graph. */
  readonly idf: Float32Array
}

export type WeighedTexts = { readonly weighing: Weighing; readonly features: SparseMatrix }

/** Column j of `features` is row j + 1 of the weighing. */
export function weighTexts(
  texts: readonly string[],
  scheme: FeatureScheme,
  min: number,
  beat: (share: number) => void,
): WeighedTexts {
  const seen = new Int32Array(2 ** scheme.bits)
  const [buckets, counts, ends] = [createIntList(), createIntList(), createIntList()]
  for (const [index, text] of texts.entries()) {
    const counted = countFeatures(text, scheme)
    for (const [place, bucket] of counted.buckets.entries()) {
      seen[bucket] = (seen[bucket] ?? 0) + 1
      buckets.push(bucket)
      counts.push(counted.counts[place] ?? 0)
    }
    ends.push(buckets.length())
    if (index % 256 === 0) beat(index / texts.length)
  }
  const rows = numberRows(seen, scheme.bits, min)
  const weighing = { rows, idf: idfOf(rows, seen, texts.length) }
  const all = { buckets: buckets.values(), counts: Float32Array.from(counts.values()) }
  return { weighing, features: matrixOf(all, ends.values(), weighing) }
}

/** ln((1 + texts) / (1 + texts with the feature)) + 1, as if one text more held every feature once. */
function idfOf({ ofBucket, count }: Rows, seen: Int32Array, texts: number): Float32Array {
  const idf = new Float32Array(count)
  for (const [bucket, row] of ofBucket.entries()) {
    if (row > 0) idf[row] = Math.log((1 + texts) / (1 + (seen[bucket] ?? 0))) + 1
  }
  return idf
}

function matrixOf(all: Counts, ends: Int32Array, weighing: Weighing): SparseMatrix {
  const indices = createIntList()
  const values = new Float64Array(all.buckets.length)
  const offsets = new Int32Array(ends.length + 1)
  for (const [text, end] of ends.entries()) {
    const start = text === 0 ? 0 : (ends[text - 1] ?? 0)
    const counted = { buckets: all.buckets.subarray(start, end), counts: all.counts.subarray(start, end) }
    for (const { row, value } of weigh(counted, weighing)) {
      values[indices.length()] = value
      indices.push(row - 1)
    }
    offsets[text + 1] = indices.length()
  }
  const columns = weighing.rows.count - 1
  return { rows: ends.length, columns, offsets, indices: indices.values(), values: values.slice(0, indices.length()) }
}

/** (1 + ln count) idf, divided by the length of the text's vector: features that training did not see are left out. */
export function weigh(
  { buckets, counts }: Counts,
  { rows, idf }: Weighing,
): readonly { readonly row: number; readonly value: number }[] {
  const cells: { row: number; value: number }[] = []
  let squares = 0
  for (const [place, bucket] of buckets.entries()) {
    const row = rows.ofBucket[bucket] ?? 0
    if (row === 0) continue
    const value = (1 + Math.log(counts[place] ?? 1)) * (idf[row] ?? 0)
    squares += value * value
    cells.push({ row, value })
  }
  const length = Math.sqrt(squares)
  return cells.map(({ row, value }) => ({ row, value: value / length }))
}
