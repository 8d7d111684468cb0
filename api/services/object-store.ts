import { join } from 'node:path'
import { createBuckets } from '../../infra/buckets/buckets.ts'
import { createGetSlices } from '../../infra/buckets/get-slices.ts'
import { openStore } from '../../infra/buckets/open-store.ts'
import { createPutSlices } from '../../infra/buckets/put-slices.ts'
import { openScratch } from '../../infra/buckets/scratch.ts'
import type { Config } from '../../infra/config.ts'

/** The one object store of the service, with its system buckets, and what is on its way in and out of it in slices. */
export async function openObjectStore(config: Config) {
  const store = await openStore(config)
  const { objects } = store
  const buckets = createBuckets(store)
  const [scratch] = await Promise.all([openScratch(join(config.DATA_DIR, 'uploads')), buckets.ensure()])
  const put = createPutSlices({ objects, scratch })
  return {
    objects,
    buckets,
    put,
    get: createGetSlices({ objects }),
    has: store.buckets.has,
    async close(): Promise<void> {
      await put.close()
      await store.close()
    },
  }
}

export type ObjectStoreParts = Awaited<ReturnType<typeof openObjectStore>>
