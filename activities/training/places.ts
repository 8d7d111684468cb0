import type { Place } from '../keys/places.ts'
import type { ModelKey } from '../models/stores/training-record.ts'
import { isPlainKey, modelBucket, modelsOfFile, trainingFileKey } from '../objects/model-objects.ts'
import type { TrainingRequest } from './decode/request.ts'
import { scriptBucket } from './script/run-script.ts'

type TrainingList = { readonly latest: (key: ModelKey) => Promise<unknown> }
type ModelFile = ModelKey & { readonly file: string }

/** Places that calls of models need beside what their paths and bodies name. */
export function createModelPlaces(trainings: TrainingList) {
  /** The bucket itself, where a file's name may be read as that of another schema's, or is that of another model's object. */
  async function ofFile({ model, schema, file }: ModelFile): Promise<readonly Place[]> {
    const isPlain = isPlainKey(model, schema, file) && !(await isOfModel({ model, schema, file }))
    return isPlain ? [] : [`bucket:${modelBucket}`]
  }

  async function isOfModel({ model, schema, file }: ModelFile): Promise<boolean> {
    for (const other of modelsOfFile(model, schema, file))
      if ((await trainings.latest(other)) !== undefined) return true
    return false
  }

  /** The buckets of an object from which a training takes rows, unless it is its schema's own. */
  async function ofObject(
    { model, schema }: ModelKey,
    { bucket, key }: { readonly bucket: string; readonly key: string },
  ): Promise<readonly Place[]> {
    const prefix = trainingFileKey(model, schema, '')
    if (bucket !== modelBucket || !key.startsWith(prefix)) return [`bucket:${bucket}`]
    return ofFile({ model, schema, file: key.slice(prefix.length) })
  }

  function ofSource(request: TrainingRequest): Promise<readonly Place[]> | readonly Place[] {
    const { source } = request
    if (source.type === 'STREAM') return []
    if (source.type === 'TABLE') return [`db:${source.database}`]
    if (source.type === 'BUCKET') return [`bucket:${source.bucket}`]
    return ofObject(request, { bucket: source.bucket, key: source.type === 'FILE' ? source.key : source.prefix })
  }

  return {
    ofFile,
    /**
     * Its schema, the database of its table, and buckets from which it takes objects that are not that schema's own: of its source,
     * and of the rows held out.
     */
    async ofTraining(request: TrainingRequest): Promise<readonly Place[]> {
      const { schema, algorithm, holdout } = request
      return [
        `schema:${schema}`,
        ...(await ofSource(request)),
        ...(holdout?.file === undefined ? [] : await ofObject(request, holdout.file)),
        ...(algorithm === 'PY' ? ([`bucket:${scriptBucket}`] as const) : []),
      ]
    },
  }
}

export type ModelPlaces = ReturnType<typeof createModelPlaces>
