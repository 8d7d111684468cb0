import type { GraphFeatures } from '../../onnx/features.ts'
import type { Graph, Outputs, Value } from '../../onnx/graph.ts'
import { apply, scalar } from '../../onnx/nodes.ts'
import type { KMeansModel } from './model.ts'
import { kernels } from './parameters.ts'

/** Computes in float64. The label is the cluster's number (int64), the score the distances to all centres, `[N, k]`. */
export function addKMeansGraph(graph: Graph, input: GraphFeatures, model: KMeansModel): Outputs {
  const { space, k, columns } = model
  const squared =
    space.kind === 'linear'
      ? input.squaredDistances({ rows: k, columns, values: space.centers })
      : kernelDistances(graph, input, model, space)
  const label = apply(graph, 'ArgMin', [squared], { axis: { int: 1 }, keepdims: { int: 0 } })
  const score = apply(graph, 'Sqrt', [apply(graph, 'Max', [squared, scalar(graph, 0)])])
  return { label, score }
}

type Kernelized = Extract<KMeansModel['space'], { kind: 'kernel' }>

/** `[N, k]`: K(x, x) - 2 mean of K(x, landmark) + |centre|^2. */
function kernelDistances(graph: Graph, input: GraphFeatures, { k, columns }: KMeansModel, space: Kernelized): Value {
  const count = space.labels.length
  const sizes = new Int32Array(k)
  for (const label of space.labels) sizes[label] = (sizes[label] ?? 0) + 1
  const shares = new Float64Array(count * k)
  for (const [i, label] of space.labels.entries()) shares[i * k + label] = -2 / (sizes[label] ?? 1)
  const { own, others } = kernelOf(graph, input, columns, space)
  const means = apply(graph, 'MatMul', [others, graph.constant(shares, [count, k])])
  const centered = apply(graph, 'Add', [means, graph.constant(space.squaredNorms, [k])])
  return apply(graph, 'Add', [centered, own])
}

/** K(x, x) as `[N, 1]` and K(x, landmark) as `[N, landmarks]`. */
function kernelOf(
  graph: Graph,
  input: GraphFeatures,
  columns: number,
  { kernel, landmarks, labels }: Kernelized,
): { own: Value; others: Value } {
  const count = labels.length
  if (kernel.type === kernels.RBF) {
    const squared = apply(graph, 'Max', [
      input.squaredDistances({ rows: count, columns, values: landmarks }),
      scalar(graph, 0),
    ])
    const others = apply(graph, 'Exp', [apply(graph, 'Mul', [squared, scalar(graph, -kernel.gamma)])])
    return { own: scalar(graph, 1), others }
  }
  const transform = (products: Value): Value => {
    const scaled = apply(graph, 'Mul', [products, scalar(graph, kernel.gamma)])
    const affine = apply(graph, 'Add', [scaled, scalar(graph, kernel.coef0)])
    if (kernel.type === kernels.SIGMOID) return apply(graph, 'Tanh', [affine])
    return apply(graph, 'Pow', [affine, scalar(graph, kernel.degree)])
  }
  const others = input.products({ rows: count, columns, values: landmarks }, 1, new Float64Array(count))
  return { own: transform(input.squares()), others: transform(others) }
}
