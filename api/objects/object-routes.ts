import type { RouterContext } from '@koa/router'
import { nameOf } from '../../activities/keys/doors.ts'
import type { ObjectEngine } from '../../activities/objects/engine.ts'
import { getRange, type ObjectRange } from '../../activities/objects/ranges.ts'
import { fault } from '../../base/faults.ts'
import type { ByteRange, ObjectInfo } from '../../infra/buckets/store.ts'
import type { Logger } from '../../infra/logger.ts'
import { callerIn } from '../auth/permit.ts'
import { createRoutes, inBucket, type Routes, read, write } from '../auth/routes.ts'
import { parameter } from '../http/parameter.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { streamBody } from '../http/stream-body.ts'
import { decodeUrl } from '../http/url-text.ts'
import { headerKeys } from './bucket-body.ts'
import { missingObject, removeObject } from './bucket-routes.ts'
import * as calls from './calls.ts'
import { createDownloads } from './downloads.ts'

export type ObjectRoutesDeps = {
  readonly store: Pick<ObjectEngine, 'buckets' | 'objects'>
  readonly logger: Logger
}

const path = '/brs/:bucket/object/{*key}'

/** Objects as plain bytes of any size. */
export function objectRoutes({ store, logger }: ObjectRoutesDeps): Routes {
  const { buckets, objects } = store
  const routes = createRoutes()
  const downloads = createDownloads()

  routes.put(path, write(inBucket), calls.putObject, async (context) => {
    const { bucket, key } = placeOf(context)
    const { size } = await streamBody(context, async (content) => {
      checkContent(context)
      await buckets.admit(bucket, headerKeys(context))
      return objects.put(bucket, key, content)
    })
    context.body = { success: 0, file_size: size }
  })

  routes.get(path, read(inBucket), calls.getObject, async (context) => {
    const { bucket, key } = placeOf(context)
    await buckets.admit(bucket, headerKeys(context))
    if (context.method === 'HEAD' || context.get('if-none-match') !== '') {
      const info = await objects.stat(bucket, key)
      if (!info) throw missingObject(bucket, key)
      describe(context, info)
      if (context.fresh) context.status = 304
      else context.length = info.size
      if (context.method === 'HEAD' || context.status === 304) return
    }
    const leave = downloads.enter(nameOf(callerIn(context), context.req.socket.remoteAddress))
    if (context.res.destroyed) leave()
    else context.res.once('close', leave)
    const object = await open(context, bucket, key)
    if (!object) throw missingObject(bucket, key)
    answerBytes(context, object, logger)
  })

  const open = (context: RouterContext, bucket: string, key: string): Promise<ObjectRange | undefined> =>
    context.get('range') === ''
      ? objects.get(bucket, key)
      : getRange(objects, bucket, key, (info) => rangeOf(context, info))

  routes.delete(path, write(inBucket), calls.removeStoredObject, async (context) => {
    const { bucket, key } = placeOf(context)
    await buckets.admit(bucket, headerKeys(context))
    context.body = await removeObject(context, objects, bucket, key)
  })

  return routes
}

/** The key as it stands in the path: the router would leave a key that it cannot decode as it is. */
function placeOf(context: RouterContext): { bucket: string; key: string } {
  const raw = context.path.replace(/^\/brs\/[^/]+\/object\//i, '')
  return { bucket: parameter(context, 'bucket'), key: decodeUrl(raw, 'the key') }
}

function checkContent({ req }: RouterContext): void {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw fault('unsupported', 'an object is kept byte for byte: send it without Content-Encoding')
  }
  if (req.headers['content-range'] !== undefined) throw fault('invalid', 'an object is put as a whole: Content-Range')
}

const entityTag = ({ version }: ObjectInfo): string => `"${version.replaceAll('"', '')}"`

function describe(context: RouterContext, info: ObjectInfo): void {
  context.status = 200
  context.set({ ETag: entityTag(info), 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff' })
  context.type = 'application/octet-stream'
}

function answerBytes(context: RouterContext, { stream, range, ...info }: ObjectRange, logger: Logger): void {
  describe(context, info)
  streamAnswer(context, stream, logger)
  context.length = range?.length ?? info.size
  if (!range) return
  context.status = 206
  context.set('Content-Range', contentRange(range, info.size))
}

/** Where If-Range names another version, all of the object is due. */
function rangeOf(context: RouterContext, info: ObjectInfo) {
  const condition = context.get('if-range')
  return condition === '' || condition === entityTag(info) ? readRange(context.get('range'), info.size) : undefined
}

/**
 * The part that a Range header asks for of an object of `size` bytes (RFC 9110, 14.1.2). Undefined where all of the
 * object is due: without a header, and where it names another unit, several parts, or no valid part. Fault `out of
 * range` where the object has no byte of it.
 */
function readRange(header: string, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const offset = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(Number(to) + 1, size)
  if (offset < end) return { offset, length: end - offset }
  throw fault('out of range', `the object has ${size} bytes: none of them is in ${header.slice(0, 60)}`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

const contentRange = ({ offset, length }: ByteRange, size: number): string =>
  `bytes ${offset}-${offset + length - 1}/${size}`
