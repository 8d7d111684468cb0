/**
 * Dense rows in blocks of eight, cell k of all eight side by side: one pass over memory, in order, serves eight sums
 * that overlap in the processor. Products are taken of two blocks at least; the last blocks are filled up with zeros.
 */
const blockRows = 8
export const fewestRows = 2 * blockRows

/** How many rows there are with those that fill the last blocks up. */
export const filledRows = (rows: number): number => Math.ceil(rows / fewestRows) * fewestRows

/** Where cell 0 of a row is; cell k is `k * blockRows` further. */
function cellOf(row: number, columns: number): number {
  const within = row % blockRows
  return (row - within) * columns + within
}

export function setBlockRow(
  blocks: Float64Array,
  row: number,
  columns: number,
  values: Float64Array,
  from: number,
): void {
  const at = cellOf(row, columns)
  for (let k = 0; k < columns; k++) blocks[at + k * blockRows] = values[from + k] ?? 0
}

export function copyBlockRow(blocks: Float64Array, row: number, columns: number, to: Float64Array): void {
  const at = cellOf(row, columns)
  for (let k = 0; k < columns; k++) to[k] = blocks[at + k * blockRows] ?? 0
}

export function squareOfBlockRow(blocks: Float64Array, row: number, columns: number): number {
  const at = cellOf(row, columns)
  let sum = 0
  for (let k = 0; k < columns; k++) sum += (blocks[at + k * blockRows] ?? 0) ** 2
  return sum
}

export function exchangeBlockRows(blocks: Float64Array, i: number, j: number, columns: number): void {
  const a = cellOf(i, columns)
  const b = cellOf(j, columns)
  for (let k = 0; k < columns * blockRows; k += blockRows) {
    const value = blocks[a + k] ?? 0
    blocks[a + k] = blocks[b + k] ?? 0
    blocks[b + k] = value
  }
}

/** dots[j - first] = x . row j, for whole blocks from row `first` to row `end` (both multiples of eight). */
export function blockDots(
  x: Float64Array,
  blocks: Float64Array,
  columns: number,
  first: number,
  end: number,
  dots: Float64Array,
): void {
  let at = first * columns
  for (let to = 0; to < end - first; to += blockRows) {
    let sum0 = 0
    let sum1 = 0
    let sum2 = 0
    let sum3 = 0
    let sum4 = 0
    let sum5 = 0
    let sum6 = 0
    let sum7 = 0
    for (let k = 0; k < columns; k++) {
      const cell = x[k] ?? 0
      sum0 += cell * (blocks[at] ?? 0)
      sum1 += cell * (blocks[at + 1] ?? 0)
      sum2 += cell * (blocks[at + 2] ?? 0)
      sum3 += cell * (blocks[at + 3] ?? 0)
      sum4 += cell * (blocks[at + 4] ?? 0)
      sum5 += cell * (blocks[at + 5] ?? 0)
      sum6 += cell * (blocks[at + 6] ?? 0)
      sum7 += cell * (blocks[at + 7] ?? 0)
      at += blockRows
    }
    dots[to] = sum0
    dots[to + 1] = sum1
    dots[to + 2] = sum2
    dots[to + 3] = sum3
    dots[to + 4] = sum4
    dots[to + 5] = sum5
    dots[to + 6] = sum6
    dots[to + 7] = sum7
  }
}
