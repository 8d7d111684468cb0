import { Fault } from '../../base/faults.ts'
import type { BucketStore } from './store.ts'

/** Creates the bucket unless it is there. */
export async function ensureBucket(buckets: BucketStore, bucket: string): Promise<void> {
  try {
    if (!(await buckets.has(bucket))) await buckets.create(bucket)
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'conflict') throw error
  }
}
