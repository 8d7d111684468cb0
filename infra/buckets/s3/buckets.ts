import {
  CreateBucketCommand,
  DeleteBucketCommand,
  HeadBucketCommand,
  paginateListBuckets,
  type S3Client,
} from '@aws-sdk/client-s3'
import { fault } from '../../../base/faults.ts'
import { isBucketName } from '../names.ts'
import type { BucketStore } from '../store.ts'
import { isS3Error, onS3 } from './faults.ts'
import { moveBucket, removeBucket } from './move-bucket.ts'
import { bucketOfS3 } from './names.ts'

type S3BucketsDeps = {
  readonly client: S3Client
  readonly prefix: string
  readonly nameOf: (bucket: string) => string
  /** The name in S3 of a bucket that is set aside. */
  readonly asideOf: (id: string) => string
}

export function createS3Buckets({ client, prefix, nameOf, asideOf }: S3BucketsDeps): BucketStore {
  async function has(bucket: string) {
    try {
      await client.send(new HeadBucketCommand({ Bucket: nameOf(bucket) }))
      return true
    } catch (error) {
      if (isS3Error(error, 'NotFound', 'NoSuchBucket')) return false
      throw error
    }
  }

  async function create(bucket: string) {
    // S3's oldest region answers 200 for a bucket that its owner has already.
    if (await has(bucket)) throw fault('conflict', `there is a bucket ${bucket} already`)
    await client.send(new CreateBucketCommand({ Bucket: nameOf(bucket) }))
  }

  async function list() {
    const names: string[] = []
    for await (const { Buckets = [] } of paginateListBuckets({ client }, { Prefix: prefix })) {
      for (const { Name = '' } of Buckets) {
        const bucket = bucketOfS3(prefix, Name)
        if (bucket !== undefined && isBucketName(bucket)) names.push(bucket)
      }
    }
    return names.sort()
  }

  return {
    setAside: (bucket, id) => onS3(`bucket ${bucket}`, () => moveBucket(client, nameOf(bucket), asideOf(id))),
    bringBack: (id, bucket) => onS3(`bucket ${bucket}`, () => moveBucket(client, asideOf(id), nameOf(bucket))),
    removeAside: (id) => onS3('a bucket that was set aside', () => removeBucket(client, asideOf(id))),
    create: (bucket) => onS3(`bucket ${bucket}`, () => create(bucket)),
    has: (bucket) => onS3(`bucket ${bucket}`, () => has(bucket)),
    list: () => onS3('the list of buckets', list),
    remove: (bucket) =>
      onS3(`bucket ${bucket}`, async () => {
        await client.send(new DeleteBucketCommand({ Bucket: nameOf(bucket) }))
      }),
  }
}
