import type { Logger } from '../../../infra/logger.ts'

/** Graphs of which a change has failed between its first statement and its last, until it has been ended. */

const pause_ms = 1_000

export function createHalfDone(end: (graph: string) => Promise<void>, logger: Logger) {
  const graphs = new Set<string>()
  let retry: NodeJS.Timeout | undefined

  async function settle(graph: string): Promise<void> {
    if (!graphs.has(graph)) return
    await end(graph)
    if (graphs.delete(graph)) logger.info({ graph }, 'the change of this graph that was half-done is ended')
  }

  async function settleAll(): Promise<void> {
    for (const graph of graphs) await settle(graph).catch(() => {})
    retry = undefined
    if (graphs.size > 0) later()
  }

  /** Queries read the graph, too, so its end waits for no other write. */
  function later(): void {
    retry ??= setTimeout(settleAll, pause_ms).unref()
  }

  return {
    /** Ends what is half-done of a graph; an error where that fails again. */
    settle,

    /** Runs a change which, where it fails, is to be ended. */
    async guard(graph: string, work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (!graphs.has(graph))
          logger.warn({ graph, err: error }, 'a change of this graph has failed, ending it; writes wait')
        graphs.add(graph)
        later()
        throw error
      }
    },

    close(): void {
      clearTimeout(retry)
      graphs.clear()
    },
  }
}
