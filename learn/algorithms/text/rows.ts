/**
 * Hashed features are spread over 2^bits buckets, of which training sees a part: those get the rows 1, 2, ... of the
 * weights, in ascending order. Row 0 holds zeros and stands for features that training did not see.
 */
export type Rows = { readonly bits: number; readonly count: number; readonly ofBucket: Int32Array }

/** `seen[bucket]` is how often training saw it; less than `min` times is as good as never. */
export function numberRows(seen: Int32Array, bits: number, min: number): Rows {
  const ofBucket = new Int32Array(seen.length)
  let count = 1
  for (let bucket = 0; bucket < seen.length; bucket += 1) {
    if ((seen[bucket] ?? 0) < min) continue
    ofBucket[bucket] = count
    count += 1
  }
  return { bits, count, ofBucket }
}

/** The table for the graph: one entry more than there are buckets, so that the entry 2^bits can fill up a short row. */
export function rowTable({ ofBucket }: Rows): Int32Array {
  const table = new Int32Array(ofBucket.length + 1)
  table.set(ofBucket)
  return table
}
