import { type ModelDescription, metadataOf } from './description.ts'
import type { Encoding } from './encoding/encoding.ts'
import { addEncoding } from './encoding/graph.ts'
import type { GraphFeatures } from './onnx/features.ts'
import { createGraph, type Graph, type Outputs } from './onnx/graph.ts'
import type { ElementType } from './onnx/types.ts'

export type ModelParts = {
  readonly encoding: Encoding
  readonly description: ModelDescription
  /** The algorithm's own nodes: `(graph, input) => addSvmGraph(graph, input, fitted)`. */
  readonly addAlgorithm: (graph: Graph, input: GraphFeatures) => Outputs
}

/** One self-contained ONNX file: attributes in; `label`, `score` and `probabilities` out, as far as the algorithm has them. */
export function assembleModel({ encoding, description, addAlgorithm }: ModelParts): Uint8Array {
  const graph = createGraph()
  addOutputs(graph, addAlgorithm(graph, addEncoding(graph, encoding)), description)
  return graph.bytes()
}

/** For algorithms with inputs of their own, such as texts cut into tokens outside of the graph. */
export function addOutputs(
  graph: Graph,
  { label, score, probabilities }: Outputs,
  description: ModelDescription,
): void {
  graph.output('label', label, labelType(description), ['N'])
  if (score !== undefined) graph.output('score', score, 'double', ['N', 'scores'])
  if (probabilities !== undefined) {
    graph.output('probabilities', probabilities, 'double', ['N', description.labels?.length ?? 'labels'])
  }
  for (const [key, value] of metadataOf(description)) graph.metadata(key, value)
}

function labelType({ task, labels = [] }: ModelDescription): ElementType {
  if (task === 'numbers') return 'double'
  if (labels.some((label) => typeof label === 'string')) return 'string'
  return labels.every(Number.isSafeInteger) ? 'int64' : 'double'
}
