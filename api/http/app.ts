import Koa from 'koa'
import { fault } from '../../base/faults.ts'
import type { BodyBudget } from '../../infra/limits/body-budget.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Tracing } from '../../infra/tracing/tracing.ts'
import { type GateDeps, identify } from '../auth/identify.ts'
import type { Routes } from '../auth/routes.ts'
import { type Browsers, meetBrowsers } from '../browsers/browsers.ts'
import { boundBodies } from './bodies.ts'
import { answerFaults } from './errors.ts'
import { observeRequests, refuseUnreadable } from './requests.ts'
import { traceRequests } from './traces.ts'
import { wrongMethod } from './wrong-method.ts'

export type AppDeps = {
  readonly routes: readonly Routes[]
  readonly browsers: Browsers
  readonly gate: GateDeps
  readonly bodies: BodyBudget
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
}

/** The HTTP application, not listening yet. */
export function createApp({ routes, browsers, gate, bodies, logger, metrics, tracing }: AppDeps): Koa {
  const app = new Koa()
  app.silent = true
  if (tracing) app.use(traceRequests(tracing.tracer))
  app.use(observeRequests(logger, metrics))
  app.use(answerFaults(logger, metrics))
  app.use(refuseUnreadable)
  app.use(meetBrowsers(browsers))
  app.use(identify(gate))
  app.use(boundBodies(bodies))
  const routers = routes.map(({ router }) => router)
  for (const router of routers) app.use(router.routes())
  app.use((context) => {
    const methods =
      routes.map(({ methodsOf }) => methodsOf?.(context.path)).find((known) => known !== undefined) ??
      routers.flatMap((router) => router.match(context.path, context.method).path.flatMap((layer) => layer.methods))
    if (methods.length === 0) throw fault('missing', `no path ${context.path.slice(0, 200)}`)
    throw wrongMethod(context, [...new Set(methods)])
  })
  return app
}
