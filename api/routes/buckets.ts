import { Readable } from 'node:stream'
import Router, { type RouterContext } from '@koa/router'
import { quoted } from '../../infra/buckets/names.ts'
import { fault } from '../../infra/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import { streamAnswer } from '../middleware/stream-answer.ts'
import { describeBuckets, keyListText } from '../services/object-lists.ts'
import type { ObjectStoreParts } from '../services/object-store.ts'
import { bucketName, readBody } from './bucket-body.ts'
import { parameter } from './parameter.ts'
import { queryText } from './url-text.ts'

export type BucketRoutesDeps = {
  readonly store: Pick<ObjectStoreParts, 'buckets' | 'objects'>
  readonly bodyLimit: number
  readonly logger: Logger
}

/** Buckets and what is in them: interface 4.13, decisions 8. */
export function bucketRoutes({ store, bodyLimit, logger }: BucketRoutesDeps): Router {
  const { buckets, objects } = store
  const router = new Router()

  const named = (context: RouterContext) =>
    readBody(context, bodyLimit, (part) => part.take('bucket_name', bucketName) ?? '')

  /** The bucket that the body names, if the keys in it are the bucket's. */
  async function admitted(context: RouterContext): Promise<string> {
    const { value: bucket, keys } = await named(context)
    await buckets.admit(bucket, keys)
    return bucket
  }

  router.post('/brs/bucket', async (context) => {
    const { value: bucket, keys } = await named(context)
    await buckets.create(bucket, keys)
    context.body = { success: 0 }
  })

  router.post('/brs/bucket/delete', async (context) => {
    const { value: bucket, keys } = await named(context)
    await buckets.remove(bucket, keys)
    context.body = { success: 0 }
  })

  router.get('/brs/count', async (context) => {
    context.body = { count: (await buckets.list()).length }
  })

  router.post('/brs/list/:flag', async (context) => {
    const isVerbose = isVerboseFlag(context)
    await readBody(context, bodyLimit, () => undefined)
    const list = isVerbose ? await describeBuckets(store) : await buckets.list()
    context.body = { buckets: list, num_buckets: list.length }
  })

  router.post(['/brs/object/list', '/brs/object/list/:flag'], async (context) => {
    if (context.params.flag !== undefined) isVerboseFlag(context)
    const prefix = queryText(context, 'key') ?? ''
    const chunks = keyListText(objects, await admitted(context), prefix)
    // A fault of the store shows with the first chunk, while there is still a status to answer.
    const first = await chunks.next()
    context.type = 'application/json'
    streamAnswer(context, Readable.from(joined(first.value ?? '', chunks), { objectMode: false }), logger)
  })

  router.post('/brs/delete', async (context) => {
    const key = queryText(context, 'key')
    const bucket = await admitted(context)
    if (key === undefined) throw fault('invalid', 'key: is missing; write /brs/delete?key=<key>')
    if (!(await objects.remove(bucket, key))) throw missingObject(bucket, key)
    context.body = { success: 0 }
  })

  return router
}

export const missingObject = (bucket: string, key: string) =>
  fault('missing', `there is no object ${quoted(key)} in bucket ${bucket}`)

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

function isVerboseFlag(context: RouterContext): boolean {
  const flag = parameter(context, 'flag')
  if (flag === '0' || flag === '1') return flag === '1'
  throw fault('invalid', `${quoted(flag)}: write 0 for a brief list or 1 for a verbose one`)
}
