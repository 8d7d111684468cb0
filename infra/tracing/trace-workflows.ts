import { SpanKind, type Tracer } from '@opentelemetry/api'
import type { Orchestrator } from '../orchestration/orchestrator.ts'
import type { Activities, Workflows } from '../orchestration/workflow.ts'
import { inSpan } from './tracing.ts'

/** An orchestrator whose beginnings of workflows are spans; the calls of the workflow stand under them. */
export function traceOrchestrator<Of extends Workflows>(
  orchestrator: Orchestrator<Of>,
  workflows: Of,
  tracer: Tracer,
): Orchestrator<Of> {
  const optionsOf = (name: string, request: unknown) => ({
    kind: SpanKind.PRODUCER,
    attributes: { 'weir.workflow.id': workflows[name]?.id(request) ?? name },
  })
  return {
    ...orchestrator,
    start: (name, request) =>
      inSpan(tracer, `start ${name}`, optionsOf(name, request), () => orchestrator.start(name, request)),
    run: (name, request) =>
      inSpan(tracer, `run ${name}`, optionsOf(name, request), () => orchestrator.run(name, request)),
  }
}

/** Activities each of whose tries is a span. */
export const traceActivities = (activities: Activities, tracer: Tracer): Activities =>
  Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      (request: never, signal, pulse) =>
        inSpan(tracer, name, { kind: SpanKind.CONSUMER }, () => activity(request, signal, pulse)),
    ]),
  )
