import type { Tracer } from '@opentelemetry/api'
import {
  type Context,
  context,
  propagation,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { Fault } from '../../base/faults.ts'
import { ClickHouseError } from '../clickhouse/clickhouse.ts'

/** The tracing of requests and trainings; absent where no setting asks for it, and then nothing is decorated. */
export type Tracing = {
  readonly tracer: Tracer
  /** Sends the spans that are left, only while a stop may wait. */
  close(): Promise<void>
}

/** A place in a trace as it travels: W3C's `traceparent` and `tracestate`. */
export type Carried = Readonly<Record<string, string>>

/** Does `work` as a span, which ends with it. */
export async function inSpan<Result>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
  from: Context = context.active(),
): Promise<Result> {
  const span = tracer.startSpan(name, options, from)
  try {
    return await context.with(trace.setSpan(from, span), () => work(span))
  } catch (error) {
    failed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed, with the kind of failure only: a message may quote a client's values. */
export function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error))
}

/** Whether the current work is part of a trace that is kept. */
export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() === true

/** The place of the current work in its trace; empty outside of any. */
export function carry(): Carried {
  const carried: Record<string, string> = {}
  propagation.inject(context.active(), carried)
  return carried
}

/** Does `work` at the place in a trace that `carried` names. */
export const resume = <Result>(carried: unknown, work: () => Result): Result =>
  context.with(propagation.extract(context.active(), carried ?? {}), work)

function kindOf(error: unknown): string {
  if (error instanceof ClickHouseError) return String(error.code)
  if (error instanceof Fault) return error.kind
  return error instanceof Error ? error.name : typeof error
}
