import type { KernelFunction } from './kernel-function.ts'
import type { RowCache } from './row-cache.ts'
import { swap } from './swap.ts'
import type { Vectors } from './vectors.ts'

/** Q of the dual problem: Q[i][j] = y[i] y[j] K(i, j). Values are single precision, as LIBSVM keeps them. */
export type QuadraticMatrix = {
  readonly diagonal: Float64Array
  /** The first `length` values of row i; good until the next but one call. */
  readonly row: (i: number, length: number) => Float32Array
  /** Pairs of variables that change places, one pair after the other. */
  readonly exchange: (pairs: readonly number[]) => void
}

export type KernelParts = {
  readonly vectors: Vectors
  readonly kernel: KernelFunction
  readonly cache: RowCache
}

/** Classification and one-class: one variable a row. `y` is the solver's own, exchanged by it before `exchange`. */
export function createSignedMatrix(parts: KernelParts, y: Float64Array): QuadraticMatrix {
  const { vectors, cache } = parts
  const diagonal = kernelDiagonal(parts)
  const row = (i: number, length: number): Float32Array => {
    const cached = cache.take(i, length)
    if (cached.from < length) {
      const values = kernelRow(parts, i, cached.from, length)
      storeSigned(values, y, y[i] ?? 0, cached.from, length, cached.row)
    }
    return cached.row
  }
  const exchange = (pairs: readonly number[]): void => {
    cache.exchange(pairs)
    for (let p = 0; p < pairs.length; p += 2) {
      vectors.exchange(pairs[p] ?? 0, pairs[p + 1] ?? 0)
      swap(diagonal, pairs[p] ?? 0, pairs[p + 1] ?? 0)
    }
  }
  return { diagonal, row, exchange }
}

/** Regression: variables i and i + rows are row i, pushing up (sign 1) and down (-1). Kernel rows are kept whole. */
export function createMirroredMatrix(parts: KernelParts): QuadraticMatrix {
  const { vectors, cache } = parts
  const rows = vectors.length
  const single = kernelDiagonal(parts)
  const diagonal = Float64Array.from({ length: 2 * rows }, (_, i) => single[i % rows] ?? 0)
  const rowOf = Int32Array.from({ length: 2 * rows }, (_, i) => i % rows)
  const signs = Float64Array.from({ length: 2 * rows }, (_, i) => (i < rows ? 1 : -1))
  let current = new Float32Array(2 * rows)
  let previous = new Float32Array(2 * rows)
  const row = (i: number, length: number): Float32Array => {
    const at = rowOf[i] ?? 0
    const cached = cache.take(at, rows)
    if (cached.from < rows) {
      const values = kernelRow(parts, at, cached.from, rows)
      storePlain(values, cached.from, rows, cached.row)
    }
    const buffer = previous
    previous = current
    current = buffer
    spreadSigned(cached.row, rowOf, signs, signs[i] ?? 0, length, buffer)
    return buffer
  }
  const exchange = (pairs: readonly number[]): void => {
    for (let p = 0; p < pairs.length; p += 2) {
      const [i, j] = [pairs[p] ?? 0, pairs[p + 1] ?? 0]
      swap(rowOf, i, j)
      swap(signs, i, j)
      swap(diagonal, i, j)
    }
  }
  return { diagonal, row, exchange }
}

function kernelDiagonal({ vectors, kernel }: KernelParts): Float64Array {
  const value = new Float64Array(1)
  return Float64Array.from(vectors.squares, (square, i) => {
    value[0] = square
    kernel(value, 1, square, vectors.squares, i)
    return value[0] ?? 0
  })
}

function kernelRow({ vectors, kernel }: KernelParts, i: number, from: number, to: number): Float64Array {
  const values = vectors.dots(i, from, to)
  kernel(values, to - from, vectors.squares[i] ?? 0, vectors.squares, from)
  return values
}

function storeSigned(
  values: Float64Array,
  y: Float64Array,
  sign: number,
  from: number,
  to: number,
  row: Float32Array,
): void {
  for (let j = from; j < to; j++) row[j] = sign * (y[j] ?? 0) * (values[j - from] ?? 0)
}

function storePlain(values: Float64Array, from: number, to: number, row: Float32Array): void {
  for (let j = from; j < to; j++) row[j] = values[j - from] ?? 0
}

function spreadSigned(
  values: Float32Array,
  rowOf: Int32Array,
  signs: Float64Array,
  sign: number,
  length: number,
  out: Float32Array,
): void {
  for (let j = 0; j < length; j++) out[j] = sign * (signs[j] ?? 0) * (values[rowOf[j] ?? 0] ?? 0)
}
