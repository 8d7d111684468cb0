import type { ModelKey } from './stores/training-record.ts'
import type { ModelVersion, VersionStore } from './stores/versions.ts'

/** For this long a process may go on with the version before, after another process has published a model. */
const fresh_ms = 500
/** More models than this are not remembered. */
const max = 10_000

type Entry = { readonly version: Promise<ModelVersion | undefined>; readonly until: number }

/** Which version of a model is current, without a question to ClickHouse at each prediction. */
export function createCurrentModels(versions: Pick<VersionStore, 'current'>) {
  const entries = new Map<string, Entry>()

  return {
    /** Undefined where there is no such model. */
    of({ schema, model }: ModelKey): Promise<ModelVersion | undefined> {
      const id = `${schema}:${model}`
      const known = entries.get(id)
      if (known !== undefined && known.until > performance.now()) return known.version
      const version = versions.current({ schema, model })
      if (entries.size >= max) entries.clear()
      entries.set(id, { version, until: performance.now() + fresh_ms })
      version.catch(() => entries.delete(id))
      return version
    },
    /** After a change of its versions that this process made or saw. */
    forget: ({ schema, model }: ModelKey): void => {
      entries.delete(`${schema}:${model}`)
    },
  }
}

export type CurrentModels = ReturnType<typeof createCurrentModels>
