import test from 'ava'
import { Tensor } from 'onnxruntime-node'
import { countFeatures } from '../../../../learn/algorithms/text/classes/features.ts'
import { weigh, weighTexts } from '../../../../learn/algorithms/text/classes/weigh.ts'
import {
  addTextClassesGraph,
  encodeTexts,
  entitiesParameters,
  fitTextClasses,
  type TextClassesModel,
  textClassesParameters,
  textParameters,
} from '../../../../learn/algorithms/text/index.ts'
import type { Classes } from '../../../../learn/dataset.ts'
import { createGraph } from '../../../../learn/onnx/graph.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { type Labelled, places, reviews } from './corpora.ts'
import { doubles, runModel } from './run-model.ts'

const silent = { beat: () => {}, log: () => {} }

function classesOf(labels: readonly string[]): Classes {
  const known = [...new Set(labels)]
  return { kind: 'classes', labels: known, classes: Int32Array.from(labels, (label) => known.indexOf(label)) }
}

const fitTexts = (data: readonly Labelled[], parameters: Record<string, unknown> = {}): TextClassesModel =>
  fitTextClasses(
    data.map(({ text }) => text),
    classesOf(data.map(({ label }) => label)),
    decodeParameters(textClassesParameters, parameters),
    silent,
  )

async function predict(model: TextClassesModel, texts: readonly string[]) {
  const graph = createGraph()
  const outputs = addTextClassesGraph(graph, model)
  graph.output('label', outputs.label, 'string', ['N'])
  if (outputs.score) graph.output('score', outputs.score, 'double', ['N', model.outputs])
  if (outputs.probabilities) graph.output('probabilities', outputs.probabilities, 'double', ['N', model.labels.length])
  const { dims, buckets, counts } = encodeTexts(texts, model.scheme)
  const found = await runModel(graph.bytes(), {
    buckets: new Tensor('int32', buckets, dims),
    counts: new Tensor('float32', counts, dims),
  })
  return {
    labels: Array.from(found.label?.data ?? [], String),
    scores: doubles(found.score),
    probabilities: doubles(found.probabilities),
  }
}

async function accuracy(model: TextClassesModel, data: readonly Labelled[]): Promise<number> {
  const { labels } = await predict(
    model,
    data.map(({ text }) => text),
  )
  return data.filter(({ label }, index) => labels[index] === label).length / data.length
}

test('what "not" turns round is learnt from runs of words, and cannot be from single ones', async (t) => {
  const [train, heldOut] = [reviews(600, 1), reviews(300, 2)]
  const whole = await accuracy(fitTexts(train), heldOut)
  const singles = await accuracy(fitTexts(train, { word_ngrams: 1, char_ngrams: 0 }), heldOut)
  t.log(`runs of words ${whole}, single words ${singles}`)
  t.true(whole >= 0.97, `${whole}`)
  t.true(singles <= 0.7, `${singles}`)
})

test('made-up words are told apart by runs of their characters, and cannot be by the words', async (t) => {
  const [train, heldOut] = [places(400, 1), places(300, 2)]
  const whole = await accuracy(fitTexts(train), heldOut)
  const words = await accuracy(fitTexts(train, { char_ngrams: 0 }), heldOut)
  t.log(`runs of characters ${whole}, words ${words}`)
  t.true(whole >= 0.97, `${whole}`)
  t.true(words <= 0.6, `${words}`)
})

for (const [name, make] of [
  ['two', reviews],
  ['three', places],
] as const) {
  test(`with ${name} labels the graph's scores are sums of weights times values, its probabilities add up to 1`, async (t) => {
    const model = fitTexts(make(200, 3))
    const texts = ['', 'zzzz qqqq', ...make(20, 4).map(({ text }) => text), 'one']
    const { scores, probabilities, labels } = await predict(model, texts)
    for (const [index, text] of texts.entries()) {
      const cells = weigh(countFeatures(text, model.scheme), model.weighing)
      const expected = Array.from(model.intercepts, (intercept, output) =>
        cells.reduce(
          (sum, { row, value }) => sum + value * (model.weights[row * model.outputs + output] ?? 0),
          intercept,
        ),
      )
      const shares = expected.map((score) => 1 / (1 + Math.exp(-score)))
      const own =
        shares.length === 1
          ? [shares[0] ?? 0, 1 - (shares[0] ?? 0)]
          : shares.map((share) => share / shares.reduce((sum, other) => sum + other, 0))
      for (const [output, score] of expected.entries()) {
        t.true(Math.abs(score - (scores[index * model.outputs + output] ?? Number.NaN)) < 1e-9)
      }
      for (const [label, probability] of own.entries()) {
        t.true(Math.abs(probability - (probabilities[index * own.length + label] ?? Number.NaN)) < 1e-9)
      }
      t.is(labels[index], String(model.labels[own.indexOf(Math.max(...own))]))
    }
  })
}

test('the same seed gives the same model, and a text gets the same answer alone and among longer ones', async (t) => {
  // So few buckets that each one has been seen: what fills up short rows must be none of them.
  const train = places(100, 5)
  const [model, again] = [fitTexts(train, { hash_bits: 8 }), fitTexts(train, { hash_bits: 8 })]
  t.deepEqual(model, again)
  const texts = places(30, 6).map(({ text }, index) =>
    index % 2 === 0 ? text : `${text} ${text} ${'und so fort '.repeat(index)}`,
  )
  const together = await predict(model, texts)
  for (const [index, text] of texts.entries()) {
    const alone = await predict(model, [text])
    for (const [label, probability] of alone.probabilities.entries()) {
      t.true(Math.abs(probability - (together.probabilities[index * 3 + label] ?? Number.NaN)) < 1e-12)
    }
  }
})

test('one label, or texts without a word, cannot be learnt from', (t) => {
  t.throws(() => fitTexts([{ text: 'a', label: 'x' }]), { message: /one class/ })
  const empty = [
    { text: ' ', label: 'x' },
    { text: '', label: 'y' },
  ]
  t.throws(() => fitTexts(empty), { message: /no text has a word/ })
})

test('words are weighed by how often and in how many texts they occur', (t) => {
  const scheme = { bits: 18, wordNgrams: 1, charNgrams: 0 }
  const { features, weighing } = weighTexts(['tea tea tea milk', 'Tea'], scheme, 1, () => {})
  const [tea, milk] = [(1 + Math.log(3)) * 1, Math.log(3 / 2) + 1]
  const length = Math.hypot(tea, milk)
  t.is(weighing.rows.count, 3)
  t.deepEqual([...features.offsets], [0, 2, 3])
  const near = (actual: number | undefined, expected: number): boolean => Math.abs((actual ?? 9) - expected) < 1e-6
  const first = [...features.values.subarray(0, 2)].sort()
  t.true(near(first[0], Math.min(tea, milk) / length) && near(first[1], Math.max(tea, milk) / length))
  t.true(near(features.values[2], 1))
  const rare = weighTexts(['tea milk', 'tea'], scheme, 2, () => {})
  t.deepEqual([rare.weighing.rows.count, ...rare.features.values], [2, 1, 1])
})

test('plain IE takes the parameters of both kinds, each name once', (t) => {
  const names = textParameters.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  t.is(new Set(names).size, names.length)
  const own = new Set([...textClassesParameters, ...entitiesParameters].map(({ name }) => name))
  t.deepEqual(textParameters.map(({ name }) => name).sort(), [...own].sort())
  t.throws(() => decodeParameters(textClassesParameters, { rate: 1 }), { message: /unknown parameter 'rate'/ })
})
