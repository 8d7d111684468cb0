import {
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client'
import type { TemporalAddress } from './temporal-address.ts'

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number]

const longestWait_ms = 1_000
const [ok, unavailable] = [0, 14]

/** The reason why there is no connection, from inside of gRPC's wrapping. */
function reasonIn(details: string): string {
  const [, error] = details.split('Last error: ', 2)
  const end = error?.indexOf(' Resolution note') ?? -1
  return error === undefined || end < 0
    ? details
    : error
        .slice(0, end)
        .replace(/^Error: /, '')
        .replace(/\.$/, '')
}

/**
 * A connection that is opened by its first call. Temporal's client tries a call again after a wait, without regard to a
 * connection that was closed meanwhile: its timer would then end the process. So `close` first lets every retry that is
 * waited for begin, which takes a second at most.
 */
export function openConnection({ address, tls, apiKey }: Omit<TemporalAddress, 'namespace'>) {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions()
  let isClosed = false
  let reason: string | undefined
  let waiting = 0
  let allBegun = () => {}
  const retry = makeGrpcRetryInterceptor({
    retryableDecider(attempt, status) {
      if (status.code === unavailable) reason = reasonIn(status.details)
      if (status.code === ok) reason = undefined
      return !isClosed && retryableDecider(attempt, status)
    },
    delayFunction(attempt, status) {
      waiting++
      return Math.min(longestWait_ms, delayFunction(attempt, status))
    },
  })
  const counted: Interceptor = (options, nextCall) => {
    let attempts = 0
    return retry(options, (again) => {
      if (attempts++ > 0 && --waiting === 0) allBegun()
      return nextCall(again)
    })
  }
  const connection = Connection.lazy({ address, tls, interceptors: [counted], ...(apiKey !== undefined && { apiKey }) })
  return {
    connection,
    /** Why the last failed attempt did not reach the server: the error of a call that gave up waiting does not say. */
    reason: () => reason,
    async close(): Promise<void> {
      isClosed = true
      if (waiting > 0) {
        await new Promise<void>((resolve) => {
          allBegun = resolve
        })
      }
      await connection.close()
    },
  }
}
