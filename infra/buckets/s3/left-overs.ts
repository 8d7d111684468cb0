import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3'
import { isS3Error, onS3 } from './faults.ts'

const abandoned_ms = 24 * 3600 * 1000

/** Ends the uploads that a crash left unfinished: no listing shows them, and they take space. Returns how many. */
export async function endAbandonedUploads(
  client: S3Client,
  bucket: string,
  oldest_ms = abandoned_ms,
  prefix = '',
): Promise<number> {
  let ended = 0
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}
  for (;;) {
    const asked = new ListMultipartUploadsCommand({
      Bucket: bucket,
      ...(prefix !== '' && { Prefix: prefix }),
      ...marker,
    })
    const page = await onS3(bucket, () => client.send(asked))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key?.startsWith(prefix)) continue
      if (Initiated && Date.now() - Initiated.getTime() < oldest_ms) continue
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        ended++
      } catch (error) {
        // Ended since it was listed, by its own client or by another process.
        if (!isS3Error(error, 'NoSuchUpload')) throw error
      }
    }
    if (!page.IsTruncated || page.NextKeyMarker === undefined) return ended
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' }
  }
}
