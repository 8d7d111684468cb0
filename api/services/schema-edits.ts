import type { Catalogue, SchemaRecord } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Logger } from '../../infra/logger.ts'
import { type EventColumns, eventColumns, type TableColumn } from '../../sql/query/compile/source.ts'
import { Refusal } from '../../sql/refusal.ts'
import { planEdit, withoutAggregates } from '../../sql/schema/ddl/edit.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
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
    const conflicts = await editConflicts(clickhouse, present.schema, to, await columns(to.name), force)
    if (conflicts.length > 0) throw fault('conflict', conflicts.join('; '), { problems: conflicts })
    await apply(present, { from: present.body, to: body })
  }

  async function apply(
    present: RegisteredSchema,
    record: EditRecord,
    told: (done: number, total: number) => void = () => {},
  ) {
    const { from, to } = schemasOf(record)
    const { name } = to
    const gone = from.streams.filter((stream) => !to.streams.some((each) => each.name === stream.name))
    const plan = planEdit(from, to)
    await present.gate.closed(async () => {
      const queues = from.streams.map((stream) => queueName(name, stream.name))
      await feeder.caughtUp(queues, drain_ms)
      await catalogue.putSchema({ name, body: JSON.stringify(record), state: 'editing' })
      await run(plan.still)
      for (const stream of gone) {
        await feeder.forget(queueName(name, stream.name))
        await registered.forget(name, stream.name)
      }
      registry.add(registered.schema(to, record.to, await columns(name), present.gate))
    })
    for (const [index, statement] of plan.fill.entries()) {
      told(index, plan.fill.length)
      await clickhouse.run(statement)
    }
    await catalogue.putSchema({ name, body: record.to, state: 'ready' })
    await run(plan.clean)
    told(plan.fill.length, plan.fill.length)
  }

  return {
    columns,

    /** Does an edit again that a crash cut off. No event is fed meanwhile. */
    async resume({ name, body }: SchemaRecord): Promise<void> {
      logger.warn({ schema: name }, 'schema was left half-edited, going on')
      const record: EditRecord = JSON.parse(body)
      const { from, to } = schemasOf(record)
      const plan = planEdit(from, to)
      await run([...plan.still, ...plan.fill])
      await catalogue.putSchema({ name, body: record.to, state: 'ready' })
      await run(plan.clean)
      registry.add(registered.schema(to, record.to, await columns(name)))
    },

    /** Makes all aggregates of a stream anew from its events; `told` hears how far it is. */
    rebuild: (name: string, stream: string, told: (done: number, total: number) => void): Promise<void> =>
      inTurn(() => {
        registry.stream(name, stream)
        const present = registry.schema(name)
        return apply(present, { from: present.body, to: present.body, rebuild: stream }, told)
      }),

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
        const body = writeJson({ ...posted, streams })
        refuseReferences(name, stream, body)
        return edit(present, body, true)
      }),
  }
}

export type SchemaEdits = ReturnType<typeof createSchemaEdits>

/** A stream that others feed cannot go alone. */
function refuseReferences(schema: string, stream: string, body: string): void {
  try {
    decodeSchema(parseJson(body, 'the schema'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = `stream ${schema}.${stream} is still referred to: ${error.message}; PUT /stream takes both out together`
    throw fault('conflict', message)
  }
}

const streamsOf = (body: Json): Json[] => {
  const streams = isObject(body) ? body.streams : undefined
  if (Array.isArray(streams)) return streams
  throw fault('invalid', 'send {"schema": "<name>", "streams": [...]}')
}

/** What the catalogue keeps while an edit is under way: the bodies, and the stream whose aggregates are made anew. */
type EditRecord = { readonly from: string; readonly to: string; readonly rebuild?: string }

function schemasOf({ from, to, rebuild }: EditRecord): { from: Schema; to: Schema } {
  const before = decodeSchema(parseJson(from, 'the schema'))
  return {
    from: rebuild === undefined ? before : withoutAggregates(before, rebuild),
    to: decodeSchema(parseJson(to, 'the schema')),
  }
}
