import { z } from 'zod'
import { codeTable } from '../../../base/code-table.ts'
import { createProblems } from '../../../base/decode/problems.ts'
import { code, expected, flag, text } from '../../../base/decode/values.ts'
import { createWireObject, type Heard, isObject, unheard, type WireObject } from '../../../base/decode/wire-object.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Algorithm } from '../../../learn/algorithms/algorithm.ts'
import { checkClassWeights, isBalanced } from '../../../learn/algorithms/class-weights.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { decodeScriptParameters } from '../../../learn/algorithms/script-parameters.ts'
import { svmSettings } from '../../../learn/algorithms/svm/index.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { Layout } from '../../../learn/layout.ts'
import { decodeParameters, type Parameters, withDefaults } from '../../../learn/parameters.ts'
import { algorithms, formats } from '../../../sql/schema/codes.ts'
import { clientName } from '../../../sql/schema/values.ts'
import { conditionOnWire } from '../../models/comparison.ts'
import { decodeLayout, gathered, layoutOnWire, targetOnWire } from './decode-layout.ts'
import { asTheyAre, decodeReading, oneOf, readingOnWire } from './decode-reading.ts'
import { decodeSeries, takeSeriesMembers } from './decode-series.ts'
import { decodeHoldout, decodeSource, holdoutOnWire, sourceOnWire } from './decode-source.ts'
import { refuseTaking } from './decode-taking.ts'
import { type Activation, isGathered, type ReadingRules, type TrainingRequest } from './request.ts'

/** `algo_param.class_weight`, which `training_details` and the request may hold in its place. */
const classWeightOnWire = z.object({
  class_weight: oneOf(['balanced'])
    .optional()
    .meta({ description: 'a parameter of SVM, LIN, TREE and classes of texts, taken here too' }),
})
const { class_weight: weightShape } = classWeightOnWire.shape

type Own = Readonly<Record<string, unknown>>

/** `algo_param` with the weight that stands beside it. */
function withClassWeight(object: WireObject, details: WireObject, algorithm: Algorithm, own: Own): Own {
  const inDetails = details.take('class_weight', weightShape)
  const place = inDetails === undefined ? object : details
  const asked = inDetails ?? object.take('class_weight', weightShape)
  if (asked === undefined) return own
  if (algorithm.parameters.some(({ name }) => name === 'class_weight')) return { ...own, class_weight: asked }
  if (algorithm.learnsFrom === 'script') {
    place.note('class_weight', 'does nothing: a script weighs classes itself; algo_param reaches it')
  } else place.fail('class_weight', `is ${asked}, and ${algorithm.name} learns no classes`)
  return own
}

/** Refuses a weight that the request alone shows to have no classes; where the data show it, the log says it. */
function refuseIdleWeight(
  object: WireObject,
  algorithm: Algorithm,
  parameters: Parameters,
  { target }: Layout,
  { task }: ReadingRules,
): void {
  if (!isBalanced(parameters) || algorithm.learnsFrom !== 'rows') return
  const own = algorithm.task(parameters)
  const why =
    own === 'numbers' || own === 'none'
      ? `the parameters of ${algorithm.name} ask for ${own === 'none' ? 'no target' : 'numbers'}`
      : (task ?? target?.task) === 'numbers'
        ? 'the target holds numbers, which have no classes'
        : undefined
  if (why !== undefined) object.fail('class_weight', `is balanced, and ${why}`)
}

const speeds = ['VERY FAST', 'FAST', 'MEDIUM', 'SLOW', 'VERY SLOW'] as const
const speedCodes = codeTable(
  'train_speed',
  speeds.map((name, i) => [i + 1, name]),
)

const own = z.preprocess((value) => value ?? {}, z.record(z.string(), z.unknown(), { error: 'must be an object' }))

/** An estimate, which nothing hangs on; as a text, too. */
const megabytes = z.preprocess(
  (value) => (typeof value === 'bigint' ? Number(value) : value),
  z.union([z.number().nonnegative(), z.string()], expected('a number of megabytes')),
)

const usualBudget_s = 600
const longestBudget_s = 36_000
const budget = expected(`a number of seconds above 0, at most ${longestBudget_s}`)
/** The members of a request, and of its `training_details`, about how long tuning may take. */
const budgetOnWire = z
  .preprocess(
    (value) =>
      typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : value,
    z.number(budget).gt(0, budget).max(longestBudget_s, budget),
  )
  .meta({
    type: 'number',
    exclusiveMinimum: 0,
    maximum: longestBudget_s,
    description: `seconds after which tuning takes the best of the candidates that were tried; absent: ${usualBudget_s}`,
  })
  .optional()

const scaleOnWire = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.union([flag, z.literal('standard')], expected('0, 1 or "standard"')),
  )
  .meta({
    enum: [0, 1, 'standard'],
    description: 'absent: 1 for SVM, LIN and KMEANS, else 0; LIBSVM data without attr_list stay as they are',
  })

const whetherCurrent = expected('1, 0 or {"if": <metric>, "better_than": "current", "by": <difference>}')
const activateOnWire = z.union([flag, conditionOnWire], whetherCurrent).optional().meta({
  description:
    '0: the version that the training makes is not current; an object: it becomes current only where it is better on the rows held out; absent: it is current',
})

/** `activate`; a condition names each fault at its member. */
function takeActivation(object: WireObject): Activation {
  const value = object.take('activate', z.unknown())
  if (isObject(value)) {
    const condition = object.object('activate')
    condition?.only(conditionOnWire.shape)
    const metric = condition?.take('if', conditionOnWire.shape.if)
    condition?.take('better_than', conditionOnWire.shape.better_than)
    const by = condition?.take('by', conditionOnWire.shape.by) ?? 0
    return metric === undefined ? 'always' : { metric, by }
  }
  return object.take('activate', activateOnWire) === false ? 'never' : 'always'
}

const idleBudget = 'does nothing: tune_params is not 1'

/** Interface 4.10. */
export const trainingOnWire = layoutOnWire.extend({
  ...readingOnWire.shape,
  ...classWeightOnWire.shape,
  ...holdoutOnWire.shape,
  'schema-name': clientName,
  model_name: clientName,
  algo_type: code(algorithms),
  algo_param: z.record(z.string(), z.unknown()).optional(),
  scale: scaleOnWire.optional(),
  tune_params: flag.optional(),
  tune_budget_s: budgetOnWire,
  activate: activateOnWire,
  access_key: text.optional(),
  secret_key: text.optional(),
  training_details: z.object({
    ...sourceOnWire.shape,
    ...targetOnWire.shape,
    ...readingOnWire.shape,
    ...classWeightOnWire.shape,
    ...holdoutOnWire.shape,
    input_format: code(formats).optional(),
    expected_format: code(formats).optional(),
    train_speed: code(speedCodes).optional(),
    tune_budget_s: budgetOnWire,
    file_size_mb: megabytes.nullable().optional(),
  }),
})
const { shape } = trainingOnWire
const inDetails = shape.training_details.shape

/** Decodes all that the request alone shows; throws a `Refusal` that names every fault, and notes members that are unknown. */
export function decodeTraining(wire: unknown, notes: Heard = unheard): TrainingRequest {
  if (!isObject(wire)) throw new Refusal('send an object: schema-name, model_name, algo_type, training_details, ...')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const schema = object.take('schema-name', shape['schema-name']) ?? ''
  const model = object.take('model_name', shape.model_name) ?? ''
  const name = object.take('algo_type', shape.algo_type)
  const algorithm = name && algorithmOf(name)
  const scale = object.take('scale', shape.scale)
  const activation = takeActivation(object)
  const tune = object.take('tune_params', shape.tune_params) ?? false
  const ownMembers = object.take('algo_param', own) ?? {}
  const details = object.object('training_details')
  refuseTaking(object, 'stands in training_details, beside the source of which it chooses rows')
  const raw = algorithm && details ? withClassWeight(object, details, algorithm, ownMembers) : ownMembers
  const { own: ofAlgorithm, isSeries, asked: askedSeries } = takeSeriesMembers(object, algorithm, raw)
  const parameters =
    algorithm && gathered(object, 'algo_param', () => decodeOwnParameters(algorithm, ofAlgorithm, isSeries))

  details?.only(inDetails)
  const source = details && decodeSource(details, { schema, model })
  const input = details && decodeInput(details, source !== undefined && isGathered(source))
  const expected = details?.take('expected_format', inDetails.expected_format)
  const speed = details?.take('train_speed', inDetails.train_speed)
  const budgets = [details?.take('tune_budget_s', budgetOnWire), object.take('tune_budget_s', budgetOnWire)]
  if (!tune) {
    for (const place of [details, object]) if (place?.has('tune_budget_s')) place.note('tune_budget_s', idleBudget)
  }
  details?.take('file_size_mb', inDetails.file_size_mb)
  const decoded =
    algorithm &&
    details &&
    input &&
    decodeLayout(object, details, { algorithm, input, expected: expected ?? input, parameters, isSeries })
  /** LIBSVM data with whatever features come. */
  const isSparse = !isSeries && decoded?.layout.columns.length === 0 && decoded.namedByData === undefined
  if (scale && isSparse) object.note('scale', `does nothing: ${asTheyAre}`)
  const isNamedByData = decoded?.namedByData !== undefined
  const learning = { algorithm, parameters, input, isSparse, isSeries, isNamedByData }
  const rules = details && decodeReading(object, details, learning)
  const series =
    algorithm && details && decoded && rules && askedSeries
      ? decodeSeries(object, details, {
          ...{ algorithm, parameters, asked: askedSeries, source, decoded, reading: rules.reading },
        })
      : undefined
  if (algorithm && parameters && decoded && rules)
    refuseIdleWeight(object, algorithm, parameters, decoded.layout, rules.reading)
  const isOpen = algorithm?.learnsFrom === 'texts' && !object.has('attr_list')
  const holdout =
    details && source && input && decoded
      ? decodeHoldout(object, details, {
          ...{ key: { schema, model }, source, input, decoded, isSparse, isOpen },
          ...(series && { series: series.rule }),
        })
      : undefined
  problems.refuse()
  if (!algorithm || !parameters || !source || !input || !decoded || !rules)
    throw new Refusal('the request is not complete')
  const { attributes, namedByData } = decoded
  const { layout } = series ?? decoded
  // Features that sparse rows lack are 0, which scaling by ranges would make another number.
  const scaledByDefault = scale === undefined && !isSparse && algorithm.learnsFrom === 'rows' && algorithm.needsScale

  return {
    schema,
    model,
    algorithm: algorithm.name,
    parameters,
    raw,
    layout: rules.missing === undefined ? layout : { ...layout, missing: rules.missing },
    attributes,
    isSparse,
    ...(namedByData && { namedByData }),
    ...(series && { series: series.rule }),
    reading: rules.reading,
    ...(holdout && { holdout }),
    scale: scale ?? scaledByDefault,
    ...(scaledByDefault && { scaledByDefault }),
    tune,
    tuneBudget_s: budgets.find((seconds) => seconds !== undefined) ?? usualBudget_s,
    speed: speeds.indexOf(speed ?? 'MEDIUM') + 1,
    source,
    activation,
    input,
    expected: expected ?? input,
  }
}

/** The format of the data: JSON for events and records, else the one that the request names. */
function decodeInput(details: WireObject, isJson: boolean): FormatName | undefined {
  if (!isJson) return details.take('input_format', code(formats))
  details.take('input_format', inDetails.input_format)
  return 'JSON'
}

/**
 * `algo_param` by the algorithm's own table; throws a `Refusal` that names every fault. It may be the `tuned_algo_params`
 * of a training as its status shows them, whose `train_perf` is a measure and no parameter.
 */
function decodeOwnParameters(
  algorithm: Algorithm,
  raw: Readonly<Record<string, unknown>>,
  isSeries: boolean,
): Parameters {
  const { name, learnsFrom, parameters: table } = algorithm
  if (learnsFrom === 'script') {
    // Its other members are the script's own.
    const { script } = decodeScriptParameters(raw)
    return { script }
  }
  const { train_perf: _, ...given } = raw
  const usual = isSeries && learnsFrom === 'rows' ? algorithm.series?.defaults : undefined
  const parameters = decodeParameters(withDefaults(table, usual), given)
  if (name === 'SVM') svmSettings(parameters, 1)
  if (learnsFrom === 'rows') algorithm.check?.(parameters)
  checkClassWeights(parameters)
  return parameters
}
