import type { Figures } from '../../activities/health/figures.ts'
import type { Health } from '../../activities/health/health.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { isEverywhere, mayHere } from '../auth/permit.ts'
import { createRoutes, open, type Routes, read } from '../auth/routes.ts'
import { readinessOf } from '../http/flags.ts'
import * as calls from './calls.ts'

export type HealthRoutesDeps = {
  readonly health: Health
  readonly figures: Figures
  readonly metrics: Metrics
}

export function healthRoutes({ health, figures, metrics }: HealthRoutesDeps): Routes {
  const routes = createRoutes()

  /** Each part answers within two seconds, or is late. */
  async function observeParts(): Promise<void> {
    const { parts } = await health.report()
    metrics.partUp.reset()
    for (const [part, { status }] of Object.entries(parts)) metrics.partUp.set({ part }, status === 'up' ? 1 : 0)
  }

  routes.get('/health/live', open, calls.live, (context) => {
    context.body = { status: 'live' }
  })

  routes.get('/health/ready', open, calls.ready, async (context) => {
    const report = await health.report(readinessOf(context.query))
    context.status = report.status === 'ready' ? 200 : 503
    if (context.status === 503) context.set('Retry-After', '1')
    context.body = mayHere(context, 'read') && isEverywhere(context) ? report : { status: report.status }
  })

  routes.get('/figures', read('everywhere'), calls.figures, async (context) => {
    context.body = await figures()
  })

  routes.get('/metrics', read('everywhere'), calls.metrics, async (context) => {
    health.observe()
    await observeParts()
    context.type = metrics.registry.contentType
    context.body = await metrics.registry.metrics()
  })

  return routes
}
