import { type AskedModel, askedModelId, type CurrentModels } from '../models/current-models.ts'
import type { ModelVersion } from '../models/stores/versions.ts'

/** A version that is known is not waited for longer than this. */
const patience_ms = 250

/** Which version of a model is asked; while that cannot be found out, the one that it was last. */
export function createSteadyModels(current: Pick<CurrentModels, 'of'>) {
  const last = new Map<string, ModelVersion>()

  return async (key: AskedModel): Promise<ModelVersion | undefined> => {
    const id = askedModelId(key)
    const asked = current.of(key).then((version) => {
      if (version === undefined) last.delete(id)
      else last.set(id, version)
      return version
    })
    const known = last.get(id)
    if (known === undefined) return asked
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<ModelVersion>((resolve) => {
      timer = setTimeout(() => resolve(known), patience_ms)
    })
    try {
      return await Promise.race([asked.catch(() => known), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

export type SteadyModels = ReturnType<typeof createSteadyModels>
