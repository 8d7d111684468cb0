import { context, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { Feed } from '../log/embedded/feeder-insert.ts'
import type { LmdbLog } from '../log/embedded/log.ts'
import type { EventLog, LogSource, TurnLog } from '../log/port.ts'
import { ofQueue, traceLog, traceTurns } from './trace-log.ts'

/** Appends of a queue that are remembered until they are fed: beyond, traces end at the log. */
const maxAppends = 1_000

type Append = { readonly position: number; readonly span: SpanContext }

/**
 * The way of events out of the log, as part of the traces that brought them. Each traced append in a batch has a feed span;
 * the insert, which is made once, stands under that of the first, to which the others are linked.
 */
export function createFeedTraces(tracer: Tracer) {
  const appends = new Map<string, Append[]>()
  const feeding = new Map<string, readonly [first: Span, ...others: Span[]]>()

  function remember(queue: string, position: number): void {
    const span = trace.getActiveSpan()?.spanContext()
    const known = appends.get(queue) ?? []
    if (!span || known.length >= maxAppends) return
    known.push({ position, span })
    appends.set(queue, known)
  }

  /** The span of a batch that failed goes on at its next try. */
  function begin(queue: string, last: number): void {
    if (feeding.has(queue)) return
    const [first, ...others] = (appends.get(queue) ?? []).filter(({ position }) => position <= last)
    if (!first) return
    const start = ({ span }: Append, links: readonly SpanContext[]): Span =>
      tracer.startSpan(
        `feed ${queue}`,
        {
          kind: SpanKind.CONSUMER,
          attributes: ofQueue(queue),
          links: links.map((linked) => ({ context: linked })),
        },
        trace.setSpanContext(ROOT_CONTEXT, span),
      )
    const own = start(first, [])
    feeding.set(queue, [own, ...others.map((append) => start(append, [own.spanContext()]))])
  }

  function end(queue: string, last: number): void {
    for (const span of feeding.get(queue) ?? []) span.end()
    feeding.delete(queue)
    const left = (appends.get(queue) ?? []).filter(({ position }) => position > last)
    if (left.length > 0) appends.set(queue, left)
    else appends.delete(queue)
  }

  /** The feeder's work is no request's: without a traced append it is in no trace. */
  const within = <Result>(queue: string, work: () => Result): Result => {
    const [span] = feeding.get(queue) ?? []
    return context.with(span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT, work)
  }

  return {
    log: (log: LmdbLog['log']): EventLog => traceLog(log, tracer, remember),
    turns: (turns: LmdbLog['turns']): TurnLog => traceTurns(turns, tracer, remember),
    source: (source: LogSource): LogSource => ({
      ...source,
      async begin(queue, batch) {
        await source.begin(queue, batch)
        begin(queue, batch.last)
      },
      async finish(queue, batch, doubtSince_us) {
        await source.finish(queue, batch, doubtSince_us)
        end(queue, batch.last)
      },
      async drop(queue) {
        await source.drop(queue)
        end(queue, Number.POSITIVE_INFINITY)
      },
    }),
    feed: (feed: Feed): Feed => ({
      insert: (queue, ...batch) => within(queue, () => feed.insert(queue, ...batch)),
      isThere: (queue, ...lines) => within(queue, () => feed.isThere(queue, ...lines)),
      lackingOfGraph: feed.lackingOfGraph,
      reject: (queue, ...line) => within(queue, () => feed.reject(queue, ...line)),
    }),
  }
}

export type FeedTraces = ReturnType<typeof createFeedTraces>
