import type { Metrics } from '../../infra/metrics.ts'
import type { Accept } from '../ingest/accept.ts'
import type { RefusedEvents } from '../ingest/refused-events.ts'
import type { Registry } from '../registry/registry.ts'
import { createTakeMessages } from './take-messages.ts'
import { createWriteLines } from './write-lines.ts'

export type CaptureEngineDeps = {
  readonly registry: Registry
  readonly accept: Accept
  readonly refusedEvents: Pick<RefusedEvents, 'add'>
  readonly metrics: Pick<Metrics, 'eventsRefused'>
  readonly bodyLimit: number
}

/** Doors for the clients of vendors, which send events in the vendors' forms (docs/doors.md). */
export function createCaptureEngine(deps: CaptureEngineDeps) {
  return { writeLines: createWriteLines(deps), takeMessages: createTakeMessages({ ...deps, limit: deps.bodyLimit }) }
}

export type CaptureEngine = ReturnType<typeof createCaptureEngine>
