/** S3 renames nothing: its server copies each object of a bucket into another one. No bytes pass through Weir. */
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { createPool } from '../../../base/pool.ts'
import { isS3Error } from './faults.ts'

const copiesAtOnce = 16
/** The max looks for objects that other processes still bring into the bucket. */
const maxLooks = 20
/** S3 copies an object of up to 5 GB in one step, a longer one in parts. */
const wholeBytes = 5 * 1024 ** 3
const partBytes = 512 * 1024 ** 2

type Found = { readonly key: string; readonly size: number }

async function isThere(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
    return true
  } catch (error) {
    if (isS3Error(error, 'NotFound', 'NoSuchBucket')) return false
    throw error
  }
}

/** Does `work` for each object of the bucket, other tools' among them. */
async function eachObject(client: S3Client, bucket: string, work: (found: Found) => Promise<void>): Promise<void> {
  const places = createPool(Array.from({ length: copiesAtOnce }, (_, place) => place))
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, EncodingType: 'url' })) {
    const isEncoded = page.EncodingType === 'url'
    const found = (page.Contents ?? []).map(({ Key = '', Size = 0 }) => ({
      key: isEncoded ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key,
      size: Size,
    }))
    await Promise.all(found.map((object) => places.use(() => work(object))))
  }
}

/** Moves a bucket with all objects; where a move was cut off it goes on. */
export async function moveBucket(client: S3Client, from: string, to: string): Promise<void> {
  if (!(await isThere(client, to))) await client.send(new CreateBucketCommand({ Bucket: to }))
  const move = async (object: Found): Promise<void> => {
    await copy(client, from, to, object)
    await client.send(new DeleteObjectCommand({ Bucket: from, Key: object.key }))
  }
  await emptyAndRemove(client, from, move)
}

/** Removes a bucket with all objects, where it is there. */
export const removeBucket = (client: S3Client, bucket: string): Promise<void> =>
  emptyAndRemove(client, bucket, async ({ key }) => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
  })

async function emptyAndRemove(client: S3Client, bucket: string, take: (found: Found) => Promise<void>): Promise<void> {
  for (let look = 1; await isThere(client, bucket); look++) {
    await eachObject(client, bucket, take)
    try {
      await client.send(new DeleteBucketCommand({ Bucket: bucket }))
    } catch (error) {
      if (!isS3Error(error, 'BucketNotEmpty') || look === maxLooks) throw error
    }
  }
}

async function copy(client: S3Client, from: string, to: string, { key, size }: Found): Promise<void> {
  const place = { Bucket: to, Key: key }
  const source = { CopySource: `${from}/${key.split('/').map(encodeURIComponent).join('/')}` }
  if (size <= wholeBytes) {
    await client.send(new CopyObjectCommand({ ...place, ...source }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
  const parts: CompletedPart[] = []
  for (let offset = 0; offset < size; offset += partBytes) {
    const PartNumber = parts.length + 1
    const CopySourceRange = `bytes=${offset}-${Math.min(size, offset + partBytes) - 1}`
    const part = { ...place, ...source, UploadId, PartNumber, CopySourceRange }
    const { CopyPartResult } = await client.send(new UploadPartCopyCommand(part))
    parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
  }
  await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } }))
}
