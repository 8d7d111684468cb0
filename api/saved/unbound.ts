import type { Context } from 'koa'
import { fault } from '../../base/faults.ts'
import { callerIn } from '../auth/permit.ts'

/** Whether the caller's key has fixed values: it sees the rows of its question for these, and nothing that is of all values. */
export const isBound = (context: Pick<Context, 'state'>): boolean =>
  Object.keys(callerIn(context).fixed ?? {}).length > 0

export function refuseBound(context: Pick<Context, 'state'>): void {
  if (isBound(context)) throw fault('forbidden', 'a key with fixed values asks for rows alone')
}
