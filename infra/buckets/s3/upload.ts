import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { fault } from '../../../base/faults.ts'
import { quoted } from '../names.ts'
import { onS3 } from './faults.ts'

const partBytes = 8 * 1024 * 1024
const partsAtOnce = 3
/** S3 takes 10,000 parts of an object. */
const maxBytes = partBytes * 10_000

type Place = { readonly Bucket: string; readonly Key: string }

/**
 * Sends content that fits into one part as it is and longer content in parts; returns the size. S3 shows the object
 * when all of it is there.
 */
export async function upload(client: S3Client, place: Place, content: Readable): Promise<number> {
  let size = 0
  let broken: unknown
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of content) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        size += bytes.length
        if (size > maxBytes) throw fault('too large', `an object on S3 holds at most ${maxBytes} bytes here`)
        yield bytes
      }
    } catch (error) {
      broken = error
      throw error
    }
  }
  const body = Readable.from(counted(), { objectMode: false })
  try {
    const params = { ...place, Body: body }
    const sending = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce })
    await onS3(`object ${quoted(place.Key)}`, () => sending.done())
    return size
  } catch (error) {
    throw broken ?? error
  } finally {
    body.destroy()
    content.destroy()
  }
}
