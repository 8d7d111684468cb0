import { type Fault, fault } from '../../base/faults.ts'
import { ClickHouseError, diskBytes, onDisk } from './clickhouse.ts'
import type { QueryLimits } from './query-limits.ts'

/** `changes`: whether the query has begun to change something. */
type FaultOf = (limits: QueryLimits, message: string, changes: boolean) => Fault | undefined

const megabyte = 1024 * 1024

export function tooLong({ time_s }: QueryLimits, changes: boolean): Fault {
  const stopped = `the query was stopped after ${time_s} s (MAX_QUERY_S); ask for less at a time`
  return fault('late', changes ? `${stopped}. The change may be half done` : stopped, { limit: 'MAX_QUERY_S' })
}

/** Faults of a query that met one of its limits, by ClickHouse's error codes. */
const codes: Readonly<Record<number, FaultOf>> = {
  // TOO_MANY_ROWS
  158: ({ rows }) =>
    fault('invalid', `the query reads more than ${rows} rows (MAX_QUERY_ROWS); narrow it, by _pk or an index`, {
      limit: 'MAX_QUERY_ROWS',
    }),
  // TIMEOUT_EXCEEDED
  159: (limits, _, changes) => tooLong(limits, changes),
  // QUOTA_EXCEEDED
  201: () => fault('limited', "the quota of Weir's user in ClickHouse is used up; try again later"),
  // TOO_MANY_SIMULTANEOUS_QUERIES
  202: () => fault('limited', 'ClickHouse runs as many queries as it may; try again'),
  // MEMORY_LIMIT_EXCEEDED
  241: ({ bytes }, message) => {
    if (bytes !== undefined && isOwn.test(message)) {
      const limit = `${Math.floor(bytes / megabyte)} MB`
      return fault('invalid', `the query takes more than ${limit} of memory (MAX_QUERY_MB); ask for less at a time`, {
        limit: 'MAX_QUERY_MB',
      })
    }
    return fault('limited', 'ClickHouse has no memory left for the query; try again when others have ended')
  },
  // TOO_MANY_ROWS_OR_BYTES, which bounds answers too
  396: ({ bytes }, message) =>
    bytes !== undefined && /temporary files/.test(message)
      ? fault(
          'invalid',
          `the query takes more than ${Math.floor(diskBytes(bytes) / megabyte)} MB of disk besides its memory (${onDisk} times MAX_QUERY_MB); ask for less at a time`,
          { limit: 'MAX_QUERY_MB' },
        )
      : undefined,
  // QUERY_WAS_CANCELLED
  394: () => fault('unavailable', 'the query was cancelled in ClickHouse; try again'),
}

/** The query's own limit, as against the memory of all queries together. */
const isOwn = /Query memory limit exceeded|\(for query\)/i

/** Undefined for errors that have nothing to do with limits. */
export const faultOfQuery = (error: unknown, limits: QueryLimits, changes: boolean): Fault | undefined =>
  error instanceof ClickHouseError ? codes[error.code]?.(limits, error.message, changes) : undefined
