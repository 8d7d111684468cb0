import test from 'ava'
import { Tensor } from 'onnxruntime-node'
import { createPredictor } from '../../../activities/prediction/predictor.ts'
import { runModel } from '../../../activities/prediction/run-model.ts'
import { createSessions } from '../../../activities/prediction/sessions.ts'
import { metadataOf } from '../../../learn/description.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import { createGraph, single } from '../../../learn/onnx/graph.ts'
import { withMetadata } from '../../../learn/onnx/metadata.ts'
import { sumModel as sumOfNumbers } from '../training/python/models.ts'
import { described, signModel, sumModel } from './models.ts'

const models: Record<string, () => Uint8Array> = {
  sum: sumModel,
  sign: signModel,
  signs: () => signModel([-1, 1]),
  features: () =>
    withMetadata(
      sumOfNumbers(),
      metadataOf({
        ...described,
        attributes: [1, 2].map((position) => ({ name: `f${position}`, position, kind: 'number' })),
        target: { name: 'target', position: 0, unnamed: true },
      }),
    ),
  plain: () => withMetadata(plainModel(), metadataOf({ ...described, attributes: plainAttributes })),
  other: () => new TextEncoder().encode('not a model'),
}

const plainAttributes = [
  { name: 'age', position: 0, kind: 'number' as const, fill: 7 },
  { name: 'height', position: 3, kind: 'number' as const },
]

/** As a user's own program may write it: one float32 input, one float32 output, no metadata. */
function plainModel(): Uint8Array {
  const graph = createGraph()
  const input = graph.input('X', 'float', ['N', 2])
  graph.output('y', single(graph.node('ReduceSum', [input, graph.constant(BigInt64Array.of(1n), [1])])), 'float', [
    'N',
    1,
  ])
  return graph.bytes()
}

const predictor = createPredictor(
  createSessions(async (key) => models[key]?.() ?? Promise.reject(new Error(`no model ${key}`))),
)

const ask = (model: string, format: FormatName, line: string, considerTarget = false) =>
  predictor.predictLine({ model, format, line, considerTarget })

test('a line of any format is predicted by the names or positions of its attributes', async (t) => {
  const answer = { predict_labels: 0.5 + 0 + 1, mean_sq_err: 0, sq_cor_coef: 0, errorcode: 0 } as const
  const numbers = { ...answer, predict_labels: 0.5 + 0 + 0 }
  t.deepEqual(await ask('sum', 'CSV', '75,Rome,1.5'), answer)
  t.deepEqual(await ask('sum', 'CSV', '75,"Rome",1.5\n'), answer)
  t.deepEqual(await ask('sum', 'JSON', '{"height":1.5,"city":"Rome","age":"75","x":[]}'), answer)
  t.deepEqual(await ask('sum', 'KV', 'height:1.5 city:Rome age:75'), answer)
  t.deepEqual(await ask('sum', 'SVM', '0:75 3:1.5'), numbers)
})

test('rows of many attributes are run a few at a time, and a line has an end', async (t) => {
  const attributes = Array.from({ length: 100_000 }, (_, position) => ({
    name: `a${position}`,
    position,
    kind: 'number' as const,
  }))
  const sizes: number[] = []
  const onnx = {
    inputMetadata: [{ name: 'x', isTensor: true, type: 'float64', shape: ['N', 100_000] } as const],
    outputMetadata: [{ name: 'y', isTensor: true, type: 'float64', shape: ['N'] } as const],
    run: async ({ x }: Readonly<Record<string, Tensor>>) => {
      sizes.push(x?.dims[0] ?? 0)
      return { y: new Tensor('float64', new Float64Array(x?.dims[0] ?? 0), [x?.dims[0] ?? 0]) }
    },
    release: async () => {},
  }
  const session = { onnx, description: { ...described, attributes, batch: 1024 }, bytes: 0, words: [] }
  const rows = Array.from({ length: 100 }, (_, line) => ({ line, cells: [], target: undefined }))
  t.is((await runModel(session, rows, {})).length, 100)
  t.deepEqual(sizes, [41, 41, 18])
  await t.throwsAsync(ask('sum', 'CSV', '1\n'.repeat(5_000_000)), {
    message: 'the data have 10 MB; a line may have 8',
  })
})

test('a prediction beyond all numbers is refused: JSON would make a null of it', async (t) => {
  await t.throwsAsync(ask('sum', 'CSV', '75,Rome,1.7e308'), {
    message: 'line 1: the prediction goes beyond all numbers',
  })
  const [first, second] = await predictor.predictObjects('sum', [{ height: 1.5 }, { height: -1.7e308 }])
  t.deepEqual(Object.keys(first ?? {}), ['label'])
  t.deepEqual(second, { line: 2, reason: 'the prediction goes beyond all numbers' })
})

test('features that LIBSVM data without a list of attributes did not have are passed over, which a note says', async (t) => {
  const answer = await ask('features', 'SVM', '1:2 2:3 7:1 9:1')
  t.is(answer.predict_labels, 5)
  t.deepEqual(answer.notes, ['the line has features that training did not see, such as 7, 9: they are passed over'])
  t.deepEqual((await ask('features', 'SVM', '1:2 7:1 8:1 9:1 10:1')).notes, [
    'the line has features that training did not see, such as 7, 8, 9: they are passed over',
  ])
  t.deepEqual((await ask('features', 'SVM', '1:2')).notes, undefined)
  await t.throwsAsync(ask('features', 'SVM', '0:1 1:2'), {
    message: /no attribute has position 0; features count from 1/,
  })
  await t.throwsAsync(ask('sum', 'SVM', '0:75 7:1'), { message: /no attribute has position 7/ })
})

test('a word that training did not see, and a truth value for a number, are told beside the prediction', async (t) => {
  t.deepEqual((await ask('sum', 'CSV', '75,Paris,1.5')).notes, [
    "attribute 'city': 'Paris' is a word that training did not see",
  ])
  t.deepEqual((await ask('sum', 'JSON', '{"age":true,"city":"Oslo","height":1.5}')).notes, [
    "attribute 'age': 'true' is taken as 1 or 0, in place of a number",
  ])
  t.is((await ask('sum', 'CSV', '75,Rome,')).notes, undefined)
})

test('missing values and unknown words are predicted too', async (t) => {
  t.is((await ask('sum', 'CSV', ',Paris,')).predict_labels, 40 / 50 - 1 + 0)
  t.is((await ask('sum', 'JSON', '{"age":null,"city":null,"height":null}')).predict_labels, 40 / 50 - 1)
})

test('classes come with their probabilities', async (t) => {
  t.deepEqual(await ask('sign', 'CSV', '75,Rome,1.5'), {
    predict_labels: 'old',
    user_pred_accuracy: 0,
    mean_sq_err: 0,
    sq_cor_coef: 0,
    probabilities: { young: 0.25, old: 0.75 },
    errorcode: 0,
  })
  t.is((await ask('signs', 'CSV', '25,Rome,1.5')).predict_labels, -1)
})

test('a target that the line brings is compared', async (t) => {
  t.like(await ask('sum', 'CSV', '75,Rome,3.5,1.5', true), { predict_labels: 1.5, mean_sq_err: 4, sq_cor_coef: 0 })
  t.like(await ask('sign', 'JSON', '{"age":75,"city":null,"height":null,"income":"old"}', true), {
    user_pred_accuracy: 100,
  })
  t.like(await ask('signs', 'JSON', '{"age":75,"city":null,"height":null,"income":"-1"}', true), {
    user_pred_accuracy: 0,
  })
})

test('a line that does not fit the model is refused by the attribute', async (t) => {
  const refused = async (format: FormatName, line: string, message: string, target = false) => {
    await t.throwsAsync(ask('sum', format, line, target), { message })
  }
  await refused('CSV', '75,Rome,tall', "line 1, column 3, attribute 'height': 'tall' is no number")
  await refused('CSV', '75,Rome', 'line 1: the row has 2 cells in place of 3; the attributes are age, city, height')
  await refused('JSON', '{"age":{}}', "line 1, attribute 'age': an object or an array, in place of a number or a text")
  await refused('JSON', '{"age":', 'line 1, column 8: the row is no JSON: Unexpected end of JSON input')
  await refused('JSON', '{}', 'line 1: the row names none of the attributes age, city, height')
  await refused(
    'KV',
    'age:75 hieght:1 city:',
    'line 1: the row lacks height; a value that is missing is null, in KV nothing behind its name',
  )
  await refused('SVM', '9:1', 'line 1: no attribute has position 9')
  await refused('CSV', ' \n', 'there is no data to predict')
  await refused('CSV', '', 'there is no data to predict')
  await refused('CSV', '1,a,1\n2,b,2', 'the data have 2 lines; one is predicted at once')
})

test('events are predicted together, each with its own fault, across batches', async (t) => {
  const ages = [75, 'x', 25, 50, 75, 75, 75, 75, 75, 100]
  const results = await predictor.predictObjects(
    'sum',
    ages.map((age) => ({ age, height: 1.5 })),
  )
  t.deepEqual(
    results.map((result) => ('label' in result ? result.label : result)),
    ages.map((age, i) =>
      typeof age === 'number' ? age / 50 - 1 : { line: i + 1, attribute: 'age', reason: "'x' is no number" },
    ),
  )
})

test('a model of the user takes float32 in the order of attr_list, and missing numbers as it was told', async (t) => {
  t.is((await ask('plain', 'CSV', '2,0.5')).predict_labels, 2.5)
  t.is((await ask('plain', 'JSON', '{"age":null,"height":0.5}')).predict_labels, 7.5)
})

test('what is no model is refused', async (t) => {
  await t.throwsAsync(ask('other', 'CSV', '1'), { message: 'the file is no ONNX model' })
  await t.throwsAsync(ask('absent', 'CSV', '1'), { message: 'no model absent' })
})
