import { z } from 'zod'
import type { VersionName } from '../../activities/models/models.ts'
import { problemOfFile } from '../../activities/objects/model-objects.ts'
import { type PredictFormat, predictFormats } from '../../activities/prediction/write-predictions.ts'
import { codeTable } from '../../base/code-table.ts'
import { createProblems } from '../../base/decode/problems.ts'
import { code, expected, flag, name, text } from '../../base/decode/values.ts'
import { createWireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import { algorithms, formats, modelAttributeTypes } from '../../sql/schema/codes.ts'
import { clientName, modelVersion } from '../../sql/schema/values.ts'

export type PredictionRequest = {
  readonly schema: string
  readonly model: string
  readonly format: FormatName
  readonly considerTarget: boolean
  readonly threshold?: number
  readonly header?: 'present' | 'absent'
  readonly output?: PredictFormat
  readonly version?: VersionName
  /** A line, or the name of a file. */
  readonly data: string
}

const predictionTypes = codeTable('data_type', [
  [1, 'FILE'],
  [2, 'LINE'],
])

type PredictionType = (typeof predictionTypes.entries)[number][1]

/** `<pred_type>` of the path. */
export const predictionType = code(codeTable('pred_type', predictionTypes.entries))

const dataOf: Readonly<Record<PredictionType, z.ZodType<string>>> = {
  FILE: name(problemOfFile),
  LINE: text,
}

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** Interface 4.11. */
export const predictionOnWire = z.object({
  'schema-name': clientName,
  model_name: clientName,
  data_type: code(predictionTypes).optional(),
  attr_type: code(modelAttributeTypes).optional(),
  algo_type: code(algorithms).optional(),
  input_format: code(formats).prefault('CSV'),
  expected_format: code(formats).optional(),
  consider_target: flag.optional(),
  /** Absent: the current version. */
  version: modelVersion.optional(),
  /** Of two classes the one with the greater label is predicted from this probability on. */
  threshold: z.number(expected('a probability from 0 to 1')).min(0).max(1).optional(),
  /** Of a CSV file: whether its first row is a header; absent, the row shows it. */
  header: flag.optional(),
  /** The form of the result of a file. */
  predict_format: z
    .preprocess(lowerCase, z.enum(predictFormats, expected(`one of ${predictFormats.join(', ')}`)))
    .optional(),
  data: text,
})
const { shape } = predictionOnWire

/** Interface 4.11. A model's own settings win over a request's: the request's are checked, and not used. */
export function readPrediction(body: string, type: PredictionType, notes: Notes): PredictionRequest {
  const wire = parseJson(body, 'the request')
  if (!isObject(wire)) throw fault('invalid', 'send {"schema-name", "model_name", "input_format", "data"}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const asked = object.take('data_type', shape.data_type)
  if (asked !== undefined && asked !== type)
    problems.add('data_type', `is ${asked}, and the path says ${type}: /ml/pred/1 is for files, /ml/pred/2 for lines`)
  object.take('attr_type', shape.attr_type)
  object.take('algo_type', shape.algo_type)
  object.take('expected_format', shape.expected_format)
  const version = object.take('version', shape.version)
  const threshold = object.take('threshold', shape.threshold)
  const header = object.take('header', shape.header)
  const output = object.take('predict_format', shape.predict_format)
  const request = {
    ...(version !== undefined && { version }),
    ...(threshold !== undefined && { threshold }),
    ...(header !== undefined && { header: header ? ('present' as const) : ('absent' as const) }),
    ...(output !== undefined && { output }),
    schema: object.take('schema-name', shape['schema-name']) ?? '',
    model: object.take('model_name', shape.model_name) ?? '',
    format: object.take('input_format', shape.input_format) ?? 'CSV',
    considerTarget: object.take('consider_target', shape.consider_target) ?? false,
    data: object.take('data', dataOf[type]) ?? '',
  }
  problems.refuse()
  return request
}
