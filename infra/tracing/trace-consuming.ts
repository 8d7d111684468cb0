import { ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { OpenedLog } from '../log/opened.ts'
import { ofQueue, traceLog } from './trace-log.ts'
import { failed } from './tracing.ts'

/** Appends of a queue that are followed at a time: beyond, traces end at the log. */
const maxAppends = 1_000
const patience_ms = 30_000

type CaughtUp = (queues: readonly string[], timeout_ms: number) => Promise<void>

/**
 * A log that ClickHouse reads itself, with the way from there as part of the traces that brought the events: each
 * traced append has a `consume` span, which ends once its events can be seen. One look at a time asks that for all
 * appends of a queue.
 */
export function traceConsuming(opened: OpenedLog, tracer: Tracer): OpenedLog {
  const following = new Map<string, Set<Span>>()
  let caughtUp: CaughtUp | undefined

  function follow(queue: string): void {
    const append = trace.getActiveSpan()?.spanContext()
    const known = following.get(queue)
    if (!append || !caughtUp || (known?.size ?? 0) >= maxAppends) return
    const options = { kind: SpanKind.CONSUMER, attributes: ofQueue(queue) }
    const span = tracer.startSpan(`consume ${queue}`, options, trace.setSpanContext(ROOT_CONTEXT, append))
    if (known) {
      known.add(span)
      return
    }
    const spans = new Set([span])
    following.set(queue, spans)
    void endAll(queue, spans, caughtUp)
  }

  async function endAll(queue: string, spans: Set<Span>, wait: CaughtUp): Promise<void> {
    while (spans.size > 0) {
      const asked = [...spans]
      const reason = await wait([queue], patience_ms).catch((error: unknown) => error)
      for (const span of asked) {
        if (reason !== undefined) failed(span, reason)
        span.end()
        spans.delete(span)
      }
    }
    following.delete(queue)
  }

  return {
    ...opened,
    log: traceLog(opened.log, tracer, follow),
    deliver(deps) {
      const delivered = opened.deliver(deps)
      caughtUp = delivered.feeder.caughtUp
      return delivered
    },
  }
}
