/** Merges and deletions of nodes: one at a time, whichever process it is in, and each that has begun comes to its end. */

import type { Logger } from '../../../infra/logger.ts'
import type { Exclusively } from '../../../infra/mutex.ts'
import type { Compaction } from '../compaction.ts'
import { begunChanges, changeNodes, type NodeChangeDeps } from './changes.ts'
import { createHalfDone } from './half-done.ts'

export type NodeChangesDeps = Omit<NodeChangeDeps, 'isFed'> & {
  /** One at a time, whichever process it is in: two of the same nodes would move each relation twice. */
  readonly merging: Exclusively
  /** Does work that changes the parts of a graph's tables, without a merge of them that would keep it waiting. */
  readonly unhindered: Compaction['without']
  /** Whether a schema's events bring nodes into a graph. */
  readonly isFed: (graph: string) => boolean
  readonly exists: (graph: string) => Promise<boolean>
  readonly logger: Logger
}

export function createNodeChanges({ clickhouse, clock, merging, unhindered, isFed, exists, logger }: NodeChangesDeps) {
  const alone = (graph: string, work: () => Promise<void>): Promise<void> => merging(() => unhindered(graph, work))
  const halfDone = createHalfDone((graph) => alone(graph, () => end((begun) => begun === graph)), logger)

  /** Those of a process that is alive have ended by then. */
  async function end(isMeant: (graph: string) => boolean): Promise<void> {
    for (const begun of await begunChanges(clickhouse)) {
      if (isMeant(begun.graph) && (await exists(begun.graph)))
        await changeNodes({ clickhouse, clock, isFed: isFed(begun.graph) }, begun)
    }
  }

  return {
    /** Makes a change of a graph; what fails on its way is ended later. */
    changing: (graph: string, work: () => Promise<void>): Promise<void> =>
      alone(graph, () => halfDone.guard(graph, work)),

    /** Ends what is half-done of a graph; an error where that fails again. */
    settle: halfDone.settle,

    /** Ends what a crash left half-done. */
    async endAll(): Promise<void> {
      if ((await begunChanges(clickhouse)).length > 0) await merging(() => end(() => true))
    },

    close: halfDone.close,
  }
}
