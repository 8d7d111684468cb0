import { ClickHouseError } from '../../clickhouse/clickhouse.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import { halves } from './feeder-batch.ts'
import { isRefusedByData } from './feeder-errors.ts'

/** Where batches go. Both calls change nothing when they are repeated under the same token. */
export type Feed = {
  insert(queue: string, lines: Buffer, token: string): Promise<void>
  /** Whether the first and the last of the events are in their stream's table. */
  isThere(queue: string, lines: Buffer): Promise<boolean>
  /** Keeps a line that ClickHouse will never take, with the reason. */
  reject(queue: string, line: Buffer, reason: string, token: string): Promise<void>
}

export type InsertDeps = { readonly feed: Feed; readonly logger: Logger; readonly metrics: Metrics }

/** Cuts lines that ClickHouse refuses in halves until the bad ones stand alone; the cuts are the same at each repeat. */
export const createInsert = ({ feed, logger, metrics }: InsertDeps) =>
  async function insert(queue: string, lines: Buffer, token: string): Promise<void> {
    try {
      await feed.insert(queue, lines, token)
    } catch (error) {
      if (!(error instanceof ClickHouseError) || !isRefusedByData(error.code)) throw error
      const cut = halves(lines)
      if (!cut) {
        logger.warn({ queue, reason: error.message }, 'event rejected by ClickHouse')
        metrics.eventsRejected.inc({ stream: queue })
        return feed.reject(queue, lines, error.message, token)
      }
      await insert(queue, cut[0], `${token}.0`)
      await insert(queue, cut[1], `${token}.1`)
    }
  }
