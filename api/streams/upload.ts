import { z } from 'zod'
import { problemOfFile } from '../../activities/objects/model-objects.ts'
import { createProblems } from '../../base/decode/problems.ts'
import { name, text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import type { Upload } from '../../jobs/stream-upload.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import { clientName } from '../../sql/schema/values.ts'

const fileName = name(problemOfFile)
/** Seconds, a thousand years at most. */
const duration = wholeNumber(1, 1000 * 366 * 86_400)

export const uploadOnWire = z.object({
  'schema-name': text,
  'stream-name': text,
  model_name: clientName,
  duration_sec: duration,
  file_name: fileName,
})
const { shape } = uploadOnWire

export function readUpload(body: string, notes: Notes): Omit<Upload, 'eventual'> & { schema: string; stream: string } {
  const wire = parseJson(body, 'the request')
  if (!isObject(wire)) {
    throw fault('invalid', 'send {"schema-name", "stream-name", "model_name", "duration_sec", "file_name"}')
  }
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const request = {
    schema: object.take('schema-name', shape['schema-name']) ?? '',
    stream: object.take('stream-name', shape['stream-name']) ?? '',
    model: object.take('model_name', shape.model_name) ?? '',
    duration_s: object.take('duration_sec', shape.duration_sec) ?? 0,
    file: object.take('file_name', shape.file_name) ?? '',
  }
  problems.refuse()
  return request
}
