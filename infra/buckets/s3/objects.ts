import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { fault } from '../../../base/faults.ts'
import { checkRange } from '../byte-range.ts'
import { objectKey, quoted } from '../names.ts'
import type { ByteRange, ObjectStore } from '../store.ts'
import { isS3Error, onS3 } from './faults.ts'
import { listS3 } from './list.ts'
import { s3Key } from './names.ts'
import { unstalled } from './unstalled.ts'
import { upload } from './upload.ts'

/** For the next bytes of an object. */
const patience_ms = 20_000

type S3ObjectsDeps = {
  readonly client: S3Client
  /** The name in S3 of a bucket; checks the bucket's name. */
  readonly nameOf: (bucket: string) => string
}

/** Objects under their own keys, but for odd ones (`s3Key`), so that other S3 tools find them. */
export function createS3Objects({ client, nameOf }: S3ObjectsDeps): ObjectStore {
  const place = (bucket: string, key: string) => ({ Bucket: nameOf(bucket), Key: s3Key(objectKey(key)) })

  async function stat(bucket: string, key: string) {
    try {
      const { ContentLength, ETag } = await client.send(new HeadObjectCommand(place(bucket, key)))
      return { size: ContentLength ?? 0, version: ETag ?? '' }
    } catch (error) {
      if (!isS3Error(error, 'NotFound', 'NoSuchKey')) throw error
      await mustHave(bucket)
      return undefined
    }
  }

  /** The answer to HEAD has no body, so it does not say whether the key is missing or the bucket. */
  async function mustHave(bucket: string): Promise<void> {
    try {
      await client.send(new HeadBucketCommand({ Bucket: nameOf(bucket) }))
    } catch (error) {
      throw isS3Error(error, 'NotFound', 'NoSuchBucket') ? fault('missing', `there is no bucket ${bucket}`) : error
    }
  }

  async function get(...[bucket, key, range]: Parameters<ObjectStore['get']>) {
    try {
      const part = range ? { Range: rangeHeader(range) } : {}
      const answer = await client.send(new GetObjectCommand({ ...place(bucket, key), ...part }))
      if (!(answer.Body instanceof Readable)) throw new Error('an answer without a body')
      const size = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength)
      const stream = unstalled(answer.Body, patience_ms, () => stalled(bucket, key))
      return { size, version: answer.ETag ?? '', stream }
    } catch (error) {
      if (isS3Error(error, 'NoSuchKey')) return undefined
      throw error
    }
  }

  async function remove(bucket: string, key: string) {
    if (!(await stat(bucket, key))) return false
    await client.send(new DeleteObjectCommand(place(bucket, key)))
    return true
  }

  return {
    put: async (bucket, key, content) => ({ size: await upload(client, place(bucket, key), content) }),
    get: (...args) => onS3(named(args[0], args[1]), () => get(...args)),
    stat: (bucket, key) => onS3(named(bucket, key), () => stat(bucket, key)),
    list: (bucket, prefix = '') => listS3(client, bucket, nameOf(bucket), prefix),
    remove: (bucket, key) => onS3(named(bucket, key), () => remove(bucket, key)),
  }
}

const stalled = (bucket: string, key: string): Error =>
  fault('unavailable', `the S3 server brought nothing of ${named(bucket, key)} for ${patience_ms / 1000} s`)

const named = (bucket: string, key: string): string => `object ${quoted(key)} of bucket ${bucket}`

function rangeHeader(range: ByteRange): string {
  checkRange(range)
  const { offset, length } = range
  return `bytes=${offset}-${length === Infinity ? '' : offset + length - 1}`
}
