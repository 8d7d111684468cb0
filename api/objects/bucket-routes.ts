import { Readable } from 'node:stream'
import type { RouterContext } from '@koa/router'
import type { Scope } from '../../activities/keys/scopes.ts'
import type { ObjectEngine } from '../../activities/objects/engine.ts'
import { describeBuckets, keyListText, objectPage } from '../../activities/objects/lists.ts'
import type { Dependents } from '../../activities/saved/dependents.ts'
import { fault } from '../../base/faults.ts'
import { missingBucket } from '../../infra/buckets/folder/faults.ts'
import { quoted } from '../../infra/buckets/names.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Notes } from '../../sql/schema/check/notes.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { permit, sees } from '../auth/permit.ts'
import { createRoutes, define, type Routes, read, write } from '../auth/routes.ts'
import { isDry, isVerbose, refuseUndo, undoOf } from '../http/flags.ts'
import { cursorBehind, pagingOf } from '../http/listing.ts'
import { noteInHeader, notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { undoUntil, withUndo } from '../http/undo.ts'
import { queryText } from '../http/url-text.ts'
import { bucketGoneOnWire, bucketKeysOnWire, bucketOnWire } from './bucket.ts'
import { readBody } from './bucket-body.ts'
import * as calls from './calls.ts'

export type BucketRoutesDeps = {
  readonly store: Pick<ObjectEngine, 'buckets' | 'objects'>
  readonly dependents: Pick<Dependents, 'notesOfBucket'>
  readonly changing: Audited
  readonly bodyLimit: number
  readonly logger: Logger
}

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'bucket', name, detail })

/** Buckets, and lists of the objects in them. */
export function bucketRoutes({ store, dependents, changing, bodyLimit, logger }: BucketRoutesDeps): Routes {
  const { buckets, objects } = store
  const routes = createRoutes()

  /** The bucket that the body names, if the caller may do that there. */
  async function named(context: RouterContext, scope: Scope) {
    const read = await readBody(
      context,
      bodyLimit,
      bucketOnWire.shape,
      (object) => object.take('bucket_name', bucketOnWire.shape.bucket_name) ?? '',
    )
    permit(context, scope, `bucket:${read.value}`)
    return read
  }

  /** The same, if the keys in the body are the bucket's. */
  async function admitted(context: RouterContext, scope: Scope): Promise<{ bucket: string; notes: Notes }> {
    const { value: bucket, keys, notes } = await named(context, scope)
    await buckets.admit(bucket, keys)
    return { bucket, notes }
  }

  const listed = async (context: RouterContext): Promise<string[]> => {
    const isShown = sees(context)
    return (await buckets.list()).filter((bucket) => isShown(`bucket:${bucket}`))
  }

  routes.post('/brs/bucket', define('in body'), calls.createBucket, async (context) => {
    const { value: bucket, keys, notes } = await named(context, 'define')
    await changing(context, changeOf(bucket, 'created'), () => buckets.create(bucket, keys))
    context.body = { success: 0, ...notesIn(notes) }
  })

  routes.post('/brs/bucket/delete', define('in body'), calls.removeBucket, async (context) => {
    const { shape } = bucketGoneOnWire
    const { value, keys, notes } = await readBody(context, bodyLimit, shape, (object) => ({
      bucket: object.take('bucket_name', shape.bucket_name) ?? '',
      force: object.take('force', shape.force) ?? false,
    }))
    const { bucket, force } = value
    permit(context, 'define', `bucket:${bucket}`)
    const undo = undoOf(context.query)
    const writing = await dependents.notesOfBucket(sees(context), bucket)
    if (isDry(context.query)) {
      await buckets.checkRemoval(bucket, keys)
      const [described] = await describeBuckets(store, [bucket])
      if (!described) throw missingBucket(bucket)
      const { num_keys } = described
      const isHeld = num_keys > 0 && !force && !undo
      const problems = isHeld ? [`bucket ${bucket} holds objects: its removal needs "force": 1, or undo`] : []
      context.body = {
        would_delete: [{ name: bucket, num_events: num_keys }],
        success: 0,
        ...notesIn(notes, [...problems, ...writing]),
      }
      return
    }
    const change = withUndo(changeOf(bucket, 'removed'), undo)
    const deletion = await changing(context, change, () => buckets.remove(bucket, keys, force, undo))
    context.body = { success: 0, ...(deletion && undoUntil(deletion)), ...notesIn(notes, writing) }
  })

  routes.get('/brs/count', read('in list'), calls.countBuckets, async (context) => {
    context.body = { count: (await listed(context)).length }
  })

  routes.post('/brs/list/:flag', read('in list'), calls.listBuckets, async (context) => {
    const verbosely = isVerbose(parameter(context, 'flag'))
    const { notes } = await readBody(context, bodyLimit, bucketKeysOnWire.shape, () => undefined)
    noteInHeader(context, notes.list())
    const shown = await listed(context)
    const list = verbosely ? await describeBuckets(store, shown) : shown
    context.body = { buckets: list, num_buckets: list.length }
  })

  routes.post(['/brs/object/list', '/brs/object/list/:flag'], read('in body'), calls.listObjects, async (context) => {
    if (context.params.flag !== undefined) isVerbose(parameter(context, 'flag'))
    const prefix = queryText(context, 'key') ?? ''
    const { bucket, notes } = await admitted(context, 'read')
    noteInHeader(context, notes.list())
    const about = `${bucket}\n${prefix}`
    const paging = objectsAsked(context, about)
    if (paging !== undefined) {
      const page = await objectPage(objects, bucket, { prefix, ...paging })
      const last = page.key_list.at(-1)
      const more = page.more_data_to_come === 1 && last !== undefined
      context.body = { ...page, ...(more && { cursor: cursorBehind(context, last.key, 0, about) }) }
      return
    }
    const chunks = keyListText(objects, bucket, prefix)
    // A fault of the store shows with the first chunk, while there is still a status to answer.
    const first = await chunks.next()
    context.type = 'application/json'
    streamAnswer(context, Readable.from(joined(first.value ?? '', chunks), { objectMode: false }), logger)
  })

  routes.post('/brs/delete', write('in body'), calls.removeObject, async (context) => {
    const key = queryText(context, 'key')
    const { bucket, notes } = await admitted(context, 'write')
    if (key === undefined) throw fault('invalid', 'key: is missing; write /brs/delete?key=<key>')
    context.body = { ...(await removeObject(context, objects, bucket, key)), ...notesIn(notes) }
  })

  return routes
}

/** Undefined where the wholeNumber list is asked for. */
function objectsAsked(context: RouterContext, about: string) {
  const [paging, after] = [pagingOf(context, {}, about), queryText(context, 'after')]
  if (after === undefined) return paging && { limit: paging.limit, after: paging.after?.key }
  if (paging === undefined) throw fault('invalid', 'after: goes on with a page, so it needs a limit')
  if (paging.after) throw fault('invalid', 'after: cursor says where to go on; leave one of the two out')
  return { limit: paging.limit, after }
}

/** Removes an object, or says that it would; the answer's body. */
export async function removeObject(
  { query }: Pick<RouterContext, 'query'>,
  objects: Pick<ObjectStore, 'stat' | 'remove'>,
  bucket: string,
  key: string,
) {
  refuseUndo(query, 'an object')
  const dry = isDry(query)
  const isThere = dry ? (await objects.stat(bucket, key)) !== undefined : await objects.remove(bucket, key)
  if (!isThere) throw missingObject(bucket, key)
  return { ...(dry && { would_delete: [{ name: key, num_events: 1 }] }), success: 0 }
}

export const missingObject = (bucket: string, key: string) =>
  fault('missing', `there is no object ${quoted(key)} in bucket ${bucket}`)

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
