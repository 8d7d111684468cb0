import { fault } from '../../../base/faults.ts'
import { parseJson } from '../../../base/json.ts'
import type { Exclusively } from '../../../base/mutex.ts'
import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import type { Deletion } from '../../../infra/catalogue/deletions.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { type Delivery, drain_ms } from '../../../infra/log/delivery.ts'
import type { Feeder } from '../../../infra/log/port.ts'
import type { Logger } from '../../../infra/logger.ts'
import { createUnfinished } from '../../../infra/unfinished.ts'
import { dropAsideDatabase } from '../../../sql/aside.ts'
import { checkAlgorithms } from '../../../sql/schema/check/algorithms.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { queueName, queueNames } from '../../../sql/schema/names.ts'
import { type CurrentModel, checkModelLags } from '../../models/model-lags.ts'
import type { RegisteredSchema, Registry } from '../../registry/registry.ts'
import type { Rules } from '../../rules/rules.ts'
import type { Deletions, Remover, Undo } from '../../undo/deletions.ts'
import { type ChangeTerms, decodeSent, plainTerms } from '../change-terms.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import { noteDropped, noteRetention } from '../edit-notes.ts'
import { createSchemaTables } from '../event-columns.ts'
import type { StreamStates } from '../stream-states.ts'
import { editConflicts } from './edit-conflicts.ts'
import { createEditRuns } from './edit-runs.ts'
import type { Quiesce, Quiesced, Quiescing } from './quiesce.ts'
import type { Move } from './states.ts'
import { schemaOf } from './stream-aside.ts'
import { createStreamBodies } from './stream-bodies.ts'
import { refusedTrial, type Trial, tryEdit } from './trial.ts'

export type SchemaEditsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly compiler: SchemaCompiler
  readonly states: StreamStates
  readonly rules: Pick<Rules, 'check' | 'forgetUnused'>
  readonly feeder: Feeder
  readonly delivery: Pick<Delivery, 'redelivers'>
  readonly deletions: Pick<Deletions, 'recordOf' | 'latest' | 'write'>
  readonly quiescing: Quiescing
  readonly move: Move
  readonly currentModel: CurrentModel
  readonly logger: Logger
  readonly exclusively: Exclusively
  /** Throws where this process may have lost its lease. */
  readonly check: () => void
}

/** Changes registered schemas while their events come in. Answers are messages, where there is something to report. */
export function createSchemaEdits(deps: SchemaEditsDeps) {
  const { clickhouse, catalogue, registry, compiler, feeder, deletions, exclusively, currentModel } = deps
  const tables = createSchemaTables(clickhouse)
  const unfinished = createUnfinished({ noun: 'schema', exclusively, logger: deps.logger })
  const runs = createEditRuns({ ...deps, tables, unfinished })
  const bodies = createStreamBodies(deps)

  /** The schema that an edit asks for, and the reasons to refuse it. */
  async function check(present: RegisteredSchema, body: string, terms: ChangeTerms) {
    const to = decodeSent(compiler, body, terms)
    checkAlgorithms(to)
    await checkModelLags(currentModel, to, present.schema)
    await deps.rules.check(to, { present: present.schema, notes: terms.notes })
    noteRetention(
      terms.notes,
      { schema: to, wire: parseJson(body, 'the schema') },
      parseJson(present.body, 'the schema'),
    )
    noteDropped(terms.notes, present.schema, to)
    await feeder.caughtUp(queueNames(present.schema), drain_ms)
    const conflicts = await editConflicts({
      clickhouse,
      catalogue,
      from: present.schema,
      to,
      columns: await tables.columns(to.name),
      force: terms.force ?? false,
      quiesced: (work) => runs.hold(present, work),
    })
    return { to, conflicts }
  }

  async function edit(
    present: RegisteredSchema,
    body: string,
    terms: ChangeTerms,
    keeps?: Deletion,
  ): Promise<string | undefined> {
    const { conflicts } = await check(present, body, terms)
    if (conflicts.length > 0) throw fault('conflict', conflicts.join('; '), { problems: conflicts })
    return runs.start(present, body, keeps && { keeps })
  }

  async function trial(present: RegisteredSchema, body: string, terms: ChangeTerms): Promise<Trial> {
    const { to, conflicts } = await check(present, body, terms)
    return tryEdit(present.schema, to, conflicts)
  }

  /** A schema that is not half-edited. */
  async function settled(name: string): Promise<RegisteredSchema> {
    await unfinished.settle(name)
    return registry.schema(name)
  }

  const quiesce: Quiesce = (name, work) => exclusively(async () => runs.hold(await settled(name), work))

  return {
    columns: tables.columns,
    allColumns: tables.allColumns,
    /** The work left to do on schemas, which is tried again. */
    unfinished,
    /** Takes up an edit that a crash cut off. */
    resume: runs.resume,
    /** Leaves an edit half-done, for a schema that goes. */
    abandon(name: string): void {
      unfinished.forget(name)
      runs.forget(name)
    },
    stop: unfinished.stop,
    settled,
    refeed: runs.refeed,
    /** How far the edit of a schema is that this process makes or ends. */
    progress: runs.progress,
    leave: runs.leave,

    quiesce,

    /** Runs `work` on a schema that nothing else changes; `quiesced` is for the parts in which no event may be on its way. */
    alone: <Result>(name: string, work: (quiesced: Quiesced) => Promise<Result>): Promise<Result> =>
      exclusively(async () => {
        const present = await settled(name)
        return work((part) => runs.hold(present, part))
      }),

    /** Replaces a registered schema by the one in `body`. */
    replace: (body: string, terms: ChangeTerms): Promise<string | undefined> =>
      exclusively(async () => edit(await settled(decodeSchema(parseJson(body, 'the schema')).name), body, terms)),

    /** Says what `replace` would do, and changes nothing. */
    tryReplace: (body: string, terms: ChangeTerms): Promise<Trial> =>
      exclusively(async () => trial(await settled(decodeSchema(parseJson(body, 'the schema')).name), body, terms)),

    /** Adds the streams of `body` to a schema. */
    addStreams: (name: string, body: string, terms: ChangeTerms): Promise<string | undefined> =>
      exclusively(async () => {
        const present = await settled(name)
        return edit(present, bodies.bodyWith(present, body, terms), terms)
      }),

    /** Says what `addStreams` would do, and changes nothing. */
    tryAddStreams: (name: string, body: string, terms: ChangeTerms): Promise<Trial> =>
      exclusively(async () => {
        const present = await settled(name)
        return trial(present, bodies.bodyWith(present, body, terms), terms)
      }).catch(refusedTrial),

    /** Throws where a stream cannot go alone. */
    checkRemoval(name: string, stream: string): void {
      bodies.bodyWithout(registry.schema(name), stream)
    },

    /** Takes one stream out of a schema, with its events and aggregates; keeps them with `undo`. */
    removeStream: (name: string, stream: string, undo?: Undo): Promise<Deletion | undefined> =>
      exclusively(async () => {
        const present = await settled(name)
        const body = bodies.bodyWithout(present, stream)
        const keeps = undo && (await bodies.recordOf(present, stream, undo))
        await edit(present, body, { ...plainTerms(), force: true }, keeps)
        return keeps
      }),

    /** Brings back the stream of that name that was deleted last with undo. */
    undeleteStream: (name: string, stream: string): Promise<void> =>
      exclusively(async () => {
        await unfinished.settle(name)
        const restores = await deletions.latest('stream', queueName(name, stream))
        const present = registry.find(name)
        if (present === undefined) {
          const reason = `its schema ${name} is gone, and comes back first: GET /deleted lists it where it is kept`
          throw fault('missing', `stream ${restores.name} stays kept: ${reason}`)
        }
        await feeder.caughtUp(queueNames(present.schema), drain_ms)
        await runs.start(present, await bodies.bodyWithAgain(present, stream, restores), { restores })
      }),

    /** Removes kept streams for good. */
    streamRemover: {
      exclusively,
      async remove(thing) {
        // An edit that was to bring it back may be half-done.
        await unfinished.settle(schemaOf(thing))
        await clickhouse.run(dropAsideDatabase(thing.id))
      },
    } satisfies Remover,
  }
}

export type SchemaEdits = ReturnType<typeof createSchemaEdits>
