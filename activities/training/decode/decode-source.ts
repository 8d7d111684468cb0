import { z } from 'zod'
import { codeTable } from '../../../base/code-table.ts'
import { problemOfKey } from '../../../infra/buckets/names.ts'
import type { WireObject } from '../../../sql/schema/decode/wire-object.ts'
import { clientName, code, flag, name, text } from '../../../sql/schema/values.ts'
import type { ModelKey } from '../../models/stores/training-record.ts'
import { hiddenBucket } from '../../objects/buckets.ts'
import { modelBucket, problemOfFile, trainingFileKey } from '../../objects/model-objects.ts'
import type { TrainingSource } from './request.ts'

const sourceTypes = codeTable('training_source_type', [
  [1, 'FILE'],
  [2, 'DIR'],
  [4, 'STREAM'],
  [null, 'BUCKET'],
])

const key = name(problemOfKey)
const file = name(problemOfFile)

/** The source of the data of a training. */
export const sourceOnWire = z.object({
  training_source_type: code(sourceTypes),
  'stream-name': clientName.optional(),
  training_source: key.optional(),
  is_src_global: flag.optional(),
  bucket_name: text.optional(),
})
const { shape } = sourceOnWire

/** The bucket of the training's files, and whether their keys are as they lie there, without the model's prefix. */
export function takePlace(details: WireObject): {
  readonly given: string
  readonly bucket: string
  readonly isPlain: boolean
} {
  const isGlobal = details.take('is_src_global', shape.is_src_global) ?? false
  const given = details.take('bucket_name', shape.bucket_name) ?? ''
  const bucket = given === '' ? modelBucket : given
  return { given, bucket, isPlain: isGlobal || bucket !== modelBucket }
}

/** Undefined where a problem was found. */
export function decodeSource(details: WireObject, { schema, model }: ModelKey): TrainingSource | undefined {
  const type = details.take('training_source_type', shape.training_source_type)
  const { given, bucket, isPlain } = takePlace(details)
  if (bucket === hiddenBucket) details.fail('bucket_name', `is '${bucket}', which the service keeps for itself`)
  if (type === 'STREAM') {
    const stream = details.take('stream-name', clientName)
    return stream === undefined ? undefined : { type, stream }
  }
  if (type === 'BUCKET') {
    if (given === '') details.fail('bucket_name', 'is missing')
    return { type, bucket }
  }
  if (type === undefined) return undefined
  const source = details.take('training_source', isPlain || type === 'DIR' ? key : file)
  if (source === undefined) return undefined
  const place = isPlain ? source : trainingFileKey(model, schema, source)
  return type === 'FILE' ? { type, bucket, key: place } : { type, bucket, prefix: place }
}
