import type { Matrix } from '../dataset.ts'
import type { Graph, Value } from './graph.ts'
import { apply, integers } from './nodes.ts'
import { squaresOf, transposed } from './vectors.ts'

/** `[N, vectors]`: |x|^2 - 2 x'b + |b|^2, with the vectors' mean as the origin: fewer digits cancel. */
export function squaredDistances(graph: Graph, input: Value, vectors: Matrix): Value {
  const { rows, columns } = vectors
  const origin = meanOf(vectors)
  const moved = { ...vectors, values: vectors.values.map((value, cell) => value - (origin[cell % columns] ?? 0)) }
  const x = apply(graph, 'Sub', [input, graph.constant(origin, [columns])])
  const norms = apply(graph, 'ReduceSum', [apply(graph, 'Mul', [x, x]), integers(graph, 1)])
  const factors = transposed(moved).map((value) => -2 * value)
  const products = apply(graph, 'MatMul', [x, graph.constant(factors, [columns, rows])])
  const own = graph.constant(squaresOf(moved), [rows])
  return apply(graph, 'Add', [apply(graph, 'Add', [products, own]), norms])
}

export function meanOf({ rows, columns, values }: Matrix): Float64Array {
  const mean = new Float64Array(columns)
  for (const [cell, value] of values.entries()) mean[cell % columns] = (mean[cell % columns] ?? 0) + value / rows
  return mean
}
