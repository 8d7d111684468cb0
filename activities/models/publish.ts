import { Readable } from 'node:stream'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../objects/model-objects.ts'
import { type CompanionFile, companionFiles, type ModelFiles } from './model-files.ts'
import type { AliasStore } from './stores/aliases.ts'
import type { ModelKey, TrainingKey } from './stores/training-record.ts'
import type { ModelVersion, VersionStore } from './stores/versions.ts'

export type PublishDeps = {
  readonly objects: ObjectStore
  readonly files: ModelFiles
  readonly versions: VersionStore
}

/** The files that stand beside a model's file in its bucket. */
export type Companions = Readonly<Record<CompanionFile, unknown>>

/**
 * Puts a version in the place of the one before: its files first, and last the row by which predictions find it. Where
 * another process has removed the version meanwhile, it gets its file back.
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
  const file = await files.load(version.key)
  await objects.put(modelBucket, place, Readable.from([file]))
  await versions.makeCurrent(model, version)
  const training = { ...model, training: version.start_us }
  if (!(await files.has(training, 'model.onnx'))) await files.write(training, 'model.onnx', file)
}

/** Removes the files that a training handed on; a version that it has published keeps its own. */
export async function clearTraining(
  { files, versions }: Pick<PublishDeps, 'files' | 'versions'>,
  training: TrainingKey,
): Promise<void> {
  const place = files.keyOf(training, 'model.onnx')
  const isPublished = (await versions.list(training)).some(({ key }) => key === place)
  await files.clear(training, isPublished ? ['model.onnx', ...companionFiles] : [])
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
  const removed: number[] = []
  for (const version of going)
    if (await removeVersion({ files, versions }, model, version)) removed.push(version.number)
  return removed
}

/**
 * The row of a version goes last: files that a crash leaves are found again. False where the version has become current,
 * also by another process meanwhile, which may have missed that its file goes: it gets its file back.
 */
export async function removeVersion(
  { files, versions }: Pick<PublishDeps, 'files' | 'versions'>,
  model: ModelKey,
  { number, start_us, key }: ModelVersion,
): Promise<boolean> {
  const find = async () => (await versions.list(model)).find((version) => version.number === number)
  const version = await find()
  if (version === undefined) return true
  if (version.current) return false
  const training = { ...model, training: start_us }
  const file = (await files.has(training, 'model.onnx')) ? await files.load(key) : undefined
  await files.clear(training)
  await versions.remove(model, version)
  if ((await find()) === undefined) return true
  if (file !== undefined) await files.write(training, 'model.onnx', file)
  return false
}
