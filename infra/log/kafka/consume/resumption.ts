import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../../logger.ts'
import { reasonOf } from '../../../unfinished.ts'
import type { Resuming } from '../../delivery.ts'

export type ResumptionDeps = {
  /** Brings the events of a schema into its tables, as far as it is still wanted. */
  readonly attach: (schema: string) => Promise<void>
  readonly logger: Logger
}

const schemasAtOnce = 8
const [shortestPause_ms, longestPause_ms] = [500, 10_000]

type Waiting = { reason?: string; pause_ms: number }

/**
 * Attaches the schemas that are there at a start, beside what clients ask: those first of which a query waits. One that
 * fails is tried again, and holds up no other.
 */
export function createResumption({ attach, logger }: ResumptionDeps) {
  const waiting = new Map<string, Waiting>()
  const due = new Set<string>()
  const running = new Set<Promise<void>>()
  let isClosed = false

  function next(): void {
    for (const name of due) {
      if (running.size >= schemasAtOnce || isClosed) return
      due.delete(name)
      const state = waiting.get(name)
      if (!state) continue
      const mine: Promise<void> = attempt(name, state).finally(() => {
        running.delete(mine)
        next()
      })
      running.add(mine)
    }
  }

  async function attempt(name: string, state: Waiting): Promise<void> {
    try {
      await attach(name)
      if (waiting.get(name) !== state) return
      waiting.delete(name)
      if (state.reason !== undefined) logger.info({ schema: name }, 'consumers of a schema attached')
    } catch (error) {
      if (waiting.get(name) !== state || isClosed) return
      if (state.reason === undefined)
        logger.error({ err: error, schema: name }, 'consumers of a schema not attached, retrying')
      state.reason = reasonOf(error)
      void again(name, state)
    }
  }

  async function again(name: string, state: Waiting): Promise<void> {
    await sleep(state.pause_ms, undefined, { ref: false })
    state.pause_ms = Math.min(longestPause_ms, 2 * state.pause_ms)
    if (waiting.get(name) !== state) return
    due.add(name)
    next()
  }

  return {
    begin(name: string): void {
      waiting.set(name, { pause_ms: shortestPause_ms })
      due.add(name)
      // The schemas of a start come one after the other, and a query may be there before the last.
      setImmediate(next)
    },
    isDue: (name: string): boolean => waiting.has(name),
    /** A query waits for the schema. */
    hurry(name: string): void {
      if (!due.has(name)) return
      const others = [...due].filter((each) => each !== name)
      due.clear()
      for (const each of [name, ...others]) due.add(each)
    },
    /** The schema is attached otherwise, or is to have no consumers: an attempt that is under way finds that out itself. */
    end(name: string): void {
      waiting.delete(name)
      due.delete(name)
    },
    list: (): Resuming[] =>
      [...waiting].map(([name, { reason }]) => ({ name, ...(reason !== undefined && { reason }) })),
    async close(): Promise<void> {
      isClosed = true
      due.clear()
      await Promise.all(running)
    },
  }
}
