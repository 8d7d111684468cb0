import { qualified } from '../../identifier.ts'
import { derivedTables } from '../ddl/schema.ts'
import { deliveryNames } from '../ddl/watermark.ts'
import { filtersInto } from '../made.ts'
import type { Schema, Stream } from '../schema.ts'
import { aggregateCheck } from './aggregates.ts'
import { changeAside, deleteRows } from './aside.ts'
import { allOf, asNew, atLeast, type Check, comparedSince, type Facts, findEnd, isAmong } from './check.ts'
import { copiesCheck } from './copies.ts'
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

/**
 * Finds events that are there twice: by their place in the log where they carry it, else by the number that each has for
 * itself. Undefined where one event may come by several filters.
 */
function eventsCheck(schema: Schema, stream: Stream, facts: Facts): Check | undefined {
  if (!schema.redelivered && filtersInto(schema, stream.name) > 1) return undefined
  const events = qualified(schema.name, stream.name)
  // Equal events stand beside each other in the order of the table.
  const identity = ['_pk', '_seq', ...(schema.redelivered ? deliveryNames : [])]
  // An event from before the log could deliver again has no place in it.
  const places = schema.redelivered ? ['_position > 0'] : []
  const span = allOf([...places, ...atLeast('_pk', comparedSince(stream, facts))])
  return {
    stream: stream.name,
    table: stream.name,
    reads: [stream.name],
    bringsEvents: true,
    keys: identity.map((name) => (name === '_lane' ? 'UInt64' : 'Int64')),
    count: `SELECT count() AS checked FROM ${events} WHERE ${span}`,
    find: (among) =>
      [
        `SELECT ${identity.map((name, index) => `${name} AS _k${index}`).join(', ')}, [toInt64(count())] AS _difference`,
        `FROM ${events} WHERE ${allOf([span, ...(among === undefined ? [] : [isAmong(identity, among)])])}`,
        `GROUP BY ${identity.join(', ')} HAVING count() > 1`,
        findEnd(['optimize_aggregation_in_order = 1']),
      ].join(' '),
    repair: (touched, aside) =>
      changeAside(events, aside, [
        deleteRows(aside, isAmong(identity, touched, 'mutation')),
        `INSERT INTO ${aside} SELECT * FROM ${events} WHERE ${isAmong(identity, touched)} LIMIT 1 BY ${identity.join(', ')} ${asNew}`,
      ]),
  }
}
