import { z } from 'zod'
import {
  bytes,
  type Call,
  count,
  dry,
  goingThings,
  json,
  notes,
  oneOrZero,
  parameter,
  success,
  text,
  undo,
  undoUntil,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { bucketGoneOnWire, bucketKeysOnWire, bucketOnWire, getOnWire, putOnWire } from './bucket.ts'

const group = 'objects'
/** The members of the body that do nothing are told in `error`. */
const done = json(z.object({ success, error: notes }))
const wouldGo = z.object({ would_delete: goingThings, success, error: notes })
const goneOrWouldGo = json(z.union([z.object({ success, undo_until: undoUntil, error: notes }), wouldGo]))
const optional = z.string().optional()
const keys = {
  'x-access-key': parameter("the bucket's access_key, where it has keys", optional),
  'x-secret-key': parameter("the bucket's secret_key, where it has keys", optional),
}

export const createBucket: Call = {
  id: 'createBucket',
  group,
  summary: 'Creates a bucket, with keys of its own where they are given',
  headers: keys,
  body: { contents: [json(bucketOnWire)] },
  answers: [done],
  refuses: ['conflict'],
}

export const removeBucket: Call = {
  id: 'removeBucket',
  group,
  summary: 'Removes a bucket; one that holds objects by force, or with undo',
  query: { ...dry, ...undo },
  headers: keys,
  body: { contents: [json(bucketGoneOnWire)] },
  answers: [goneOrWouldGo],
  refuses: ['conflict', 'forbidden'],
}

export const countBuckets: Call = {
  id: 'countBuckets',
  group,
  summary: 'How many buckets there are',
  answers: [json(z.object({ count }))],
}

const described = z.object({ bucket_name: z.string(), issys: oneOrZero, num_keys: count, total_size: count })

export const listBuckets: Call = {
  id: 'listBuckets',
  group,
  summary: 'The buckets: their names, or what is in each',
  parameters: 'told',
  headers: keys,
  body: { contents: [json(bucketKeysOnWire)], isOptional: true },
  query: pages(),
  list: { member: 'buckets', key: ['bucket_name'] },
  answers: [
    json(z.object({ buckets: z.array(z.union([z.string(), described])), num_buckets: count, cursor: nextCursor })),
  ],
}

export const listObjects: Call = {
  id: 'listObjects',
  group,
  summary: 'The keys of the objects of a bucket',
  parameters: 'told',
  query: {
    key: parameter('what the keys begin with', optional),
    ...pages(),
    after: parameter('with limit, in place of cursor: the last key of the page before', optional),
  },
  headers: keys,
  body: { contents: [json(bucketOnWire)] },
  answers: [
    json(
      z.object({
        key_list: z.array(z.object({ key: z.string(), size: count.optional() })),
        total_keys: count,
        cursor: nextCursor,
        more_data_to_come: oneOrZero.optional(),
      }),
    ),
  ],
  refuses: ['forbidden'],
}

export const removeObject: Call = {
  id: 'removeObject',
  group,
  summary: 'Removes an object',
  query: { key: parameter('of the object', optional), ...dry },
  headers: keys,
  body: { contents: [json(bucketOnWire)] },
  answers: [goneOrWouldGo],
  refuses: ['forbidden'],
}

const handshake = z.object({
  next_key: optional,
  nslice: count,
  chunk_size: count,
  file_size: count,
  next_id: count,
})
const next = z.object({ next_key: optional, next_id: count })
const slice = {
  key: parameter('next_key of the last answer; absent to begin', optional),
  nslice: parameter('the number of the slice', z.string().meta({ type: 'integer', minimum: 0 }).optional()),
}

export const putSlices: Call = {
  id: 'putSlices',
  group,
  summary: 'Puts an object in slices of 1 MiB: first what it is, then each slice',
  query: slice,
  headers: keys,
  body: { contents: [json(putOnWire), text('a slice in base64')] },
  answers: [json(z.union([handshake, next]))],
  refuses: ['conflict', 'forbidden'],
}

export const getSlices: Call = {
  id: 'getSlices',
  group,
  summary: 'Fetches an object in slices of 1 MiB: first what it is, then each slice',
  parameters: 'told',
  query: slice,
  headers: keys,
  body: { contents: [json(getOnWire)], isOptional: true },
  answers: [json(handshake), text('a slice in base64; the next key is in x-next-key')],
  refuses: ['conflict', 'forbidden'],
}

export const putObject: Call = {
  id: 'putObject',
  group,
  summary: 'Puts an object, its plain bytes',
  headers: keys,
  body: { contents: [bytes('the object')] },
  answers: [json(z.object({ success, file_size: count }))],
  refuses: ['conflict', 'forbidden'],
}

export const getObject: Call = {
  id: 'getObject',
  group,
  summary: 'Fetches an object, its plain bytes, or a part of them',
  headers: {
    ...keys,
    Range: parameter('bytes=from-to', optional),
    'If-None-Match': parameter('the ETag of an earlier answer', optional),
    'If-Range': parameter('the ETag of which the range is', optional),
  },
  answers: [bytes('the object')],
  also: {
    206: { says: 'the part that was asked for', contents: [bytes('a part of the object')] },
    304: { says: 'it is as it was' },
  },
  refuses: ['out of range', 'forbidden'],
}

export const removeStoredObject: Call = {
  id: 'removeStoredObject',
  group,
  summary: 'Removes an object',
  query: dry,
  headers: keys,
  answers: [goneOrWouldGo],
  refuses: ['forbidden'],
}
