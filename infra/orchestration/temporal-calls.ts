import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@temporalio/client'
import { Fault } from '../../base/faults.ts'
import type { OrchestrationPart } from './orchestrator.ts'
import { asFault } from './temporal-failures.ts'

export type TemporalCallsDeps = {
  readonly connection: Connection
  readonly namespace: string
  readonly address: string
  /** The reason why the last attempt did not reach it. */
  readonly reason: () => string | undefined
}

/** How long a call waits for Temporal, and for a worker's answer to a query. */
const patience_ms = 3_000
const glance_ms = 400

/** Calls to a Temporal server, each with a deadline; the outcome of the last one shows whether the server is there. */
export function createTemporalCalls({ connection, namespace, address, reason }: TemporalCallsDeps) {
  const by = `Temporal at ${address}`
  /** The state that the last call showed. */
  let known: OrchestrationPart | undefined
  let wasReached = false
  let asking: Promise<void> | undefined

  const away = (reason: string): OrchestrationPart => ({ status: wasReached ? 'down' : 'failing', by, reason })

  async function bounded<Result>(call: () => Promise<Result>, within_ms = patience_ms): Promise<Result> {
    try {
      return await connection.withDeadline(Date.now() + within_ms, call)
    } catch (error) {
      throw asFault(error, { address, reason: reason() })
    }
  }

  /** Makes a call that the server itself answers, and notes whether the server is there. */
  async function reach<Result>(call: () => Promise<Result>, within_ms = patience_ms): Promise<Result> {
    try {
      const result = await bounded(call, within_ms)
      known = { status: 'up', by }
      wasReached = true
      return result
    } catch (error) {
      if (error instanceof Fault && error.kind === 'unavailable') known = away(error.message)
      throw error
    }
  }

  /** Finds out whether the server is there, one question at a time. */
  function ask(): Promise<void> {
    asking ??= reach(() => connection.workflowService.describeNamespace({ namespace }))
      .then(
        () => {},
        (error: unknown) => {
          known = away(error instanceof Error ? error.message : String(error))
        },
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return {
    bounded,
    reach,

    /**
     * Makes a call whose result the caller can do without: one that hardly waits where the server was away at the last
     * call.
     */
    glance<Result>(call: () => Promise<Result>): Promise<Result> {
      if (known === undefined || known.status === 'up') return reach(call)
      void ask()
      return reach(call, glance_ms)
    },

    /** Whether the server is there: the last known state, if any, where the server does not answer soon. */
    async ask(): Promise<OrchestrationPart> {
      const asked = ask()
      await (known ? Promise.race([asked, sleep(glance_ms, undefined, { ref: false })]) : asked)
      return known ?? away(`${by} has not answered yet`)
    },
  }
}
