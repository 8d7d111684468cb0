import test from 'ava'
import { Tensor } from 'onnxruntime-node'
import { emit } from '../../../../learn/algorithms/text/entities/descent.ts'
import { featuresPerToken } from '../../../../learn/algorithms/text/entities/features.ts'
import {
  addEntitiesGraph,
  chainOf,
  type EntitiesModel,
  encodeTokens,
  entitiesParameters,
  type FoundEntity,
  findEntities,
  fitEntities,
  measureEntities,
  type TaggedText,
  tagText,
  textParameters,
} from '../../../../learn/algorithms/text/index.ts'
import { createGraph } from '../../../../learn/onnx/graph.ts'
import { decodeParameters, type Parameter } from '../../../../learn/parameters.ts'
import { type Marked, marked } from './corpora.ts'
import { doubles, runModel } from './run-model.ts'

const silent = { beat: () => {}, log: () => {} }

function tagged({ text, entities }: Marked): TaggedText {
  const result = tagText(text, entities)
  if ('reason' in result) throw new Error(result.reason)
  return result
}

const fitMarked = (data: readonly Marked[], parameters: Record<string, unknown> = {}): EntitiesModel =>
  fitEntities(data.map(tagged), decodeParameters(entitiesParameters, parameters), silent)

async function emissionsOf(model: EntitiesModel, texts: readonly string[]) {
  const graph = createGraph()
  addEntitiesGraph(graph, model)
  const { tokens, dims, buckets } = encodeTokens(texts, model.rows.bits)
  const outputs = await runModel(graph.bytes(), { buckets: new Tensor('int32', buckets, dims) })
  return { outputs, tokens, buckets, emissions: doubles(outputs.emissions) }
}

/** By the model's file alone, as a predictor does it. */
async function predict(model: EntitiesModel, texts: readonly string[]): Promise<readonly (readonly FoundEntity[])[]> {
  const { outputs, tokens, emissions } = await emissionsOf(model, texts)
  const chain = chainOf(model.labels, doubles(outputs.transitions))
  let at = 0
  return texts.map((text, index) => {
    const ofText = tokens[index] ?? []
    const from = at
    at += ofText.length * chain.tags
    return findEntities(text, ofText, emissions.subarray(from, at), chain, model.labels)
  })
}

type Named = { readonly offset: number; readonly text: string; readonly tag: string }

/** The harmonic mean of precision and recall over exact entities. */
function f1(data: readonly Marked[], found: readonly (readonly Named[])[]): number {
  let [right, wrong, missed] = [0, 0, 0]
  for (const [index, { text, entities }] of data.entries()) {
    const expected = new Set(entities.map(({ start, end, label }) => `${start} ${text.slice(start, end)} ${label}`))
    for (const { offset, text: words, tag } of found[index] ?? []) {
      if (expected.delete(`${offset} ${words} ${tag}`)) right += 1
      else wrong += 1
    }
    missed += expected.size
  }
  return (2 * right) / (2 * right + wrong + missed)
}

test('entities whose names were never seen are found by form and neighbours, with offsets in UTF-16', async (t) => {
  const [train, heldOut] = [marked(150, 1), marked(300, 2)]
  const texts = heldOut.map(({ text }) => text)
  const found = await predict(fitMarked(train), texts)
  const known = new Map(
    train.flatMap(({ text, entities }) => entities.map((e) => [text.slice(e.start, e.end), e.label] as const)),
  )
  const byHeart = texts.map((text) =>
    [...known]
      .filter(([name]) => text.includes(name))
      .map(([name, tag]) => ({ offset: text.indexOf(name), text: name, tag })),
  )
  const [learnt, remembered] = [f1(heldOut, found), f1(heldOut, byHeart)]
  t.log(`F1 ${learnt}, of names known by heart ${remembered}`)
  t.true(learnt >= 0.97, `${learnt}`)
  t.true(remembered <= 0.3, `${remembered}`)
  t.true(Math.abs(measureEntities(heldOut.map(tagged), found).f1 - learnt) < 1e-12)
  for (const [index, entities] of found.entries()) {
    for (const { offset, text, score } of entities) {
      t.is(texts[index]?.slice(offset, offset + text.length), text)
      t.true(score > 0 && score <= 1)
    }
  }
})

test('without eps passes end once one lowers the loss by less than a tenth, also where the data decide the kind of texts', (t) => {
  const texts = marked(300, 3).map(tagged)
  const passes = (table: readonly Parameter[], own: Record<string, unknown> = {}) => {
    const lines: string[] = []
    const watch = { ...silent, log: (line: string) => void lines.push(line) }
    const { weights } = fitEntities(texts, decodeParameters(table, own), watch)
    return { weights, count: Number(/after (\d+) passes/.exec(lines.join('\n'))?.[1]) }
  }
  const usual = passes(entitiesParameters)
  t.deepEqual(passes(textParameters), usual)
  t.deepEqual(passes(entitiesParameters, { eps: 0.1 }), usual)
  t.true(usual.count < passes(entitiesParameters, { eps: 0.01 }).count)
})

test('a score tells how sure the tagger is: what it gets wrong has a lower one', async (t) => {
  const heldOut = marked(400, 4)
  const found = await predict(
    fitMarked(marked(25, 3)),
    heldOut.map(({ text }) => text),
  )
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const judged = found.flatMap((entities, index) =>
    entities.map(({ offset, text, tag, score }) => {
      const right = heldOut[index]?.entities.some(
        (e) => e.start === offset && e.end === offset + text.length && e.label === tag,
      )
      return { score, isRight: right === true }
    }),
  )
  const wrong = judged.filter(({ isRight }) => !isRight).map(({ score }) => score)
  t.log(`${wrong.length} wrong of ${judged.length}`)
  t.true(wrong.length >= 10)
  const sure = mean(judged.filter(({ isRight }) => isRight).map(({ score }) => score))
  t.true(sure > mean(wrong) + 0.1, `${sure} and ${mean(wrong)}`)
})

test("the graph's emissions are sums of a token's weights, and its transitions and bounds those of the chain", async (t) => {
  const model = fitMarked(marked(60, 5))
  const { outputs, buckets, emissions } = await emissionsOf(model, ['Dr Moro of Kalo Ltd', '', '数 unseen ωραίο'])
  const { chain } = model
  const own = emit(
    { chain, weights: Float64Array.from(model.weights) },
    buckets.map((bucket) => model.rows.ofBucket[bucket] ?? 0),
    featuresPerToken,
  )
  t.is(own.length, emissions.length)
  t.true(own.every((score, cell) => Math.abs(score - (emissions[cell] ?? Number.NaN)) < 1e-9))
  t.true(own.some((score) => Math.abs(score) > 0.1))
  const transitions = doubles(outputs.transitions)
  t.deepEqual(chainOf(model.labels, transitions), chain)
  t.is(transitions.filter((score) => score === -1e30).length, chain.tags ** 2 - chain.from.length)
  t.deepEqual(
    [...doubles(outputs.starts)],
    chain.starts.map((may) => (may ? 0 : -1e30)),
  )
  t.deepEqual(
    [...doubles(outputs.ends)],
    chain.ends.map((may) => (may ? 0 : -1e30)),
  )
})

test('texts without a word have no entities, and the same seed gives the same model', async (t) => {
  const train = marked(40, 6)
  const model = fitMarked(train)
  t.deepEqual(await predict(model, ['', ' \n ']), [[], []])
  t.deepEqual(model, fitMarked(train))
  t.notDeepEqual(model.weights, fitMarked(train, { seed: 2 }).weights)
})

const faults: readonly (readonly [string, readonly [number, number][], RegExp])[] = [
  ['ends after the text', [[0, 20]], /entity 0 to 20 'x' is not inside the text, which has 19/],
  ['is empty', [[4, 4]], /entity 4 to 4/],
  ['holds blanks alone', [[3, 4]], /holds no word/],
  [
    'overlaps another',
    [
      [0, 9],
      [4, 12],
    ],
    /entity 4 to 12 'x' shares a word with the entity before it/,
  ],
  [
    'shares a cut word with another',
    [
      [4, 6],
      [6, 9],
    ],
    /shares a word/,
  ],
]

for (const [what, bounds, reason] of faults) {
  test(`an entity that ${what} is refused with its bounds`, (t) => {
    const result = tagText(
      'The quick brown fox',
      bounds.map(([start, end]) => ({ start, end, label: 'x' })),
    )
    t.regex('reason' in result ? result.reason : 'taken', reason)
  })
}

test('an entity is widened to the words that it cuts, and blanks at its ends are no part of it', (t) => {
  const entities = [
    { start: 3, end: 10, label: 'x' },
    { start: 12, end: 17, label: 'y' },
  ]
  t.like(tagText('The quick brown fox', entities), {
    spans: [
      { first: 1, last: 1, label: 'x' },
      { first: 2, last: 3, label: 'y' },
    ],
    widened: 1,
  })
})

test('texts without any entity cannot be learnt from', (t) => {
  t.throws(() => fitMarked([{ text: 'nothing here', entities: [] }]), { message: /no text has an entity/ })
})

test('entities are measured by label: exact ones are right, those elsewhere or of another label are not', (t) => {
  const city = { start: 3, end: 7, label: 'city' }
  const texts = [tagged({ text: 'in Rome', entities: [city] }), tagged({ text: 'so Rome', entities: [city] })]
  const at = (offset: number, text: string, tag: string): FoundEntity => ({ offset, text, tag, score: 1 })
  const measured = measureEntities(texts, [[at(3, 'Rome', 'city'), at(0, 'in', 'city')], [at(3, 'Rome', 'person')]])
  t.deepEqual(measured, {
    precision: 1 / 3,
    recall: 1 / 2,
    f1: 2 / 5,
    support: 2,
    labels: {
      city: { precision: 1 / 2, recall: 1 / 2, f1: 1 / 2, support: 2 },
      person: { precision: 0, recall: 0, f1: 0, support: 0 },
    },
  })
})
