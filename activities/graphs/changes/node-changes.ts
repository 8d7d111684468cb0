/** Merges and deletions of nodes: one at a time, whichever process it is in, and each that has begun comes to its end. */

import type { Exclusively } from '../../../base/mutex.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { Logger } from '../../../infra/logger.ts'
import { createUnfinished } from '../../../infra/unfinished.ts'
import type { NodeChange } from '../../../sql/graph/index.ts'
import type { Compaction } from '../compaction.ts'
import { type ChangeNodesDeps, createChangeNodes, openChanges } from './change-nodes.ts'

export type NodeChangesDeps = ChangeNodesDeps & {
  readonly clock: Clock
  /** Makes changes one at a time, in all processes: two of the same nodes would move each relation twice. */
  readonly merging: Exclusively
  /** Does work that changes the parts of a graph's tables, without a merge of them that would keep it waiting. */
  readonly unhindered: Compaction['without']
  /** Whether other processes change graphs, too. */
  readonly isShared: boolean
  readonly exists: (graph: string) => Promise<boolean>
  readonly logger: Logger
}

/** After this time an insert that was under way amid a change is in all tables. */
const pause_ms = 5_000

export function createNodeChanges(deps: NodeChangesDeps) {
  const { clickhouse, clock, merging, unhindered, isShared, exists, logger } = deps
  const changeNodes = createChangeNodes(deps)
  const alone = (graph: string, work: () => Promise<void>): Promise<void> => merging(() => unhindered(graph, work))
  // Queries read a graph that is half-changed, too.
  const unfinished = createUnfinished({ noun: 'graph', exclusively: (work) => work(), longestPause_ms: 1_000, logger })
  let later: NodeJS.Timeout | undefined
  let isClosed = false

  /** Ends the open changes of one graph, or of all. Changes run one at a time, so an open one was cut off. */
  async function end(graph?: string, isMeant = ({ state }: { readonly state: string }) => state === 'begun') {
    for (const change of await openChanges(clickhouse, graph)) {
      if (!isMeant(change) || !(await exists(change.graph))) continue
      if (!(await changeNodes.end(change))) endLater()
    }
  }

  /** Ends open changes later; no caller waits for that. */
  function endLater(): void {
    if (isClosed) return
    later ??= setTimeout(() => {
      later = undefined
      merging(() => end(undefined, () => true)).catch((error) => {
        logger.warn({ err: error }, 'changes of nodes are not ended, trying it again')
        endLater()
      })
    }, pause_ms).unref()
  }

  async function make(change: Omit<NodeChange, 'until'>): Promise<void> {
    // The claims of a process that died are older.
    await end(change.graph)
    if (!(await changeNodes.areThere(change))) return
    if (!(await changeNodes.make(change, clock.next))) endLater()
  }

  return {
    /** Makes a change of a graph; a change that fails on its way is ended later. */
    make: (change: Omit<NodeChange, 'until'>): Promise<void> =>
      alone(change.graph, () =>
        make(change).catch((error: unknown) => {
          logger.warn({ graph: change.graph, err: error }, 'a change of this graph has failed, ending it; writes wait')
          unfinished.later(change.graph, () => alone(change.graph, () => end(change.graph)), error)
          throw error
        }),
      ),

    /** Ends half-done changes of a graph, of this process or of another one; an error where that fails again. */
    async settle(graph: string): Promise<void> {
      await unfinished.settle(graph)
      if (!isShared) return
      const isOpen = (await openChanges(clickhouse, graph)).some(({ state }) => state === 'begun')
      if (isOpen) await alone(graph, () => end(graph))
    },

    /** Ends the changes that a crash left half-done. */
    async endAll(): Promise<void> {
      if ((await openChanges(clickhouse)).length > 0) await merging(() => end(undefined, () => true))
    },

    close(): void {
      isClosed = true
      clearTimeout(later)
      unfinished.stop()
    },
  }
}

export type NodeChanges = ReturnType<typeof createNodeChanges>
