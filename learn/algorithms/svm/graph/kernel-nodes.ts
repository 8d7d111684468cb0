import { type Features, isSparse } from '../../../dataset.ts'
import type { Graph, Value } from '../../../onnx/graph.ts'
import { type KernelSettings, kernelType } from '../settings.ts'
import { apply, scalar } from './nodes.ts'

/** Kernel values of each input row with each support vector, `[N, vectors]`. Constant factors are taken into the vectors. */
export function addKernel(graph: Graph, input: Value, vectors: Features, settings: KernelSettings): Value {
  const { kernel, gamma, coef0, degree } = settings
  switch (kernel) {
    case kernelType.linear:
      return product(graph, input, vectors, 1, new Float64Array(vectors.rows))
    case kernelType.poly: {
      const base = product(graph, input, vectors, gamma, new Float64Array(vectors.rows).fill(coef0))
      return apply(graph, 'Pow', [base, scalar(graph, degree)])
    }
    case kernelType.rbf: {
      const squares = apply(graph, 'ReduceSum', [
        apply(graph, 'Mul', [input, input]),
        graph.constant(BigInt64Array.of(1n), [1]),
      ])
      const offsets = squaresOf(vectors).map((square) => -gamma * square)
      const exponent = apply(graph, 'Add', [
        product(graph, input, vectors, 2 * gamma, offsets),
        apply(graph, 'Mul', [squares, scalar(graph, -gamma)]),
      ])
      return apply(graph, 'Exp', [exponent])
    }
    case kernelType.sigmoid:
      return apply(graph, 'Tanh', [product(graph, input, vectors, gamma, new Float64Array(vectors.rows).fill(coef0))])
  }
}

/** factor * input . vector + offset, for each vector. */
function product(graph: Graph, input: Value, vectors: Features, factor: number, offsets: Float64Array): Value {
  const columns = transposed(vectors).map((value) => factor * value)
  return apply(graph, 'Gemm', [
    input,
    graph.constant(columns, [vectors.columns, vectors.rows]),
    graph.constant(offsets, [vectors.rows]),
  ])
}

/** `[columns, rows]` row-major. */
export function transposed(vectors: Features): Float64Array {
  const { rows, columns } = vectors
  const values = new Float64Array(rows * columns)
  eachCell(vectors, (row, column, value) => {
    values[column * rows + row] = value
  })
  return values
}

function squaresOf(vectors: Features): Float64Array {
  const squares = new Float64Array(vectors.rows)
  eachCell(vectors, (row, _, value) => {
    squares[row] = (squares[row] ?? 0) + value * value
  })
  return squares
}

function eachCell(features: Features, see: (row: number, column: number, value: number) => void): void {
  for (let row = 0; row < features.rows; row++) {
    const from = isSparse(features) ? (features.offsets[row] ?? 0) : row * features.columns
    const to = isSparse(features) ? (features.offsets[row + 1] ?? 0) : from + features.columns
    for (let cell = from; cell < to; cell++) {
      const column = isSparse(features) ? (features.indices[cell] ?? 0) : cell - from
      see(row, column, features.values[cell] ?? 0)
    }
  }
}
