/** Trainings, models and predictions in words, as agents send and read them, beside their wire form. */
import { z } from 'zod'
import { trainingState } from '../../activities/models/training-states.ts'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { typeWords } from '../../sql/schema/words/words-of-codes.ts'
import { identifier, type Told, words } from './tool.ts'

type Wire = { readonly [name: string]: Json }

const algorithmWords = {
  TREE: 'trees',
  LIN: 'linear',
  SVM: 'svm',
  PROJ_LIN: 'series',
  KMEANS: 'clusters',
  IE: 'text_entities_or_labels',
  IE_SENT: 'text_labels',
  IE_NER: 'text_entities',
  PY: 'script',
} as const
const formatWords = { CSV: 'csv', JSON: 'json', SVM: 'svm', TEXT: 'text', KV: 'pairs' } as const

/** The names on the wire by their words. */
const namesOf = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([name, word]) => [word, name]))
const algorithms = namesOf(algorithmWords)
const formats = namesOf(formatWords)
const types = namesOf(typeWords)

export const format = z.enum(Object.values(formatWords))

const attribute = z.union([
  words('the name of the attribute'),
  z.strictObject({
    name: words('as the data have it'),
    type: z.enum(['text', 'integer', 'number', 'boolean']).optional(),
    position: z.int().min(0).optional().meta({ description: 'of the column, in a file without names' }),
    learn: z
      .boolean()
      .optional()
      .meta({ description: 'false: rows are held out by it, and nothing is learnt from it' }),
  }),
])

const instant = z.union([z.string(), z.int()])

/** The arguments of `train_model`. */
export const training = z.strictObject({
  schema: identifier('the schema of the model'),
  model: identifier('the model'),
  algorithm: z.enum(Object.values(algorithmWords)),
  from: z
    .strictObject({
      stream: identifier('a stream of the schema, or its entity').optional(),
      table: words('a table, as queries name it: depot.cards').optional(),
      file: words('a training file').optional(),
      folder: words('all training files whose names begin so').optional(),
      bucket: words('of the file or folder; alone: all of its objects').optional(),
      where: words('of a stream or table: a condition, as in a query').optional(),
      from: instant.optional().meta({ description: 'of a stream: the first time' }),
      to: instant.optional().meta({ description: 'of a stream: the first time that is not taken' }),
      limit: z.int().min(1).optional().meta({ description: 'of a stream: the latest rows' }),
      sample: z.number().optional().meta({ description: 'of a stream or table: a share of its rows, or so many' }),
    })
    .meta({ description: 'where the rows come from: one of stream, table, file, folder, bucket' }),
  format: format.optional().meta({ description: 'of files; a stream needs none' }),
  target: words('the attribute to predict; none for clusters').optional(),
  attributes: z.array(attribute).min(1).optional().meta({ description: 'the target too; all where they are absent' }),
  task: z.enum(['classify', 'regress']).optional(),
  holdout: z
    .strictObject({
      share: z.number().optional(),
      time: words('the latest rows by this attribute').optional(),
      group: words('whole groups by this attribute').optional(),
      file: words('the rows of this file').optional(),
    })
    .optional()
    .meta({ description: 'rows on which the model is measured; a fifth by chance if absent' }),
  parameters: z
    .record(
      z.string(),
      z.custom<Json>(() => true),
    )
    .optional()
    .meta({ description: 'of the algorithm; a series is learnt with lag, and more' }),
  scale: z.union([z.boolean(), z.literal('standard')]).optional(),
  balanced: z.boolean().optional().meta({ description: 'true: rare classes count as much as frequent ones' }),
  tune: z.boolean().optional().meta({ description: 'true: parameters are tuned' }),
  tune_seconds: z.number().optional(),
  header: z.boolean().optional().meta({ description: 'whether the first row of a CSV has the names' }),
  separator: words('of the cells of a CSV').optional(),
  missing: z.array(z.string()).optional().meta({ description: 'texts that stand for a missing number' }),
  bad_rows: z.enum(['fail', 'skip']).optional(),
  max_bad_share: z.number().optional(),
  wait_s: z.number().min(0).max(30).optional().meta({ description: 'seconds to wait for its end' }),
})

const withoutAbsent = (value: { readonly [name: string]: Json | undefined }): Wire =>
  Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, each]])))

const flag = (value: boolean | undefined): Json | undefined => (value === undefined ? undefined : value ? 1 : 0)

function sourceOnWire({ stream, table, file, folder, bucket, ...taking }: z.output<typeof training>['from']): Wire {
  const taken = withoutAbsent(taking)
  if (stream !== undefined) return { training_source_type: 'STREAM', 'stream-name': stream, ...taken }
  if (table !== undefined) return { training_source_type: 'TABLE', training_source: table, ...taken }
  const named = withoutAbsent({ bucket_name: bucket, training_source: file ?? folder, ...taken })
  return { training_source_type: file !== undefined ? 'FILE' : folder !== undefined ? 'DIR' : 'BUCKET', ...named }
}

/** A training in words as the request of the API. */
export function trainingOnWire(asked: z.output<typeof training>): Wire {
  const { schema, model, algorithm, from, format: of, attributes, ...rest } = asked
  const { parameters, scale, balanced, tune, tune_seconds, header, separator, holdout, target } = rest
  return withoutAbsent({
    'schema-name': schema,
    model_name: model,
    algo_type: algorithms.get(algorithm),
    attr_list: attributes?.map((each) => {
      if (typeof each === 'string') return { name: each }
      const { type, learn, name, position } = each
      return withoutAbsent({ name, position, type: type && types.get(type), learn: flag(learn) })
    }),
    target,
    task: rest.task,
    holdout: holdout && withoutAbsent(holdout),
    algo_param: parameters,
    scale: typeof scale === 'boolean' ? flag(scale) : scale,
    class_weight: balanced === true ? 'balanced' : undefined,
    tune_params: flag(tune),
    tune_budget_s: tune_seconds,
    header: flag(header),
    SEP: separator,
    missing: rest.missing,
    bad_rows: rest.bad_rows,
    max_bad_share: rest.max_bad_share,
    training_details: { ...sourceOnWire(from), ...(of && { input_format: formats.get(of) ?? of }) },
  })
}

/** The name of a format on the wire. */
export const formatOnWire = (of: z.output<typeof format>): string => formats.get(of) ?? of

/** Members of the wire that refusals and notes name, and their words; longer ones first. */
const members: readonly (readonly [string, string])[] = [
  ['training_details.training_source_type', 'from'],
  ['training_details.training_source', 'from.file'],
  ['training_details.stream-name', 'from.stream'],
  ['training_details.bucket_name', 'from.bucket'],
  ['training_details.where', 'from.where'],
  ['training_details.from', 'from.from'],
  ['training_details.to', 'from.to'],
  ['training_details.limit', 'from.limit'],
  ['training_details.sample', 'from.sample'],
  ['training_source_type', 'from'],
  ['training_source', 'file'],
  ['training_details.', ''],
  ['input_format', 'format'],
  ['schema-name', 'schema'],
  ['stream-name', 'stream'],
  ['bucket_name', 'bucket'],
  ['model_name', 'model'],
  ['algo_type', 'algorithm'],
  ['algo_param', 'parameters'],
  ['attr_list', 'attributes'],
  ['class_weight', 'balanced'],
  ['tune_params', 'tune'],
  ['tune_budget_s', 'tune_seconds'],
  ['input_example', 'example'],
]

/** A sentence about the wire form in words: texts of a client stand in quotes, and stay. */
const saidInWords = (text: string): string =>
  text
    .split(/('[^']*')/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : members.reduce((said, [member, word]) => said.replaceAll(member, word), piece),
    )
    .join('')

/** The refusal of a call in words. */
export const refusedInWords = (told: Told): Told => ({ ...told, text: saidInWords(told.text) })

/** The step at which a training is, or failed. */
const steps: ReadonlyMap<number, string> = new Map([
  [trainingState.badInput, 'bad input'],
  [trainingState.sourceAbsent, 'the source is not there'],
  [trainingState.parse, 'rows cannot be read'],
  [trainingState.format, 'another format'],
  [trainingState.objectStore, 'the object store'],
  [trainingState.tuning, 'tuning'],
  [trainingState.training, 'learning'],
  [trainingState.badTestData, 'bad rows to measure on'],
  [trainingState.badTrainingData, 'bad rows to learn from'],
  [trainingState.fetching, 'fetching'],
  [trainingState.fetched, 'reading'],
  [trainingState.reformatted, 'tuning'],
  [trainingState.tuned, 'learning'],
  [trainingState.uploadPending, 'publishing'],
])

/** How far a training is: `state`, and the step at which it is or failed. */
function stateInWords(code: Json | undefined): Wire {
  const state = Number(code)
  if (state === trainingState.done) return { state: 'done' }
  if (state === trainingState.superseded) return { state: 'superseded' }
  if (state === trainingState.stopped) return { state: 'stopped' }
  const step = steps.get(state)
  return { state: state < trainingState.fetching ? 'failed' : 'running', ...(step !== undefined && { step }) }
}

const wordOf = (table: Readonly<Record<string, string>>, name: Json | undefined): Json =>
  table[String(name)] ?? (name === undefined ? '' : name)

const notesOf = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) && list.length > 0 ? list.map((each) => saidInWords(String(each))) : undefined

const objectOf = (text: string): Wire => {
  const value = parseJson(text, 'the answer')
  return isObject(value) ? value : {}
}

/** The answer to a training that began. */
export function begunInWords(text: string): string {
  const { train_req_state: state, error, reason } = objectOf(text)
  return writeJson(
    withoutAbsent({
      ...(state === undefined ? { state: 'scheduled' } : stateInWords(state)),
      reason,
      notes: notesOf(error),
    }),
  )
}

export function statusInWords(text: string): string {
  const { 'schema-name': schema, model_name: model, train_req_state: state, serving, notes, ...rest } = objectOf(text)
  const { progress, reason, waiting } = rest
  const of = { ...stateInWords(state), progress, reason, waiting, notes: notesOf(notes), serving_version: serving }
  return writeJson(withoutAbsent({ schema, model, ...of }))
}

const timeOf = (us: Json | undefined): Json | undefined =>
  us === undefined ? undefined : new Date(Number(us) / 1000).toISOString()

export function modelsInWords(text: string): string {
  const { models } = objectOf(text)
  const list = (Array.isArray(models) ? models.filter(isObject) : []).map((each: Wire) =>
    withoutAbsent({
      schema: each['schema-name'],
      model: each.model_name,
      algorithm: wordOf(algorithmWords, each.algo_type),
      task: each.task,
      target: each.target,
      version: each.version,
      num_versions: each.num_versions,
      since: timeOf(each.since),
      ...(each.train_req_state !== undefined && { training: stateInWords(each.train_req_state).state }),
    }),
  )
  return writeJson({ models: list, num_models: list.length })
}

/** Curves and samples, which people look at in the console. */
const drawn = ['roc', 'calibration', 'pairs', 'residuals', 'algorithm']

function sourceInWords(source: Json | undefined): Wire | undefined {
  if (!isObject(source)) return undefined
  const { training_source_type: type, 'stream-name': stream, training_source: named, bucket_name: bucket } = source
  const { where, from, to, sample, limit } = source
  const taken = { where, from, to, sample, limit }
  if (type === 'STREAM') return withoutAbsent({ stream, ...taken })
  if (type === 'TABLE') return withoutAbsent({ table: named, ...taken })
  return withoutAbsent({ [type === 'DIR' ? 'folder' : 'file']: named, bucket })
}

export function modelInWords(text: string): string {
  const { 'schema-name': schema, model_name: model, metrics, source, input_example, since, ...rest } = objectOf(text)
  const { num_attributes: _, errcode: __, algo_type: ___, ...others } = rest
  const measured = isObject(metrics) ? metrics : {}
  return writeJson(
    withoutAbsent({
      schema,
      model,
      algorithm: wordOf(algorithmWords, rest.algo_type ?? measured.algorithm),
      ...others,
      from: sourceInWords(source),
      example: exampleOf(input_example),
      since: timeOf(since),
      metrics: Object.fromEntries(Object.entries(measured).filter(([name]) => !drawn.includes(name))),
    }),
  )
}

/** A row for `predict`: an object where the text of the example is one. */
function exampleOf(example: Json | undefined): Json | undefined {
  return typeof example === 'string' && example.startsWith('{') ? objectOf(example) : example
}

/** One row of a prediction. */
export function predictionInWords(text: string): Wire {
  const { predict_labels: prediction, probabilities, notes } = objectOf(text)
  return withoutAbsent({ prediction, probabilities, notes: notesOf(notes) })
}
