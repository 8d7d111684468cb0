import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../base/faults.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { Browsers } from '../browsers/browsers.ts'

/** Whether it is a preflight, whose answer is ready. A fault is an exception as ClickHouse words it. */
export function meetBrowser(browsers: Browsers, request: IncomingMessage, response: ServerResponse): boolean {
  try {
    if (!browsers.meet(request, response)) return false
    response.statusCode = 204
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    for (const [name, value] of Object.entries(error.details.headers ?? {})) response.setHeader(name, value)
    throw error.kind === 'too many'
      ? exception(201, 'QUOTA_EXCEEDED', error.message)
      : exception(497, 'ACCESS_DENIED', error.message)
  }
}
