import { fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../objects/model-objects.ts'
import type { CurrentModels } from './current-models.ts'
import type { ModelFiles } from './model-files.ts'
import type { ModelKey } from './stores/training-record.ts'
import type { VersionRow, VersionStore } from './stores/versions.ts'
import { publish } from './training/publish.ts'

export type ModelsDeps = {
  readonly versions: VersionStore
  readonly files: ModelFiles
  readonly current: CurrentModels
  readonly objects: ObjectStore
}

/** Models that were published, with their versions. */
export function createModels({ versions, files, current, objects }: ModelsDeps) {
  async function known(key: ModelKey): Promise<readonly VersionRow[]> {
    const rows = await versions.list(key)
    if (rows.length === 0) throw fault('missing', `there is no model ${key.model} in schema ${key.schema}`)
    return rows
  }

  return {
    /** Newest first; a fault `missing` where the model was never published. */
    versions: async (key: ModelKey): Promise<readonly VersionRow[]> => (await known(key)).toReversed(),

    /** The version that answers predictions; undefined where none was published. */
    serving: async (key: ModelKey): Promise<number | undefined> => (await versions.current(key))?.number,

    /** The versions that answer predictions, by model. */
    servingIn: versions.currentNumbers,

    metrics: async (key: ModelKey): Promise<Readonly<Record<string, unknown>>> =>
      (await known(key)).find((row) => row.current)?.metrics ?? {},

    /** An older version takes the place of the current one. */
    async makeCurrent(key: ModelKey, number: number): Promise<void> {
      const rows = await known(key)
      const row = rows.find((each) => each.number === number)
      if (row === undefined) {
        const numbers = rows.map((each) => each.number).join(', ')
        throw fault('missing', `model ${key.model} has no version ${number}; there are ${numbers}`)
      }
      const { current: isCurrent, ...version } = row
      if (isCurrent) return
      await publish({ objects, files, versions }, key, version)
      current.forget(key)
    },

    /** Removes all that training has written of a model, but objects that are also another's; false where there was nothing. */
    async remove(key: ModelKey, isShared: boolean): Promise<boolean> {
      const rows = await versions.list(key)
      await versions.removeAll(key)
      current.forget(key)
      const published = isShared ? [] : Object.values(modelKeys(key.model, key.schema))
      for (const object of published) await objects.remove(modelBucket, object)
      await files.removeAll(key)
      return rows.length > 0
    },
  }
}

export type Models = ReturnType<typeof createModels>
