import { setTimeout as after } from 'node:timers/promises'
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'
import type { TemporalAddress } from './temporal-address.ts'

const longestWait_ms = 1_000

/**
 * A connection that is opened by its first call. Temporal's client tries a call again after a wait, without regard to a
 * connection that was closed meanwhile: its timer would then end the process. So `close` waits for such a call first.
 */
export function openConnection({ address, tls, apiKey }: Omit<TemporalAddress, 'namespace'>) {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions()
  let isClosed = false
  let lastRetry_ms = 0
  const retry = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !isClosed && retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const wait_ms = Math.min(longestWait_ms, delayFunction(attempt, status))
      lastRetry_ms = Math.max(lastRetry_ms, performance.now() + wait_ms)
      return wait_ms
    },
  })
  const connection = Connection.lazy({ address, tls, interceptors: [retry], ...(apiKey !== undefined && { apiKey }) })
  return {
    connection,
    async close(): Promise<void> {
      isClosed = true
      // Timers of one turn run in the order of their times: a millisecond more, and the last retry has begun.
      if (lastRetry_ms > performance.now()) await after(lastRetry_ms - performance.now() + 2)
      await connection.close()
    },
  }
}
