import type { Graph, Value } from '../../../onnx/graph.ts'
import { apply, integers, scalar, slice } from '../../../onnx/nodes.ts'
import { classPairs } from '../class-groups.ts'
import { minProbability, type Sigmoid } from '../probability/sigmoid.ts'

/** Class probabilities `[N, k]` of the pairs' decisions `[N, pairs]`. */
export function addProbabilities(graph: Graph, decisions: Value, sigmoids: readonly Sigmoid[], k: number): Value {
  const row = (of: (sigmoid: Sigmoid) => number) => graph.constant(Float64Array.from(sigmoids, of), [sigmoids.length])
  const exponents = apply(graph, 'Add', [
    apply(graph, 'Mul', [decisions, row(({ slope }) => -slope)]),
    row(({ shift }) => -shift),
  ])
  const won = apply(graph, 'Clip', [
    apply(graph, 'Sigmoid', [exponents]),
    scalar(graph, minProbability),
    scalar(graph, 1 - minProbability),
  ])
  const lost = apply(graph, 'Sub', [scalar(graph, 1), won])
  return k === 2 ? apply(graph, 'Concat', [won, lost], { axis: { int: 1 } }) : addCoupling(graph, won, lost, k)
}

/** The steps of `coupleProbabilities` for all rows at once: build the system, eliminate, divide. */
function addCoupling(graph: Graph, won: Value, lost: Value, k: number): Value {
  let system = addSystem(graph, won, lost, k)
  for (let t = 0; t < k; t++) {
    const pivotRow = slice(graph, system, 1, t, t + 1)
    const others = Float64Array.from({ length: k }, (_, i) => (i === t ? 0 : 1))
    const factors = apply(graph, 'Mul', [
      apply(graph, 'Div', [slice(graph, system, 2, t, t + 1), slice(graph, pivotRow, 2, t, t + 1)]),
      graph.constant(others, [k, 1]),
    ])
    system = apply(graph, 'Sub', [system, apply(graph, 'Mul', [factors, pivotRow])])
  }
  const unit = Float64Array.from({ length: k * k }, (_, at) => (at % (k + 1) === 0 ? 1 : 0))
  const diagonal = apply(graph, 'ReduceSum', [
    apply(graph, 'Mul', [slice(graph, system, 2, 0, k), graph.constant(unit, [k, k])]),
    integers(graph, 2),
  ])
  const shares = apply(graph, 'Div', [slice(graph, system, 2, k, k + 1), diagonal])
  const p = apply(graph, 'Squeeze', [shares, integers(graph, 2)])
  return apply(graph, 'Div', [p, apply(graph, 'ReduceSum', [p, integers(graph, 1)])])
}

/** `[N, k, k + 1]`: of each pair the product beside the diagonal, sums of squares on it, 1 added to all. */
function addSystem(graph: Graph, won: Value, lost: Value, k: number): Value {
  const pairs = classPairs(k)
  const squares = apply(graph, 'MatMul', [
    apply(graph, 'Concat', [apply(graph, 'Mul', [lost, lost]), apply(graph, 'Mul', [won, won])], { axis: { int: 1 } }),
    graph.constant(ownPairs(pairs, k), [2 * pairs.length, k]),
  ])
  const products = apply(graph, 'Neg', [apply(graph, 'Mul', [won, lost])])
  const none = apply(graph, 'Mul', [slice(graph, won, 1, 0, 1), scalar(graph, 0)])
  const terms = apply(graph, 'Concat', [products, squares, none], { axis: { int: 1 } })
  const flat = apply(graph, 'Gather', [terms, integers(graph, ...termPlaces(pairs, k))], { axis: { int: 1 } })
  return apply(graph, 'Reshape', [apply(graph, 'Add', [flat, scalar(graph, 1)]), integers(graph, -1, k, k + 1)])
}

/** `[2 pairs, k]`: a class has the squares by which it lost as the first of a pair, and won as the second. */
function ownPairs(pairs: readonly (readonly [number, number])[], k: number): Float64Array {
  const own = new Float64Array(2 * pairs.length * k)
  for (const [pair, [i, j]] of pairs.entries()) {
    own[pair * k + i] = 1
    own[(pairs.length + pair) * k + j] = 1
  }
  return own
}

/** Where each cell of the system stands among the products, the sums of squares and the 0. */
function termPlaces(pairs: readonly (readonly [number, number])[], k: number): number[] {
  const width = k + 1
  const places = new Array<number>(k * width).fill(pairs.length + k)
  for (let i = 0; i < k; i++) places[i * width + i] = pairs.length + i
  for (const [pair, [i, j]] of pairs.entries()) {
    places[i * width + j] = pair
    places[j * width + i] = pair
  }
  return places
}
