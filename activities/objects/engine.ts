import { join } from 'node:path'
import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import { createDiskReserve } from '../../infra/buckets/disk-reserve.ts'
import { openStore } from '../../infra/buckets/open-store.ts'
import { openScratch } from '../../infra/buckets/scratch.ts'
import type { Store } from '../../infra/buckets/store.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import type { Config } from '../../infra/config.ts'
import type { Deletions, Restorer, Undo } from '../undo/deletions.ts'
import { type BucketKeys, createBuckets } from './buckets.ts'
import { createGetSlices } from './get-slices.ts'
import { createPutSlices } from './put-slices.ts'

/** Opens the store with its system buckets: it needs nothing else of the service, and may take its time beside it. */
export async function openBuckets(config: Config, changed: () => void = () => {}) {
  const store = noting(await openStore(config), changed)
  const buckets = createBuckets(store)
  const [scratch] = await Promise.all([openScratch(join(config.DATA_DIR, 'uploads')), buckets.ensure()])
  return { store, buckets, scratch, reserve: createDiskReserve(config.DATA_DIR, config.DISK_RESERVE_MB) }
}

/** Calls `changed` after each change of the store, made or failed. */
function noting(store: Store, changed: () => void): Store {
  const noted =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      work(...args).finally(changed)
  const { buckets, objects, records } = store
  return {
    ...store,
    buckets: {
      ...buckets,
      create: noted(buckets.create),
      remove: noted(buckets.remove),
      setAside: noted(buckets.setAside),
      bringBack: noted(buckets.bringBack),
      removeAside: noted(buckets.removeAside),
    },
    objects: { ...objects, put: noted(objects.put), remove: noted(objects.remove) },
    records: { ...records, write: noted(records.write), remove: noted(records.remove) },
  }
}

export type OpenedBuckets = Awaited<ReturnType<typeof openBuckets>>

export type ObjectEngineDeps = {
  readonly opened: OpenedBuckets
  /** Seals the keys of downloads: the same in every process. */
  readonly secret: string
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
  /** Deletes and brings back buckets one at a time. */
  readonly exclusively: Exclusively
}

const deletedBucket = z.object({
  /** The bucket's keys, as they are kept; absent where it has none. */
  record: z.string().optional(),
})

/** The one object store of the service, and the transfers in slices that are on their way in and out of it. */
export function createObjectEngine({ opened, secret, deletions, exclusively }: ObjectEngineDeps) {
  const { store, buckets, scratch, reserve } = opened
  const { objects } = store
  const put = createPutSlices({ objects, scratch, reserve })

  /** Takes a bucket away and keeps its objects: it may hold some. */
  async function removeFor(bucket: string, keys: BucketKeys, undo: Undo): Promise<Deletion> {
    await buckets.checkRemoval(bucket, keys)
    return exclusively(async () => {
      if (!(await buckets.has(bucket))) throw fault('missing', `there is no bucket ${bucket}`)
      const record = await buckets.recordOf(bucket)
      return deletions.setAside({ kind: 'bucket', name: bucket, body: JSON.stringify({ record }) }, undo)
    })
  }

  const recordIn = (body: string): string | undefined => deletedBucket.parse(JSON.parse(body)).record

  return {
    objects,
    buckets: {
      ...buckets,
      async create(bucket: string, keys: BucketKeys): Promise<void> {
        await exclusively(() => deletions.settle('bucket', bucket))
        await buckets.create(bucket, keys)
      },
      async remove(bucket: string, keys: BucketKeys, force: boolean, undo?: Undo): Promise<Deletion | undefined> {
        if (undo) return removeFor(bucket, keys, undo)
        await buckets.remove(bucket, keys, force)
        await put.gone(bucket)
        return undefined
      },
      /** Fault `forbidden` unless the keys fit a bucket that is set aside. */
      checkDeletion: ({ name, body }: Deletion, keys: BucketKeys) => buckets.checkKeys(name, recordIn(body), keys),
    },
    restorer: {
      exclusively,
      async setAside({ name, id }) {
        await buckets.setAside(name, id)
        await put.gone(name)
      },
      async checkFree({ name }) {
        if (await buckets.has(name)) throw fault('conflict', `there is a bucket ${name} again; remove it first`)
      },
      bringBack: ({ name, id, body }) => buckets.bringBack(id, name, recordIn(body)),
      remove: ({ id }) => buckets.removeAside(id),
    } satisfies Restorer,
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
