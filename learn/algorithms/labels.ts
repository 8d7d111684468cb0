import type { Graph, Value } from '../onnx/graph.ts'
import { apply } from '../onnx/nodes.ts'

/** Of `[N]` scores of the first of two classes: the logistic function, and the rest for the other, `[N, 2]`. */
export function twoProbabilities(scores: Float64Array): Float64Array {
  const shares = new Float64Array(2 * scores.length)
  for (const [row, score] of scores.entries()) {
    const first = 1 / (1 + Math.exp(-score))
    shares.set([first, 1 - first], 2 * row)
  }
  return shares
}

/** Each row of positive `[N, outputs]` values divided by its sum, in place. */
export function dividedBySums(values: Float64Array, outputs: number): Float64Array {
  for (let start = 0; start < values.length; start += outputs) {
    const row = values.subarray(start, start + outputs)
    const sum = row.reduce((total, value) => total + value, 0)
    for (const [place, value] of row.entries()) row[place] = value / sum
  }
  return values
}

/** The softmax of each row of `[N, outputs]` scores, in place. */
export function softmaxInPlace(scores: Float64Array, outputs: number): Float64Array {
  for (let start = 0; start < scores.length; start += outputs) {
    const row = scores.subarray(start, start + outputs)
    const greatest = Math.max(...row)
    for (const [place, score] of row.entries()) row[place] = Math.exp(score - greatest)
  }
  return dividedBySums(scores, outputs)
}

/** The class of each row by its scores `[N, outputs]`: one output is positive for the first of two classes, else the greatest wins. */
export function pickClasses(scores: Float64Array, outputs: number): Int32Array {
  if (outputs === 1) return Int32Array.from(scores, (score) => (score > 0 ? 0 : 1))
  return Int32Array.from({ length: scores.length / outputs }, (_, i) => {
    let best = 0
    const start = i * outputs
    for (let m = 1; m < outputs; m++) if ((scores[start + m] ?? 0) > (scores[start + best] ?? 0)) best = m
    return best
  })
}

/** The same in a graph: int64 labels for whole numbers, double for others, string where one is a text. */
export function addLabels(graph: Graph, scores: Value, outputs: number, labels: readonly (number | string)[]): Value {
  const index = outputs === 1 ? indexBySign(graph, scores) : indexOfGreatest(graph, scores)
  return apply(graph, 'Gather', [labelTable(graph, labels), index])
}

/** `[N, 1]` to `[N]`. */
export function flatten(graph: Graph, value: Value): Value {
  return apply(graph, 'Reshape', [value, graph.constant(BigInt64Array.of(-1n), [1])])
}

/** `[N, outputs]` scores without the excess that class weights gave them. */
export function addWithoutExcess(graph: Graph, scores: Value, excess: Float64Array | undefined): Value {
  return excess === undefined ? scores : apply(graph, 'Sub', [scores, graph.constant(excess, [excess.length])])
}

/** The logistic function of one score, and the rest for the other class: `[N, 2]`. */
export function addTwoProbabilities(graph: Graph, scores: Value): Value {
  const first = apply(graph, 'Sigmoid', [scores])
  const second = apply(graph, 'Sub', [graph.constant(Float64Array.of(1), []), first])
  return apply(graph, 'Concat', [first, second], { axis: { int: 1 } })
}

/** TensorProto's code of int64. */
const INT64 = 7

function indexBySign(graph: Graph, scores: Value): Value {
  const first = apply(graph, 'Greater', [flatten(graph, scores), graph.constant(Float64Array.of(0), [])])
  return apply(graph, 'Cast', [apply(graph, 'Not', [first])], { to: { int: INT64 } })
}

function indexOfGreatest(graph: Graph, scores: Value): Value {
  return apply(graph, 'ArgMax', [scores], { axis: { int: 1 }, keepdims: { int: 0 } })
}

/** int64 for whole numbers, double for others, string where one is a text. */
export function labelTable(graph: Graph, labels: readonly (number | string)[]): Value {
  const numbers = labels.filter((label) => typeof label === 'number')
  if (numbers.length < labels.length) return graph.constant(labels.map(String), [labels.length])
  return numbers.every(Number.isSafeInteger)
    ? graph.constant(BigInt64Array.from(numbers, BigInt), [labels.length])
    : graph.constant(Float64Array.from(numbers), [labels.length])
}
