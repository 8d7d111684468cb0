import Router from '@koa/router'
import type { Metrics } from '../../infra/metrics.ts'
import type { Health } from '../services/health.ts'

export type HealthRoutesDeps = {
  readonly health: Health
  readonly metrics: Metrics
}

export function healthRoutes({ health, metrics }: HealthRoutesDeps): Router {
  const router = new Router()

  router.get('/health/live', (context) => {
    context.body = { status: 'live' }
  })

  router.get('/health/ready', async (context) => {
    const report = await health.report()
    context.status = report.status === 'ready' ? 200 : 503
    context.body = report
  })

  router.get('/metrics', async (context) => {
    health.observe()
    context.type = metrics.registry.contentType
    context.body = await metrics.registry.metrics()
  })

  return router
}
