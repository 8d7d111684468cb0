import { z } from 'zod'
import type { StreamQuery } from '../../activities/pages/continuation.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'

/** A mark of an earlier answer; an empty one counts as absent. A key may be true or false. */
const mark = (...more: readonly string[]) =>
  z
    .unknown()
    .refine((value) => ['string', 'number', 'bigint', 'undefined', ...more].includes(typeof value) || value === null)
    .optional()
    .meta({ type: ['string', 'integer', ...more, 'null'] })

export const queryOnWire = z.object({
  sql: z.string(),
  levk: mark('boolean'),
  sec_buf: mark(),
  rev_buf: z.unknown().optional(),
  switch_done: z.unknown().optional(),
})
const { shape } = queryOnWire

/** `{"sql": ...}`, and where an earlier answer ended. */
export function readQuery(text: string, eventual: boolean): StreamQuery {
  const body = parseJson(text, 'the body')
  const sql = isObject(body) ? shape.sql.safeParse(body.sql).data : undefined
  if (!isObject(body) || sql === undefined) throw fault('invalid', 'send {"sql": "<statement>"}')
  const lastKey = textOf(body, 'levk')
  const cursor = textOf(body, 'sec_buf')
  return {
    text: sql,
    eventual,
    ...(lastKey !== undefined && { lastKey }),
    ...(cursor !== undefined && { cursor }),
  }
}

function textOf(body: Readonly<Record<string, Json>>, name: 'levk' | 'sec_buf'): string | undefined {
  const value = body[name]
  if (!shape[name].safeParse(value).success) throw fault('invalid', `${name}: send the ${name} of the last answer`)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
