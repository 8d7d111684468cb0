import { qualified } from '../../../identifier.ts'
import { graphDatabase, nextTable } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import { type Aggregate, ttlPace } from '../aggregate.ts'
import { eventsProjection, expiry, expirySettings } from '../events.ts'
import { dropTable } from '../feeds.ts'
import { untouchedEvents } from '../gone.ts'
import { intervalColumn } from '../intervals.ts'
import { addProjection } from '../watermark.ts'
import { laterPasts, replacedTables, tablesOf } from './edit.ts'
import { dropPast, pastRows } from './past-events.ts'
import { forgetPastTriples } from './past-triples.ts'
import { allDerived, type Change, freshGraphFeeds, freshTables, streamOf } from './schema-diff.ts'

/** The statements left to run once an edit stands: each may be repeated. */
export type EditEnd = {
  /** Brings the past of relations into the graph, each time taking out first the triples that an earlier try brought. */
  readonly graph: readonly string[]
  readonly clean: readonly string[]
}

export function planEditEnd(change: Change): EditEnd {
  const { from, to } = change
  const pasts = [
    ...freshTables(change).flatMap(({ sources }) => sources.map(({ stream }) => stream)),
    ...laterPasts(change),
  ]
  const kept = new Set(to.streams.flatMap((stream) => tablesOf(to, stream)))
  return {
    graph: freshGraphFeeds(change).flatMap(({ stream, feed }) => {
      const from = untouchedEvents(to, feed, pastRows(to, stream))
      return [
        ...(feed.brings === 'triples' ? [forgetPastTriples(to, stream, feed)] : []),
        `INSERT INTO ${qualified(graphDatabase, feed.table)} (${feed.columns.join(', ')})\n${feed.select(from)}`,
      ]
    }),
    clean: [
      ...to.streams.flatMap((stream) => alterWindow(from, to, stream)),
      ...alterExpiries(from, to),
      ...replacedTables(change).map((table) => dropTable(to.name, nextTable(table))),
      ...from.streams
        .filter(({ name }) => !streamOf(to, name))
        .flatMap((stream) => tablesOf(from, stream))
        .filter((table) => !kept.has(table))
        .map((table) => dropTable(to.name, table)),
      ...[...new Set(pasts)].map((stream) => dropPast(to.name, stream)),
    ],
  }
}

function alterWindow(from: Schema, to: Schema, stream: Stream): string[] {
  const before = streamOf(from, stream.name)
  if (!before || stream.kind === 'entity' || before.window === stream.window) return []
  const table = `ALTER TABLE ${qualified(to.name, stream.name)}`
  const [ttl] = expiry(stream.window)
  // The partitions stay those of the window that the table was made with: rows of another one expire one by one.
  const settings = stream.window === 0 ? [] : ['ttl_only_drop_parts = 0', ...expirySettings(stream.window).slice(1)]
  return [
    `${table} MODIFY ${ttl ?? never('_pk')}`,
    ...(settings.length > 0 ? [`${table} MODIFY SETTING ${settings.join(', ')}`] : []),
    ...(to.redelivered
      ? [`${table} DROP PROJECTION IF EXISTS _watermark`, ...addProjection(table, eventsProjection(stream))]
      : []),
  ]
}

function alterExpiries(from: Schema, to: Schema): string[] {
  const old = new Map(allDerived(from).map(({ aggregate }) => [aggregate.table, aggregate]))
  return allDerived(to).flatMap(({ aggregate }) => {
    const before = old.get(aggregate.table)
    return before ? alterExpiry(before, aggregate) : []
  })
}

/** A TTL that ends nothing. To remove one cannot be repeated, and one without a column is refused. */
const never = (column: string): string => `TTL toDateTime(greatest(4294967295, least(${column}, 1)))`

function alterExpiry(from: Aggregate, { database, table, ttl, window }: Aggregate): string[] {
  if (from.ttl === ttl) return []
  const alter = `ALTER TABLE ${qualified(database, table)}`
  if (ttl === undefined || window === undefined) return [`${alter} MODIFY ${never(intervalColumn)}`]
  return [`${alter} MODIFY TTL ${ttl}`, `${alter} MODIFY SETTING ${ttlPace(window)}`]
}
