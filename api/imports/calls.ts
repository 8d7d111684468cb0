import { z } from 'zod'
import { importOnWire } from '../../sql/import/definition.ts'
import { type Call, count, instant, json, notes, success } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { waits } from '../http/wait.ts'

/** An import as lists show it. */
const inList = z.object({
  ...importOnWire.shape,
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  reason: z.string().optional().meta({ description: 'why it failed' }),
  waiting: z.string().optional().meta({ description: 'why it stands still; it goes on by itself' }),
  begun: instant,
  ended: instant.optional(),
  by: z.string(),
  progress: z.number().min(0).max(1).meta({ description: 'the share of the bytes that is read' }),
  num_files: count,
  files_done: count,
  bytes: count,
  accepted: count,
  repeated: count.optional().meta({ description: 'rows, counted in `accepted`, whose `_id` was there before' }),
  rejected: count,
  error: notes,
})

const shown = inList.extend({
  errors: z
    .array(z.object({ key: z.string(), row: count, error: z.string() }))
    .max(100)
    .meta({
      description:
        'the first rows that were refused: the key of the file, and the line (of JSON and Parquet the number of the row)',
    }),
})

export const startImport: Call = {
  id: 'startImport',
  group: 'imports',
  summary: 'Begins to bring the rows of files in a bucket to a stream',
  query: waits(0),
  body: { contents: [json(importOnWire)] },
  answers: [json(shown.extend({ errcode: success }))],
  refuses: ['missing', 'conflict'],
}

export const listImports: Call = {
  id: 'listImports',
  group: 'imports',
  summary: 'Imports into streams that the key may read, the newest first',
  query: pages(),
  list: { member: 'imports', key: ['id'] },
  answers: [json(z.object({ imports: z.array(inList), num_imports: count, cursor: nextCursor, errcode: success }))],
}

export const describeImport: Call = {
  id: 'describeImport',
  group: 'imports',
  summary: 'How far an import is, and the rows that it refused',
  answers: [json(shown.extend({ errcode: success }))],
  refuses: ['missing'],
}

export const deleteImport: Call = {
  id: 'deleteImport',
  group: 'imports',
  summary: 'Ends an import that is under way, or forgets one that has ended; its events stay',
  answers: [json(z.object({ errcode: success, msg: z.string() }))],
  refuses: ['missing'],
}
