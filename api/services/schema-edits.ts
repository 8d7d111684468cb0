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
/** The same for all that a crash left in the log. */
const resumeDrain_ms = 600_000
/** Between two attempts at an edit that ClickHouse did not let through. */
const retryPause_ms = 2_000

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
  /** Edits that have begun, until they are done: from then on there is no way back. */
  const unfinished = new Map<string, EditRecord>()
  let timer: NodeJS.Timeout | undefined

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
    await feeder.caughtUp(queuesOf(present.schema), drain_ms)
    const conflicts = await editConflicts(clickhouse, present.schema, to, await columns(to.name), force)
    if (conflicts.length > 0) throw fault('conflict', conflicts.join('; '), { problems: conflicts })
    await apply(present, { from: present.body, to: body })
  }

  /** Once the catalogue has the record, the edit ends done, however often ClickHouse fails: a try from the start gives the same. */
  async function apply(present: RegisteredSchema, record: EditRecord, told: Told = () => {}): Promise<void> {
    try {
      await attempt(present, record, told)
    } catch (error) {
      if (unfinished.has(present.schema.name)) finishLater()
      throw error
    }
  }

  function finishLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      for (const name of unfinished.keys()) {
        inTurn(() => finish(name)).catch((error: unknown) =>
          logger.error({ err: error, schema: name }, 'edit not ended'),
        )
      }
    }, retryPause_ms).unref()
  }

  async function finish(name: string): Promise<void> {
    const record = unfinished.get(name)
    if (record) await apply(registry.schema(name), record)
  }

  /** A schema that is not half-edited. */
  async function whole(name: string): Promise<RegisteredSchema> {
    await finish(name)
    return registry.schema(name)
  }

  async function attempt(present: RegisteredSchema, record: EditRecord, told: Told): Promise<void> {
    const { from, to } = schemasOf(record)
    const { name } = to
    const gone = from.streams.filter((stream) => !to.streams.some((each) => each.name === stream.name))
    const plan = planEdit(from, to)
    await present.gate.closed(async () => {
      await feeder.caughtUp(queuesOf(present.schema), drain_ms)
      await catalogue.putSchema({ name, body: JSON.stringify(record), state: 'editing' })
      unfinished.set(name, record)
      present.gate.bar(fault('unavailable', `schema ${name} is half-edited, since ClickHouse failed; try again`))
      await run(plan.still)
      for (const stream of gone) {
        await feeder.forget(queueName(name, stream.name))
        await registered.forget(name, stream.name)
      }
      registry.add(registered.schema(to, record.to, await columns(name), present.gate))
      present.gate.bar(undefined)
    })
    for (const [index, statement] of plan.fill.entries()) {
      told(index, plan.fill.length)
      await clickhouse.run(statement)
    }
    await catalogue.putSchema({ name, body: record.to, state: 'ready' })
    unfinished.delete(name)
    await run(plan.clean)
    told(plan.fill.length, plan.fill.length)
  }

  return {
    columns,

    /**
     * Does an edit again that a crash cut off. What the log holds is fed first: a batch that was under way has to meet the
     * tables that know of it. No event is fed meanwhile.
     */
    async resume({ name, body }: SchemaRecord): Promise<void> {
      logger.warn({ schema: name }, 'schema was left half-edited, going on')
      const record: EditRecord = JSON.parse(body)
      const { from, to } = schemasOf(record)
      const plan = planEdit(from, to)
      await feeder.caughtUp(queuesOf(to), resumeDrain_ms)
      await run([...plan.still, ...plan.fill])
      await catalogue.putSchema({ name, body: record.to, state: 'ready' })
      await run(plan.clean)
      registry.add(registered.schema(to, record.to, await columns(name)))
    },

    /** Makes all aggregates of a stream anew from its events; `told` hears how far it is. */
    rebuild: (name: string, stream: string, told: Told): Promise<void> =>
      inTurn(async () => {
        const present = await whole(name)
        registry.stream(name, stream)
        return apply(present, { from: present.body, to: present.body, rebuild: stream }, told)
      }),

    /** Replaces a registered schema by the one in `body`. */
    replace: (body: string, force: boolean): Promise<void> =>
      inTurn(async () => edit(await whole(decodeSchema(parseJson(body, 'the schema')).name), body, force)),

    /** Adds the streams of `body` to a schema. */
    addStreams: (name: string, body: string): Promise<void> =>
      inTurn(async () => {
        const present = await whole(name)
        const sent = parseJson(body, 'the body')
        const added = streamsOf(sent)
        if (isObject(sent) && sent.schema !== undefined && sent.schema !== name)
          throw fault('invalid', `schema: the path says ${name}, the body ${JSON.stringify(sent.schema)}`)
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

    /** Leaves an edit half-done, for a schema that goes. */
    abandon(name: string): void {
      unfinished.delete(name)
    },

    stop(): void {
      clearTimeout(timer)
    },

    /** Takes one stream out of a schema, with its events and aggregates. */
    removeStream: (name: string, stream: string): Promise<void> =>
      inTurn(async () => {
        const present = await whole(name)
        registry.stream(name, stream)
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

type Told = (done: number, total: number) => void

const queuesOf = ({ name, streams }: Schema): string[] => streams.map((stream) => queueName(name, stream.name))

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
