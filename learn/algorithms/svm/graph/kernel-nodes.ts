import type { Features } from '../../../dataset.ts'
import type { Graph, Value } from '../../../onnx/graph.ts'
import { apply, scalar } from '../../../onnx/nodes.ts'
import { squaresOf, transposed } from '../../../onnx/vectors.ts'
import { type KernelSettings, kernelType } from '../settings.ts'

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
