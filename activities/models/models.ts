import { fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../objects/model-objects.ts'
import type { CurrentModels } from './current-models.ts'
import type { ModelFiles } from './model-files.ts'
import { publish, removeVersion } from './publish.ts'
import type { AliasStore } from './stores/aliases.ts'
import type { ModelKey } from './stores/training-record.ts'
import type { LatestTraining, TrainingStore } from './stores/trainings.ts'
import type { ListedModel, VersionRow, VersionStore } from './stores/versions.ts'

export type ModelsDeps = {
  readonly versions: VersionStore
  readonly aliases: AliasStore
  readonly trainings: Pick<TrainingStore, 'states'>
  readonly files: ModelFiles
  readonly current: CurrentModels
  readonly objects: ObjectStore
}

const maxAliases = 100

/** A version by its number, or by an alias. */
export type VersionName = number | string

/** A model by its current version and its latest training, of which one may be missing. */
export type ModelState = ModelKey & { readonly published?: ListedModel; readonly training?: LatestTraining }

/** Models that were published, with their versions. */
export function createModels({ versions, aliases, trainings, files, current, objects }: ModelsDeps) {
  async function known(key: ModelKey): Promise<readonly VersionRow[]> {
    const rows = await versions.list(key)
    if (rows.length === 0) throw fault('missing', `there is no model ${key.model} in schema ${key.schema}`)
    return rows
  }

  /** A fault `missing` names the versions and aliases that there are. */
  async function find(key: ModelKey, name: VersionName): Promise<VersionRow> {
    const rows = await known(key)
    const named = await aliases.list(key)
    const number = typeof name === 'number' ? name : named.get(name)
    const row = rows.find((each) => each.number === number)
    if (row !== undefined) return row
    const numbers = rows.map((each) => each.number).join(', ')
    if (typeof name === 'number') {
      throw fault('missing', `model ${key.model} has no version ${name}; there are ${numbers}`)
    }
    const names = [...named.keys()].join(', ') || 'none'
    throw fault('missing', `model ${key.model} has no alias ${name}; there are ${names}, and the versions ${numbers}`)
  }

  return {
    find,

    /** Every model that was published or is to be, by schema and name. */
    async list(): Promise<readonly ModelState[]> {
      const models = new Map<string, ModelState>()
      const [published, latest] = await Promise.all([versions.models(), trainings.states()])
      const put = ({ schema, model }: ModelKey, more: Omit<ModelState, keyof ModelKey>): void => {
        const id = `${schema}:${model}`
        models.set(id, { ...models.get(id), schema, model, ...more })
      }
      for (const each of published) put(each, { published: each })
      for (const each of latest) put(each, { training: each })
      return [...models].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, model]) => model)
    },

    /** The version of each alias. */
    aliases: aliases.list,

    /** The current version, or the one that is named, and how many there are. */
    async card(key: ModelKey): Promise<{ readonly version: VersionRow; readonly versions: number }> {
      const rows = await known(key)
      const version = rows.find((row) => row.current)
      if (version === undefined) throw fault('missing', `model ${key.model} has no current version`)
      return { version, versions: rows.length }
    },

    /** A model's file, with its size; the current version's where none is named. */
    async file(key: ModelKey, name?: VersionName) {
      const version = name === undefined ? (await known(key)).find((row) => row.current) : await find(key, name)
      if (version === undefined) throw fault('missing', `model ${key.model} has no current version`)
      const training = { ...key, training: version.start_us }
      const size = await files.size(training, 'model.onnx')
      const open = async () => {
        const stream = await files.stream(training, 'model.onnx')
        if (stream === undefined) throw fault('missing', `the file of version ${version.number} is gone`)
        return stream
      }
      return { number: version.number, tag: `v${version.number}-${version.start_us}`, size, open }
    },

    /** Names a version, which the alias named before no more. */
    async setAlias(key: ModelKey, alias: string, name: VersionName): Promise<number> {
      const { number } = await find(key, name)
      const known = await aliases.list(key)
      if (!known.has(alias) && known.size >= maxAliases)
        throw fault('conflict', `model ${key.model} has ${known.size} aliases, as many as there may be: take one away`)
      await aliases.set(key, alias, number)
      return number
    },

    async removeAlias(key: ModelKey, alias: string): Promise<void> {
      await find(key, alias)
      await aliases.remove(key, alias)
    },

    /** Removes a version, with its aliases; a fault `conflict` for the current one. */
    async removeVersion(key: ModelKey, name: VersionName): Promise<number> {
      const version = await find(key, name)
      const { number } = version
      const isGone = !version.current && (await removeVersion({ files, versions }, key, version))
      if (!isGone) {
        const instead = 'make another one current by PUT .../version first, or remove the model'
        throw fault(
          'conflict',
          `version ${number} of model ${key.model} is current and answers predictions: ${instead}`,
        )
      }
      await aliases.removeOf(key, number)
      return number
    },

    /** Newest first; a fault `missing` where the model was never published. */
    versions: async (key: ModelKey): Promise<readonly VersionRow[]> => (await known(key)).toReversed(),

    /** The version that answers predictions; undefined where none was published. */
    serving: async (key: ModelKey): Promise<number | undefined> => (await versions.current(key))?.number,

    /** The versions that answer predictions, by model. */
    servingIn: versions.currentNumbers,

    metrics: async (key: ModelKey): Promise<Readonly<Record<string, unknown>>> =>
      (await known(key)).find((row) => row.current)?.metrics ?? {},

    /** An older version takes the place of the current one. */
    async makeCurrent(key: ModelKey, name: VersionName): Promise<number> {
      const version = await find(key, name)
      if (version.current) return version.number
      await publish({ objects, files, versions }, key, version)
      current.forget(key)
      return version.number
    },

    /** Removes all that training has written of a model, but objects that are also another's; false where there was nothing. */
    async remove(key: ModelKey, isShared: boolean): Promise<boolean> {
      const rows = await versions.list(key)
      await aliases.removeOf(key)
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
