import { type Features, isSparse } from '../dataset.ts'
import type { Graph, Value } from './graph.ts'
import { apply, integers } from './nodes.ts'
import { squaredDistances } from './squared-distances.ts'
import { squaresOf, transposed } from './vectors.ts'

/** The encoded features of `[N]` rows in a graph, all in float64, and the sums that models take of them. */
export type GraphFeatures = {
  /** `[N, columns]`. */
  readonly all: () => Value
  /** `[N, outputs]`: x . matrix + offsets, of a matrix `[columns, outputs]` row-major. */
  readonly affine: (matrix: Float64Array, offsets: Float64Array) => Value
  /** `[N, vectors]`: factor * x . v + offset, of each vector. */
  readonly products: (vectors: Features, factor: number, offsets: Float64Array) => Value
  /** `[N, vectors]`: |x - v|^2. */
  readonly squaredDistances: (vectors: Features) => Value
  /** `[N, 1]`: x . x. */
  readonly squares: () => Value
}

/** Of one value that holds all columns. */
export function plainFeatures(graph: Graph, value: Value): GraphFeatures {
  const affine = (matrix: Float64Array, offsets: Float64Array): Value => {
    const outputs = offsets.length
    const factors = graph.constant(matrix, [matrix.length / outputs, outputs])
    return apply(graph, 'Gemm', [value, factors, graph.constant(offsets, [outputs])])
  }
  const products = (vectors: Features, factor: number, offsets: Float64Array): Value =>
    affine(
      transposed(vectors).map((cell) => factor * cell),
      offsets,
    )
  const squares = (): Value => apply(graph, 'ReduceSum', [apply(graph, 'Mul', [value, value]), integers(graph, 1)])
  return {
    all: () => value,
    affine,
    products,
    squaredDistances: (vectors) => {
      // Sparse vectors have 0 as their origin, which keeps their zeros.
      if (isSparse(vectors)) return apply(graph, 'Add', [products(vectors, -2, squaresOf(vectors)), squares()])
      return squaredDistances(graph, value, vectors)
    },
    squares,
  }
}
