import type { Catalogue, SchemaRecord } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Logger } from '../../infra/logger.ts'
import { type EventColumns, eventColumns, type TableColumn } from '../../sql/query/compile/source.ts'
import { planEdit } from '../../sql/schema/ddl/edit.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName } from '../../sql/schema/names.ts'
import { isObject, type Json, parseJson, writeJson } from '../ingest/json.ts'
import { editConflicts } from './edit-conflicts.ts'
import type { Registered } from './registered.ts'
import type { RegisteredSchema, Registry } from './registry.ts'
import type { InTurn } from './schema-turns.ts'

export type SchemaEditsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly registered: Registered
  readonly feeder: Feeder
  readonly logger: Logger
  readonly inTurn: InTurn
}

/** How long an edit waits for the events that were acknowledged before it. */
const drain_ms = 30_000

/** Changes registered schemas while their events come in. */
export function createSchemaEdits({
  clickhouse,
  catalogue,
  registry,
  registered,
  feeder,
  logger,
  inTurn,
}: SchemaEditsDeps) {
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  /** Columns of the events tables of a schema, by stream. */
  async function columns(schema: string): Promise<Map<string, EventColumns>> {
    const found = await clickhouse.rows<TableColumn>({
      text: 'SELECT table, name, type, default_kind FROM system.columns WHERE database = {schema:String} ORDER BY position',
      params: { schema },
    })
    return eventColumns(found)
  }

  async function edit(present: RegisteredSchema, body: string, force: boolean): Promise<void> {
    const to = decodeSchema(parseJson(body, 'the schema'))
    const from = present.schema
    const { name } = from
    const conflicts = await editConflicts(clickhouse, from, to, await columns(name), force)
    if (conflicts.length > 0) throw fault('conflict', conflicts.join('; '), { problems: conflicts })
    const gone = from.streams.filter((stream) => !to.streams.some((each) => each.name === stream.name))
    const plan = planEdit(from, to)
    await present.gate.closed(async () => {
      await feeder.caughtUp(
        from.streams.map((stream) => queueName(name, stream.name)),
        drain_ms,
      )
      await catalogue.putSchema({ name, body: editRecord(present.body, body), state: 'editing' })
      await run(plan.still)
      for (const stream of gone) {
        await feeder.forget(queueName(name, stream.name))
        await registered.forget(name, stream.name)
      }
      registry.add(registered.schema(to, body, await columns(name), present.gate))
    })
    await run(plan.fill)
    await catalogue.putSchema({ name, body, state: 'ready' })
    await run(plan.clean)
  }

  return {
    columns,

    /** Does an edit again that a crash cut off. No event is fed meanwhile. */
    async resume({ name, body }: SchemaRecord): Promise<void> {
      logger.warn({ schema: name }, 'schema was left half-edited, going on')
      const { from, to } = readEdit(body)
      const schema = decodeSchema(parseJson(to, 'the schema'))
      const plan = planEdit(decodeSchema(parseJson(from, 'the schema')), schema)
      await run([...plan.still, ...plan.fill])
      await catalogue.putSchema({ name, body: to, state: 'ready' })
      await run(plan.clean)
      registry.add(registered.schema(schema, to, await columns(name)))
    },

    /** Replaces a registered schema by the one in `body`. */
    replace: (body: string, force: boolean): Promise<void> =>
      inTurn(() => edit(registry.schema(decodeSchema(parseJson(body, 'the schema')).name), body, force)),

    /** Adds the streams of `body` to a schema. */
    addStreams: (name: string, body: string): Promise<void> =>
      inTurn(async () => {
        const present = registry.schema(name)
        const added = streamsOf(parseJson(body, 'the body'))
        const posted = parseJson(present.body, 'the schema')
        const known = new Set(present.streams.keys())
        const clash = added.filter(
          (stream) => isObject(stream) && typeof stream.name === 'string' && known.has(stream.name),
        )
        if (clash.length > 0) {
          const names = clash.map((stream) => (isObject(stream) ? String(stream.name) : '')).join(', ')
          throw fault('conflict', `schema ${name} has ${names} already; PUT /stream replaces a schema`)
        }
        if (!isObject(posted)) throw new Error('a registered schema is an object')
        return edit(present, writeJson({ ...posted, streams: [...streamsOf(posted), ...added] }), false)
      }),

    /** Takes one stream out of a schema, with its events and aggregates. */
    removeStream: (name: string, stream: string): Promise<void> =>
      inTurn(async () => {
        registry.stream(name, stream)
        const present = registry.schema(name)
        const posted = parseJson(present.body, 'the schema')
        if (!isObject(posted)) throw new Error('a registered schema is an object')
        const streams = streamsOf(posted).filter((each) => !isObject(each) || each.name !== stream)
        return edit(present, writeJson({ ...posted, streams }), true)
      }),
  }
}

export type SchemaEdits = ReturnType<typeof createSchemaEdits>

const streamsOf = (body: Json): Json[] => {
  const streams = isObject(body) ? body.streams : undefined
  if (Array.isArray(streams)) return streams
  throw fault('invalid', 'send {"schema": "<name>", "streams": [...]}')
}

const editRecord = (from: string, to: string): string => JSON.stringify({ from, to })
const readEdit = (record: string): { from: string; to: string } => JSON.parse(record)
