import type { Place } from '../../keys/places.ts'
import { isPlainKey, modelBucket, trainingFileKey } from '../../objects/model-objects.ts'
import type { TrainingRequest, TrainingSource } from './decode/request.ts'
import { scriptBucket } from './script/run-script.ts'

/** The places of a training: its schema, and buckets from which it takes objects that are not that schema's own. */
export function placesOf({ schema, model, algorithm, source }: TrainingRequest): readonly Place[] {
  const places: Place[] = [`schema:${schema}`]
  if (source.type !== 'STREAM' && !isOwn(source, model, schema)) places.push(`bucket:${source.bucket}`)
  if (algorithm === 'PY') places.push(`bucket:${scriptBucket}`)
  return places
}

/** Beside its schema: where a file's name may be read as that of another schema's, the bucket itself must be permitted. */
export const placesOfFile = (model: string, file: string): readonly Place[] =>
  isPlainKey(model, file) ? [] : [`bucket:${modelBucket}`]

function isOwn(source: Exclude<TrainingSource, { type: 'STREAM' }>, model: string, schema: string): boolean {
  if (source.type === 'BUCKET' || source.bucket !== modelBucket) return false
  const [prefix, key] = [trainingFileKey(model, schema, ''), source.type === 'FILE' ? source.key : source.prefix]
  return key.startsWith(prefix) && isPlainKey(model, key.slice(prefix.length))
}
