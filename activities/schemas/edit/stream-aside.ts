/** A stream that leaves its schema and can come back: its tables that hold rows are set aside, all others are made anew. */
import { z } from 'zod'
import type { Deletion } from '../../../infra/catalogue/deletions.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { asideDatabase, createAsideDatabase } from '../../../sql/aside.ts'
import { identifier } from '../../../sql/identifier.ts'
import type { AggregateSource } from '../../../sql/schema/ddl/aggregate.ts'
import { tablesOf } from '../../../sql/schema/ddl/edit/edit.ts'
import { statesColumns } from '../../../sql/schema/ddl/edit/past-events.ts'
import { addWatermarks } from '../../../sql/schema/ddl/edit/switch-log.ts'
import { derivedTables } from '../../../sql/schema/ddl/schema.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import type { SqlStatement } from '../../../sql/statement.ts'
import { moveTables } from '../../undo/moved-tables.ts'
import { statesOfStreams } from '../stream-states.ts'

const deletedStream = z.object({
  /** The stream as its client wrote it. */
  wire: z.string(),
  /** Its place among the streams of the schema. */
  index: z.number(),
  /** Its tables know the positions of a log that may deliver again. */
  redelivered: z.boolean(),
  states: statesOfStreams,
})
export type DeletedStream = z.infer<typeof deletedStream>

export const writeDeletedStream = (aside: DeletedStream): string => JSON.stringify(aside)
export const readDeletedStream = ({ body }: Pick<Deletion, 'body'>): DeletedStream =>
  deletedStream.parse(JSON.parse(body))

/** The name in a stream's deletion is `S.ST`. */
export const schemaOf = ({ name }: Pick<Deletion, 'name'>): string => name.slice(0, name.indexOf('.'))
export const streamIn = ({ name }: Pick<Deletion, 'name'>): string => name.slice(name.indexOf('.') + 1)

const movesOf = (schema: Schema, stream: Stream, { id }: Pick<Deletion, 'id'>) =>
  tablesOf(schema, stream).map((table) => ({
    place: { database: schema.name, table },
    aside: { database: asideDatabase(id), table },
  }))

const streamOf = ({ streams }: Schema, thing: Deletion): Stream[] =>
  streams.filter(({ name }) => name === streamIn(thing))

/** The columns of all tables of a schema. */
export const compileColumns = ({ name }: Schema): SqlStatement<{ readonly table: string; readonly name: string }> => ({
  text: 'SELECT table, name FROM system.columns WHERE database = {schema:String}',
  params: { schema: name },
})

/** The entities whose tables are there, and lack columns into which the stream brings values. */
export function lackingEntities(schema: Schema, stream: string, found: readonly { table: string; name: string }[]) {
  const there = new Set(found.map(({ table, name }) => `${table}.${identifier(name)}`))
  const tables = new Set(found.map(({ table }) => table))
  const lacks = (source: AggregateSource): boolean =>
    source.stream === stream &&
    tables.has(source.aggregate.table) &&
    statesColumns(source).some((column) => column !== '_applied' && !there.has(`${source.aggregate.table}.${column}`))
  return schema.streams
    .filter((each) => derivedTables(schema, each).some(({ sources }) => sources.some(lacks)))
    .map(({ name }) => name)
}

type MoveClickHouse = Pick<ClickHouse, 'rows' | 'run'>

/** Sets the tables of the stream aside that the schema has; nothing may be fed into them any more. Safe to repeat. */
export async function setStreamAside(clickhouse: MoveClickHouse, schema: Schema, thing: Deletion): Promise<void> {
  await runAll(clickhouse, [createAsideDatabase(thing.id)])
  const moves = streamOf(schema, thing).flatMap((stream) => movesOf(schema, stream, thing))
  await moveTables(
    clickhouse,
    moves.map(({ place, aside }) => ({ from: place, to: aside })),
  )
}

/** Puts them back in their places. Safe to repeat. */
export async function moveStreamIn(clickhouse: MoveClickHouse, schema: Schema, thing: Deletion): Promise<void> {
  const moves = streamOf(schema, thing).flatMap((stream) => movesOf(schema, stream, thing))
  await moveTables(
    clickhouse,
    moves.map(({ place, aside }) => ({ from: aside, to: place })),
  )
}

/** The statements that fit them to the log that there is now, and the tables of entities that nothing else feeds. */
export function fitStream(schema: Schema, thing: Deletion): string[] {
  if (readDeletedStream(thing).redelivered || !schema.redelivered) return []
  const own = streamOf(schema, thing)
  const targets = new Set(own.flatMap(({ entities }) => entities.map(({ target }) => target)))
  return addWatermarks({ ...schema, streams: [...own, ...schema.streams.filter(({ name }) => targets.has(name))] })
}
