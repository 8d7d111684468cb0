import type { Context } from 'koa'
import type { Audit, Change } from '../../activities/audit/audit.ts'
import { Fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { callerIn } from './permit.ts'

export type AuditedChange = Omit<Change, 'by'>

/**
 * Does a change and, once it is made, writes down which key made it. A change that was refused leaves no record; one
 * that failed on its way may have happened, or be ended later, and its record says so.
 */
export type Audited = <Result>(
  context: Pick<Context, 'state' | 'req'>,
  change: AuditedChange | ((result?: Result) => AuditedChange),
  work: () => Promise<Result>,
  happened?: (result: Result) => boolean,
) => Promise<Result>

export function createAudited(audit: Pick<Audit, 'record'>): Audited {
  return async (context, change, work, happened = () => true) => {
    const by = callerIn(context).by || (context.req.socket.remoteAddress ?? '')
    const told = typeof change === 'function' ? change : () => change
    try {
      const result = await work()
      if (happened(result)) await audit.record({ by, ...told(result) })
      return result
    } catch (error) {
      if (!isRefusal(error)) await audit.record({ by, ...told(), detail: `${told().detail}: failed on the way` })
      throw error
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof Fault && error.kind !== 'unavailable' && error.kind !== 'late')
