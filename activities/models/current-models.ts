import type { AliasStore } from './stores/aliases.ts'
import type { ModelKey } from './stores/training-record.ts'
import type { ModelVersion, VersionStore } from './stores/versions.ts'

/** For this long a process may go on with the version before, after another process has published a model. */
const fresh_ms = 500
/** More models than this are not remembered. */
const max = 10_000

type Entry = { readonly version: Promise<ModelVersion | undefined>; readonly until: number }

/** A model, and the version that is asked of it where it is not the current one: a number or an alias. */
export type AskedModel = ModelKey & { readonly version?: number | string }

/** Tells one version of a model that is asked from all others. */
export const askedModelId = ({ schema, model, version }: AskedModel): string =>
  version === undefined
    ? `${schema}:${model}`
    : `${schema}:${model}@${typeof version === 'number' ? '#' : ''}${version}`

/** Which version of a model is current, or has a name, without a question to ClickHouse at each prediction. */
export function createCurrentModels(
  versions: Pick<VersionStore, 'current' | 'list'>,
  aliases: Pick<AliasStore, 'list'>,
) {
  const entries = new Map<string, Entry>()

  async function find({ version: name, ...key }: AskedModel): Promise<ModelVersion | undefined> {
    if (name === undefined) return versions.current(key)
    const number = typeof name === 'number' ? name : (await aliases.list(key)).get(name)
    return number === undefined ? undefined : (await versions.list(key)).find((each) => each.number === number)
  }

  return {
    /** Undefined where there is no such model, or no such version of it. */
    of(asked: AskedModel): Promise<ModelVersion | undefined> {
      const id = askedModelId(asked)
      const known = entries.get(id)
      if (known !== undefined && known.until > performance.now()) return known.version
      const version = find(asked)
      if (entries.size >= max) entries.clear()
      entries.set(id, { version, until: performance.now() + fresh_ms })
      version.catch(() => entries.delete(id))
      return version
    },
    /** After a change of its versions that this process made or saw. */
    forget: ({ schema, model }: ModelKey): void => {
      const id = `${schema}:${model}`
      for (const each of entries.keys()) if (each === id || each.startsWith(`${id}@`)) entries.delete(each)
    },
  }
}

export type CurrentModels = ReturnType<typeof createCurrentModels>
