import { type Features, isSparse } from '../../../dataset.ts'
import type { Graph, Value } from '../../../onnx/graph.ts'
import { apply, integers, scalar } from '../../../onnx/nodes.ts'
import { squaredDistances } from '../../../onnx/squared-distances.ts'
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
    case kernelType.rbf:
      return apply(graph, 'Exp', [
        apply(graph, 'Mul', [addSquaredDistances(graph, input, vectors), scalar(graph, -gamma)]),
      ])
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

/** Sparse vectors have 0 as their origin, which keeps their zeros. */
function addSquaredDistances(graph: Graph, input: Value, vectors: Features): Value {
  if (!isSparse(vectors)) return squaredDistances(graph, input, vectors)
  const squares = apply(graph, 'ReduceSum', [apply(graph, 'Mul', [input, input]), integers(graph, 1)])
  return apply(graph, 'Add', [product(graph, input, vectors, -2, squaresOf(vectors)), squares])
}
