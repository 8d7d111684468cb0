import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseError } from './clickhouse.ts'

/** Codes by which a server says that it is not there yet, or not able to: a repeat of the same may succeed. */
const away: ReadonlySet<number> = new Set([
  0, // no answer
  201, // QUOTA_EXCEEDED: until its interval ends
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  242, // TABLE_IS_READ_ONLY
  999, // KEEPER_EXCEPTION
])

/** Codes of errors that pass while ClickHouse is there: other work takes for a while the resources that it lacks. */
const strained: ReadonlySet<number> = new Set([
  159, // TIMEOUT_EXCEEDED
  203, // NO_FREE_CONNECTION
  225, // NO_ZOOKEEPER
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  243, // NOT_ENOUGH_SPACE
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  285, // TOO_FEW_LIVE_REPLICAS
  319, // UNKNOWN_STATUS_OF_INSERT
  394, // QUERY_WAS_CANCELLED
  439, // CANNOT_SCHEDULE_TASK
  745, // SERVER_OVERLOADED
])

export const isAway = (error: ClickHouseError): boolean => away.has(error.code)

/** Whether the same statement may succeed a while later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ClickHouseError && (away.has(error.code) || strained.has(error.code))

/** Between the tries of a statement: the client has to wait out a restart of ClickHouse. */
const pauses_ms = [100, 300, 1_000, 3_000]

/** Runs a repeatable statement, and again where it failed of an error that passes. */
export async function throughPassing<Result>(statement: () => Promise<Result>): Promise<Result> {
  for (const pause_ms of pauses_ms) {
    try {
      return await statement()
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(pause_ms)
    }
  }
  return statement()
}
