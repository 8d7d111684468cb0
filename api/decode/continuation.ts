import type { StreamQuery } from '../../activities/queries/continuation.ts'
import { fault } from '../../infra/faults.ts'
import { isObject, type Json, parseJson } from '../../infra/json.ts'

/** `{"sql": ...}`, and where an earlier answer ended. */
export function readQuery(text: string, eventual: boolean): StreamQuery {
  const body = parseJson(text, 'the body')
  if (!isObject(body) || typeof body.sql !== 'string') throw fault('invalid', 'send {"sql": "<statement>"}')
  const lastKey = textOf(body.levk, 'levk')
  const cursor = textOf(body.sec_buf, 'sec_buf')
  return {
    text: body.sql,
    eventual,
    ...(lastKey !== undefined && { lastKey }),
    ...(cursor !== undefined && { cursor }),
  }
}

function textOf(value: Json | undefined, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw fault('invalid', `${name}: send the ${name} of the last answer`)
}
