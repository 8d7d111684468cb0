import { type Attributes, SpanKind, type Tracer } from '@opentelemetry/api'
import type { EventLog, TurnLog } from '../log/port.ts'
import { inSpan, isTraced } from './tracing.ts'

export const ofQueue = (queue: string, rows?: number): Attributes => ({
  'messaging.system': 'weir',
  'messaging.destination.name': queue,
  ...(rows !== undefined && { 'messaging.batch.message_count': rows }),
})

/** A log whose appends are spans; `done` gets the result of an append, within its span. */
export const traceLog = <Log extends EventLog>(
  log: Log,
  tracer: Tracer,
  done: (queue: string, result: Awaited<ReturnType<Log['append']>>) => void = () => {},
): EventLog => ({
  append: (queue, lines, rows, answers, keys) => {
    const append = () => log.append(queue, lines, rows, answers, keys) as ReturnType<Log['append']>
    if (!isTraced()) return append()
    const options = { kind: SpanKind.PRODUCER, attributes: ofQueue(queue, rows) }
    return inSpan(tracer, `append ${queue}`, options, async () => {
      const result = await append()
      done(queue, result)
      return result
    })
  },
  ...(log.room && { room: log.room }),
  answered: log.answered,
  close: log.close,
})

/** Turns whose commits are spans, each of its first queue. */
export const traceTurns = <Log extends TurnLog>(
  log: Log,
  tracer: Tracer,
  done: (queue: string, result: Awaited<ReturnType<Log['commit']>>) => void,
): TurnLog => ({
  ...log,
  commit(turn) {
    const commit = () => log.commit(turn) as ReturnType<Log['commit']>
    const [own] = turn.lines
    if (!own || !isTraced()) return commit()
    const options = { kind: SpanKind.PRODUCER, attributes: ofQueue(own.queue, own.rows) }
    return inSpan(tracer, `append ${own.queue}`, options, async () => {
      const result = await commit()
      done(own.queue, result)
      return result
    })
  },
})
