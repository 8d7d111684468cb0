import type { GraphFeatures } from '../../onnx/features.ts'
import type { Graph, Outputs, Value } from '../../onnx/graph.ts'
import { apply } from '../../onnx/nodes.ts'
import { addLabels, addTwoProbabilities, addWithoutExcess, flatten } from '../labels.ts'
import type { LinearModel } from './model.ts'
import { solvers } from './solvers/index.ts'

/** All in float64: scores are one Gemm; two classes are told apart by the score's sign, more by the greatest score. */
export function addLinearGraph(graph: Graph, input: GraphFeatures, model: LinearModel): Outputs {
  const { columns, outputs, weights, labels, excess } = model
  const width = columns + 1
  const matrix = Float64Array.from({ length: columns * outputs }, (_, cell) => {
    return weights[(cell % outputs) * width + Math.floor(cell / outputs)] ?? 0
  })
  const intercepts = Float64Array.from({ length: outputs }, (_, output) => weights[output * width + columns] ?? 0)
  const scores = input.affine(matrix, intercepts)
  if (labels === undefined) return { label: flatten(graph, scores), score: scores }
  const label = addLabels(graph, scores, outputs, labels)
  if (solvers[model.solver]?.probabilities !== true) return { label, score: scores }
  return {
    label,
    score: scores,
    probabilities: addProbabilities(graph, addWithoutExcess(graph, scores, excess), model),
  }
}

/** As LIBLINEAR: the logistic function of each score, with more than two classes divided by their sum. */
function addProbabilities(graph: Graph, scores: Value, { outputs, together }: LinearModel): Value {
  if (outputs === 1) return addTwoProbabilities(graph, scores)
  if (together) return apply(graph, 'Softmax', [scores], { axis: { int: 1 } })
  const shares = apply(graph, 'Sigmoid', [scores])
  const sum = apply(graph, 'ReduceSum', [shares, graph.constant(BigInt64Array.of(1n), [1])])
  return apply(graph, 'Div', [shares, sum])
}
