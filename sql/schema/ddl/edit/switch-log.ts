import { qualified } from '../../../identifier.ts'
import { graphDatabase, rejectedTable, schemaGraph, tripleTable } from '../../names.ts'
import type { Schema } from '../../schema.ts'
import { createRejectedTable, eventsProjection, rejectedProjection } from '../events.ts'
import { dropFeeds } from '../feeds.ts'
import { createGraph, tripleProjection } from '../graph/graph.ts'
import { queueStreams } from '../matches.ts'
import { createFeeds, derivedTables, hasGraph } from '../schema.ts'
import { dropTopic } from '../topic.ts'
import { addProjection, appliedColumn, appliedProjection, appliedSettings, shownDeliveryColumns } from '../watermark.ts'

/**
 * The statements that fit a schema's tables and feeds to another log: one that may deliver again where `redelivered` is
 * set, else one that does not. Nothing may be on its way. They can be repeated.
 */
export function changeLog(schema: Schema, off: ReadonlySet<string>): string[] {
  return [
    ...queueStreams(schema).flatMap(({ name }) => dropTopic(schema.name, name)),
    ...dropFeeds({ ...schema, redelivered: true }),
    ...(schema.redelivered ? addWatermarks(schema) : []),
    ...createFeeds(schema, off),
  ]
}

/** Gives the tables of a schema what they need for a log that may deliver again. */
export function addWatermarks(schema: Schema): string[] {
  const { name: database, streams } = schema
  const graph = schemaGraph(database)
  return [
    ...streams
      .filter(({ kind }) => kind !== 'entity')
      .flatMap((stream) => add(qualified(database, stream.name), shownDeliveryColumns, eventsProjection(stream))),
    ...streams
      .flatMap((stream) => derivedTables(schema, stream))
      .flatMap(({ aggregate }) => add(qualified(database, aggregate.table), [appliedColumn], appliedProjection)),
    ...queueStreams(schema).flatMap(({ name }) => [
      createRejectedTable(database, name, true),
      ...add(qualified(database, rejectedTable(name)), shownDeliveryColumns, rejectedProjection),
    ]),
    ...(hasGraph(schema)
      ? [
          ...createGraph(graph, true),
          ...add(qualified(graphDatabase, tripleTable(graph)), shownDeliveryColumns, tripleProjection),
        ]
      : []),
  ]
}

const add = (table: string, columns: readonly string[], projection: string): string[] => [
  ...columns.map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column}`),
  `ALTER TABLE ${table} MODIFY SETTING ${appliedSettings}`,
  ...addProjection(`ALTER TABLE ${table}`, projection),
]
