import type { Context } from 'koa'
import type { BucketKeys } from '../../activities/objects/buckets.ts'
import type { WireObject } from '../../base/decode/wire-object.ts'
import { readText } from '../http/body.ts'
import { type BucketBody, readBucket } from './bucket.ts'

/** The body of a call, as `readBucket` reads it. */
export async function readBody<Value>(
  context: Context,
  bodyLimit: number,
  known: Readonly<Record<string, unknown>>,
  read: (object: WireObject) => Value,
): Promise<BucketBody<Value>> {
  return readBucket(await readText(context, bodyLimit, 'the body'), headerKeys(context), known, read)
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
