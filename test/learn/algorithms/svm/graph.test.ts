import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import type { FittedSvm } from '../../../../learn/algorithms/svm/fitted-svm.ts'
import { addSvmGraph } from '../../../../learn/algorithms/svm/graph/svm-graph.ts'
import { predictSvm } from '../../../../learn/algorithms/svm/predict-svm.ts'
import { svmParameters } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import type { Matrix } from '../../../../learn/dataset.ts'
import { plainFeatures } from '../../../../learn/onnx/features.ts'
import { createGraph } from '../../../../learn/onnx/graph.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { classes, matrix, numbers, sparse, watch } from './data.ts'

async function run(fitted: FittedSvm, features: Matrix) {
  const graph = createGraph()
  const outputs = addSvmGraph(
    graph,
    plainFeatures(graph, graph.input('input', 'double', ['N', features.columns])),
    fitted,
  )
  const texts = fitted.labels.some((label) => !Number.isSafeInteger(label))
  const isNumbers = fitted.type >= 3
  graph.output('label', outputs.label, isNumbers ? 'double' : texts ? 'string' : 'int64', ['N'])
  if (outputs.score) graph.output('score', outputs.score, 'double', ['N', fitted.rho.length])
  if (outputs.probabilities) graph.output('probabilities', outputs.probabilities, 'double', ['N', fitted.labels.length])
  const session = await InferenceSession.create(graph.bytes(), { intraOpNumThreads: 1, interOpNumThreads: 1 })
  return session.run({ input: new Tensor('float64', features.values, [features.rows, features.columns]) })
}

const features = matrix(150, 5, 11)
const unseen = matrix(300, 5, 12)

const cases: readonly (readonly [string, number, Record<string, number>])[] = [
  ['two classes, RBF', 2, { gamma: 0.5 }],
  ['two classes, linear', 2, { kernel_type: 0 }],
  ['five classes by votes, RBF', 5, { gamma: 1, cost: 8 }],
  ['six classes by votes, linear', 6, { kernel_type: 0 }],
  ['four classes, poly, NU_SVC', 4, { svm_type: 1, nu: 0.4, kernel_type: 1, coef0: 1, gamma: 0.5 }],
  ['two classes, sigmoid', 2, { kernel_type: 3, gamma: 0.125 }],
  ['two classes with probabilities', 2, { gamma: 0.5, probability: 1 }],
  ['five classes with probabilities', 5, { gamma: 0.5, cost: 4, probability: 1 }],
  ['one class', 2, { svm_type: 2, nu: 0.3, gamma: 0.5 }],
  ['regression, RBF', 0, { svm_type: 3, gamma: 0.5 }],
  ['regression, linear', 0, { svm_type: 4, kernel_type: 0 }],
]

for (const [title, count, body] of cases) {
  test(`${title}: the ONNX graph gives what the predictor gives`, async (t) => {
    const target = count === 0 ? numbers(features, 13) : classes(features, count, 13)
    const fitted = fitSvm(features, target, decodeParameters(svmParameters, body), watch)
    const expected = predictSvm(fitted, unseen)
    const { label, score, probabilities } = await run(fitted, unseen)
    t.true(largestDifference(score?.data, expected.decisions) < 1e-12)
    const labels =
      fitted.labels.length === 0 ? expected.values : expected.values.map((value) => Number(fitted.labels[value]))
    t.true(largestDifference(label?.data, labels) < 1e-12)
    t.is(probabilities === undefined, expected.probabilities === undefined)
    if (expected.probabilities !== undefined) {
      t.true(largestDifference(probabilities?.data, expected.probabilities) < 1e-12)
      for (const sum of rowSums(expected.probabilities, count)) t.true(Math.abs(sum - 1) < 1e-12)
    }
  })
}

test('text labels come out of the graph as they went in', async (t) => {
  const target = { ...classes(features, 3, 13), labels: ['sun', 'rain', 'drizzle'] }
  const fitted = fitSvm(features, target, decodeParameters(svmParameters, { gamma: 0.5 }), watch)
  const { label } = await run(fitted, unseen)
  t.deepEqual(
    Array.from(label?.data ?? [], String),
    Array.from(predictSvm(fitted, unseen).values, (value) => fitted.labels[value]),
  )
})

test('a tie of votes goes to the class that came first', async (t) => {
  // Three classes that beat each other in a ring: each has one vote.
  const fitted: FittedSvm = {
    algorithm: 'SVM',
    type: 0,
    kernel: { kernel: 0, degree: 3, gamma: 1, coef0: 0 },
    labels: [7, 8, 9],
    supportVectors: { rows: 3, columns: 1, values: new Float64Array(3) },
    supportCounts: Int32Array.of(1, 1, 1),
    coefficients: new Float64Array(6),
    rho: Float64Array.of(-1, 1, -1),
    iterations: 0,
  }
  const one = { rows: 1, columns: 1, values: new Float64Array(1) }
  const { label } = await run(fitted, one)
  t.deepEqual(label?.data, BigInt64Array.of(7n))
  t.deepEqual(predictSvm(fitted, one).values, Float64Array.of(0))
})

test('support vectors of sparse rows give the same graph', async (t) => {
  const thin = matrix(120, 30, 14, 0.1)
  const target = classes(thin, 3, 15)
  const fitted = fitSvm(sparse(thin), target, decodeParameters(svmParameters, { gamma: 0.5 }), watch)
  const { score } = await run(fitted, thin)
  t.true(largestDifference(score?.data, predictSvm(fitted, thin).decisions) < 1e-12)
})

test('forty classes with probabilities make a graph of bounded size', async (t) => {
  const target = classes(features, 40, 13)
  const fitted = fitSvm(features, target, decodeParameters(svmParameters, { probability: 1 }), watch)
  const graph = createGraph()
  const { probabilities, label } = addSvmGraph(
    graph,
    plainFeatures(graph, graph.input('input', 'double', ['N', features.columns])),
    fitted,
  )
  graph.output('label', label, 'int64', ['N'])
  if (probabilities) graph.output('probabilities', probabilities, 'double', ['N', fitted.labels.length])
  t.true(graph.bytes().byteLength < 4_000_000)
})

function largestDifference(actual: Tensor['data'] | undefined, expected: Float64Array): number {
  const numbers = Array.from(actual ?? [], Number)
  if (numbers.length !== expected.length) return Infinity
  return numbers.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (expected[i] ?? Number.NaN))), 0)
}

function rowSums(values: Float64Array, columns: number): number[] {
  return Array.from({ length: values.length / columns }, (_, row) =>
    values.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  )
}

for (const far of [3e7, -1e8]) {
  test(`rows at ${far} are learnt as those at 0, and the ONNX graph gives what the predictor gives`, async (t) => {
    const target = classes(features, 3, 13)
    const away = (from: Matrix): Matrix => ({
      ...from,
      values: from.values.map((value) => far + Math.round(value * 64)),
    })
    const parameters = decodeParameters(svmParameters, { gamma: 0.5 / 64 ** 2, cost: 10, probability: 1 })
    const near = { ...unseen, values: unseen.values.map((value) => Math.round(value * 64)) }
    const home = { ...features, values: features.values.map((value) => Math.round(value * 64)) }
    const fitted = fitSvm(away(features), target, parameters, watch)
    const expected = predictSvm(fitted, away(unseen))
    const { label, score, probabilities } = await run(fitted, away(unseen))
    t.true(largestDifference(score?.data, expected.decisions) < 1e-9)
    t.true(largestDifference(probabilities?.data, expected.probabilities ?? new Float64Array()) < 1e-9)
    const labels = expected.values.map((value) => Number(fitted.labels[value]))
    t.true(largestDifference(label?.data, labels) < 1e-12)
    const same = predictSvm(fitSvm(home, target, parameters, watch), near)
    t.true(largestDifference(same.decisions, expected.decisions) < 1e-2)
  })
}
