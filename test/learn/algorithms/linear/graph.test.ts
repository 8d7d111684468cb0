import test from 'ava'
import {
  addLinearGraph,
  fitLinear,
  type LinearModel,
  linearParameters,
  linearProbabilities,
  predictLinear,
  scoreLinear,
} from '../../../../learn/algorithms/linear/index.ts'
import type { Target } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { classesOf, normalRows, silent } from '../../make-data.ts'
import { runGraph } from '../../run-graph.ts'

const features = normalRows(200, 4, createRandom(3))
const first = (i: number): number => features.values[i * 4] ?? 0
const rows = Array.from({ length: 200 }, (_, i) => i)
const train = (solver: number | undefined, target: Target): LinearModel =>
  fitLinear(features, target, decodeParameters(linearParameters, solver === undefined ? {} : { solver }), silent)
const run = (model: LinearModel, type: 'int64' | 'string' | 'double') =>
  runGraph(features.values, 4, type, (graph, input) => addLinearGraph(graph, input, model))

const two = classesOf(rows.map((i) => (first(i) > 0.2 ? 'rain' : 'sun')))
const three = classesOf(rows.map((i) => Math.round(Math.max(-1, Math.min(1, first(i)))) * 10))

for (const [solver, target, type] of [
  [0, two, 'string'],
  [3, two, 'string'],
  [4, two, 'string'],
  [0, three, 'int64'],
  [4, three, 'int64'],
  [6, three, 'int64'],
] as const) {
  test(`in ONNX solver ${solver} names the labels of ${target.labels.length} classes as the fit itself does`, async (t) => {
    const model = train(solver, target)
    const found = await run(model, type)
    const expected = Array.from(predictLinear(model, features), (index) => target.labels[index])
    t.deepEqual(found.label, expected)
    t.true(expected.filter((label, i) => label === target.labels[target.classes[i] ?? 0]).length > 150)
    const scores = scoreLinear(model, features)
    t.true(found.score.every((score, cell) => Math.abs(score - (scores[cell] ?? Number.NaN)) < 1e-12))
  })
}

test('probabilities of classes that were learnt together are the softmax of the scores, in ONNX as in the fit', async (t) => {
  const model = train(undefined, three)
  const { score, probabilities, label } = await run(model, 'int64')
  const expected = linearProbabilities(model, features)
  t.true(probabilities.every((share, cell) => Math.abs(share - (expected[cell] ?? Number.NaN)) < 1e-12))
  const powers = [...score.slice(0, 3)].map(Math.exp)
  const sum = powers.reduce((a, b) => a + b)
  t.true(powers.every((power, m) => Math.abs(power / sum - (probabilities[m] ?? 0)) < 1e-12))
  t.deepEqual(
    label,
    Array.from(predictLinear(model, features), (index) => three.labels[index]),
  )
})

test('probabilities are the logistic function of the scores, and sum to 1', async (t) => {
  for (const target of [two, three]) {
    const { score, probabilities, label } = await run(train(0, target), target === two ? 'string' : 'int64')
    const classes = target.labels.length
    t.is(probabilities.length, 200 * classes)
    for (const i of rows) {
      const shares = probabilities.slice(i * classes, (i + 1) * classes)
      t.true(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-12)
      t.is(target.labels[shares.indexOf(Math.max(...shares))], label[i])
    }
    const [z0 = 0] = score
    const raw = (z: number): number => 1 / (1 + Math.exp(-z))
    const expected =
      classes === 2
        ? raw(z0)
        : raw(z0) /
          score
            .slice(0, classes)
            .map(raw)
            .reduce((a, b) => a + b)
    t.true(Math.abs((probabilities[0] ?? 0) - expected) < 1e-12)
  }
})

test('a regression gives its numbers, flat', async (t) => {
  const values = Float64Array.from(rows, (i) => 1e9 + 3 * first(i))
  const model = train(11, { kind: 'numbers', values })
  const { label } = await run(model, 'double')
  t.is(label.length, 200)
  const expected = predictLinear(model, features)
  t.true(label.every((value, i) => Math.abs(Number(value) - (expected[i] ?? Number.NaN)) < 1e-6))
})
