import { isDeepStrictEqual } from 'node:util'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import type { SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import { runAll, runSteps } from '../../infra/clickhouse/clickhouse.ts'
import { drain_ms } from '../../infra/log/delivery.ts'
import { reasonOf } from '../../infra/unfinished.ts'
import type { EventColumns } from '../../sql/query/compile/source.ts'
import { checkAlgorithms } from '../../sql/schema/check/algorithms.ts'
import { checkFilled } from '../../sql/schema/check/filled.ts'
import { feedsInto } from '../../sql/schema/ddl/feeds.ts'
import { forgetGraph } from '../../sql/schema/ddl/gone.ts'
import { dropGraph } from '../../sql/schema/ddl/graph/graph.ts'
import { createSchemaSteps, dropDatabase } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { queueNames, schemaGraph } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { type CurrentModel, checkModelLags } from '../models/model-lags.ts'
import type { Rules } from '../rules/rules.ts'
import type { Deletions, Undo } from '../undo/deletions.ts'
import { type ChangeTerms, decodeSent, plainTerms } from './change-terms.ts'
import { claimName } from './claim-name.ts'
import { changeOf } from './edit/edit-record.ts'
import { editOf, schemaStates } from './edit/states.ts'
import { refusedTrial, type Trial, tryEdit } from './edit/trial.ts'
import { noteRetention } from './edit-notes.ts'
import { dropRebuilds } from './rebuild/drop-rebuilds.ts'
import { bodyOfDeletion, type SchemaMakingDeps } from './schema-restorer.ts'
import { changeLogs } from './switch-log.ts'

export type SchemasDeps = SchemaMakingDeps & {
  readonly graphGone: (graph: string) => Promise<void>
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
  readonly currentModel: CurrentModel
  readonly rules: Pick<Rules, 'check' | 'forget'>
}

const byName = ({ streams, ...schema }: Schema) => ({
  ...schema,
  streams: streams.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
})

/** Whether two schemas are the same: the order of their streams says nothing. */
const isSame = (one: Schema, other: Schema): boolean => isDeepStrictEqual(byName(one), byName(other))

/** Registers schemas and takes them away: entirely or not at all, whatever happens in between. */
export function createSchemas({
  clickhouse,
  catalogue,
  registry,
  compiler,
  states,
  rules,
  edits,
  feeder,
  delivery,
  names,
  views,
  graphGone,
  deletions,
  currentModel,
  logger,
  exclusively,
  agreed,
  check,
}: SchemasDeps) {
  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  async function unmake(name: string, body: string): Promise<void> {
    await catalogue.putSchema({ name, body, state: 'dropping' })
    await agreed().catch((error: unknown) =>
      logger.warn({ err: error, schema: name }, 'other processes have not followed the drop of a schema, dropping it'),
    )
    check()
    for (const queue of queueNames(decodeSchema(parseJson(body, 'the schema')))) await feeder.forget(queue)
    await rules.forget(name)
    await dropRebuilds(clickhouse, name)
    const graph = schemaGraph(name)
    await run([dropDatabase(name), ...dropGraph(graph), ...forgetGraph(graph)])
    await graphGone(graph)
    await states.forget(name)
    await catalogue.putSchema({ name, body: '', state: 'gone' })
    names.release(name, 'schema')
  }

  /**
   * Leaves the edit of a schema that goes half-done, but for one that keeps a stream or brings it back: that is ended. The
   * parts of the log go that only the edit knows of.
   */
  async function leaveEdit(name: string): Promise<void> {
    const record = (await catalogue.schemas()).find((each) => each.name === name)
    if (record === undefined || !['undo', 'finish'].includes(schemaStates[record.state].left)) return
    const edit = editOf(record).record
    if (edit.keeps || edit.restores) return edits.unfinished.settle(name)
    edits.abandon(name)
    const known = queueNames(registry.schema(name).schema)
    const { from, to } = changeOf(edit, compiler.decode)
    const others = [...queueNames(from), ...queueNames(to)].filter((queue) => !known.includes(queue))
    for (const queue of others) await feeder.forget(queue)
  }

  async function take(record: SchemaRecord, known?: ReadonlyMap<string, EventColumns>): Promise<void> {
    const { name, body, state } = record
    names.claim(name, 'schema')
    const { left } = schemaStates[state]
    if (left === 'undo' || left === 'finish') return edits.resume(record)
    if (left === 'attach') {
      const schema = compiler.decode(body)
      registry.add(compiler.compile(schema, body, known ?? (await edits.columns(name))))
      delivery.resume(schema)
      return
    }
    logger.warn({ schema: name, state }, 'schema was left half-made or half-dropped, dropping it')
    await unmake(name, body)
    registry.remove(name)
  }

  /** A schema that fails keeps no other from being served. */
  async function takeOrLater(record: SchemaRecord, known?: ReadonlyMap<string, EventColumns>): Promise<void> {
    try {
      await take(record, known)
    } catch (error) {
      logger.error({ err: error, schema: record.name }, 'schema not served, retrying')
      registry.fail(record.name, reasonOf(error))
      edits.unfinished.later(record.name, () => take(record), error)
    }
  }

  async function unmakeOrLater(name: string, body: string): Promise<void> {
    try {
      await unmake(name, body)
    } catch (error) {
      logger.error({ err: error, schema: name }, 'drop of a schema failed, retrying')
      edits.unfinished.later(name, () => unmake(name, body), error)
      throw error
    }
  }

  /** Whether the same schema is registered; throws where another one has its name. */
  function isThere(schema: Schema): boolean {
    const present = registry.find(schema.name)
    if (present && !isSame(compiler.decode(present.body), schema)) throw alreadyThere(schema.name)
    return present !== undefined
  }

  /** Claims the name of a schema that can be registered. */
  async function claim(schema: Schema, body: string, { notes }: ChangeTerms): Promise<void> {
    checkAlgorithms(schema)
    checkFilled(schema)
    await checkModelLags(currentModel, schema)
    await rules.check(schema)
    noteRetention(notes, { schema, wire: parseJson(body, 'the schema') })
    await claimName({ clickhouse, names }, schema.name)
  }

  return {
    /** Reads the catalogue; undoes or ends edits that a crash left half-done. Runs before any event is fed. */
    async load(): Promise<void> {
      await states.load()
      const records = await catalogue.schemas()
      await changeLogs({ clickhouse, catalogue, compiler, states, delivery, rules, logger }, records)
      const columns = await edits.allColumns()
      for (const record of records) await takeOrLater(record, columns.get(record.name))
    },

    /** Undoes or ends edits that another process left half-done. */
    end: (record: SchemaRecord): Promise<void> => takeOrLater(record),

    /** Answers a message where the same schema is there already. */
    register: (body: string, terms: ChangeTerms = plainTerms()): Promise<string | undefined> =>
      exclusively(async () => {
        const schema = decodeSent(compiler, body, terms)
        const { name } = schema
        // No trace of one that went, or failed, may be left when the name comes again.
        if (!registry.find(name)) {
          await edits.unfinished.settle(name)
          await deletions.settle('schema', name)
        }
        if (isThere(schema)) return `schema ${name} is registered already`
        await claim(schema, body, terms)
        try {
          await catalogue.putSchema({ name, body, state: 'making' })
          await runSteps(clickhouse, createSchemaSteps(schema, views.of(schema)))
          await delivery.attach(schema)
          await catalogue.putSchema({ name, body, state: 'ready' })
        } catch (error) {
          await unmakeOrLater(name, body).catch(() => {})
          throw error
        }
        registry.add(compiler.compile(schema, body))
        return undefined
      }),

    /** Says what `register` would do, and changes nothing. */
    tryRegister: (body: string, terms: ChangeTerms): Promise<Trial> =>
      exclusively(async () => {
        const schema = decodeSent(compiler, body, terms)
        const { name } = schema
        if (isThere(schema)) return tryEdit(schema, schema, [])
        await claim(schema, body, terms)
        names.release(name, 'schema')
        return tryEdit({ name, streams: [] }, schema, [])
      }).catch(refusedTrial),

    /** Takes a schema away with its events and aggregates, keeps them with `undo`; answers the names of its streams. */
    remove: (name: string, undo?: Undo): Promise<{ streams: string[]; deletion?: Deletion }> =>
      exclusively(async () => {
        const streams = registry.schema(name).schema.streams.map((stream) => stream.name)
        if (undo) {
          const present = await edits.settled(name)
          // Events that do not arrive in their tables show now, while nothing has changed.
          await feeder.caughtUp(queueNames(present.schema), drain_ms)
          const deletion = await deletions.setAside({ kind: 'schema', name, body: bodyOfDeletion(present) }, undo)
          return { streams, deletion }
        }
        await leaveEdit(name)
        const { body, gate } = registry.schema(name)
        await gate.shut(async () => {
          await catalogue.putSchema({ name, body, state: 'dropping' })
          edits.abandon(name)
          registry.remove(name)
          await unmakeOrLater(name, body)
        })
        return { streams }
      }),

    /** Answers whether the state changed. The feeds into a filter or entity stream are there while it is ON. */
    setState: (schema: string, stream: string, on: boolean): Promise<boolean> =>
      exclusively(async () => {
        const present = await edits.settled(schema)
        const target = registry.stream(schema, stream)
        if (target.on === on) return false
        const feeds = feedsInto(present.schema, target.stream)
        const settle = () => states.set(target, on)
        if (feeds.length === 0) await settle()
        else
          await edits.refeed(
            present,
            feeds.map(({ create, drop }) => (on ? create : drop)),
            settle,
          )
        return true
      }),
  }
}

const alreadyThere = (name: string) =>
  fault('conflict', `schema ${name} is registered already with other contents; PUT /stream replaces it`)

export type Schemas = ReturnType<typeof createSchemas>
