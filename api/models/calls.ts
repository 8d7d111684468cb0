import { z } from 'zod'
import { trainingOnWire } from '../../activities/training/decode/decode-request.ts'
import { anyObject, bytes, type Call, count, force, instant, json, notes, strict, success } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { waits } from '../http/wait.ts'
import { page } from '../queries/calls.ts'
import { copyOnWire, modelVersionOnWire } from './model-version.ts'

const group = 'models'
const done = z.object({ msg: z.string(), errcode: success, errorcode: success })
/** Members of the state of a training. */
const outcome = {
  reason: z.string().optional().meta({ description: 'Why the training failed or was stopped' }),
  notes: z.array(z.string()).optional().meta({
    description:
      'How the data were read where they might have been meant otherwise, which the log has, too; in the status also where the current version does not fit a PRED attribute',
  }),
  serving: z.int().min(1).optional().meta({ description: 'The version that answers predictions' }),
}
const share = z.number().min(0).max(1)
const label = z.union([z.number(), z.string()])
const points = z.array(share).max(50)
/** The state of a training or of a file's prediction: below 20 it failed, 25 is done. */
export const state = z.int().min(10).max(26)

/** The metrics of the rows held out of a training; empty where there were too few. */
const metrics = z
  .looseObject({
    baseline: z.number().optional().meta({
      description:
        'accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean',
    }),
    source_rows: count
      .optional()
      .meta({ description: 'the rows of the stream or table that the model was trained on' }),
    taken_rows: count.optional().meta({ description: 'those of them that were taken' }),
    baseline_last: z.number().optional().meta({
      description: 'of a model with lag: rmse of always saying the latest of the values that it predicts from',
    }),
    macro_f1: share.optional().meta({ description: 'mean f1 of the labels' }),
    auc: share.optional().meta({
      description: 'area under the ROC curve; of more than two labels the mean of each against the rest',
    }),
    log_loss: z.number().optional(),
    brier: z.number().optional().meta({
      description: 'mean squared error of the probability of either of two labels; of more labels the sum over all',
    }),
    roc: z
      .array(
        z.object({ label, auc: share, threshold: points, true_positive: points, false_positive: points }).meta({
          description: 'a point for each place of the three lists; the first one takes no row',
        }),
      )
      .optional()
      .meta({
        description:
          'where there are probabilities, the ROC curve of the greater of two labels, or of the ten most frequent ones against the rest, of at most 50 points',
      }),
    calibration: z
      .array(z.object({ label, bins: z.array(z.object({ rows: count, predicted: share, observed: share })) }))
      .optional()
      .meta({
        description:
          'of the same labels: by tenths of the probability, its mean and the share of the rows that have the label',
      }),
    interval_90: z.array(z.number()).optional().meta({
      description: 'from the 5 % to the 95 % quantile of truth less prediction',
    }),
    residuals: z
      .object({ from: z.number(), to: z.number(), rows: z.array(count), below: count, above: count })
      .optional()
      .meta({
        description:
          'rows by truth less prediction, in bins of one width between its 1 % and 99 % quantile, and rows outside',
      }),
    pairs: z
      .array(z.array(z.number()))
      .optional()
      .meta({ description: 'truth and prediction of a sample of at most 200 rows' }),
    silhouette: z.number().min(-1).max(1).optional().meta({ description: 'of a sample of the rows held out' }),
    centres: z.array(anyObject).optional().meta({
      description: 'by cluster the mean of each attribute, or the shares of its words, in the units of the data',
    }),
    folds: z
      .looseObject({
        measure: z.enum(['accuracy', 'rmse', 'f1']),
        values: z.array(z.number()),
        mean: z.number(),
        spread: z.number().meta({ description: 'the standard deviation of the values' }),
      })
      .optional()
      .meta({ description: 'where parameters were tuned, how those that were chosen did in each fold' }),
    importance: z.record(z.string(), z.number()).optional().meta({
      description: 'by attribute, the 100 greatest; see importance_by',
    }),
    holdout: z.looseObject({ share: z.number().optional() }).optional().meta({
      description: 'how the rows held out were chosen, as in a request: share, with time or group; or file',
    }),
    rows_learnt: z.int().optional().meta({ description: 'the rows that the measured model learned from' }),
    note: z.string().optional().meta({ description: 'told where fewer than 10 rows are held out' }),
    importance_by: z.enum(['gain', 'weights', 'permutation']).optional().meta({
      description:
        'gain, weights: shares of the sum; permutation: the loss of accuracy or r2 when an attribute is shuffled among the rows held out',
    }),
  })
  .meta({
    description:
      'rows, accuracy, confusion and f1 by label; or rmse, mae and r2; or inertia and sizes of clusters; and more',
  })

/** Interface 2.8: the request as it was sent, and its outcome. */
const training = z
  .looseObject({
    train_start_ts: instant,
    train_end_ts: instant,
    train_req_state: state,
    ...outcome,
    tuned_algo_params: anyObject,
    train_log: z.object({
      log: z.array(z.string()),
      'schema-name': z.string(),
      model_name: z.string(),
      algo_type: z.string(),
      train_start_ts: instant,
      train_end_ts: instant,
      errorcode: z.int(),
    }),
  })
  .meta({ id: 'Training' })

export const listAlgorithms: Call = {
  id: 'listAlgorithms',
  group,
  summary: 'The algorithms by which models can be trained, with parameters, defaults and bounds',
  query: pages(),
  list: { member: 'algorithms', key: ['algo_type'] },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        algorithms: z.array(
          z.object({
            algo_type: z.string(),
            description: z.string(),
            learns_from: z.enum(['rows', 'texts', 'script']),
            algo_param: z.array(anyObject),
            off: z.string().optional().meta({ description: 'Why this algorithm cannot be used here' }),
          }),
        ),
        num_algorithms: count,
        errcode: success,
      }),
    ),
  ],
}

export const train: Call = {
  id: 'train',
  group,
  summary: 'Schedules a training',
  query: { ...strict, ...waits(0) },
  body: { contents: [json(trainingOnWire)] },
  answers: [
    json(
      done.extend({
        train_start_ts: instant,
        train_req_state: state.optional().meta({ description: 'with `wait`' }),
        reason: outcome.reason,
        error: notes,
      }),
    ),
  ],
  refuses: ['conflict'],
}

export const listTrainings: Call = {
  id: 'listTrainings',
  group,
  summary: 'The training requests of a schema, a row each',
  query: pages(),
  list: { member: 'rows', key: ['k'], counter: 'num_items' },
  answers: [json(page.extend({ cursor: nextCursor }))],
}

export const countTrainings: Call = {
  id: 'countTrainings',
  group,
  summary: 'How many training requests a schema has',
  answers: [json(z.object({ count }))],
}

export const showTraining: Call = {
  id: 'showTraining',
  group,
  summary: 'The last training request of a model',
  answers: [json(training)],
}

export const removeTraining: Call = {
  id: 'removeTraining',
  group,
  summary: 'Stops a training, or removes its request',
  answers: [json(done)],
  refuses: ['conflict'],
}

export const trainingStatus: Call = {
  id: 'trainingStatus',
  group,
  summary: 'How far the training of a model is; state 25 is done',
  answers: [
    json(
      z.object({
        'schema-name': z.string(),
        model_name: z.string(),
        train_req_state: state,
        progress: share,
        ...outcome,
        waiting: z
          .object({ place: z.int().min(1), for: z.enum(['threads', 'memory']) })
          .optional()
          .meta({ description: 'Its place among the trainings that wait, and what the others take so that it has to' }),
        workflow: z
          .object({
            id: z.string(),
            namespace: z.string(),
            link: z.string().optional().meta({ description: 'its page in Temporal, where TEMPORAL_UI_URL is set' }),
          })
          .optional()
          .meta({ description: 'The run of the training in Temporal, where Temporal runs it' }),
      }),
    ),
  ],
}

export const modelMetrics: Call = {
  id: 'modelMetrics',
  group,
  summary: 'The metrics of rows that were held out of the training',
  answers: [json(metrics)],
}

/** The names of a version. */
const named = {
  alias: z.string().optional(),
  aliases: z.array(z.string()).optional().meta({ description: 'All aliases of the version; absent where it has none' }),
}

/** A version that was published before these were kept has none of them. */
const kept = {
  algo_type: z.string(),
  parameters: anyObject.optional(),
  rows: count.optional().meta({ description: 'rows of the training data' }),
  data_fingerprint: z.string().optional().meta({
    description:
      'sha256: and the SHA-256 of the training file, of the events, or of the output of sha256sum on all files',
  }),
  notes: z.array(z.string()).optional().meta({
    description: 'how the training data were read where they may have been meant otherwise, as the status said it',
  }),
}

const task = z.enum(['classes', 'numbers', 'clusters', 'entities'])
const model = { 'schema-name': z.string(), model_name: z.string() }

export const listModels: Call = {
  id: 'listModels',
  group,
  summary: 'All models that the caller may see, with their current version',
  query: pages(),
  list: { member: 'models', key: ['schema-name', 'model_name'] },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        models: z.array(
          z.object({
            ...model,
            algo_type: z.string(),
            version: z.int().min(1).optional().meta({ description: 'absent where none was published yet' }),
            since: instant.optional(),
            task: task.optional(),
            target: z.string().optional(),
            num_versions: count,
            train_req_state: state.optional().meta({ description: 'of its latest training' }),
          }),
        ),
        num_models: count,
        errcode: success,
      }),
    ),
  ],
}

export const showModel: Call = {
  id: 'showModel',
  group,
  summary: 'A card of a model: what it predicts, from what, how well, since when',
  answers: [
    json(
      z.object({
        ...model,
        task: task.optional(),
        target: z.string().optional(),
        labels: z.array(z.union([z.number(), z.string()])).optional(),
        series: z
          .object({ lag: z.int(), offset: z.int(), time: z.string(), uid: z.string().optional() })
          .optional()
          .meta({ description: 'where the target is predicted from its last values: as in algo_param' }),
        source: anyObject.optional().meta({ description: 'the training data' }),
        attributes: z
          .array(z.object({ name: z.string(), kind: z.enum(['number', 'word']) }))
          .optional()
          .meta({ description: 'the first 1,000' }),
        num_attributes: count.optional(),
        input_example: z.string().optional().meta({ description: 'a line of JSON, the `data` of /ml/pred/2' }),
        metrics,
        version: z.int().min(1),
        ...named,
        num_versions: count,
        since: instant,
        train_start_ts: instant,
        train_end_ts: instant,
        ...kept,
        errcode: success,
      }),
    ),
  ],
}

export const modelFile: Call = {
  id: 'modelFile',
  group,
  summary: 'The file of a model, for other programs',
  query: {
    version: { says: 'the number or the alias of a version; absent: the current one', schema: z.string().optional() },
  },
  answers: [bytes('an ONNX file', 'application/octet-stream')],
  also: { 304: { says: 'The file is the one that If-None-Match names' } },
}

export const removeVersion: Call = {
  id: 'removeVersion',
  group,
  summary: 'Removes a version that is not current, with its aliases',
  answers: [json(done)],
  refuses: ['conflict'],
}

export const listVersions: Call = {
  id: 'listVersions',
  group,
  summary: 'The versions of a model, newest first',
  query: pages(),
  list: { member: 'versions', key: ['version'] },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        versions: z.array(
          z.object({
            version: z.int().min(1),
            train_start_ts: instant,
            train_end_ts: instant,
            train_req_state: state,
            current: z.boolean(),
            staged: z.literal(true).optional().meta({ description: 'it was never current' }),
            beside: z
              .object({ version: z.int().min(1), metrics })
              .optional()
              .meta({
                description:
                  'the version that was current when this one was trained, on the same rows; metrics may be a reason',
              }),
            copy_of: z.object({ model_name: z.string(), version: z.int().min(1) }).optional(),
            ...named,
            ...kept,
            metrics,
          }),
        ),
        num_versions: count,
      }),
    ),
  ],
}

export const setVersion: Call = {
  id: 'setVersion',
  group,
  summary: 'Makes a version of a model current, or names it by an alias',
  query: force,
  body: { contents: [json(modelVersionOnWire)] },
  answers: [json(done)],
  refuses: ['conflict'],
}

export const copyVersion: Call = {
  id: 'copyVersion',
  group,
  summary: 'Copies a version under another model of the schema, as its next version',
  query: force,
  body: { contents: [json(copyOnWire)] },
  answers: [json(done.extend({ version: z.int().min(1), error: notes }))],
  refuses: ['conflict'],
}

export const rollBack: Call = {
  id: 'rollBack',
  group,
  summary: 'Makes the version current that was so before',
  answers: [json(done.extend({ version: z.int().min(1), error: notes }))],
  refuses: ['conflict'],
}

export const removeModel: Call = {
  id: 'removeModel',
  group,
  summary: 'Removes a model, all but the uploaded training file',
  answers: [json(done)],
  refuses: ['conflict'],
}
