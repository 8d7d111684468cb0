/** A row that the caller fills: `row` is known up to `from`. */
export type CachedRow = { readonly row: Float32Array; readonly from: number }

type Entry = { row: Float32Array; known: number; older: number; newer: number }

/**
 * Keeps the kernel rows used last within `megabytes`, each as long as it was asked for (variables set aside
 * need no values), two at least. A row that is pushed out hands its memory to the next one.
 */
export function createRowCache(length: number, megabytes: number) {
  const budget = Math.max((megabytes * 2 ** 20) / Float32Array.BYTES_PER_ELEMENT, 2 * length)
  const end = length
  const entries: Entry[] = Array.from({ length: length + 1 }, (_, i) => ({
    row: nothing,
    known: 0,
    older: i,
    newer: i,
  }))
  let used = 0

  const at = (i: number): Entry => entries[i] ?? missing()
  const unlink = (entry: Entry): void => {
    at(entry.older).newer = entry.newer
    at(entry.newer).older = entry.older
  }
  const linkNewest = (i: number): void => {
    const entry = at(i)
    const ring = at(end)
    entry.newer = end
    entry.older = ring.older
    at(ring.older).newer = i
    ring.older = i
  }
  const drop = (i: number): Float32Array => {
    const entry = at(i)
    const { row } = entry
    unlink(entry)
    used -= row.length
    entry.row = nothing
    entry.known = 0
    return row
  }
  /** Memory for `size` values, at the cost of the oldest rows. */
  const claim = (size: number): Float32Array => {
    let row: Float32Array = nothing
    while (used + size > budget && at(end).newer !== end) {
      row = drop(at(end).newer)
      if (row.length >= size && row.length <= size * 1.25 && used + row.length <= budget) break
    }
    if (row.length < size || row.length > size * 1.25) row = new Float32Array(size)
    used += row.length
    return row
  }

  /** The row with room for `size` values, and how many of them are known already: all of them when `from` is `size`. */
  const take = (i: number, size: number): CachedRow => {
    const entry = at(i)
    const from = Math.min(entry.known, size)
    if (entry.known > 0) unlink(entry)
    if (entry.row.length < size) {
      const before = entry.row
      used -= before.length
      entry.row = nothing
      const row = claim(size)
      row.set(before.subarray(0, entry.known))
      entry.row = row
    }
    entry.known = Math.max(entry.known, size)
    linkNewest(i)
    return { row: entry.row, from }
  }

  /** Follows exchanges of variables (pairs, one after the other) within and among the rows. */
  const exchange = (pairs: readonly number[]): void => {
    for (let i = at(end).newer; i !== end; ) {
      const { newer } = at(i)
      const entry = at(i)
      if (!exchangeWithin(entry.row, entry.known, pairs)) drop(i)
      i = newer
    }
    for (let p = 0; p < pairs.length; p += 2) exchangeRows(pairs[p] ?? 0, pairs[p + 1] ?? 0)
  }
  const exchangeRows = (i: number, j: number): void => {
    const [a, b] = [at(i), at(j)]
    if (a.known > 0) unlink(a)
    if (b.known > 0) unlink(b)
    entries[i] = b
    entries[j] = a
    if (b.known > 0) linkNewest(i)
    if (a.known > 0) linkNewest(j)
  }

  return { take, exchange, used: () => used }
}

export type RowCache = ReturnType<typeof createRowCache>

const nothing = new Float32Array(0)

function missing(): never {
  throw new RangeError('no such row')
}

/** False: the row knows one of a pair and not the other, so it is of no use any more. */
function exchangeWithin(row: Float32Array, known: number, pairs: readonly number[]): boolean {
  for (let p = 0; p < pairs.length; p += 2) {
    const i = pairs[p] ?? 0
    const j = pairs[p + 1] ?? 0
    if (i >= known) continue
    if (j >= known) return false
    const value = row[i] ?? 0
    row[i] = row[j] ?? 0
    row[j] = value
  }
  return true
}
