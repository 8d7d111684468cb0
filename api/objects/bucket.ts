import { z } from 'zod'
import type { BucketKeys } from '../../activities/objects/buckets.ts'
import { createProblems } from '../../base/decode/problems.ts'
import { flag, text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type WireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { createNotes, type Notes } from '../../sql/schema/check/notes.ts'

const optionalText = text.optional()
const bucketKeys = { access_key: optionalText, secret_key: optionalText }

/** A bucket, and its keys where it has some. */
export const bucketOnWire = z.object({ bucket_name: text, ...bucketKeys })
export const bucketGoneOnWire = bucketOnWire.extend({ force: flag.optional() })
export const bucketKeysOnWire = z.object(bucketKeys)
/** The bodies that begin to fetch an object in slices, and to put one. */
export const getOnWire = z.object({ bucket_name: optionalText, key: text, ...bucketKeys })
export const putOnWire = getOnWire.extend({ fsize: wholeNumber(0, Number.MAX_SAFE_INTEGER) })

export type BucketBody<Value> = { readonly value: Value; readonly keys: BucketKeys; readonly notes: Notes }

/**
 * The body of a call: the value that `read` takes from it, the bucket's keys, which may also come as headers, and notes on
 * members that are not `known`.
 */
export function readBucket<Value>(
  body: string,
  fromHeaders: BucketKeys,
  known: Readonly<Record<string, unknown>>,
  read: (object: WireObject) => Value,
): BucketBody<Value> {
  const wire = body.trim() === '' ? {} : parseJson(body, 'the body')
  if (!isObject(wire)) throw fault('invalid', 'send an object: {"bucket_name": "<name>", ...}')
  const problems = createProblems()
  const notes = createNotes()
  const object = createWireObject(wire, '', problems, notes)
  object.only(known)
  const value = read(object)
  const accessKey = object.take('access_key', bucketKeys.access_key) ?? fromHeaders.accessKey
  const secretKey = object.take('secret_key', bucketKeys.secret_key) ?? fromHeaders.secretKey
  problems.refuse()
  return { value, keys: { accessKey, secretKey }, notes }
}
