import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { fault } from '../faults.ts'
import { ensureBucket } from './ensure-bucket.ts'
import { createSecretCheck, hashSecret } from './secrets.ts'
import type { Store } from './store.ts'
import { createTurns } from './turns.ts'

/** There from the start and never removed: models with their training files, and the scripts that train. */
export const systemBuckets: readonly string[] = ['ml_bucket_info', 'weir_udf_bucket']

/** As a request brings them. */
export type BucketKeys = { readonly accessKey?: string | undefined; readonly secretKey?: string | undefined }

const keyBytes = 256
const locks = z.object({ accessKey: z.string(), secretHash: z.string() })

/** Buckets as clients see them: one that was created with keys opens to those keys only. */
export function createBuckets({ buckets, records }: Pick<Store, 'buckets' | 'records'>) {
  const isSecret = createSecretCheck()
  const inTurn = createTurns()

  async function create(bucket: string, keys: BucketKeys): Promise<void> {
    const lock = await lockOf(keys)
    if (await buckets.has(bucket)) throw fault('conflict', `there is a bucket ${bucket} already`)
    // A crash between the two leaves a record without a bucket, never a bucket without its lock.
    if (lock === undefined) await records.remove(bucket)
    else await records.write(bucket, lock)
    await buckets.create(bucket)
  }

  async function admit(bucket: string, { accessKey = '', secretKey = '' }: BucketKeys): Promise<void> {
    const record = await records.read(bucket)
    if (record === undefined) return
    const lock = locks.parse(JSON.parse(record))
    const known = isSame(accessKey, lock.accessKey)
    const right = Buffer.byteLength(secretKey) <= keyBytes && (await isSecret(secretKey, lock.secretHash))
    if (!known || !right) throw fault('forbidden', `bucket ${bucket} has keys, and these are others`)
  }

  return {
    ensure: async (): Promise<void> => {
      for (const bucket of systemBuckets) await ensureBucket(buckets, bucket)
    },
    create: (bucket: string, keys: BucketKeys = {}) => inTurn(bucket, () => create(bucket, keys)),
    list: () => buckets.list(),
    /** Fault `forbidden` unless the keys are the bucket's, or it has none. */
    admit: (bucket: string, keys: BucketKeys = {}) => admit(bucket, keys),
    /** Fault `conflict` for a system bucket, and while it holds objects. */
    remove: async (bucket: string, keys: BucketKeys = {}): Promise<void> => {
      if (systemBuckets.includes(bucket)) throw fault('conflict', `${bucket} is a system bucket, which stays`)
      await admit(bucket, keys)
      await inTurn(bucket, async () => {
        await buckets.remove(bucket)
        await records.remove(bucket)
      })
    },
  }
}

export type Buckets = ReturnType<typeof createBuckets>

async function lockOf({ accessKey, secretKey }: BucketKeys): Promise<string | undefined> {
  if (accessKey === undefined && secretKey === undefined) return undefined
  const fits = [accessKey, secretKey].every((key = '') => key !== '' && Buffer.byteLength(key) <= keyBytes)
  if (!fits || accessKey === undefined || secretKey === undefined) {
    throw fault('invalid', `access_key and secret_key go together, each 1 to ${keyBytes} bytes long`)
  }
  return JSON.stringify({ accessKey, secretHash: await hashSecret(secretKey) })
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
