import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3'
import { problemOfKey } from '../names.ts'
import type { ObjectEntry } from '../store.ts'
import { onS3 } from './faults.ts'
import { keyOfS3, s3Prefix } from './names.ts'

/** Skips objects of other tools under keys that Weir would refuse, such as `folder/`. */
export async function* listS3(
  client: S3Client,
  bucket: string,
  s3Name: string,
  prefix: string,
): AsyncGenerator<ObjectEntry> {
  const pages = paginateListObjectsV2({ client }, { Bucket: s3Name, Prefix: s3Prefix(prefix), EncodingType: 'url' })
  for (;;) {
    const page = await onS3(`bucket ${bucket}`, () => pages.next())
    if (page.done) return
    const { Contents = [], EncodingType } = page.value
    for (const { Key = '', Size = 0 } of Contents) {
      const key = EncodingType === 'url' ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key
      const ours = keyOfS3(key)
      // The prefix `v/%-` finds the key `v/`, too, which S3 keeps as `v/%-`.
      if (ours?.startsWith(prefix) && problemOfKey(ours) === undefined) yield { key: ours, size: Size }
    }
  }
}
