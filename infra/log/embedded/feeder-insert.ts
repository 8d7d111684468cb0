import { ClickHouseError } from '../../clickhouse/clickhouse.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
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
      if (!(error instanceof ClickHouseError) || !isRefusedByData(error.code)) throw error
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

/**
 * ClickHouse error codes that speak of the data alone: a repeat would fail the same way. All else (memory, disk, too
 * many parts, a missing server) passes, and the batch is tried again.
 */
const refusedByData: ReadonlySet<number> = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  43, // ILLEGAL_TYPE_OF_ARGUMENT
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  131, // TOO_LARGE_STRING_SIZE
  321, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  407, // DECIMAL_OVERFLOW
  467, // CANNOT_PARSE_BOOL
])

const isRefusedByData = (code: number): boolean => refusedByData.has(code)

/** MEMORY_LIMIT_EXCEEDED, CANNOT_ALLOCATE_MEMORY: fewer rows at a time may fit. */
export const isForMemory = (code: number): boolean => code === 241 || code === 173
