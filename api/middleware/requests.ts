import type { Middleware } from 'koa'
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
      metrics.requests.observe({ route, status: context.status }, took_ms / 1000)
      if (logger.isLevelEnabled('debug')) {
        logger.debug({ method: context.method, path: context.path, status: context.status, took_ms }, 'request')
      }
    }
  }
