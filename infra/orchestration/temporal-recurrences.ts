import { Client } from '@temporalio/client'
import type { Recurrence, Recurring } from './recurring.ts'
import { taskQueue } from './temporal.ts'
import type { TemporalAddress } from './temporal-address.ts'
import { createTemporalCalls } from './temporal-calls.ts'
import { openConnection } from './temporal-connection.ts'

export type TemporalRecurrencesDeps = TemporalAddress & {
  /** By the names under which they run. */
  readonly recurring: Readonly<Record<string, Recurring<never>>>
}

/** The max time for a list of all runs. */
const list_ms = 30_000

/** Recurring workflows on a Temporal server; each call is a fault `unavailable` while it is away. */
export function createTemporalRecurrences({ recurring, ...at }: TemporalRecurrencesDeps) {
  const { address, namespace } = at
  const { connection, reason, close } = openConnection(at)
  const { workflow: client } = new Client({ connection, namespace })
  const { bounded } = createTemporalCalls({ connection, namespace, address, reason })

  return {
    /** Has it look at once whether something is due, and begins it where it does not run. */
    async wake({ kind, request }: Recurrence): Promise<void> {
      const workflow = recurring[kind]
      if (!workflow) throw new Error(`no recurring workflow ${kind}`)
      await bounded(() =>
        client.signalWithStart(kind, {
          taskQueue,
          // It is the kind's own request.
          workflowId: workflow.id(request as never),
          args: [request],
          memo: { request },
          signal: 'wake',
          staticSummary: workflow.title(request as never),
        }),
      )
    },

    /** The workflows that run, as of some seconds ago. */
    running: (): Promise<Recurrence[]> =>
      bounded(async () => {
        const kinds = Object.keys(recurring).map((kind) => JSON.stringify(kind))
        const found: Recurrence[] = []
        const query = `ExecutionStatus = "Running" AND WorkflowType IN (${kinds.join(', ')})`
        for await (const { type, memo } of client.list({ query, pageSize: 1_000 }))
          if (memo?.request !== undefined) found.push({ kind: type, request: memo.request })
        return found
      }, list_ms),

    close,
  }
}

export type TemporalRecurrences = ReturnType<typeof createTemporalRecurrences>
