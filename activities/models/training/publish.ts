import { Readable } from 'node:stream'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../../objects/model-objects.ts'
import { type CompanionFile, companionFiles, type ModelFiles } from '../model-files.ts'
import type { AliasStore } from '../stores/aliases.ts'
import type { ModelKey } from '../stores/training-record.ts'
import type { ModelVersion, VersionStore } from '../stores/versions.ts'

export type PublishDeps = {
  readonly objects: ObjectStore
  readonly files: ModelFiles
  readonly versions: VersionStore
}

/** The files that stand beside a model's file in its bucket. */
export type Companions = Readonly<Record<CompanionFile, unknown>>

/**
 * Puts a version in the place of the one before: its files first, and last the row by which predictions find it.
 */
export async function publish(
  { objects, files, versions }: PublishDeps,
  model: ModelKey,
  version: ModelVersion,
): Promise<void> {
  const { model: place, param, range, details: traindetails } = modelKeys(model.model, model.schema)
  const places = { param, range, traindetails }
  for (const file of companionFiles) {
    const content = await files.stream({ ...model, training: version.start_us }, file)
    if (content !== undefined) await objects.put(modelBucket, places[file], content)
  }
  await objects.put(modelBucket, place, Readable.from([await files.load(version.key)]))
  await versions.makeCurrent(model, version)
}

/** Removes the oldest versions of a model beyond `maxVersions` that no alias names; returns their numbers. */
export async function removeOldest(
  {
    files,
    versions,
    aliases,
    maxVersions,
  }: PublishDeps & { readonly maxVersions: number; readonly aliases: AliasStore },
  model: ModelKey,
): Promise<readonly number[]> {
  const known = await versions.list(model)
  const named = new Set((await aliases.list(model)).values())
  const going = known
    .filter(({ current, number }) => !current && !named.has(number))
    .slice(0, Math.max(0, known.length - maxVersions))
  for (const version of going) await removeVersion({ files, versions }, model, version)
  return going.map(({ number }) => number)
}

/** The row of a version goes last: files that a crash leaves are found again. */
export async function removeVersion(
  { files, versions }: Pick<PublishDeps, 'files' | 'versions'>,
  model: ModelKey,
  version: ModelVersion,
): Promise<void> {
  await files.clear({ ...model, training: version.start_us })
  await versions.remove(model, version)
}
