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

const cellBytes = Float64Array.BYTES_PER_ELEMENT
const pageBytes = 65_536
/** The bytes that 32 bits can address. */
const maxPages = 65_535
/** A memory of WebAssembly is a page at least, which fewer cells do not repay. */
const fewestCells = 1_024

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
  const pages = Math.ceil(((cells + columns + filled) * cellBytes) / pageBytes)
  const memory = pages > maxPages ? undefined : memoryOf(pages)
  if (memory === undefined) return undefined
  const multiply = dotsOver(memory)
  const [blocksAt, xAt, dotsAt] = [0, cells * cellBytes, (cells + columns) * cellBytes]
  return {
    blocks: new Float64Array(memory.buffer, blocksAt, cells),
    x: new Float64Array(memory.buffer, xAt, columns),
    dots: new Float64Array(memory.buffer, dotsAt, filled),
    multiply: (first, end) =>
      multiply(xAt, blocksAt + first * columns * cellBytes, columns, filledRows(end) - first, dotsAt),
  }
}

type Memory = { readonly buffer: ArrayBuffer }
type Dots = (row: number, blocks: number, columns: number, count: number, dots: number) => void

/** As much of it as is used here: Node's types lack it. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly dots: Dots } }
}

function memoryOf(pages: number): Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

let compiled: object | undefined

function dotsOver(memory: Memory): Dots {
  compiled ??= new WebAssembly.Module(Buffer.from(blockDotsModule, 'base64'))
  return new WebAssembly.Instance(compiled, { rows: { memory } }).exports.dots
}
