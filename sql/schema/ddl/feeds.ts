import { qualified } from '../../identifier.ts'
import { viewFilters } from '../made.ts'
import { feedView, inputTable, noticeView } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { createAggregateFeed } from './aggregate.ts'
import { createFilterFeed } from './filters.ts'
import { graphFeeds } from './graph/relations.ts'
import { matchesOf, matchesView, queueStreams } from './matches.ts'
import { derivedTables, hasUsage } from './schema.ts'
import { dropDelivered } from './topic.ts'

export const dropView = (schema: string, view: string): string => `DROP VIEW IF EXISTS ${qualified(schema, view)} SYNC`
export const dropTable = (schema: string, table: string): string =>
  `DROP TABLE IF EXISTS ${qualified(schema, table)} SYNC`

/**
 * Every feed of a schema, and the Null tables on which they hang: they hold no data. A filter's is among them also where
 * the rules evaluate it now: it was a view, if its target was no stream of theirs before an edit.
 */
export function dropFeeds(schema: Schema): string[] {
  const { name, streams } = schema
  const events = streams.filter(({ kind }) => kind !== 'entity')
  const aggregates = streams.flatMap((stream) => derivedTables(schema, stream))
  return [
    ...events.map((stream) => dropView(name, feedView(stream.name, stream.name))),
    ...aggregates.flatMap(({ aggregate, sources }) =>
      sources.map(({ stream, number }) => dropView(name, feedView(aggregate.table, stream, number))),
    ),
    ...events.flatMap((stream) => graphFeeds(schema, stream).map(({ view }) => dropView(name, view))),
    ...events.filter(hasUsage).map((stream) => dropView(name, feedView('weir_usage', stream.name))),
    ...events.flatMap((stream) =>
      stream.filters.map(({ target }, number) => dropView(name, feedView(inputTable(target), stream.name, number))),
    ),
    ...events.flatMap((stream) => stream.notices.map((_, number) => dropView(name, noticeView(stream.name, number)))),
    ...matchesOf(schema).map(() => dropView(name, matchesView)),
    ...(schema.redelivered ? queueStreams(schema).flatMap((stream) => dropDelivered(name, stream.name)) : []),
    ...[...events, ...matchesOf(schema)].map((stream) => dropTable(name, inputTable(stream.name))),
  ]
}

/** A feed that is there while its stream is ON. */
export type SwitchedFeed = { readonly view: string; readonly create: string; readonly drop: string }

/** The feeds by which other streams reach a filter or entity stream; none reach one that the rules make. */
export function feedsInto(schema: Schema, stream: Stream): SwitchedFeed[] {
  const feed = (view: string, create: string): SwitchedFeed => ({ view, create, drop: dropView(schema.name, view) })
  if (stream.kind === 'entity') {
    return derivedTables(schema, stream).flatMap(({ aggregate, sources }) =>
      sources.map((source) =>
        feed(feedView(aggregate.table, source.stream, source.number), createAggregateFeed(source)),
      ),
    )
  }
  return schema.streams.flatMap((source) =>
    viewFilters(schema, source).flatMap(({ filter, number }) =>
      filter.target === stream.name
        ? [
            feed(
              feedView(inputTable(filter.target), source.name, number),
              createFilterFeed(schema, source, filter, number),
            ),
          ]
        : [],
    ),
  )
}
