import { identifier } from '../../identifier.ts'
import type { Schema, Stream } from '../schema.ts'
import { createAggregateFeed, createAggregateTable } from './aggregate.ts'
import { createEventsFeed, createEventsTable, createInputTable, createRejectedTable } from './events.ts'
import { intervalAggregates } from './intervals.ts'

export const createDatabase = (schema: string): string => `CREATE DATABASE IF NOT EXISTS ${identifier(schema)}`
export const dropDatabase = (schema: string): string => `DROP DATABASE IF EXISTS ${identifier(schema)} SYNC`

/** Every statement that makes a stream, in the order in which they have to run: targets, the Null table, feeds, views. */
export function createStream(schema: Schema, stream: Stream): string[] {
  const aggregates = intervalAggregates(schema, stream)
  return [
    createEventsTable(schema, stream),
    ...aggregates.map(({ aggregate }) => createAggregateTable(aggregate)),
    createRejectedTable(schema, stream),
    createInputTable(schema, stream),
    createEventsFeed(schema, stream),
    ...aggregates.map(({ aggregate }) => createAggregateFeed(aggregate, stream.name)),
    ...aggregates.map(({ view }) => view),
  ]
}
