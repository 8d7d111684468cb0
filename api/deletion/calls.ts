import { z } from 'zod'
import { deletionKinds } from '../../infra/catalogue/deletions.ts'
import { type Call, count, instant, json, notes, parameter, success } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { bucketKeysOnWire } from '../objects/bucket.ts'

const back = z.object({ errcode: success, msg: z.string() })
const deletion = z.object({
  what: z.enum(deletionKinds),
  name: z.string(),
  ts: instant,
  undo_until: instant,
  undelete: z.string(),
})

export const listDeleted: Call = {
  id: 'listDeleted',
  group: 'service',
  summary: 'The deleted things that can be brought back',
  query: pages(),
  list: { member: 'deleted', key: ['what', 'name', 'ts'] },
  answers: [json(z.object({ deleted: z.array(deletion), num_deleted: count, cursor: nextCursor }))],
}
export const undeleteSchema: Call = {
  id: 'undeleteSchema',
  group: 'streams',
  summary: 'Brings back a schema that was deleted with undo',
  answers: [json(back)],
  refuses: ['conflict'],
}
export const undeleteStream: Call = {
  id: 'undeleteStream',
  group: 'streams',
  summary: 'Brings back a stream that was deleted with undo',
  answers: [json(back)],
  refuses: ['conflict'],
}
export const undeleteGraph: Call = {
  id: 'undeleteGraph',
  group: 'graphs',
  summary: 'Brings back a graph that was deleted with undo',
  answers: [json(back)],
  refuses: ['conflict'],
}
export const undeleteTable: Call = {
  id: 'undeleteTable',
  group: 'tables',
  summary: 'Brings back a table that was deleted with undo',
  answers: [json(back)],
  refuses: ['conflict'],
}
const optional = z.string().optional()
export const undeleteBucket: Call = {
  id: 'undeleteBucket',
  group: 'objects',
  summary: 'Brings back a bucket that was deleted with undo, with its objects',
  headers: {
    'x-access-key': parameter("the bucket's access_key, where it has keys", optional),
    'x-secret-key': parameter("the bucket's secret_key, where it has keys", optional),
  },
  body: { contents: [json(bucketKeysOnWire)], isOptional: true },
  answers: [json(z.object({ success, msg: z.string(), error: notes }))],
  refuses: ['conflict', 'forbidden'],
}
