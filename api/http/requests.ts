import type { Context, Middleware } from 'koa'
import { fault } from '../../base/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'

/** Times each request; one line of log a request, at debug. */
export const observeRequests =
  (logger: Logger, metrics: Metrics): Middleware =>
  async (context, next) => {
    const started = performance.now()
    try {
      await next()
    } finally {
      const took_ms = performance.now() - started
      const route = typeof context._matchedRoute === 'string' ? context._matchedRoute : 'none'
      metrics.requests.observe({ method: methodOf(context), route, status: context.status }, took_ms / 1000)
      if (logger.isLevelEnabled('debug')) {
        logger.debug({ method: context.method, path: pathOf(context), status: context.status, took_ms }, 'request')
      }
    }
  }

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
/** A client makes no label. */
const methodOf = ({ method }: Context): string => (methods.has(method) ? method : 'other')

/** Refuses a request line whose address cannot be read, such as `GET http://[ HTTP/1.1`. */
export const refuseUnreadable: Middleware = (context, next) => {
  if (pathOf(context) === undefined) throw fault('invalid', 'the address of the request cannot be read')
  return next()
}

/** Undefined where it cannot be read. */
export function pathOf(context: Context): string | undefined {
  try {
    return context.path
  } catch {
    return undefined
  }
}
