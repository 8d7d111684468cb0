import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Middleware } from 'koa'
import { inSpan } from '../../infra/tracing/tracing.ts'

/** Asked every few seconds: they would bury the rest. */
const probes = /^\/(?:health\/|metrics(?:$|\?))/

/** Each request as a span, of its client's trace where `traceparent` names one. */
export const traceRequests =
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
