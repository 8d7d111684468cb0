import { derivedTables } from '../ddl/schema.ts'
import type { Schema } from '../schema.ts'
import { aggregateCheck } from './aggregates.ts'
import type { Check, Facts } from './check.ts'
import { copiesCheck } from './copies.ts'
import { eventsCheck } from './events.ts'
import { graphChecks } from './graph.ts'

/** All that a schema's events can be compared with; first the checks of events. */
export function planReconcile(schema: Schema, facts: Facts): Check[] {
  const streams = schema.streams.filter(({ kind }) => kind !== 'entity')
  return [
    ...streams.map((stream) => eventsCheck(schema, stream, facts)),
    ...streams.map((stream) => copiesCheck(schema, stream, facts)),
    ...schema.streams.flatMap((stream) =>
      derivedTables(schema, stream).map((derived) => aggregateCheck(schema, stream, derived, facts)),
    ),
    ...streams.flatMap((stream) => graphChecks(schema, stream, facts)),
  ].flatMap((check) => check ?? [])
}
