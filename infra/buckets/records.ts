import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bucketName } from './names.ts'
import type { BucketRecords, ObjectStore } from './store.ts'

/** Keeps records as the objects of one internal place. */
export const createRecords = (objects: ObjectStore): BucketRecords => ({
  async read(bucket) {
    const object = await objects.get('records', bucketName(bucket))
    return object && (await text(object.stream))
  },
  async write(bucket, record) {
    await objects.put('records', bucketName(bucket), Readable.from([Buffer.from(record)]))
  },
  async remove(bucket) {
    await objects.remove('records', bucketName(bucket))
  },
})
