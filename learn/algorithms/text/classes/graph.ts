import type { Graph, Outputs, Value } from '../../../onnx/graph.ts'
import { apply } from '../../../onnx/nodes.ts'
import { addLabels, addWithoutExcess } from '../../labels.ts'
import { rowTable } from '../rows.ts'
import { classesScheme, schemeKey } from '../scheme.ts'
import type { TextClassesModel } from './fit.ts'

/** TensorProto's code of float64. */
const DOUBLE = 11

/**
 * Inputs `buckets` (int32 `[N, M]`) and `counts` (float32 `[N, M]`): the features of N texts and how often each occurs,
 * short rows filled up with bucket 2^bits and count 1. Weights are kept in single precision and computed in double.
 */
export function addTextClassesGraph(graph: Graph, model: TextClassesModel): Outputs {
  const { weighing, outputs, labels, excess } = model
  graph.metadata(schemeKey, classesScheme(model.scheme))
  const buckets = graph.input('buckets', 'int32', ['N', 'M'])
  const counts = graph.input('counts', 'float', ['N', 'M'])
  const table = rowTable(weighing.rows)
  const rows = apply(graph, 'Gather', [graph.constant(table, [table.length]), buckets])

  const values = addWeighing(graph, rows, counts, weighing.idf)
  const weights = graph.constant(model.weights, [weighing.rows.count, outputs])
  const ofRows = toDouble(graph, apply(graph, 'Gather', [weights, rows]))
  const sums = apply(graph, 'MatMul', [unsqueeze(graph, values, 1n), ofRows])
  const flat = apply(graph, 'Squeeze', [sums, ints(graph, 1n)])
  const intercepts = toDouble(graph, graph.constant(model.intercepts, [outputs]))
  const score = apply(graph, 'Add', [flat, intercepts])

  const probabilities = addProbabilities(graph, addWithoutExcess(graph, score, excess), outputs)
  return { label: addLabels(graph, score, outputs, labels), score, probabilities }
}

/** As `weigh`; a text of which no feature is known has length 0, and its values are 0. */
function addWeighing(graph: Graph, rows: Value, counts: Value, idf: Float32Array): Value {
  const one = graph.constant(Float64Array.of(1), [])
  const logs = apply(graph, 'Add', [apply(graph, 'Log', [toDouble(graph, counts)]), one])
  const idfs = toDouble(graph, apply(graph, 'Gather', [graph.constant(idf, [idf.length]), rows]))
  const raw = apply(graph, 'Mul', [logs, idfs])
  const squares = apply(graph, 'Mul', [raw, raw])
  const length = apply(graph, 'Sqrt', [apply(graph, 'ReduceSum', [squares, ints(graph, 1n)])])
  const none = apply(graph, 'Equal', [length, graph.constant(Float64Array.of(0), [])])
  return apply(graph, 'Div', [raw, apply(graph, 'Where', [none, one, length])])
}

/** The logistic function of each score, divided by their sum; with two labels it and the rest to 1. */
function addProbabilities(graph: Graph, score: Value, outputs: number): Value {
  const shares = apply(graph, 'Sigmoid', [score])
  if (outputs > 1) return apply(graph, 'Div', [shares, apply(graph, 'ReduceSum', [shares, ints(graph, 1n)])])
  const rest = apply(graph, 'Sigmoid', [apply(graph, 'Neg', [score])])
  return apply(graph, 'Concat', [shares, rest], { axis: { int: 1 } })
}

const ints = (graph: Graph, value: bigint): Value => graph.constant(BigInt64Array.of(value), [1])

const unsqueeze = (graph: Graph, value: Value, axis: bigint): Value =>
  apply(graph, 'Unsqueeze', [value, ints(graph, axis)])

const toDouble = (graph: Graph, value: Value): Value => apply(graph, 'Cast', [value], { to: { int: DOUBLE } })
