import type { Graph, Outputs, Value } from '../../onnx/graph.ts'
import { apply, integers, scalar } from '../../onnx/nodes.ts'
import { squaredDistances } from '../../onnx/squared-distances.ts'
import { transposed } from '../../onnx/vectors.ts'
import type { KMeansModel } from './model.ts'
import { kernels } from './parameters.ts'

/** In float64. The label is the cluster's number (int64), the score the distances to all centres, `[N, k]`. */
export function addKMeansGraph(graph: Graph, input: Value, model: KMeansModel): Outputs {
  const { space, k, columns } = model
  const squared =
    space.kind === 'linear'
      ? squaredDistances(graph, input, { rows: k, columns, values: space.centers })
      : kernelDistances(graph, input, model, space)
  const label = apply(graph, 'ArgMin', [squared], { axis: { int: 1 }, keepdims: { int: 0 } })
  const score = apply(graph, 'Sqrt', [apply(graph, 'Max', [squared, scalar(graph, 0)])])
  return { label, score }
}

type Kernelized = Extract<KMeansModel['space'], { kind: 'kernel' }>

/** `[N, k]`: K(x, x) - 2 mean of K(x, landmark) + |centre|^2. */
function kernelDistances(graph: Graph, input: Value, { k, columns }: KMeansModel, space: Kernelized): Value {
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
  input: Value,
  columns: number,
  { kernel, landmarks, labels }: Kernelized,
): { own: Value; others: Value } {
  const count = labels.length
  if (kernel.type === kernels.RBF) {
    const squared = apply(graph, 'Max', [
      squaredDistances(graph, input, { rows: count, columns, values: landmarks }),
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
  const norms = apply(graph, 'ReduceSum', [apply(graph, 'Mul', [input, input]), integers(graph, 1)])
  const matrix = graph.constant(transposed({ rows: count, columns, values: landmarks }), [columns, count])
  return { own: transform(norms), others: transform(apply(graph, 'MatMul', [input, matrix])) }
}
