import type { ParsedUrlQuery } from 'node:querystring'
import { z } from 'zod'
import type { ReconcileManner } from '../../activities/schemas/reconcile/reconcile-schema.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { hint } from '../../base/suggest.ts'
import { isDry, isForced } from '../http/flags.ts'

export const reconcileOnWire = z.object({ schema: z.string().optional() })

/** The name of the schema that is to be compared; undefined for all. */
export function readReconcile(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const body = parseJson(text, 'the body')
  if (!isObject(body)) throw fault('invalid', 'send {"schema": "<name>"}, or no body for all schemas')
  // The call repairs all schemas where none is named.
  const stray = Object.keys(body).find((name) => name !== 'schema')
  if (stray !== undefined) throw fault('invalid', `${stray.slice(0, 64)} is unknown${hint(stray, ['schema'])}`)
  const { success, data } = reconcileOnWire.shape.schema.safeParse(body.schema)
  if (success) return data
  throw fault('invalid', 'schema: send the name of a schema, or leave it out for all')
}

/** `?dry=1` looks, `?force=1` also makes anew what a repair would lower. */
export function readManner(query: ParsedUrlQuery): ReconcileManner {
  const [looks, isForce] = [isDry(query), isForced(query)]
  if (looks && isForce) throw fault('invalid', 'dry and force: send one of the two')
  if (looks) return 'look'
  return isForce ? 'force' : 'repair'
}
