import { isDeepStrictEqual } from 'node:util'
import { fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { modelBucket, modelKeys } from '../objects/model-objects.ts'
import { besideEachOther, type Condition, compare, differences } from './comparison.ts'
import type { CurrentModels } from './current-models.ts'
import { companionFiles, type ModelFiles } from './model-files.ts'
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

/** On what terms a version becomes current. */
export type Terms = {
  /** It may predict something else than the current one. */
  readonly isForced?: boolean
  /** It has to be better than the current one. */
  readonly condition?: Condition
}

/** Throws a fault `conflict` where a version is not to take the place of the current one. */
function refuseOther({ model }: ModelKey, version: VersionRow, now: VersionRow | undefined, terms: Terms): void {
  if (now === undefined) return
  const other = terms.isForced ? [] : differences(version, now)
  if (other.length > 0) {
    const says = `version ${version.number} ${other.join(', and ')}, as version ${now.number} of model ${model} does`
    throw fault('conflict', `${says}, which is current: ?force=1 where that is meant`)
  }
  if (terms.condition === undefined) return
  const pair = besideEachOther(version, now)
  if (pair === undefined) {
    const says = `versions ${version.number} and ${now.number} of model ${model} were not measured on the same rows`
    throw fault(
      'conflict',
      `${says}: a training with activate 0, or with a condition, measures the current one beside its own`,
    )
  }
  const { isBetter, says } = compare(terms.condition, pair.own, pair.current)
  if (!isBetter) throw fault('conflict', `${says}: version ${now.number} stays current`)
}

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
      current.forget(key)
      return number
    },

    async removeAlias(key: ModelKey, alias: string): Promise<void> {
      await find(key, alias)
      await aliases.remove(key, alias)
      current.forget(key)
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
      current.forget(key)
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

    /**
     * Another version takes the place of the current one; a fault `conflict` where it predicts something else and that is
     * not meant, or where it does not meet the condition.
     */
    async makeCurrent(key: ModelKey, name: VersionName, terms: Terms = {}): Promise<number> {
      const version = await find(key, name)
      if (version.current) return version.number
      refuseOther(
        key,
        version,
        (await known(key)).find((row) => row.current),
        terms,
      )
      await publish({ objects, files, versions }, key, version)
      current.forget(key)
      return version.number
    },

    /** The version that was current before is so again; returns its number and that of the one that it replaces. */
    async rollBack(key: ModelKey): Promise<{ readonly to: number; readonly from: number }> {
      const rows = await known(key)
      const now = rows.find((row) => row.current)
      const before = rows
        .filter(({ current, staged }) => !current && !staged)
        .reduce<VersionRow | undefined>((last, row) => (last && last.since_us > row.since_us ? last : row), undefined)
      if (now === undefined || before === undefined)
        throw fault('conflict', `no version of model ${key.model} that was current before is left`)
      await publish({ objects, files, versions }, key, before)
      current.forget(key)
      return { to: before.number, from: now.number }
    },

    /**
     * Copies a version under another model's name, where it is the next version; returns its number there. One that was
     * copied before is found again, so that a repeat is safe. Two copies at once would take one number.
     */
    async copy(key: ModelKey, name: VersionName, to: string, terms: Terms & { readonly activate: boolean }) {
      const version = await find(key, name)
      const target = { schema: key.schema, model: to }
      const copyOf = { model: key.model, number: version.number }
      const rows = await versions.list(target)
      const copied = rows.find((row) => row.start_us === version.start_us)
      if (copied !== undefined) {
        if (!isDeepStrictEqual(copied.copyOf, copyOf))
          throw fault('conflict', `version ${copied.number} of model ${to} is of another training of that moment`)
        return { version: version.number, number: copied.number, isCurrent: copied.current }
      }
      if (terms.activate)
        refuseOther(
          target,
          version,
          rows.find((row) => row.current),
          terms,
        )
      const [from, place] = [key, target].map((model) => ({ ...model, training: version.start_us }))
      if (from === undefined || place === undefined) throw new Error('a copy has two places')
      for (const file of ['model.onnx', ...companionFiles] as const) {
        const content = await files.stream(from, file)
        if (content !== undefined) await files.write(place, file, content)
      }
      const { current: _, staged: __, since_us: ___, beside: ____, ...facts } = version
      const copy = { ...facts, key: files.keyOf(place, 'model.onnx'), copyOf }
      const number = (rows.at(-1)?.number ?? 0) + 1
      if (terms.activate) await publish({ objects, files, versions }, target, { ...copy, number })
      else await versions.stage(target, { ...copy, number })
      current.forget(target)
      return { version: version.number, number, isCurrent: terms.activate }
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
