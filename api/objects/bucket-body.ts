import type { Context } from 'koa'
import type { BucketKeys } from '../../activities/objects/buckets.ts'
import type { WireObject } from '../../base/decode/wire-object.ts'
import { readText } from '../http/body.ts'
import { readBucket } from './bucket.ts'

/** The body of a call: the value that `read` takes from it, and the bucket's keys, which may also come as headers. */
export async function readBody<Value>(
  context: Context,
  bodyLimit: number,
  read: (object: WireObject) => Value,
): Promise<{ value: Value; keys: BucketKeys }> {
  return readBucket(await readText(context, bodyLimit, 'the body'), headerKeys(context), read)
}

export const headerKeys = (context: Context): BucketKeys => ({
  accessKey: headerText(context, 'x-access-key'),
  secretKey: headerText(context, 'x-secret-key'),
})

/** Node gives a header's bytes as Latin-1. */
function headerText({ req }: Context, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? Buffer.from(value, 'latin1').toString() : undefined
}
