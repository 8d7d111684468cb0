import { createProbe } from './probe.ts'

export type StoreState = { readonly status: 'up' | 'slow' | 'down'; readonly reason?: string }

/** Asks the object store how it does, by a bucket that is always there. */
export const createStoreProbe = (has: (bucket: string) => Promise<boolean>, bucket: string) =>
  createProbe<StoreState>({
    ask: async () => ((await has(bucket)) ? { status: 'up' } : { status: 'down', reason: `bucket ${bucket} is gone` }),
    failed: (reason) => ({ status: 'down', reason }),
    patience_ms: 250,
    late: { status: 'slow' },
  })

export type StoreProbe = ReturnType<typeof createStoreProbe>
