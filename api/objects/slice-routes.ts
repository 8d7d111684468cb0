import type { RouterContext } from '@koa/router'
import { nameOf } from '../../activities/keys/doors.ts'
import type { ObjectEngine } from '../../activities/objects/engine.ts'
import { type Handshake, type Progress, sliceBytes } from '../../activities/objects/slices.ts'
import type { WireObject } from '../../base/decode/wire-object.ts'
import { Fault, fault } from '../../base/faults.ts'
import { callerIn } from '../auth/permit.ts'
import { createRoutes, inBucket, type Routes, read, write } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { noteInHeader } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { queryText } from '../http/url-text.ts'
import { getOnWire, putOnWire } from './bucket.ts'
import { headerKeys, readBody } from './bucket-body.ts'
import { missingObject } from './bucket-routes.ts'
import * as calls from './calls.ts'

export type SliceRoutesDeps = {
  readonly store: Pick<ObjectEngine, 'buckets' | 'put' | 'get'>
  readonly bodyLimit: number
}

/** A slice in base64 is a third longer, and may be broken into lines. */
const sliceLimit = 2 * sliceBytes

/**
 * Objects in slices of 1 MiB, as published clients move them. A transfer begins with a JSON body, which shows the
 * bucket's keys; its slices need none, since no other client knows the key of the transfer, but keys that they show
 * must be right.
 */
export function sliceRoutes({ store, bodyLimit }: SliceRoutesDeps): Routes {
  const { buckets, put, get } = store
  const routes = createRoutes()

  /** The value that `read` takes from the body, once the bucket admits the request. */
  async function begun<Value>(
    context: RouterContext,
    bucket: string,
    known: Readonly<Record<string, unknown>>,
    read: (object: WireObject) => Value,
  ): Promise<Value> {
    const { value, keys, notes } = await readBody(context, bodyLimit, known, (object) => {
      const name = object.take('bucket_name', getOnWire.shape.bucket_name)
      if (name !== undefined && name !== bucket)
        object.fail('bucket_name', `differs from the bucket in the path, ${bucket}`)
      return read(object)
    })
    await buckets.admit(bucket, keys)
    noteInHeader(context, notes.list())
    return value
  }

  async function admitShown(context: RouterContext, bucket: string): Promise<void> {
    const shown = headerKeys(context)
    if (shown.accessKey !== undefined || shown.secretKey !== undefined) await buckets.admit(bucket, shown)
  }

  const keyIn = (object: WireObject): string => object.take('key', getOnWire.shape.key) ?? ''

  routes.post('/brs/:bucket/putfile', write(inBucket), calls.putSlices, async (context) => {
    const bucket = parameter(context, 'bucket')
    const slice = sliceIn(context)
    if (slice) {
      await admitShown(context, bucket)
      const base64 = await readSliceText(context)
      context.body = progress(slice, await put.slice(bucket, slice.transfer, slice.index, base64))
      return
    }
    const file = await begun(context, bucket, putOnWire.shape, (object) => ({
      key: keyIn(object),
      size: object.take('fsize', putOnWire.shape.fsize) ?? 0,
    }))
    context.body = handshake(
      await put.begin({ bucket, ...file }, nameOf(callerIn(context), context.req.socket.remoteAddress)),
    )
  })

  routes.post('/brs/:bucket/getfile', read(inBucket), calls.getSlices, async (context) => {
    const bucket = parameter(context, 'bucket')
    const slice = sliceIn(context)
    const counted = slice && !get.isTransfer(slice.transfer) ? countedSlice(queryText(context, 'key') ?? '') : undefined
    if (counted) return answerCounted(context, bucket, counted)
    if (slice) {
      await admitShown(context, bucket)
      const { base64, ...rest } = await get.slice(bucket, slice.transfer, slice.index)
      answerSlice(context, base64, progress(slice, rest))
      return
    }
    const key = await begun(context, bucket, getOnWire.shape, keyIn)
    const begin = await get.begin(bucket, key)
    if (!begin) throw missingObject(bucket, key)
    context.body = handshake(begin)
  })

  /** Clients that count by themselves ask for `<object key>:<number>`, and show the bucket's keys each time. */
  async function answerCounted(context: RouterContext, bucket: string, { key, index }: CountedSlice): Promise<void> {
    await buckets.admit(bucket, headerKeys(context))
    const slice = await get.sliceOf(bucket, key, index)
    if (!slice) throw missingObject(bucket, key)
    const next_id = index + 1
    answerSlice(context, slice.base64, { next_id, ...(!slice.isLast && { next_key: `${key}:${next_id}` }) })
  }

  return routes
}

function answerSlice(context: RouterContext, base64: string, { next_key, next_id }: NextSlice): void {
  context.set({ 'x-next-id': String(next_id), ...(next_key !== undefined && { 'x-next-key': headerText(next_key) }) })
  context.type = 'text/plain'
  context.body = base64
}

/** Undefined for a request that begins a transfer. */
function sliceIn(context: RouterContext): Slice | undefined {
  const [key, nslice] = [queryText(context, 'key'), queryText(context, 'nslice')]
  if (key !== undefined) return readSlice(key, nslice)
  if (nslice !== undefined)
    throw fault('invalid', 'key: is missing beside nslice; send the next_key of the last answer')
  return undefined
}

/** An object's key may hold letters that no header takes: such a key comes percent-encoded. */
const headerText = (text: string): string => (/^[!-~ ]*$/.test(text) ? text : encodeURI(text))

async function readSliceText(context: RouterContext): Promise<string> {
  try {
    return await readText(context, sliceLimit, 'the slice')
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'too large') throw error
    throw fault('too large', `a slice holds ${sliceBytes} bytes, in base64; this body is longer than any`)
  }
}

/** The progress of a transfer in slices, as its answers show it. */

const handshake = ({ key, slices, sliceBytes, size, next }: Handshake) => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  nslice: slices,
  chunk_size: sliceBytes,
  file_size: size,
  next_id: next,
})

export type NextSlice = { readonly next_key?: string; readonly next_id: number }

const progress = ({ slices }: Slice, { key, next }: Progress): NextSlice => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  next_id: next,
})

/** `<key of the transfer>:<number of the slice>:<how many there are>`; the transfer's own key holds no colon. */
const sliceKey = (transfer: string, index: number, slices: number): string => `${transfer}:${index}:${slices}`

type Slice = { readonly transfer: string; readonly index: number; readonly slices: number }

/**
 * The slice that a request is about. `nslice` is its number; or, as older clients write it, how many slices there are,
 * and then the number is the one in the key.
 */
function readSlice(key: string, nslice: string | undefined): Slice {
  const [, transfer = key, index = '0', slices = '0'] = /^(.*):(\d{1,10}):(\d{1,10})$/s.exec(key) ?? []
  if (nslice !== undefined && !/^\d{1,10}$/.test(nslice)) {
    throw fault('invalid', 'nslice: must be the number of a slice, or how many there are')
  }
  const given = nslice === undefined || Number(nslice) === Number(slices) ? index : nslice
  return { transfer, index: Number(given), slices: Number(slices) }
}

type CountedSlice = { readonly key: string; readonly index: number }

/** `<object key>:<number of the slice>`. */
function countedSlice(text: string): CountedSlice | undefined {
  const [, key, index] = /^(.+):(\d{1,10})$/s.exec(text) ?? []
  return key === undefined ? undefined : { key, index: Number(index) }
}
