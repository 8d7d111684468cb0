import { join } from 'node:path'
import { createDiskReserve } from '../../infra/buckets/disk-reserve.ts'
import { openStore } from '../../infra/buckets/open-store.ts'
import { openScratch } from '../../infra/buckets/scratch.ts'
import type { Config } from '../../infra/config.ts'
import { createBuckets } from './buckets.ts'
import { createGetSlices } from './get-slices.ts'
import { createPutSlices } from './put-slices.ts'

/** Opens the store with its system buckets: it needs nothing else of the service, and may take its time beside it. */
export async function openBuckets(config: Config) {
  const store = await openStore(config)
  const buckets = createBuckets(store)
  const [scratch] = await Promise.all([openScratch(join(config.DATA_DIR, 'uploads')), buckets.ensure()])
  return { store, buckets, scratch, reserve: createDiskReserve(config.DATA_DIR, config.DISK_RESERVE_MB) }
}

export type OpenedBuckets = Awaited<ReturnType<typeof openBuckets>>

export type ObjectEngineDeps = {
  readonly opened: OpenedBuckets
  /** Seals the keys of downloads: the same in every process. */
  readonly secret: string
}

/** The one object store of the service, and the transfers in slices that are on their way in and out of it. */
export function createObjectEngine({ opened: { store, buckets, scratch, reserve }, secret }: ObjectEngineDeps) {
  const { objects } = store
  const put = createPutSlices({ objects, scratch, reserve })
  return {
    objects,
    buckets: {
      ...buckets,
      async remove(...asked: Parameters<typeof buckets.remove>): Promise<void> {
        await buckets.remove(...asked)
        await put.gone(asked[0])
      },
    },
    put,
    get: createGetSlices({ objects, secret }),
    has: store.buckets.has,
    async close(): Promise<void> {
      await put.close()
      await store.close()
    },
  }
}

export type ObjectEngine = ReturnType<typeof createObjectEngine>
