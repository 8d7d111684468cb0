import { z } from 'zod'
import type { StreamQuery } from '../../activities/pages/continuation.ts'
import { fault } from '../../base/faults.ts'
import { isoMicroseconds } from '../../base/instant.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'

/** A mark of an earlier answer; an empty one counts as absent. A key may be true or false. */
const mark = (...more: readonly string[]) =>
  z
    .unknown()
    .refine((value) => ['string', 'number', 'bigint', 'undefined', ...more].includes(typeof value) || value === null)
    .optional()
    .meta({ type: ['string', 'integer', ...more, 'null'] })

export const usageOnWire = z.object({
  sql: z.string(),
  levk: mark('boolean'),
  sec_buf: mark(),
  rev_buf: z.unknown().optional(),
  switch_done: z.unknown().optional(),
})

export const queryOnWire = usageOnWire.extend({
  rows: z.literal('objects').optional().meta({ description: 'rows are JSON values, and one cursor goes on' }),
  cursor: z.string().optional().meta({ description: 'of the last answer of objects or lines' }),
  at: z
    .unknown()
    .optional()
    .meta({
      type: ['integer', 'string'],
      description:
        'of an entity: the time of which its windows tell, in microseconds or as an ISO 8601 text; now without it',
    }),
})
const { shape } = queryOnWire
const members = Object.keys(shape)

/** The form of an answer: rows as texts, as the published interface has them, or as JSON objects. */
export type RowForm = 'texts' | 'objects'

export type AskedQuery = StreamQuery & {
  readonly rows: RowForm
  /** The cursor of a plain answer. */
  readonly opaque?: string
  /** Members that do nothing: one whose name is misspelt would give the first page again and again. */
  readonly notes: readonly string[]
}

/** `{"sql": ...}`, and where an earlier answer ended. */
export function readQuery(text: string, eventual: boolean): AskedQuery {
  const body = parseJson(text, 'the body')
  const sql = isObject(body) ? shape.sql.safeParse(body.sql).data : undefined
  if (!isObject(body) || sql === undefined) throw fault('invalid', 'send {"sql": "<statement>"}')
  const lastKey = textOf(body, 'levk')
  const cursor = textOf(body, 'sec_buf')
  const { rows, cursor: opaque } = body
  if (!shape.rows.safeParse(rows ?? undefined).success)
    throw fault('invalid', 'rows: write "rows": "objects" for rows that are JSON values, or leave it out')
  if (opaque !== undefined && opaque !== null && typeof opaque !== 'string')
    throw fault('invalid', 'cursor: send the cursor of the last answer, a text')
  if (opaque && (lastKey !== undefined || cursor !== undefined))
    throw fault('invalid', 'cursor: it says all of where to go on; leave levk and sec_buf out')
  const at_us = timeOf(body.at)
  const notes = createNotes()
  for (const name of Object.keys(body)) if (!members.includes(name)) notes.unknown('', name, members)
  return {
    notes: notes.list(),
    text: sql,
    eventual,
    ...(at_us !== undefined && { at_us }),
    rows: rows === 'objects' || opaque ? 'objects' : 'texts',
    ...(opaque && { opaque }),
    ...(lastKey !== undefined && { lastKey }),
    ...(cursor !== undefined && { cursor }),
  }
}

function timeOf(at: Json | undefined): number | undefined {
  if (at === undefined || at === null || at === '') return undefined
  const time = typeof at === 'string' && !/^\d+$/.test(at) ? isoMicroseconds(at) : at
  const at_us = typeof time === 'boolean' || typeof time === 'object' ? Number.NaN : Number(time)
  if (!Number.isSafeInteger(at_us) || at_us < 0)
    throw fault('invalid', 'at: send microseconds since 1970, or a text such as "2026-11-01T00:00:00Z"')
  return at_us
}

function textOf(body: Readonly<Record<string, Json>>, name: 'levk' | 'sec_buf'): string | undefined {
  const value = body[name]
  if (!shape[name].safeParse(value).success) throw fault('invalid', `${name}: send the ${name} of the last answer`)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
