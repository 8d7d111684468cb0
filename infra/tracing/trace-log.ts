import { type Attributes, SpanKind, type Tracer } from '@opentelemetry/api'
import type { EventLog } from '../log/port.ts'
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
  append: (queue, lines, rows, answers, keys, together) => {
    const append = () => log.append(queue, lines, rows, answers, keys, together) as ReturnType<Log['append']>
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
