import { fewestCells, vectorModule } from '../../vector-module.ts'
import { blockDotsModule } from './block-dots.ts'
import { blockDots, filledRows } from './blocks.ts'

/** Where dense rows lie in blocks, beside a row to multiply them with and room for the products. */
export type BlockSpace = {
  readonly blocks: Float64Array
  readonly x: Float64Array
  readonly dots: Float64Array
  /** dots[j - first] = x . row j up to row `end`; `first` is a multiple of `fewestRows`. */
  readonly multiply: (first: number, end: number) => void
}

type Dots = (row: number, blocks: number, columns: number, count: number, dots: number) => void
const open = vectorModule<{ readonly dots: Dots }>(blockDotsModule)

const cellBytes = Float64Array.BYTES_PER_ELEMENT

/** Products by WebAssembly, which are three times as fast; by plain code, with the same bits, where that does not pay or there is no room. */
export function createBlockSpace(rows: number, columns: number): BlockSpace {
  const cells = filledRows(rows) * columns
  return (cells < fewestCells ? undefined : vectorSpace(rows, columns)) ?? plainSpace(rows, columns)
}

export function plainSpace(rows: number, columns: number): BlockSpace {
  const filled = filledRows(rows)
  const blocks = new Float64Array(filled * columns)
  const x = new Float64Array(columns)
  const dots = new Float64Array(filled)
  return { blocks, x, dots, multiply: (first, end) => blockDots(x, blocks, columns, first, filledRows(end), dots) }
}

/** Undefined where the process is given no such memory. */
export function vectorSpace(rows: number, columns: number): BlockSpace | undefined {
  const filled = filledRows(rows)
  const cells = filled * columns
  const opened = open((cells + columns + filled) * cellBytes)
  if (opened === undefined) return undefined
  const { buffer, functions } = opened
  const [blocksAt, xAt, dotsAt] = [0, cells * cellBytes, (cells + columns) * cellBytes]
  return {
    blocks: new Float64Array(buffer, blocksAt, cells),
    x: new Float64Array(buffer, xAt, columns),
    dots: new Float64Array(buffer, dotsAt, filled),
    multiply: (first, end) =>
      functions.dots(xAt, blocksAt + first * columns * cellBytes, columns, filledRows(end) - first, dotsAt),
  }
}
