import { S3Client } from '@aws-sdk/client-s3'
import { ensureBucket } from '../ensure-bucket.ts'
import { bucketName } from '../names.ts'
import { createRecords } from '../records.ts'
import type { Store } from '../store.ts'
import { createS3Buckets } from './buckets.ts'
import { endAbandonedUploads } from './left-overs.ts'
import { s3BucketName, s3RecordsName } from './names.ts'
import { createS3Objects } from './objects.ts'

export type S3Settings = {
  readonly endpoint: string
  /** Begins every bucket's name in S3: 2 characters at least of `a-z 0-9 -`, the first no `-`. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region?: string
}

/** Buckets and objects on an S3 server, each object under its own key. */
export async function openS3Store(settings: S3Settings): Promise<Store> {
  const { endpoint, prefix, accessKeyId, secretAccessKey, region = 'us-east-1' } = settings
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Only some S3 servers know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  })
  const nameOf = (bucket: string) => s3BucketName(prefix, bucketName(bucket))
  const recordsName = () => s3RecordsName(prefix)
  const buckets = createS3Buckets({ client, prefix, nameOf })
  await ensureBucket(createS3Buckets({ client, prefix, nameOf: recordsName }), 'records')
  for (const bucket of await buckets.list()) await endAbandonedUploads(client, nameOf(bucket))
  return {
    buckets,
    objects: createS3Objects({ client, nameOf }),
    records: createRecords(createS3Objects({ client, nameOf: recordsName })),
    close: async () => client.destroy(),
  }
}
