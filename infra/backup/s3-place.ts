import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { createS3Client } from '../buckets/s3/client.ts'
import { isS3Error, onS3 } from '../buckets/s3/faults.ts'
import { endAbandonedUploads } from '../buckets/s3/left-overs.ts'
import { unstalled } from '../buckets/s3/unstalled.ts'
import { upload } from '../buckets/s3/upload.ts'
import type { BackupPlace, S3Access } from './place.ts'

/** For the next bytes of an object. */
const patience_ms = 20_000

export type S3PlaceDeps = S3Access & { readonly bucket: string; readonly prefix: string }

/** A bucket of an S3 server, which has to be there; every key begins with the prefix. */
export function createS3Place({ bucket, prefix, ...access }: S3PlaceDeps): BackupPlace {
  const client = createS3Client({ ...access, prefix: '' })
  const start = prefix === '' ? '' : `${prefix}/`
  const place = (name: string) => ({ Bucket: bucket, Key: `${start}${name}` })
  const about = (name: string): string => `${name} of the backup in bucket ${bucket}`

  return {
    put: async (name, content) => ({ size: await upload(client, place(name), content) }),
    get: (name) =>
      onS3(about(name), async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand(place(name)))
          if (!(Body instanceof Readable)) throw new Error('an answer without a body')
          return unstalled(Body, patience_ms, () => new Error(`the S3 server brought nothing of ${about(name)}`))
        } catch (error) {
          if (isS3Error(error, 'NoSuchKey')) return undefined
          throw error
        }
      }),
    list: (names) =>
      onS3(about(names), async () => {
        const found: string[] = []
        for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${start}${names}` })) {
          for (const { Key } of page.Contents ?? []) if (Key !== undefined) found.push(Key.slice(start.length))
        }
        return found.sort()
      }),
    remove: (name) => onS3(about(name), async () => void (await client.send(new DeleteObjectCommand(place(name))))),
    make: async () => {},
    has: async () => true,
    async sweep(names, before_us) {
      const oldest_ms = Date.now() - before_us / 1000
      await endAbandonedUploads(client, bucket, oldest_ms, `${start}${names}`)
    },
    close: async () => client.destroy(),
  }
}
