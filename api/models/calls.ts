import { z } from 'zod'
import { trainingOnWire } from '../../activities/models/training/decode/decode-request.ts'
import { anyObject, type Call, count, instant, json, notes, strict, success } from '../http/call.ts'
import { page } from '../queries/calls.ts'
import { modelVersionOnWire } from './model-version.ts'

const group = 'models'
const done = z.object({ msg: z.string(), errcode: success, errorcode: success })
/** Members of the state of a training. */
const outcome = {
  reason: z.string().optional().meta({ description: 'Why the training failed or was stopped' }),
  serving: z.int().min(1).optional().meta({ description: 'The version that answers predictions' }),
}
const share = z.number().min(0).max(1)
/** The state of a training or of a file's prediction: below 20 it failed, 25 is done. */
export const state = z.int().min(10).max(26)

/** The metrics of the rows held out of a training; empty where there were too few. */
const metrics = z
  .looseObject({
    baseline: z.number().optional().meta({
      description:
        'accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean',
    }),
    macro_f1: share.optional().meta({ description: 'mean f1 of the labels' }),
    auc: share.optional().meta({
      description: 'area under the ROC curve; of more than two labels the mean of each against the rest',
    }),
    log_loss: z.number().optional(),
    brier: z.number().optional().meta({
      description: 'mean squared error of the probability of either of two labels; of more labels the sum over all',
    }),
    interval_90: z.array(z.number()).optional().meta({
      description: 'from the 5 % to the 95 % quantile of truth less prediction',
    }),
    silhouette: z.number().min(-1).max(1).optional().meta({ description: 'of a sample of the rows held out' }),
    centres: z.array(anyObject).optional().meta({
      description: 'by cluster the mean of each attribute, or the shares of its words, in the units of the data',
    }),
    importance: z.record(z.string(), z.number()).optional().meta({
      description: 'by attribute, the 100 greatest; see importance_by',
    }),
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
  summary: 'What models can be trained by, with parameters, defaults and bounds',
  answers: [
    json(
      z.object({
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
  query: strict,
  body: { contents: [json(trainingOnWire)] },
  answers: [json(done.extend({ train_start_ts: instant, error: notes }))],
  refuses: ['conflict'],
}

export const listTrainings: Call = {
  id: 'listTrainings',
  group,
  summary: 'The training requests of a schema, a row each',
  answers: [json(page)],
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
      }),
    ),
  ],
}

export const modelMetrics: Call = {
  id: 'modelMetrics',
  group,
  summary: 'What rows held out of the training show',
  answers: [json(metrics)],
}

export const listVersions: Call = {
  id: 'listVersions',
  group,
  summary: 'The versions of a model, newest first',
  answers: [
    json(
      z.object({
        versions: z.array(
          z.object({
            version: z.int().min(1),
            train_start_ts: instant,
            train_end_ts: instant,
            train_req_state: state,
            current: z.boolean(),
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
  summary: 'Makes a version of a model current',
  body: { contents: [json(modelVersionOnWire)] },
  answers: [json(done)],
  refuses: ['conflict'],
}

export const removeModel: Call = {
  id: 'removeModel',
  group,
  summary: 'Removes a model, all but the uploaded training file',
  answers: [json(done)],
  refuses: ['conflict'],
}
