import { type Graph, type Outputs, single, type Value } from '../../onnx/graph.ts'
import type { KMeansModel } from './model.ts'
import { kernels } from './parameters.ts'

/** In float64. The label is the cluster's number (int64), the score the distances to all centres, `[N, k]`. */
export function addKMeansGraph(graph: Graph, input: Value, model: KMeansModel): Outputs {
  const { space } = model
  const squared =
    space.kind === 'linear' ? linearDistances(graph, input, model, space) : kernelDistances(graph, input, model, space)
  const label = single(graph.node('ArgMin', [squared], { axis: { int: 1 }, keepdims: { int: 0 } }))
  const score = single(graph.node('Sqrt', [single(graph.node('Max', [squared, scalar(graph, 0)]))]))
  return { label, score }
}

type Linear = Extract<KMeansModel['space'], { kind: 'linear' }>
type Kernelized = Extract<KMeansModel['space'], { kind: 'kernel' }>

function linearDistances(graph: Graph, input: Value, { k, columns }: KMeansModel, { centers }: Linear): Value {
  return squaredDistances(graph, input, centers, k, columns)
}

/** `[N, count]`: |x|^2 - 2 x'b + |b|^2 of vectors `[count, columns]`, with the vectors' mean as the origin: fewer digits cancel. */
function squaredDistances(graph: Graph, input: Value, vectors: Float64Array, count: number, columns: number): Value {
  const origin = meanOf(vectors, count, columns)
  const moved = vectors.map((value, cell) => value - (origin[cell % columns] ?? 0))
  const x = single(graph.node('Sub', [input, graph.constant(origin, [columns])]))
  const norms = single(
    graph.node('ReduceSum', [single(graph.node('Mul', [x, x])), graph.constant(BigInt64Array.of(1n), [1])]),
  )
  const products = single(
    graph.node('MatMul', [
      x,
      graph.constant(
        transpose(
          moved.map((v) => -2 * v),
          count,
          columns,
        ),
        [columns, count],
      ),
    ]),
  )
  const own = graph.constant(squaredNorms(moved, count, columns), [count])
  return single(graph.node('Add', [single(graph.node('Add', [products, own])), norms]))
}

/** `[N, k]`: K(x, x) - 2 mean of K(x, landmark) + |centre|^2. */
function kernelDistances(graph: Graph, input: Value, { k, columns }: KMeansModel, space: Kernelized): Value {
  const count = space.labels.length
  const sizes = new Int32Array(k)
  for (const label of space.labels) sizes[label] = (sizes[label] ?? 0) + 1
  const shares = new Float64Array(count * k)
  for (const [i, label] of space.labels.entries()) shares[i * k + label] = -2 / (sizes[label] ?? 1)
  const { own, others } = kernelOf(graph, input, columns, space)
  const means = single(graph.node('MatMul', [others, graph.constant(shares, [count, k])]))
  const centered = single(graph.node('Add', [means, graph.constant(space.squaredNorms, [k])]))
  return single(graph.node('Add', [centered, own]))
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
    const squared = single(
      graph.node('Max', [squaredDistances(graph, input, landmarks, count, columns), scalar(graph, 0)]),
    )
    const others = single(graph.node('Exp', [single(graph.node('Mul', [squared, scalar(graph, -kernel.gamma)]))]))
    return { own: scalar(graph, 1), others }
  }
  const transform = (products: Value): Value => {
    const scaled = single(graph.node('Mul', [products, scalar(graph, kernel.gamma)]))
    const affine = single(graph.node('Add', [scaled, scalar(graph, kernel.coef0)]))
    if (kernel.type === kernels.SIGMOID) return single(graph.node('Tanh', [affine]))
    return single(graph.node('Pow', [affine, scalar(graph, kernel.degree)]))
  }
  const norms = single(
    graph.node('ReduceSum', [single(graph.node('Mul', [input, input])), graph.constant(BigInt64Array.of(1n), [1])]),
  )
  const matrix = graph.constant(transpose(landmarks, count, columns), [columns, count])
  return { own: transform(norms), others: transform(single(graph.node('MatMul', [input, matrix]))) }
}

function scalar(graph: Graph, value: number): Value {
  return graph.constant(Float64Array.of(value), [])
}

function meanOf(vectors: Float64Array, count: number, columns: number): Float64Array {
  const mean = new Float64Array(columns)
  for (const [cell, value] of vectors.entries()) mean[cell % columns] = (mean[cell % columns] ?? 0) + value / count
  return mean
}

function squaredNorms(vectors: Float64Array, count: number, columns: number): Float64Array {
  const norms = new Float64Array(count)
  for (const [cell, value] of vectors.entries()) {
    const row = Math.floor(cell / columns)
    norms[row] = (norms[row] ?? 0) + value * value
  }
  return norms
}

/** `[count, columns]` to `[columns, count]`. */
function transpose(vectors: Float64Array, count: number, columns: number): Float64Array {
  return Float64Array.from(
    { length: vectors.length },
    (_, cell) => vectors[(cell % count) * columns + Math.floor(cell / count)] ?? 0,
  )
}
