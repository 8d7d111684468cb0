import type { Features } from '../../../dataset.ts'
import type { GraphFeatures } from '../../../onnx/features.ts'
import type { Graph, Outputs, Value } from '../../../onnx/graph.ts'
import { apply, integers, scalar } from '../../../onnx/nodes.ts'
import { weightedSums } from '../../../onnx/vectors.ts'
import { labelTable } from '../../labels.ts'
import { classPairs } from '../class-groups.ts'
import { sumsOf } from '../decide.ts'
import type { FittedSvm } from '../fitted-svm.ts'
import { type KernelSettings, kernelType, svmType } from '../settings.ts'
import { addProbabilities } from './probability-nodes.ts'

/**
 * Adds the machine in float64 out of plain operators: ai.onnx.ml's SVM operators compute in float32.
 * `score` is `[N, pairs]`; the label is the one with most votes, or with the highest probability where probabilities
 * are there (as `svm-predict -b 1`) and class weights are not balanced; of a one-class machine it is 1 or -1.
 */
export function addSvmGraph(graph: Graph, input: GraphFeatures, fitted: FittedSvm): Outputs {
  const score = addDecisions(graph, input, fitted)
  if (fitted.type === svmType.oneClass) {
    const within = apply(graph, 'Greater', [apply(graph, 'Reshape', [score, integers(graph, -1)]), scalar(graph, 0)])
    return { score, label: apply(graph, 'Where', [within, integers(graph, 1), integers(graph, -1)]) }
  }
  if (fitted.labels.length === 0) return { label: apply(graph, 'Reshape', [score, integers(graph, -1)]), score }
  const k = fitted.labels.length
  if (fitted.sigmoids === undefined) return { label: addLabel(graph, addVotes(graph, score, k), fitted.labels), score }
  const probabilities = addProbabilities(graph, score, fitted.sigmoids, k)
  const decisive = fitted.votes ? addVotes(graph, score, k) : probabilities
  return { label: addLabel(graph, decisive, fitted.labels), score, probabilities }
}

function addDecisions(graph: Graph, input: GraphFeatures, fitted: FittedSvm): Value {
  const { supportVectors, kernel } = fitted
  const sums = sumsOf(fitted)
  const offsets = Float64Array.from(sums, ({ rho }) => -rho)
  const weights = pairWeights(fitted)
  if (kernel.kernel !== kernelType.linear) {
    const values = addKernel(graph, input, supportVectors, kernel)
    const factors = graph.constant(weights, [supportVectors.rows, sums.length])
    return apply(graph, 'Gemm', [values, factors, graph.constant(offsets, [sums.length])])
  }
  return input.affine(weightedSums(supportVectors, weights, sums.length), offsets)
}

/** `[vectors, pairs]` row-major: the share of each support vector in each pair. */
function pairWeights(fitted: FittedSvm): Float64Array {
  const sums = sumsOf(fitted)
  const weights = new Float64Array(fitted.supportVectors.rows * sums.length)
  for (const [pair, { parts }] of sums.entries()) {
    for (const { from, to, at } of parts) {
      for (let i = from; i < to; i++) weights[i * sums.length + pair] = fitted.coefficients[at + i - from] ?? 0
    }
  }
  return weights
}

/** `[N, k]`: each pair gives its vote to the first class where its decision is above 0, else to the second. */
function addVotes(graph: Graph, score: Value, k: number): Value {
  const pairs = classPairs(k)
  const moves = new Float64Array(pairs.length * k)
  const base = new Float64Array(k)
  for (const [pair, [i, j]] of pairs.entries()) {
    moves[pair * k + i] = 1
    moves[pair * k + j] = -1
    base[j] = (base[j] ?? 0) + 1
  }
  const won = apply(graph, 'Cast', [apply(graph, 'Greater', [score, scalar(graph, 0)])], { to: { int: 11 } })
  return apply(graph, 'Gemm', [won, graph.constant(moves, [pairs.length, k]), graph.constant(base, [k])])
}

/** The label of the highest score, of equals the first: int64 for whole numbers, double for others, string where one is a text. */
function addLabel(graph: Graph, scores: Value, labels: readonly (number | string)[]): Value {
  const at = apply(graph, 'ArgMax', [scores], { axis: { int: 1 }, keepdims: { int: 0 } })
  return apply(graph, 'Gather', [labelTable(graph, labels), at])
}

/** Kernel values of each input row with each support vector, `[N, vectors]`. Constant factors are taken into the vectors. */
function addKernel(graph: Graph, input: GraphFeatures, vectors: Features, settings: KernelSettings): Value {
  const { kernel, gamma, coef0, degree } = settings
  switch (kernel) {
    case kernelType.linear:
      return input.products(vectors, 1, new Float64Array(vectors.rows))
    case kernelType.poly: {
      const base = input.products(vectors, gamma, new Float64Array(vectors.rows).fill(coef0))
      return apply(graph, 'Pow', [base, scalar(graph, degree)])
    }
    case kernelType.rbf:
      return apply(graph, 'Exp', [apply(graph, 'Mul', [input.squaredDistances(vectors), scalar(graph, -gamma)])])
    case kernelType.sigmoid:
      return apply(graph, 'Tanh', [input.products(vectors, gamma, new Float64Array(vectors.rows).fill(coef0))])
  }
}
