import test from 'ava'
import type { Learned, TableAlgorithm } from '../../../learn/algorithms/algorithm.ts'
import { classWeights } from '../../../learn/algorithms/class-weights.ts'
import { linear } from '../../../learn/algorithms/linear/algorithm.ts'
import { svm } from '../../../learn/algorithms/svm/algorithm.ts'
import { fitTextClasses, textClassesParameters } from '../../../learn/algorithms/text/index.ts'
import { tree } from '../../../learn/algorithms/tree/algorithm.ts'
import type { Matrix } from '../../../learn/dataset.ts'
import { decodeParameters } from '../../../learn/parameters.ts'
import { createRandom } from '../../../learn/random.ts'
import { classesOf, matrixOf, normalRows, silent } from '../make-data.ts'
import { runGraph } from '../run-graph.ts'
import { rowsOf } from './svm/data.ts'
import { runLibsvm } from './svm/libsvm.ts'

/** One row of twelve or so is rare, the likelier the greater its first number is. */
function rareRows(count: number, seed: number): { readonly features: Matrix; readonly labels: readonly string[] } {
  const random = createRandom(seed)
  const features = normalRows(count, 3, random)
  const labels = rowsOf(features).map(([x = 0]) =>
    random.uniform() < 1 / (1 + Math.exp(3.5 - 2 * x)) ? 'rare' : 'often',
  )
  return { features, labels }
}

const known = rareRows(1200, 1)
const unseen = rareRows(2000, 2)

const train = (algorithm: TableAlgorithm, body: Record<string, unknown>, log: string[] = []): Learned =>
  algorithm.fit(known.features, classesOf(known.labels), decodeParameters(algorithm.parameters, body), {
    ...silent,
    log: (line) => log.push(line),
  })

const recallOf = (found: ArrayLike<unknown>): number => {
  const rare = unseen.labels.flatMap((label, row) => (label === 'rare' ? [found[row]] : []))
  return rare.filter((label) => label === 'rare').length / rare.length
}

type Body = { readonly gamma?: number; readonly probability?: number; readonly solver?: number }

const count = (label: string) => known.labels.filter((each) => each === label).length
const factorOf = (label: string) => known.labels.length / (2 * count(label))

const cases: readonly (readonly [TableAlgorithm, Body])[] = [
  [svm, { gamma: 0.3 }],
  [svm, { gamma: 0.3, probability: 1 }],
  [linear, {}],
  [linear, { solver: 3 }],
  [linear, { solver: 4 }],
  [tree, {}],
]

for (const [algorithm, body] of cases) {
  const title = `${algorithm.name} ${JSON.stringify(body)}`
  test(`${title}: balanced classes find the rare one far more often, as weights in numbers do`, (t) => {
    const log: string[] = []
    const { predict } = train(algorithm, { ...body, class_weight: 'balanced' }, log)
    const plain = recallOf(train(algorithm, body).predict(unseen.features))
    const found = predict(unseen.features)
    t.true(recallOf(found) > plain + 0.25, `${recallOf(found)} and without weights ${plain}`)
    t.regex(log.join('\n'), /class weights are balanced: (?:rare|often) [\d.]+, (?:rare|often) [\d.]+/)
    const weights = { weight_label: ['rare', 'often'], weight: ['rare', 'often'].map(factorOf) }
    // With probabilities LIBSVM decides by them, which are of the data as they are.
    const plainLabels = body.probability === undefined ? body : { ...body, probability: 0 }
    const given = train(algorithm, { ...plainLabels, ...weights }).predict(unseen.features)
    t.deepEqual([...Array.from(found)], [...Array.from(given)])
  })
}

test('balanced classes of an SVM are those of LIBSVM with the weights of three classes in numbers', (t) => {
  const random = createRandom(5)
  const features = normalRows(400, 2, random)
  const labels = rowsOf(features).map(([x = 0, y = 0]) => (x + 0.5 * random.uniform() > 1.2 ? 3 : y > 1 ? 2 : 1))
  const target = classesOf(labels)
  const parameters = decodeParameters(svm.parameters, { gamma: 0.5, class_weight: 'balanced' })
  const { predict, vectors } = svm.fit(features, target, parameters, silent)
  const weight = Object.fromEntries(
    [1, 2, 3].map((label) => [label, 400 / (3 * labels.filter((each) => each === label).length)]),
  )
  const fresh = rowsOf(normalRows(500, 2, createRandom(6)))
  const options = { type: 0, kernel: 2, gamma: 0.5, cost: 1, tolerance: 0.001, weight }
  const reference = runLibsvm(options, rowsOf(features), labels, fresh)
  t.is(vectors, reference.total)
  t.deepEqual([...Array.from(predict(matrixOf(fresh)))], [...reference.predictions])
})

for (const [algorithm, body] of [
  [svm, { gamma: 0.3, probability: 1 }],
  [linear, {}],
  [tree, { trees: 60 }],
] as const) {
  test(`${algorithm.name}: probabilities of balanced classes are those of the data as they are, in ONNX too`, async (t) => {
    const learned = train(algorithm, { ...body, class_weight: 'balanced' })
    const shares = Array.from(learned.probabilities?.(unseen.features) ?? [])
    const rare = (learned.labels ?? []).indexOf('rare')
    const mean = shares.filter((_, cell) => cell % 2 === rare).reduce((sum, share) => sum + share, 0) / 2000
    const share = unseen.labels.filter((label) => label === 'rare').length / 2000
    t.true(Math.abs(mean - share) < 0.02, `${mean} and ${share}`)
    const graph = await runGraph(unseen.features.values, 3, 'string', learned.addGraph)
    t.deepEqual(graph.label, [...Array.from(learned.predict(unseen.features))])
    t.true(graph.probabilities.every((each, cell) => Math.abs(each - (shares[cell] ?? 0)) < 1e-6))
  })
}

for (const [algorithm, body] of [
  [svm, { gamma: 0.3, probability: 1 }],
  [linear, {}],
  [tree, { trees: 20 }],
] as const) {
  test(`${algorithm.name}: of three classes balanced labels and probabilities are the same in ONNX`, async (t) => {
    const labels = rowsOf(known.features).map(([x = 0, y = 0]) => (x > 1.3 ? 'a' : y > 1 ? 'b' : 'c'))
    const parameters = decodeParameters(algorithm.parameters, { ...body, class_weight: 'balanced' })
    const learned = algorithm.fit(known.features, classesOf(labels), parameters, silent)
    const graph = await runGraph(unseen.features.values, 3, 'string', learned.addGraph)
    const shares = learned.probabilities?.(unseen.features) ?? []
    t.deepEqual(graph.label, [...Array.from(learned.predict(unseen.features))])
    t.true(graph.probabilities.every((each, cell) => Math.abs(each - (shares[cell] ?? 0)) < 1e-6))
  })
}

test('texts of a rare label are weighed, and their probabilities are without the weight', (t) => {
  const random = createRandom(9)
  const labels = Array.from({ length: 400 }, (_, i) => (i % 10 === 0 ? 'rare' : 'often'))
  const texts = labels.map((label) => (random.uniform() < (label === 'rare' ? 0.8 : 0.3) ? 'bad thing' : 'good thing'))
  const model = (body: object) =>
    fitTextClasses(texts, classesOf(labels), decodeParameters(textClassesParameters, { C: 1, ...body }), silent)
  const balanced = model({ class_weight: 'balanced' })
  t.is(balanced.excess?.length, 1)
  t.true(Math.abs((balanced.excess?.[0] ?? 0) - Math.log(9)) < 1e-9)
  t.is(model({}).excess, undefined)
})

test('weights name text labels as texts and numbers by any text of theirs, and one that no row has is told', (t) => {
  const weigh = (weight_label: unknown, labels: readonly (number | string)[]) => {
    const log: string[] = []
    const parameters = decodeParameters(linear.parameters, { weight_label, weight: [5] })
    return { weights: classWeights(parameters, labels, (line) => log.push(line)), log }
  }
  t.deepEqual(weigh(['007'], ['007', '7']), { weights: [5, 1], log: [] })
  t.deepEqual(weigh([7], ['007', '7']), { weights: [1, 5], log: [] })
  t.deepEqual(weigh('+1', [1, -1]), { weights: [5, 1], log: [] })
  t.deepEqual(weigh(['1.0'], [1, 0]), { weights: [5, 1], log: [] })
  t.deepEqual(weigh([7], ['007', '8']), {
    weights: [1, 1],
    log: ["weight_label '7' is not a label of the data: its weight does nothing"],
  })
})

const weighted = [svm, linear, tree]

test('names that are no label are told by the same words of all algorithms, the first ones each and the others by their number', (t) => {
  const names = Array.from({ length: 13 }, (_, i) => `stray${i}`)
  const sentences = [
    ...names.slice(0, 10).map((name) => `weight_label '${name}' is not a label of the data: its weight does nothing`),
    'weight_label has 3 more that are no labels of the data',
  ]
  for (const algorithm of weighted) {
    const log: string[] = []
    const weight_label = ['rare', ...names]
    train(algorithm, { weight_label, weight: weight_label.map(() => 2) }, log)
    // TREE says them for each part of the rows that it learns from apart.
    t.deepEqual([...new Set(log.filter((line) => line.includes('weight_label')))], sentences, algorithm.name)
  }
})

test('more weights than a target can have labels are refused', (t) => {
  const many = (count: number) => ({
    weight_label: Array.from({ length: count }, (_, i) => `stray${i}`),
    weight: new Array(count).fill(2),
  })
  for (const algorithm of weighted) {
    t.notThrows(() => train(algorithm, many(1000)), algorithm.name)
    t.throws(() => train(algorithm, many(1001)), {
      message: 'weight_label has 1001 entries, more than the 1000 labels that a target can have',
    })
  }
})

test('weights that are given in numbers beside balanced ones are refused', (t) => {
  for (const { fit: fitOf, parameters } of [linear, tree, svm]) {
    const body = { class_weight: 'balanced', weight: [2], weight_label: ['rare'] }
    t.throws(() => fitOf(known.features, classesOf(known.labels), decodeParameters(parameters, body), silent), {
      message: 'class_weight is balanced, and weight_label or weight is given; give one',
    })
  }
})
