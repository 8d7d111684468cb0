import { copyRow } from './algorithms/copy-row.ts'
import type { Features, Matrix } from './dataset.ts'
import type { Encoding } from './encoding/encoding.ts'
import { widthOf } from './encoding/words.ts'
import { createRandom, shuffle } from './random.ts'

/** The figure of each attribute, the greatest first. */
export type Importance = Readonly<Record<string, number>>

/** The columns from..to that an algorithm sees of an attribute. */
export type AttributeColumns = { readonly name: string; readonly from: number; readonly to: number }

/** A model with more attributes shows its most important ones. */
const shownAttributes = 100

export function attributeColumns({ numbers, words }: Encoding): readonly AttributeColumns[] {
  let next = numbers.length
  return [
    ...numbers.map(({ name }, place) => ({ name, from: place, to: place + 1 })),
    ...words.map((word) => {
      const from = next
      next += widthOf(word)
      return { name: word.name, from, to: next }
    }),
  ]
}

/** Each attribute's share of the sum over all columns. */
export function sharesOfColumns(attributes: readonly AttributeColumns[], columns: Float64Array): Importance {
  const sums = attributes.map(({ name, from, to }) => {
    let sum = 0
    for (let column = from; column < to; column += 1) sum += columns[column] ?? 0
    return { name, value: sum }
  })
  const total = sums.reduce((sum, { value }) => sum + value, 0)
  return greatestFirst(sums.map(({ name, value }) => ({ name, value: total > 0 ? value / total : 0 })))
}

/** Rows times attributes times what a prediction costs. */
const maxSteps = 1_000_000_000
const fewestRows = 20
const maxRows = 2000
const maxAttributes = 500
const maxCells = 500_000

export type Asked = {
  readonly attributes: readonly AttributeColumns[]
  /** Support vectors or the like. */
  readonly vectors: number
  /** How well the rows, as they are or shuffled, are predicted; the greater the better. */
  readonly quality: (features: Matrix) => number
}

/** How many held-out rows permutations may be tried on; 0 where they would cost too much. */
export function permutationRows(
  rows: number,
  columns: number,
  { attributes, vectors }: Omit<Asked, 'quality'>,
): number {
  if (attributes.length > maxAttributes) return 0
  const affordable = Math.floor(
    Math.min(rows, maxRows, maxCells / columns, maxSteps / (attributes.length * columns * vectors)),
  )
  return affordable < Math.min(rows, fewestRows) ? 0 : affordable
}

/** How much worse the rows are predicted when an attribute's values are those of other rows (Breiman, 2001). */
export function permutationImportance(features: Features, { attributes, quality }: Omit<Asked, 'vectors'>): Importance {
  const { rows, columns } = features
  const values = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row += 1) copyRow(features, row, values.subarray(row * columns, (row + 1) * columns))
  const best = quality({ rows, columns, values })
  const random = createRandom(1)
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  const shuffled = values.slice()
  const place = (from: number, to: number, rowOf: (row: number) => number): void => {
    for (let row = 0; row < rows; row += 1) {
      for (let column = from; column < to; column += 1) {
        shuffled[row * columns + column] = values[rowOf(row) * columns + column] ?? 0
      }
    }
  }
  return greatestFirst(
    attributes.map(({ name, from, to }) => {
      shuffle(order, random)
      place(from, to, (row) => order[row] ?? 0)
      const value = best - quality({ rows, columns, values: shuffled })
      place(from, to, (row) => row)
      return { name, value }
    }),
  )
}

const greatestFirst = (all: readonly { readonly name: string; readonly value: number }[]): Importance =>
  Object.fromEntries(
    all
      .toSorted((a, b) => b.value - a.value)
      .slice(0, shownAttributes)
      .map(({ name, value }) => [name, value]),
  )
