import type { Matrix } from '../../dataset.ts'
import type { Graph, Outputs, Value } from '../../onnx/graph.ts'
import { apply, integers, scalar } from '../../onnx/nodes.ts'
import { squaresOf, transposed } from '../../onnx/vectors.ts'
import type { KMeansModel } from './model.ts'
import { kernels } from './parameters.ts'

/** In float64. The label is the cluster's number (int64), the score the distances to all centres, `[N, k]`. */
export function addKMeansGraph(graph: Graph, input: Value, model: KMeansModel): Outputs {
  const { space, k, columns } = model
  const squared =
    space.kind === 'linear'
      ? squaredDistances(graph, input, space.centers, k, columns)
      : kernelDistances(graph, input, model, space)
  const label = apply(graph, 'ArgMin', [squared], { axis: { int: 1 }, keepdims: { int: 0 } })
  const score = apply(graph, 'Sqrt', [apply(graph, 'Max', [squared, scalar(graph, 0)])])
  return { label, score }
}

type Kernelized = Extract<KMeansModel['space'], { kind: 'kernel' }>

/** `[N, count]`: |x|^2 - 2 x'b + |b|^2 of vectors `[count, columns]`, with the vectors' mean as the origin: fewer digits cancel. */
function squaredDistances(graph: Graph, input: Value, vectors: Float64Array, count: number, columns: number): Value {
  const origin = meanOf(vectors, count, columns)
  const values = vectors.map((value, cell) => value - (origin[cell % columns] ?? 0))
  const moved: Matrix = { rows: count, columns, values }
  const x = apply(graph, 'Sub', [input, graph.constant(origin, [columns])])
  const norms = apply(graph, 'ReduceSum', [apply(graph, 'Mul', [x, x]), integers(graph, 1)])
  const factors = transposed(moved).map((value) => -2 * value)
  const products = apply(graph, 'MatMul', [x, graph.constant(factors, [columns, count])])
  const own = graph.constant(squaresOf(moved), [count])
  return apply(graph, 'Add', [apply(graph, 'Add', [products, own]), norms])
}

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
    const squared = apply(graph, 'Max', [squaredDistances(graph, input, landmarks, count, columns), scalar(graph, 0)])
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

function meanOf(vectors: Float64Array, count: number, columns: number): Float64Array {
  const mean = new Float64Array(columns)
  for (const [cell, value] of vectors.entries()) mean[cell % columns] = (mean[cell % columns] ?? 0) + value / count
  return mean
}
