import type { Context } from 'koa'
import type { Audit, Change } from '../../activities/audit/audit.ts'
import { Fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { authorIn } from './permit.ts'

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
    const by = authorIn(context)
    const commit = commitIn(context.req)
    const said = typeof change === 'function' ? change : () => change
    const told = (result?: Parameters<typeof said>[0]): AuditedChange => {
      const { detail, ...others } = said(result)
      return { ...others, detail: commit === undefined ? detail : `${detail}; commit ${commit}` }
    }
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

/** The commit of the definitions that a project is applied from, as the client names it. */
function commitIn({ headers }: Context['req']): string | undefined {
  const commit = headers['x-weir-commit']
  if (commit === undefined) return undefined
  if (typeof commit === 'string' && /^[\w./-]{1,64}$/.test(commit)) return commit
  throw new Refusal(['X-Weir-Commit: must be the name of a commit: at most 64 letters, digits and . / _ -'])
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Refusal || (error instanceof Fault && error.kind !== 'unavailable' && error.kind !== 'late')
