/** Tools that list, describe and train models, and that predict. */
import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxRows, roomOfList } from './bounds.ts'
import type { Inner } from './inner.ts'
import {
  begunInWords,
  format,
  formatOnWire,
  modelInWords,
  modelsInWords,
  predictionInWords,
  refusedInWords,
  statusInWords,
  training,
  trainingOnWire,
} from './model-words.ts'
import { at, itemsOf } from './rows.ts'
import { identifier, isFine, object, type Told, tool, words } from './tool.ts'

/** An answer in words: what `say` makes of one that is fine, or the refusal. */
const inWords = (told: Told, say: (text: string) => string): Told =>
  isFine(told) ? { ...told, text: say(told.text) } : refusedInWords(told)

const listModels = tool(
  'list_models',
  ['read'],
  'reads',
  'Lists the models: algorithm, task, target, version, and how the latest training ended.',
  itemsOf({}),
  async ({ limit }, inner) => ({
    ...inWords(await inner({ method: 'GET', path: '/ml' }), modelsInWords),
    room: roomOfList(limit),
    ...(limit === undefined && { whenCut: () => `set limit, to at most ${maxRows}, for more` }),
  }),
)

const model = { schema: identifier('the schema of the model'), model: words('the model') }

const describeModel = tool(
  'describe_model',
  ['read'],
  'reads',
  'Says how a model was trained, how good it is, which attributes predict takes, and an example of a row.',
  z.strictObject(model),
  async ({ schema, model: name }, inner) =>
    inWords(await inner({ method: 'GET', path: at`/ml/${schema}/${name}` }), modelInWords),
)

const maxPredicted = 100

type Row = { readonly [name: string]: Json } | string

/** Predicts one row after the other; a row that is refused has its reason, and a model that is not there refuses them all. */
async function predictRows(inner: Inner, rows: readonly Row[], of: Readonly<Record<string, string>>): Promise<Told> {
  const told: Json[] = []
  let [refused, fine]: [Told | undefined, number] = [undefined, 0]
  for (const row of rows) {
    const isLine = typeof row === 'string'
    const body = { ...of, data_type: 2, ...(isLine ? { data: row } : { input_format: 'JSON', data: writeJson(row) }) }
    const answer = await inner({ method: 'POST', path: '/ml/pred/2', body: writeJson(body) })
    if (isFine(answer)) {
      fine++
      told.push({ ...predictionInWords(answer.text) })
      continue
    }
    refused ??= refusedInWords(answer)
    // Neither a model that is not there nor a service that is busy answers the next row.
    if (answer.status !== 400) return refused
    told.push({ error: reasonOf(refusedInWords(answer).text) })
  }
  if (fine === 0 && refused) return refused
  return { status: 200, text: writeJson({ rows: told, num_items: told.length }) }
}

function reasonOf(text: string): string {
  const told = parseJson(text, 'the answer')
  return isObject(told) ? [told.error].flat().map(String).join('; ') : ''
}

const predict = tool(
  'predict',
  ['read'],
  'reads',
  'Predicts with a trained model: a prediction a row, in their order, with probabilities where the model has classes.',
  z.strictObject({
    ...model,
    rows: z
      .array(z.union([object('values by name'), words('a line')]))
      .min(1)
      .max(maxPredicted)
      .meta({ description: 'each an object of values by name, as the example of describe_model, or a line' }),
    format: format.optional().meta({ description: 'of lines: csv if absent, text for a model of texts' }),
  }),
  ({ schema, model: name, rows, format: of }, inner) =>
    predictRows(inner, rows, {
      'schema-name': schema,
      model_name: name,
      ...(of !== undefined && { input_format: formatOnWire(of) }),
    }),
)

const trainingStatus = tool(
  'training_status',
  ['train'],
  'reads',
  'How the training of a model does: state is running, done, failed, stopped or superseded, and reason says why it failed.',
  z.strictObject(model),
  async ({ schema, model: name }, inner) =>
    inWords(await inner({ method: 'GET', path: at`/ml/${schema}/${name}/status` }), statusInWords),
)

const trainModel = tool(
  'train_model',
  ['train'],
  'adds',
  'Begins the training of a model from the events of a stream or from files, and waits for its end where wait_s says so; training_status tells how it does.',
  training,
  async ({ wait_s, ...asked }, inner) => {
    const path = wait_s === undefined ? '/ml/train' : `/ml/train?wait=${wait_s}`
    const { stream, file, folder, bucket } = asked.from
    const sources = [stream, file, folder].filter((each) => each !== undefined)
    if (sources.length > 1 || (sources.length === 0 && bucket === undefined) || (stream !== undefined && bucket))
      return refusedSource
    return inWords(await inner({ method: 'POST', path, body: writeJson(trainingOnWire(asked)) }), begunInWords)
  },
)

const refusedSource: Told = {
  status: 400,
  text: writeJson({
    errcode: -1,
    error: ['from: give one of {"stream"}, {"file", "bucket"?}, {"folder", "bucket"?} and {"bucket"}'],
  }),
}

export const modelTools = [listModels, describeModel, predict, trainingStatus]
export const trainingTools = [trainModel]
