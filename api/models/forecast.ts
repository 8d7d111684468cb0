import { z } from 'zod'
import type { ForecastRequest } from '../../activities/prediction/forecast.ts'
import { createProblems } from '../../base/decode/problems.ts'
import { text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import { clientName, modelVersion } from '../../sql/schema/values.ts'

export const maxSteps = 1000

export const forecastOnWire = z.object({
  'schema-name': clientName,
  model_name: clientName,
  /** Absent: the stream that the model was trained on. */
  'stream-name': clientName.optional(),
  uid: z
    .preprocess(
      (value) =>
        typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : value,
      text.min(1, 'must not be empty').optional(),
    )
    .meta({ description: 'the series, where the model was trained with uid: the value of that attribute' }),
  steps: wholeNumber(1, maxSteps),
  version: modelVersion.optional(),
})
const { shape } = forecastOnWire

export function readForecast(body: string, notes: Notes): ForecastRequest {
  const wire = parseJson(body, 'the request')
  if (!isObject(wire)) throw fault('invalid', 'send {"schema-name", "model_name", "uid", "steps"}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const stream = object.take('stream-name', shape['stream-name'])
  const uid = object.take('uid', shape.uid)
  const version = object.take('version', shape.version)
  const request = {
    schema: object.take('schema-name', shape['schema-name']) ?? '',
    model: object.take('model_name', shape.model_name) ?? '',
    steps: object.take('steps', shape.steps) ?? 1,
    ...(stream !== undefined && { stream }),
    ...(uid !== undefined && { uid }),
    ...(version !== undefined && { version }),
  }
  problems.refuse()
  return request
}
