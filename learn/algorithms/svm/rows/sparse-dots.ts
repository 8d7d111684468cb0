/** dots[j - from] = spread . row order[j] of a sparse matrix, for j in from..to; `spread` holds the one row densely. */
export function sparseDots(
  offsets: Int32Array,
  indices: Int32Array,
  values: Float64Array,
  order: Int32Array,
  spread: Float64Array,
  from: number,
  to: number,
  dots: Float64Array,
): void {
  for (let j = from; j < to; j++) {
    const row = order[j] ?? 0
    const end = offsets[row + 1] ?? 0
    let sum = 0
    for (let cell = offsets[row] ?? 0; cell < end; cell++)
      sum += (spread[indices[cell] ?? 0] ?? 0) * (values[cell] ?? 0)
    dots[j - from] = sum
  }
}
