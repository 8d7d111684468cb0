import { Readable } from 'node:stream'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../../objects/model-objects.ts'
import type { ModelFiles } from '../model-files.ts'
import type { ModelKey } from '../stores/training-record.ts'
import type { ModelVersion, VersionStore } from '../stores/versions.ts'

export type PublishDeps = {
  readonly objects: ObjectStore
  readonly files: ModelFiles
  readonly versions: VersionStore
}

/** What stands beside a model's file in its bucket. */
export type Companions = { readonly param: unknown; readonly range: unknown; readonly traindetails: unknown }

/** Puts a version in the place of the one before: its files first, and last the row by which predictions find it. */
export async function publish(
  { objects, files, versions }: PublishDeps,
  model: ModelKey,
  version: ModelVersion,
  companions?: Companions,
): Promise<void> {
  const keys = modelKeys(model.model, model.schema)
  const put = (key: string, content: Uint8Array | string) =>
    objects.put(modelBucket, key, Readable.from([Buffer.from(content)]))
  if (companions !== undefined) {
    await put(keys.param, `${JSON.stringify(companions.param, undefined, 2)}\n`)
    await put(keys.range, `${JSON.stringify(companions.range, undefined, 2)}\n`)
    await put(keys.details, `${JSON.stringify(companions.traindetails, undefined, 2)}\n`)
  }
  await put(keys.model, await files.load(version.key))
  await versions.makeCurrent(model, version)
}
