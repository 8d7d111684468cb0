import type { Features } from '../../../dataset.ts'
import type { GraphFeatures } from '../../../onnx/features.ts'
import type { Graph, Value } from '../../../onnx/graph.ts'
import { apply, scalar } from '../../../onnx/nodes.ts'
import { type KernelSettings, kernelType } from '../settings.ts'

/** Kernel values of each input row with each support vector, `[N, vectors]`. Constant factors are taken into the vectors. */
export function addKernel(graph: Graph, input: GraphFeatures, vectors: Features, settings: KernelSettings): Value {
  const { kernel, gamma, coef0, degree } = settings
  switch (kernel) {
    case kernelType.linear:
      return input.products(vectors, 1, new Float64Array(vectors.rows))
    case kernelType.poly: {
      const base = input.products(vectors, gamma, new Float64Array(vectors.rows).fill(coef0))
      return apply(graph, 'Pow', [base, scalar(graph, degree)])
    }
    case kernelType.rbf:
      return apply(graph, 'Exp', [apply(graph, 'Mul', [input.squaredDistances(vectors), scalar(graph, -gamma)])])
    case kernelType.sigmoid:
      return apply(graph, 'Tanh', [input.products(vectors, gamma, new Float64Array(vectors.rows).fill(coef0))])
  }
}
