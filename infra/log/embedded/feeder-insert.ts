import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import { isRefusedByData } from '../shared/insert-errors.ts'
import { halves } from './feeder-batch.ts'

/** The tables to which batches go. Both calls change nothing when they are repeated under the same token. */
export type Feed = {
  insert(queue: string, lines: Buffer, token: string): Promise<void>
  /** Whether the first and the last of the events are in their stream's table. */
  isThere(queue: string, lines: Buffer): Promise<boolean>
  /**
   * The lines of triples that a graph's tables lack, and all lines of nodes, which change nothing when they come twice.
   * Two triples may be alike, so only its place in the batch shows whether a triple is there.
   */
  lackingOfGraph(graph: string, lines: Buffer): Promise<Buffer>
  /** Keeps lines that ClickHouse will never take, with the reason. */
  reject(queue: string, lines: readonly Buffer[], reason: string, token: string): Promise<void>
}

export type InsertDeps = { readonly feed: Feed; readonly logger: Logger; readonly metrics: Metrics }

/** Cuts lines that ClickHouse refuses in halves until the bad ones stand alone; the cuts are the same at each repeat. */
export const createInsert = ({ feed, logger, metrics }: InsertDeps) =>
  async function insert(queue: string, lines: Buffer, token: string): Promise<void> {
    try {
      await feed.insert(queue, lines, token)
    } catch (error) {
      if (!isRefusedByData(error)) throw error
      const cut = halves(lines)
      if (!cut) {
        // ClickHouse's message shows the line, which no log may: the table of rejected lines has both.
        logger.warn(
          { queue, code: error.code },
          'event rejected by ClickHouse, it stands with the reason in __rejected',
        )
        metrics.eventsRejected.inc({ stream: queue })
        return feed.reject(queue, [lines], error.message, token)
      }
      await insert(queue, cut[0], `${token}.0`)
      await insert(queue, cut[1], `${token}.1`)
    }
  }
