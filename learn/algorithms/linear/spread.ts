import { type Features, isSparse } from '../../dataset.ts'

/** The standard deviation of each column. */
export function spreadOf(features: Features): Float64Array {
  const { rows, columns, values } = features
  const means = new Float64Array(columns)
  const squares = new Float64Array(columns)
  // Welford's way keeps digits; of sparse rows the zeros that are not stored are added at the end.
  const counts = new Float64Array(columns)
  for (let cell = 0; cell < values.length; cell += 1) {
    const value = values[cell] ?? 0
    const column = isSparse(features) ? (features.indices[cell] ?? 0) : cell % columns
    const count = (counts[column] ?? 0) + 1
    const mean = means[column] ?? 0
    const moved = mean + (value - mean) / count
    counts[column] = count
    means[column] = moved
    squares[column] = (squares[column] ?? 0) + (value - mean) * (value - moved)
  }
  return squares.map((square, column) => {
    const [count, mean] = [counts[column] ?? 0, means[column] ?? 0]
    const zeros = rows - count
    return rows === 0 ? 0 : Math.sqrt((square + (mean * mean * count * zeros) / rows) / rows)
  })
}
