import type { Answer, Row, Values, Wire } from './calls.ts'
import { WeirError } from './errors.ts'
import { writeJson } from './json.ts'
import type { Requests, Wait } from './requests.ts'
import { listed, type Rows } from './rows.ts'
import { statesOf } from './states.ts'

type PredictRequest = Omit<Wire['PredictBody'], 'data_type' | 'attr_type' | 'data'> &
  Values & { readonly data: string | Values }

/** The state of a training that has ended well; below 20 it has failed. */
const trained = 25

export function modelNouns(requests: Requests) {
  const { json } = requests

  const trainingAt = (path: readonly string[], options: Wait) =>
    statesOf(
      () => json<Wire['TrainingStatusAnswer']>({ method: 'GET', path: [...path, 'status'], ...options }),
      ({ train_req_state, reason }) => {
        if (train_req_state === trained) return true
        if (reason !== undefined) throw new WeirError('refused', `the training ended: ${reason}`)
        return false
      },
      options,
    )

  return {
    models: {
      list: (options: Wait = {}): Rows<Row> => listed(requests, { method: 'GET', path: ['ml'] }, 'models', options),
      /** Begins a training; the loop over it has its states until it has ended, and throws where it fails. */
      async train(request: Wire['TrainBody'], options: Wait = {}) {
        const begun = await json({ method: 'POST', path: ['ml', 'train'], json: request, ...options })
        const path = ['ml', String(request['schema-name']), String(request.model_name)]
        return { begun, ...trainingAt(path, options) }
      },
      /** A training that was begun elsewhere. */
      training: (schema: string, model: string, options: Wait = {}) => trainingAt(['ml', schema, model], options),
      /** Predicts for one row: a line of CSV, or values by their names. */
      predict: ({ data, ...request }: PredictRequest, options: Wait = {}): Promise<Answer> =>
        json({
          method: 'POST',
          path: ['ml', 'pred', '2'],
          json:
            typeof data === 'string'
              ? { ...request, data }
              : { ...request, input_format: 'JSON', data: writeJson(data) },
          isRepeatable: true,
          ...options,
        }),
      forecast: (request: Wire['ForecastBody'], options: Wait = {}): Promise<Answer> =>
        json({ method: 'POST', path: ['ml', 'forecast'], json: request, isRepeatable: true, ...options }),
      metrics: (schema: string, model: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'GET', path: ['ml', schema, model, 'metrics'], ...options }),
      remove: (schema: string, model: string, options: Wait = {}): Promise<Answer> =>
        json({ method: 'DELETE', path: ['ml', schema, model], ...options }),
    },
  }
}
