import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import Koa, { type Middleware } from 'koa'
import { fault } from '../../base/faults.ts'
import type { BodyBudget, BodyHold, BodyUse } from '../../infra/limits/body-budget.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { inSpan, type Tracing } from '../../infra/tracing/tracing.ts'
import { type GateDeps, identify } from '../auth/identify.ts'
import type { Routes } from '../auth/routes.ts'
import { type Browsers, meetBrowsers } from '../browsers/browsers.ts'
import { answerFaults } from './errors.ts'
import { observeRequests, refuseUnreadable } from './requests.ts'
import { idle_ms } from './stream-body.ts'
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
  app.use(endIdleAnswers)
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

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    body?: BodyHold
  }
}

/** The place of `/stream/S/ST` is `stream/S`. */
const useOf = (path: string): BodyUse => ({
  isQuery: path.endsWith('/query'),
  place: path.split('/', 3).slice(1).join('/'),
})

/** A request's body counts until the request is answered: its events may wait in memory for the end of an edit. */
const boundBodies =
  (budget: BodyBudget): Middleware =>
  async (context, next) => {
    const hold = budget.open(useOf(context.path))
    context.state.body = hold
    try {
      await next()
    } finally {
      hold.close()
    }
  }

/** A longer answer may not go out as a whole at once: it is held in memory until its client has taken it. */
const longAnswer = 64 * 1024

/** Cuts the connection of a client that takes nothing more of its answer. Answers that are streams have their own timers. */
export const endIdleAnswers: Middleware = async (context, next) => {
  await next()
  const { body, res } = context
  const isLong = (typeof body === 'string' || Buffer.isBuffer(body)) && body.length > longAnswer
  if (isLong) res.setTimeout(idle_ms)
}

/** Asked every few seconds: they would bury the rest. */
const probes = /^\/(?:health\/|metrics(?:$|\?))/

/** Each request as a span, of its client's trace where `traceparent` names one. */
const traceRequests =
  (tracer: Tracer): Middleware =>
  async (context, next) => {
    if (probes.test(context.url)) return next()
    const { method } = context
    const path = context.url.split('?', 1)[0] ?? ''
    const attributes = { 'http.request.method': method, 'url.path': path, 'url.scheme': 'http' }
    await inSpan(
      tracer,
      method,
      { kind: SpanKind.SERVER, attributes },
      async (span) => {
        await next()
        const { _matchedRoute: route, status } = context
        if (typeof route === 'string') span.updateName(`${method} ${route}`).setAttribute('http.route', route)
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status))
      },
      propagation.extract(ROOT_CONTEXT, context.headers),
    )
  }
