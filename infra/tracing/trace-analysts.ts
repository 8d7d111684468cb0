import { type Context, context, propagation, SpanKind, type Tracer } from '@opentelemetry/api'
import type { SqlAnswer, SqlQuery, SqlRunner } from '../clickhouse/analysts/sql-runner.ts'
import type { Metrics } from '../metrics.ts'
import { inSpan } from './tracing.ts'

/** Times analysts' queries, counts those that wait for a place, and makes each a span of the trace that asks. */
export function watchRunner(
  runner: SqlRunner,
  metrics: Pick<Metrics, 'queries' | 'watchAnalysts'>,
  tracer: Tracer | undefined,
): SqlRunner {
  let waiting = 0
  metrics.watchAnalysts(() => waiting)

  /** `ended` is called once the output has ended, however it did. */
  async function begin(query: SqlQuery, signal: AbortSignal | undefined, ended: () => void): Promise<SqlAnswer> {
    waiting++
    try {
      const answer = await runner.query(query, signal).finally(() => {
        waiting--
      })
      return { ...answer, output: endingBy(answer.output, ended) }
    } catch (error) {
      ended()
      throw error
    }
  }

  return {
    ...runner,
    async query(query, signal) {
      const stopTimer = metrics.queries.startTimer({ form: 'analysts' })
      if (!tracer) return begin(query, signal, stopTimer)
      // No text: it may hold a client's values.
      const attributes = { 'db.system.name': 'clickhouse', 'weir.query_id': query.id }
      return new Promise<SqlAnswer>((resolve, reject) => {
        const work = (): Promise<void> =>
          new Promise<void>((done) => {
            const ended = (): void => {
              stopTimer()
              done()
            }
            begin(query, signal, ended).then(resolve, reject)
          })
        void inSpan(tracer, 'analysts SQL', { kind: SpanKind.CLIENT, attributes }, work)
      })
    },
  }
}

async function* endingBy(output: AsyncIterable<Uint8Array>, ended: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* output
  } finally {
    ended()
  }
}

/** Does work in the trace that a request's `traceparent` names. */
export const inTraceOf = <Result>(headers: Readonly<Record<string, unknown>>, work: () => Result): Result =>
  context.with(traceIn(headers), work)

const traceIn = (headers: Readonly<Record<string, unknown>>): Context => propagation.extract(context.active(), headers)
