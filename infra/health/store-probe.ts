import { createProbe } from './probe.ts'

/** `failing`: it was never reached. */
export type StoreState = { readonly status: 'up' | 'slow' | 'down' | 'failing'; readonly reason?: string }

const patience_ms = 250

/** Asks the object store how it does, by a bucket that is always there. */
export function createStoreProbe(has: (bucket: string) => Promise<boolean>, bucket: string): () => Promise<StoreState> {
  let wasReached = false
  const ask = createProbe<StoreState>({
    async ask() {
      const isThere = await has(bucket)
      wasReached = true
      return isThere ? { status: 'up' } : { status: 'down', reason: `bucket ${bucket} is gone` }
    },
    failed: (reason) => ({ status: 'down', reason }),
    patience_ms,
    late: { status: 'slow' },
  })
  return async () => {
    const { status, reason = `no answer within ${patience_ms} ms` } = await ask()
    return wasReached
      ? { status, ...(status !== 'up' && { reason }) }
      : { status: 'failing', reason: `never reached: ${reason}` }
  }
}

export type StoreProbe = ReturnType<typeof createStoreProbe>
