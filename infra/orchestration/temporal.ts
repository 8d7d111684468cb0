import { Client, Connection, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client'
import type { Orchestrator } from './orchestrator.ts'
import type { TemporalAddress } from './temporal-address.ts'
import { asFault, asRunFault, failureOf, isAway } from './temporal-failures.ts'
import type { AnyWorkflow, Workflows } from './workflow.ts'

export type TemporalDeps<Of extends Workflows> = TemporalAddress & { readonly workflows: Of }

export const taskQueue = 'weir'

/** How long a call waits for Temporal, and for a worker's answer to a query. */
const patience_ms = 3_000

/** Workflows on a Temporal server, which may be away: calls fail then, and succeed again once it is back. */
export function createTemporal<Of extends Workflows>({ workflows, ...at }: TemporalDeps<Of>): Orchestrator<Of> {
  const { address, namespace, tls, apiKey } = at
  const connection = Connection.lazy({ address, tls, ...(apiKey !== undefined && { apiKey }) })
  const { workflow: client } = new Client({ connection, namespace })
  const all: Workflows = workflows

  const workflowOf = (name: string): AnyWorkflow => {
    const workflow = all[name]
    if (!workflow) throw new Error(`no workflow ${name}`)
    return workflow
  }
  const handleOf = (name: string, key: unknown) => client.getHandle(workflowOf(name).id(key))

  async function soon<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await connection.withDeadline(Date.now() + patience_ms, call)
    } catch (error) {
      throw asFault(error, address)
    }
  }

  function start(name: string, request: unknown) {
    const workflow = workflowOf(name)
    return soon(() =>
      client.start(name, {
        taskQueue,
        workflowId: workflow.id(request),
        args: [request],
        memo: { request },
        staticSummary: workflow.title(request),
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    )
  }

  return {
    async start(name, request) {
      await start(name, request)
    },
    async run(name, request) {
      const handle = await start(name, request)
      try {
        return await handle.result()
      } catch (error) {
        throw error instanceof WorkflowFailedError ? asRunFault(error) : asFault(error, address)
      }
    },
    async find(name, key) {
      const handle = handleOf(name, key)
      try {
        const { status } = await soon(() => handle.describe())
        if (status.name === 'RUNNING') {
          // While no worker is there, or it is about to begin, nobody knows how far it is.
          const progress = await soon(() => handle.query('progress')).catch(() => undefined)
          return { state: 'running', ...(progress != null && { progress }) }
        }
        if (status.name === 'CANCELLED' || status.name === 'TERMINATED') return { state: 'cancelled' }
        return { state: 'done', result: await soon(() => handle.result()) }
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined
        if (!(error instanceof WorkflowFailedError)) throw error
        const { type, message } = failureOf(error)
        return type === 'cancelled' ? { state: 'cancelled' } : { state: 'failed', reason: message }
      }
    },
    async cancel(name, key) {
      try {
        await soon(() => handleOf(name, key).signal('cancel'))
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },
    async ask() {
      const by = `Temporal at ${address}`
      try {
        await connection.withDeadline(Date.now() + patience_ms, () =>
          connection.workflowService.describeNamespace({ namespace }),
        )
        return { status: 'up', by }
      } catch (error) {
        return { status: 'down', by, reason: isAway(error) ? 'it does not answer' : failureOf(error).message }
      }
    },
    close: () => connection.close(),
  }
}
