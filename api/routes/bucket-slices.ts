import Router, { type RouterContext } from '@koa/router'
import { type Handshake, type Progress, sliceBytes } from '../../infra/buckets/slices.ts'
import { Fault, fault } from '../../infra/faults.ts'
import type { Part } from '../../sql/schema/part.ts'
import { text, whole } from '../../sql/schema/values.ts'
import { readText } from '../middleware/body.ts'
import type { ObjectStoreParts } from '../services/object-store.ts'
import { optionalText, readBody } from './bucket-body.ts'
import { missingObject } from './buckets.ts'
import { parameter } from './parameter.ts'
import { readSlice, type Slice, sliceKey } from './slice-keys.ts'
import { queryText } from './url-text.ts'

export type SliceRoutesDeps = {
  readonly store: Pick<ObjectStoreParts, 'buckets' | 'put' | 'get'>
  readonly bodyLimit: number
}

/** A slice in base64 is a third longer, and may be broken into lines. */
const sliceLimit = 2 * sliceBytes
const fileSize = whole(0, Number.MAX_SAFE_INTEGER)

/**
 * Objects in slices of 1 MiB: decisions 8. A transfer begins with a JSON body, which shows the bucket's keys; its slices
 * need none, for nobody else knows the key of the transfer.
 */
export function sliceRoutes({ store, bodyLimit }: SliceRoutesDeps): Router {
  const { buckets, put, get } = store
  const router = new Router()

  /** What `read` takes from the body, once the bucket admits the request. */
  async function begun<Value>(context: RouterContext, bucket: string, read: (part: Part) => Value): Promise<Value> {
    const { value, keys } = await readBody(context, bodyLimit, (part) => {
      const name = part.take('bucket_name', optionalText)
      if (name !== undefined && name !== bucket)
        part.fail('bucket_name', `differs from the bucket in the path, ${bucket}`)
      return read(part)
    })
    await buckets.admit(bucket, keys)
    return value
  }

  const keyIn = (part: Part): string => part.take('key', text) ?? ''

  router.post('/brs/:bucket/putfile', async (context) => {
    const bucket = parameter(context, 'bucket')
    const slice = sliceIn(context)
    if (slice) {
      const base64 = await readSliceText(context)
      context.body = progress(slice, await put.slice(bucket, slice.transfer, slice.index, base64))
      return
    }
    const file = await begun(context, bucket, (part) => ({ key: keyIn(part), size: part.take('fsize', fileSize) ?? 0 }))
    context.body = handshake(await put.begin({ bucket, ...file }))
  })

  router.post('/brs/:bucket/getfile', async (context) => {
    const bucket = parameter(context, 'bucket')
    const slice = sliceIn(context)
    if (slice) {
      const { base64, ...rest } = await get.slice(bucket, slice.transfer, slice.index)
      const { next_key, next_id } = progress(slice, rest)
      context.set({ 'x-next-id': String(next_id), ...(next_key !== undefined && { 'x-next-key': next_key }) })
      context.type = 'text/plain'
      context.body = base64
      return
    }
    const key = await begun(context, bucket, keyIn)
    const begin = await get.begin(bucket, key)
    if (!begin) throw missingObject(bucket, key)
    context.body = handshake(begin)
  })

  return router
}

/** Undefined for a request that begins a transfer. */
function sliceIn(context: RouterContext): Slice | undefined {
  const [key, nslice] = [queryText(context, 'key'), queryText(context, 'nslice')]
  if (key !== undefined) return readSlice(key, nslice)
  if (nslice !== undefined)
    throw fault('invalid', 'key: is missing beside nslice; send the next_key of the last answer')
  return undefined
}

const handshake = ({ key, slices, sliceBytes, size, next }: Handshake) => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  nslice: slices,
  chunk_size: sliceBytes,
  file_size: size,
  next_id: next,
})

const progress = ({ slices }: Slice, { key, next }: Progress): { next_key?: string; next_id: number } => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  next_id: next,
})

async function readSliceText(context: RouterContext): Promise<string> {
  try {
    return await readText(context, sliceLimit, 'the slice')
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'too large') throw error
    throw fault('too large', `a slice holds ${sliceBytes} bytes, in base64; this body is longer than any`)
  }
}
