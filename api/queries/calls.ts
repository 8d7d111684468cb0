import { z } from 'zod'
import {
  type Call,
  consistency,
  count,
  force,
  instant,
  json,
  long,
  ndjson,
  notes,
  oneOrZero,
  rebuild,
  success,
  text,
} from '../http/call.ts'
import { queryOnWire, usageOnWire } from './continuation.ts'

/** An event, a record, `{from, to, value}`, `{<attribute>..., value}`, an entity, or `{count}`. */
const plainRow = z.record(z.string(), z.unknown())

/** Interface 2.6. A key may be a text, too: of a group, an entity or a table's record. */
export const page = z
  .object({
    rows: z.array(
      z.object({
        k: z.union([long, z.string()]),
        v: z.union([z.number(), z.string()]),
        ts: instant.optional(),
      }),
    ),
    num_items: count,
    more_data_to_come: oneOrZero,
    switch_done: oneOrZero,
    levk: z.union([long, z.string()]).optional(),
    sec_buf: z.string().optional(),
    error: notes,
  })
  .meta({ id: 'Page' })

/** A page of plain rows, whose members depend on the statement. */
const plainPage = z
  .object({
    rows: z.array(plainRow),
    num_items: count,
    more_data_to_come: oneOrZero,
    cursor: z.string().optional(),
    retval: z.int().optional(),
    error: notes,
  })
  .meta({ id: 'PlainPage' })

export const runQuery: Call = {
  id: 'runQuery',
  group: 'queries',
  summary: 'Runs a statement on streams, tables or notifications',
  parameters: 'told',
  query: { ...consistency, ...rebuild, ...force },
  body: { contents: [json(queryOnWire)] },
  answers: [
    json(
      z.union([
        page,
        plainPage,
        z.object({ retval: z.int(), errcode: success.optional(), msg: z.string().optional(), error: notes }),
      ]),
    ),
    ndjson(
      plainRow,
      'a row a line; the last line is `{"cursor"}` where a limit left rows, and a refusal where the answer broke off',
    ),
    text('the answer in `data` of `event: answer`, again whenever it has changed', 'text/event-stream'),
  ],
  refuses: ['conflict', 'off'],
  refusal: { retval: z.literal(-1).optional() },
}

export const followQuery: Call = {
  id: 'followQuery',
  group: 'queries',
  summary: 'Follows the answer to a select, for clients that send nothing but GET, such as EventSource of browsers',
  query: {
    ...consistency,
    sql: { says: 'The statement', schema: z.string() },
    rows: { says: 'As in the body of a POST: rows are JSON values', schema: z.literal('objects').optional() },
  },
  answers: [text('the answer in `data` of `event: answer`, again whenever it has changed', 'text/event-stream')],
  refuses: ['conflict', 'off'],
}

export const usage: Call = {
  id: 'usage',
  group: 'queries',
  summary: 'Posted events a minute, of all streams together',
  parameters: 'told',
  query: consistency,
  body: { contents: [json(usageOnWire)] },
  answers: [json(page)],
}
