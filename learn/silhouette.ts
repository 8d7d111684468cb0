import { copyRow } from './algorithms/copy-row.ts'
import type { Features } from './dataset.ts'

/** A sample of more cells, or of more rows with each other, would cost more than the figure is worth. */
const maxCells = 500_000
const maxSteps = 400_000_000

/** How many rows of so many columns are compared with each other. */
export const silhouetteRows = (rows: number, columns: number): number =>
  Math.floor(Math.min(rows, maxCells / columns, Math.sqrt(maxSteps / columns), 2000))

/**
 * The mean silhouette (Rousseeuw, 1987) of rows in clusters: (b - a) / max(a, b), a being the mean distance to the rows of
 * the own cluster and b that to those of the nearest other one; a row alone in its cluster counts 0. Undefined with fewer
 * than two clusters that have rows.
 */
export function silhouetteOf(features: Features, clusters: ArrayLike<number>): number | undefined {
  const { rows, columns } = features
  const used = new Set(Array.from(clusters))
  if (used.size < 2) return undefined
  const places = new Map([...used].map((cluster, place) => [cluster, place]))
  const own = Int32Array.from(clusters, (cluster) => places.get(cluster) ?? 0)
  const counts = new Int32Array(used.size)
  for (const place of own) counts[place] = (counts[place] ?? 0) + 1
  const values = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row += 1) copyRow(features, row, values.subarray(row * columns, (row + 1) * columns))

  const sums = new Float64Array(rows * used.size)
  const add = (row: number, other: number, distance: number): void => {
    const at = row * used.size + (own[other] ?? 0)
    sums[at] = (sums[at] ?? 0) + distance
  }
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < i; j += 1) {
      let squares = 0
      for (let column = 0; column < columns; column += 1) {
        squares += ((values[i * columns + column] ?? 0) - (values[j * columns + column] ?? 0)) ** 2
      }
      const distance = Math.sqrt(squares)
      add(i, j, distance)
      add(j, i, distance)
    }
  }
  let total = 0
  for (let row = 0; row < rows; row += 1) {
    const place = own[row] ?? 0
    const beside = (counts[place] ?? 0) - 1
    if (beside === 0) continue
    const within = (sums[row * used.size + place] ?? 0) / beside
    let nearest = Infinity
    for (let other = 0; other < used.size; other += 1) {
      if (other === place) continue
      nearest = Math.min(nearest, (sums[row * used.size + other] ?? 0) / (counts[other] ?? 1))
    }
    const larger = Math.max(within, nearest)
    if (larger > 0) total += (nearest - within) / larger
  }
  return total / rows
}
