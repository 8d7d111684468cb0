import { z } from 'zod'
import { type Call, count, instant, json, notes, success } from '../http/call.ts'
import { waits } from '../http/wait.ts'
import { state } from './calls.ts'
import { forecastOnWire, maxSteps } from './forecast.ts'
import { predictionOnWire } from './prediction.ts'

const group = 'models'
const share = z.number().min(0).max(1)

const predictedOtherwise = z
  .array(z.string())
  .optional()
  .meta({ description: 'Words that training did not see, and what else may be meant otherwise than it is predicted' })

const line = z.object({
  predict_labels: z.union([z.number(), z.string(), z.array(z.unknown())]),
  probabilities: z.record(z.string(), share).optional(),
  mean_sq_err: z.number(),
  sq_cor_coef: z.number(),
  user_pred_accuracy: z.number().optional(),
  notes: predictedOtherwise,
  error: notes,
  errorcode: success,
})

export const predict: Call = {
  id: 'predict',
  group,
  summary: 'Predicts a line at once, or a file in the background',
  query: waits(0),
  parameters: 'told',
  body: { contents: [json(predictionOnWire)] },
  answers: [
    json(
      z.union([
        line,
        z.object({
          msg: z.string(),
          pred_file_out: z.string(),
          pred_req_state: state.optional().meta({ description: 'of a file, with `wait`' }),
          error: notes,
          errorcode: success,
        }),
      ]),
    ),
  ],
  refuses: ['conflict'],
}

export const forecast: Call = {
  id: 'forecast',
  group,
  summary: 'Predicts the next values of a series from the last ones of a stream, each from those before it',
  parameters: 'told',
  body: { contents: [json(forecastOnWire)] },
  answers: [
    json(
      z.object({
        forecast: z.array(
          z.object({
            step: z.int().min(1).max(maxSteps).meta({ description: 'how many values later than the last one stored' }),
            value: z.number(),
          }),
        ),
        error: notes,
        errorcode: success,
      }),
    ),
  ],
}

export const filePrediction: Call = {
  id: 'filePrediction',
  group,
  summary: 'How far the prediction of a file is; state 25 is done',
  answers: [
    json(
      z.object({
        'schema-name': z.string(),
        model_name: z.string(),
        file_name: z.string(),
        pred_req_state: state,
        progress: share,
        pred_file_out: z.string(),
        pred_start_ts: instant,
        pred_end_ts: instant,
        num_rows: count,
        num_failed: count,
        notes: predictedOtherwise,
        user_pred_accuracy: z.number().optional(),
        mean_sq_err: z.number().optional(),
        sq_cor_coef: z.number().optional(),
        error: z.array(z.string()),
        errorcode: z.int().min(0),
      }),
    ),
  ],
}

export const removeFilePrediction: Call = {
  id: 'removeFilePrediction',
  group,
  summary: 'Stops the prediction of a file, or removes what it wrote',
  answers: [json(z.object({ errcode: success, errorcode: success }))],
  refuses: ['conflict'],
}
