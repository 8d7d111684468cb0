import { type Graph, type Outputs, single, type Value } from '../../../onnx/graph.ts'
import { addLabels } from '../../labels.ts'
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
  const { weighing, outputs, labels } = model
  graph.metadata(schemeKey, classesScheme(model.scheme))
  const buckets = graph.input('buckets', 'int32', ['N', 'M'])
  const counts = graph.input('counts', 'float', ['N', 'M'])
  const table = rowTable(weighing.rows)
  const rows = single(graph.node('Gather', [graph.constant(table, [table.length]), buckets]))

  const values = addWeighing(graph, rows, counts, weighing.idf)
  const weights = graph.constant(model.weights, [weighing.rows.count, outputs])
  const ofRows = toDouble(graph, single(graph.node('Gather', [weights, rows])))
  const sums = single(graph.node('MatMul', [unsqueeze(graph, values, 1n), ofRows]))
  const flat = single(graph.node('Squeeze', [sums, ints(graph, 1n)]))
  const intercepts = toDouble(graph, graph.constant(model.intercepts, [outputs]))
  const score = single(graph.node('Add', [flat, intercepts]))

  const probabilities = addProbabilities(graph, score, outputs)
  return { label: addLabels(graph, score, outputs, labels), score, probabilities }
}

/** As `weigh`; a text of which no feature is known has length 0, and its values are 0. */
function addWeighing(graph: Graph, rows: Value, counts: Value, idf: Float32Array): Value {
  const one = graph.constant(Float64Array.of(1), [])
  const logs = single(graph.node('Add', [single(graph.node('Log', [toDouble(graph, counts)])), one]))
  const idfs = toDouble(graph, single(graph.node('Gather', [graph.constant(idf, [idf.length]), rows])))
  const raw = single(graph.node('Mul', [logs, idfs]))
  const squares = single(graph.node('Mul', [raw, raw]))
  const length = single(graph.node('Sqrt', [single(graph.node('ReduceSum', [squares, ints(graph, 1n)]))]))
  const none = single(graph.node('Equal', [length, graph.constant(Float64Array.of(0), [])]))
  return single(graph.node('Div', [raw, single(graph.node('Where', [none, one, length]))]))
}

/** The logistic function of each score, divided by their sum; with two labels it and what is left. */
function addProbabilities(graph: Graph, score: Value, outputs: number): Value {
  const shares = single(graph.node('Sigmoid', [score]))
  if (outputs > 1)
    return single(graph.node('Div', [shares, single(graph.node('ReduceSum', [shares, ints(graph, 1n)]))]))
  const rest = single(graph.node('Sigmoid', [single(graph.node('Neg', [score]))]))
  return single(graph.node('Concat', [shares, rest], { axis: { int: 1 } }))
}

const ints = (graph: Graph, value: bigint): Value => graph.constant(BigInt64Array.of(value), [1])

const unsqueeze = (graph: Graph, value: Value, axis: bigint): Value =>
  single(graph.node('Unsqueeze', [value, ints(graph, axis)]))

const toDouble = (graph: Graph, value: Value): Value => single(graph.node('Cast', [value], { to: { int: DOUBLE } }))
