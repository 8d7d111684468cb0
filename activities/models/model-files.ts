import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { hiddenBucket } from '../objects/buckets.ts'
import type { ModelKey, TrainingKey } from './stores/training-record.ts'

const modelPrefix = ({ schema, model }: ModelKey): string => `${schema}/${model}/`

/** The prefix of the files of one training. */
const trainingPrefix = (key: TrainingKey): string => `${modelPrefix(key)}${key.training}/`

/** The files that a version is published with, apart from its model. */
export const companionFiles = ['param', 'range', 'traindetails'] as const
export type CompanionFile = (typeof companionFiles)[number]

type Handed = 'sources' | 'held' | 'heldData' | 'events' | 'data' | 'prepared' | 'needs' | 'tuned' | 'check' | 'metrics'
export type ModelFile = Handed | CompanionFile | 'model.onnx'

/** Versions of models, and the files that the steps of a training hand on to each other. */
export function createModelFiles(objects: ObjectStore) {
  const keyOf = (training: TrainingKey, file: ModelFile): string => `${trainingPrefix(training)}${file}`

  async function load(key: string): Promise<Uint8Array> {
    const object = await objects.get(hiddenBucket, key)
    if (object === undefined) throw fault('missing', `the model's file ${key} is gone`)
    return buffer(object.stream)
  }

  return {
    keyOf,
    /** The bytes of a version, or of any other file by its key. */
    load,
    read: (training: TrainingKey, file: ModelFile): Promise<Uint8Array> => load(keyOf(training, file)),
    stream: async (training: TrainingKey, file: ModelFile): Promise<Readable | undefined> =>
      (await objects.get(hiddenBucket, keyOf(training, file)))?.stream,
    has: async (training: TrainingKey, file: ModelFile): Promise<boolean> =>
      (await objects.stat(hiddenBucket, keyOf(training, file))) !== undefined,
    /** 0 where there is none. */
    size: async (training: TrainingKey, file: ModelFile): Promise<number> =>
      (await objects.stat(hiddenBucket, keyOf(training, file)))?.size ?? 0,
    write: async (training: TrainingKey, file: ModelFile, content: Uint8Array | Readable): Promise<void> => {
      await objects.put(
        hiddenBucket,
        keyOf(training, file),
        content instanceof Uint8Array ? Readable.from([content]) : content,
      )
    },
    /** Removes all files of a training but those to keep. */
    clear: async (training: TrainingKey, kept: readonly ModelFile[] = []): Promise<void> => {
      const keep = new Set(kept.map((file) => keyOf(training, file)))
      for await (const { key } of objects.list(hiddenBucket, trainingPrefix(training))) {
        if (!keep.has(key)) await objects.remove(hiddenBucket, key)
      }
    },
    removeAll: async (model: ModelKey): Promise<void> => {
      for await (const { key } of objects.list(hiddenBucket, modelPrefix(model))) {
        await objects.remove(hiddenBucket, key)
      }
    },
  }
}

export type ModelFiles = ReturnType<typeof createModelFiles>
