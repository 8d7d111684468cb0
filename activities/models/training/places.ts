import type { Place } from '../../keys/places.ts'
import { modelBucket, trainingFileKey } from '../../objects/model-objects.ts'
import type { TrainingRequest } from './decode/request.ts'
import { scriptBucket } from './script/run-script.ts'

/** Where a training is at work: its schema, and buckets from which it takes what is not that schema's own. */
export function placesOf({ schema, model, algorithm, source }: TrainingRequest): readonly Place[] {
  const places: Place[] = [`schema:${schema}`]
  if (source.type !== 'STREAM' && !isOwn(source, trainingFileKey(model, schema, '')))
    places.push(`bucket:${source.bucket}`)
  if (algorithm === 'PY') places.push(`bucket:${scriptBucket}`)
  return places
}

function isOwn(source: Exclude<TrainingRequest['source'], { type: 'STREAM' }>, prefix: string): boolean {
  if (source.type === 'BUCKET' || source.bucket !== modelBucket) return false
  return (source.type === 'FILE' ? source.key : source.prefix).startsWith(prefix)
}
