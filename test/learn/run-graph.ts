import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type GraphFeatures, plainFeatures } from '../../learn/onnx/features.ts'
import { createGraph, type Graph, type Outputs } from '../../learn/onnx/graph.ts'

/** Builds a model with one float64 input `[N, columns]`, loads it into ONNX Runtime and gives each output's flat data. */
export async function runGraph(
  values: Float64Array,
  columns: number,
  labelType: 'int64' | 'string' | 'double',
  add: (graph: Graph, input: GraphFeatures) => Outputs,
): Promise<{ label: (number | string)[]; score: number[]; probabilities: number[] }> {
  const graph = createGraph()
  const outputs = add(graph, plainFeatures(graph, graph.input('x', 'double', ['N', columns])))
  graph.output('label', outputs.label, labelType, ['N'])
  if (outputs.score !== undefined) graph.output('score', outputs.score, 'double', ['N', 'outputs'])
  if (outputs.probabilities !== undefined) {
    graph.output('probabilities', outputs.probabilities, 'double', ['N', 'classes'])
  }
  const session = await InferenceSession.create(graph.bytes())
  try {
    const found = await session.run({ x: new Tensor('float64', values, [values.length / columns, columns]) })
    const dataOf = (name: string): (number | string)[] =>
      [...(found[name]?.data ?? [])].map((entry) => (typeof entry === 'bigint' ? Number(entry) : entry))
    return {
      label: dataOf('label'),
      score: dataOf('score').map(Number),
      probabilities: dataOf('probabilities').map(Number),
    }
  } finally {
    await session.release()
  }
}
