import { ensureBucket } from '../ensure-bucket.ts'
import { bucketName } from '../names.ts'
import { createRecords } from '../records.ts'
import type { Store } from '../store.ts'
import { createS3Buckets } from './buckets.ts'
import { createS3Client, type S3Settings } from './client.ts'
import { endAbandonedUploads } from './left-overs.ts'
import { s3AsideName, s3BucketName, s3RecordsName } from './names.ts'
import { createS3Objects } from './objects.ts'

/** Buckets and objects on an S3 server, each object under its own key. */
export async function openS3Store(settings: S3Settings): Promise<Store> {
  const { prefix } = settings
  const client = createS3Client(settings)
  const nameOf = (bucket: string) => s3BucketName(prefix, bucketName(bucket))
  const recordsName = () => s3RecordsName(prefix)
  const asideOf = (id: string) => s3AsideName(prefix, id)
  const buckets = createS3Buckets({ client, prefix, nameOf, asideOf })
  await ensureBucket(createS3Buckets({ client, prefix, nameOf: recordsName, asideOf }), 'records')
  for (const bucket of await buckets.list()) await endAbandonedUploads(client, nameOf(bucket))
  return {
    buckets,
    objects: createS3Objects({ client, nameOf }),
    records: createRecords(createS3Objects({ client, nameOf: recordsName })),
    close: async () => client.destroy(),
  }
}
