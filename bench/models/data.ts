import { createRandom } from '../../learn/random.ts'

/** Row-major numbers with a class each, 0 or 1. */
export type Points = { readonly columns: number; readonly values: Float64Array; readonly classes: Int32Array }

/** Points in [-1, 1] whose class a curved border decides, but for one in twenty that is turned over. */
export function createPoints(rows: number, columns: number, seed: number): Points {
  const { uniform } = createRandom(seed)
  const values = new Float64Array(rows * columns)
  const classes = new Int32Array(rows)
  for (let row = 0; row < rows; row++) {
    let height = 0
    for (let column = 0; column < columns; column++) {
      // As text with four decimals gives it, so that every reader has the same numbers.
      const value = Math.round((uniform() * 2 - 1) * 1e4) / 1e4
      values[row * columns + column] = value
      height += (column % 2 === 0 ? value : value * value - 1 / 3) / (1 + (column % 5))
    }
    const isTurned = uniform() < 0.05
    classes[row] = height > 0 !== isTurned ? 1 : 0
  }
  return { columns, values, classes }
}

/** One row a line, its class last where it is wanted. */
export function csvOf({ columns, values, classes }: Points, hasClass: boolean): string {
  const lines = Array.from(classes, (label, row) => {
    const cells = values.subarray(row * columns, (row + 1) * columns).join(',')
    return hasClass ? `${cells},${label}` : cells
  })
  return `${lines.join('\n')}\n`
}

/** The text that svm-train reads. */
export function svmTextOf({ columns, values, classes }: Points): string {
  const lines = Array.from(classes, (label, row) => {
    const cells = values.subarray(row * columns, (row + 1) * columns)
    return `${label} ${Array.from(cells, (value, column) => `${column + 1}:${value}`).join(' ')}`
  })
  return `${lines.join('\n')}\n`
}

export const attributesOf = (columns: number) => [
  ...Array.from({ length: columns }, (_, i) => ({ name: `x${i}`, position: i, type: 'DOUBLE' })),
  { name: 'label', position: columns, type: 'LONG' },
]
