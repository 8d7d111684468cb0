import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Fault, fault } from '../../base/faults.ts'
import { createKeyedMutex } from '../../base/mutex.ts'
import { ensureBucket } from '../../infra/buckets/ensure-bucket.ts'
import type { Store } from '../../infra/buckets/store.ts'

/** Buckets that are there from the start and never removed: models with their training files, and the scripts that train. */
export const systemBuckets: readonly string[] = ['ml_bucket_info', 'weir_udf_bucket']

/** The bucket of the service alone: no client sees or reaches it. */
export const hiddenBucket = 'weir_models'

/** The keys that a request brings. */
export type BucketKeys = { readonly accessKey?: string | undefined; readonly secretKey?: string | undefined }

const keyBytes = 256
/** The max looks of a removal for objects that other processes still bring into the bucket. */
const maxLooks = 20
const locks = z.object({ accessKey: z.string(), secretHash: z.string() })

/** Buckets as clients see them: one that was created with keys opens to those keys only. */
export function createBuckets({ buckets, objects, records }: Omit<Store, 'close'>) {
  const isSecret = createSecretCheck()
  const exclusively = createKeyedMutex()
  /** Buckets that are being removed with their objects: this process takes no further object for them. */
  const going = new Set<string>()

  async function create(bucket: string, keys: BucketKeys): Promise<void> {
    if (bucket === hiddenBucket) throw fault('conflict', `${bucket} is a name that the service keeps for itself`)
    const lock = await lockOf(keys)
    if (await buckets.has(bucket)) throw fault('conflict', `there is a bucket ${bucket} already`)
    // A crash between the two leaves a record without a bucket, never a bucket without its lock.
    if (lock === undefined) await records.remove(bucket)
    else await records.write(bucket, lock)
    await buckets.create(bucket)
  }

  async function admit(bucket: string, keys: BucketKeys): Promise<void> {
    if (bucket === hiddenBucket || going.has(bucket)) throw fault('missing', `there is no bucket ${bucket}`)
    await checkKeys(bucket, await records.read(bucket), keys)
  }

  /** Fault `forbidden` unless the keys fit the bucket's record. */
  async function checkKeys(
    bucket: string,
    record: string | undefined,
    { accessKey = '', secretKey = '' }: BucketKeys,
  ): Promise<void> {
    if (record === undefined) return
    const lock = locks.parse(JSON.parse(record))
    const known = isSame(accessKey, lock.accessKey)
    const right = Buffer.byteLength(secretKey) <= keyBytes && (await isSecret(secretKey, lock.secretHash))
    if (!known || !right) throw fault('forbidden', `bucket ${bucket} has keys, and these are others`)
  }

  async function empty(bucket: string): Promise<void> {
    for await (const { key } of objects.list(bucket)) await objects.remove(bucket, key)
  }

  /** Removes also objects that were on their way, or that come by another process. */
  async function removeWhole(bucket: string): Promise<void> {
    going.add(bucket)
    try {
      for (let look = 1; ; look++) {
        await empty(bucket)
        try {
          return await buckets.remove(bucket)
        } catch (error) {
          const holdsMore = error instanceof Fault && error.kind === 'conflict'
          if (!holdsMore || look === maxLooks) throw error
        }
      }
    } finally {
      going.delete(bucket)
    }
  }

  async function checkRemoval(bucket: string, keys: BucketKeys): Promise<void> {
    if (systemBuckets.includes(bucket)) throw fault('conflict', `${bucket} is a system bucket, which stays`)
    await admit(bucket, keys)
  }

  async function setAside(bucket: string, id: string): Promise<void> {
    going.add(bucket)
    try {
      await buckets.setAside(bucket, id)
      await records.remove(bucket)
    } finally {
      going.delete(bucket)
    }
  }

  return {
    checkKeys,
    /** The bucket's keys, as they are kept; undefined where it has none. */
    recordOf: records.read,
    setAside: (bucket: string, id: string) => exclusively(bucket, () => setAside(bucket, id)),
    bringBack: (id: string, bucket: string, record: string | undefined) =>
      exclusively(bucket, async () => {
        // The keys first: no bucket is without its lock.
        await (record === undefined ? records.remove(bucket) : records.write(bucket, record))
        await buckets.bringBack(id, bucket)
      }),
    removeAside: (id: string) => buckets.removeAside(id),
    has: (bucket: string) => buckets.has(bucket),
    ensure: async (): Promise<void> => {
      for (const bucket of [...systemBuckets, hiddenBucket]) await ensureBucket(buckets, bucket)
    },
    create: (bucket: string, keys: BucketKeys = {}) => exclusively(bucket, () => create(bucket, keys)),
    list: async () => (await buckets.list()).filter((bucket) => bucket !== hiddenBucket),
    /** Fault `forbidden` unless the keys are the bucket's, or it has none. */
    admit: (bucket: string, keys: BucketKeys = {}) => admit(bucket, keys),
    /** Fault `conflict` for a system bucket, `forbidden` unless the keys are the bucket's. */
    checkRemoval: (bucket: string, keys: BucketKeys = {}) => checkRemoval(bucket, keys),
    /** Fault `conflict` for a system bucket, and while it holds objects; with `force` these go, too. */
    remove: async (bucket: string, keys: BucketKeys = {}, force = false): Promise<void> => {
      await checkRemoval(bucket, keys)
      await exclusively(bucket, async () => {
        await (force ? removeWhole(bucket) : buckets.remove(bucket))
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

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const hashBytes = 32
const maxRemembered = 1_000

/** A salted scrypt hash (node's cost: N 16384, r 8, p 1; RFC 7914) as `<salt>.<hash>` in base64url. */
async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(secret, salt, hashBytes)
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/**
 * Compares in constant time. A hash costs tens of milliseconds, so secrets that were right are remembered under a key of
 * this process.
 */
function createSecretCheck() {
  const key = randomBytes(32)
  const right = new Map<string, Buffer>()
  const mark = (secret: string) => createHmac('sha256', key).update(secret).digest()

  return async function isSecret(secret: string, stored: string): Promise<boolean> {
    const known = right.get(stored)
    if (known && timingSafeEqual(known, mark(secret))) return true
    const [salt = '', hash = ''] = stored.split('.')
    const derived = await derive(secret, Buffer.from(salt, 'base64url'), hashBytes)
    const expected = Buffer.from(hash, 'base64url')
    if (expected.length !== hashBytes || !timingSafeEqual(derived, expected)) return false
    if (right.size >= maxRemembered) right.clear()
    right.set(stored, mark(secret))
    return true
  }
}
