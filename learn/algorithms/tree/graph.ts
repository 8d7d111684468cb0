import type { GraphFeatures } from '../../onnx/features.ts'
import type { Graph, Outputs } from '../../onnx/graph.ts'
import { apply } from '../../onnx/nodes.ts'
import type { Attribute } from '../../onnx/types.ts'
import { addLabels, addTwoProbabilities, addWithoutExcess, flatten } from '../labels.ts'
import type { Forest, TreeModel } from './model.ts'

/**
 * One TreeEnsembleRegressor with float64 thresholds. Its sums are exact, but the operator gives them as float32; the
 * nodes behind it are float64 again. A regression's number is thus exact to 2^-24 of its distance from the training mean.
 */
export function addTreeGraph(
  graph: Graph,
  input: GraphFeatures,
  { labels, base, scale, forest, excess }: TreeModel,
): Outputs {
  const outputs = base.length
  const sums = apply(graph, 'TreeEnsembleRegressor', [input.all()], attributesOf(forest, outputs), {
    domain: 'ai.onnx.ml',
  })
  const exact = apply(graph, 'Cast', [sums], { to: { int: DOUBLE } })
  const scaled = apply(graph, 'Mul', [exact, graph.constant(Float64Array.of(scale), [])])
  const score = apply(graph, 'Add', [scaled, graph.constant(base, [outputs])])
  if (labels === undefined) return { label: flatten(graph, score), score }
  const honest = addWithoutExcess(graph, score, excess)
  const probabilities =
    outputs === 1 ? addTwoProbabilities(graph, honest) : apply(graph, 'Softmax', [honest], { axis: { int: 1 } })
  return { label: addLabels(graph, score, outputs, labels), score, probabilities }
}

/** TensorProto's code of double. */
const DOUBLE = 11

function attributesOf(forest: Forest, outputs: number): Record<string, Attribute> {
  const { roots, features, thresholds, missingLeft, left, right, values } = forest
  const nodes = [...features.keys()]
  const tree = new Int32Array(features.length)
  for (const [index, root] of roots.entries()) tree.fill(index, root)
  const idOf = (node: number): number => node - (roots[tree[node] ?? 0] ?? 0)
  const leaves = nodes.filter((node) => (features[node] ?? -1) < 0)
  const isLeaf = (node: number): boolean => (features[node] ?? -1) < 0
  return {
    n_targets: { int: outputs },
    aggregate_function: { text: 'SUM' },
    post_transform: { text: 'NONE' },
    nodes_treeids: { ints: [...tree] },
    nodes_nodeids: { ints: nodes.map(idOf) },
    nodes_featureids: { ints: nodes.map((node) => Math.max(features[node] ?? 0, 0)) },
    nodes_modes: { texts: nodes.map((node) => (isLeaf(node) ? 'LEAF' : 'BRANCH_LEQ')) },
    nodes_values_as_tensor: { tensor: { data: thresholds, dims: [thresholds.length] } },
    nodes_truenodeids: { ints: nodes.map((node) => (isLeaf(node) ? 0 : idOf(left[node] ?? 0))) },
    nodes_falsenodeids: { ints: nodes.map((node) => (isLeaf(node) ? 0 : idOf(right[node] ?? 0))) },
    nodes_missing_value_tracks_true: { ints: [...missingLeft] },
    target_treeids: { ints: leaves.map((node) => tree[node] ?? 0) },
    target_nodeids: { ints: leaves.map(idOf) },
    target_ids: { ints: leaves.map((node) => forest.outputs[tree[node] ?? 0] ?? 0) },
    target_weights_as_tensor: {
      tensor: { data: Float64Array.from(leaves, (node) => values[node] ?? 0), dims: [leaves.length] },
    },
  }
}
