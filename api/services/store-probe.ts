import { setTimeout as after } from 'node:timers/promises'
import { modelBucket } from '../../infra/model-objects.ts'

export type StoreState = { readonly status: 'up' | 'slow' | 'down'; readonly reason?: string }

const patience_ms = 250

/** Asks the object store how it does: one question at a time, and an answer within a quarter of a second. */
export function createStoreProbe(has: (bucket: string) => Promise<boolean>) {
  let asking: Promise<StoreState> | undefined

  async function ask(): Promise<StoreState> {
    try {
      return (await has(modelBucket)) ? { status: 'up' } : { status: 'down', reason: `bucket ${modelBucket} is gone` }
    } catch (error) {
      return { status: 'down', reason: error instanceof Error ? error.message : String(error) }
    } finally {
      asking = undefined
    }
  }

  return (): Promise<StoreState> => {
    asking ??= ask()
    return Promise.race([asking, after(patience_ms, { status: 'slow' } as const, { ref: false })])
  }
}

export type StoreProbe = ReturnType<typeof createStoreProbe>
