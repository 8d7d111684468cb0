import { lastGone } from '../../infra/catalogue/catalogue.ts'
import type { ByteBudget } from '../../infra/limits/byte-budget.ts'
import type { World } from '../../infra/world.ts'
import { graphOfQueue } from '../../sql/schema/names.ts'
import type { CurrentModel } from '../models/model-lags.ts'
import type { Registry } from '../registry/registry.ts'
import { createOrderOwners } from '../rules/order-owners.ts'
import { createRules, type RulesDeps } from '../rules/rules.ts'
import type { Deletions } from '../undo/deletions.ts'
import { createAnalystViews } from './analyst-views.ts'
import { createSchemaCompiler, type EventPredictor } from './compile-schema.ts'
import { createSchemaEdits } from './edit/edits.ts'
import { createQuiescing } from './edit/quiesce.ts'
import { createMove, schemaStates } from './edit/states.ts'
import { createErase } from './erase/erase.ts'
import { createSchemaFollowing } from './follow.ts'
import { createDoubts } from './reconcile/doubts.ts'
import { createReconcile } from './reconcile/reconcile.ts'
import { createReconcileSchema } from './reconcile/reconcile-schema.ts'
import { createSchemaRestorer, type GraphAside } from './schema-restorer.ts'
import { createSchemas } from './schemas.ts'
import type { StorageNames } from './storage-names.ts'
import { createStreamStates } from './stream-states.ts'

export type SchemaEngineDeps = {
  readonly world: World
  readonly names: StorageNames
  /** Empty until the catalogue is read: this engine fills it. */
  readonly registry: Registry
  readonly predictor: EventPredictor
  readonly currentModel: CurrentModel
  /** The current definition of a table of records. */
  readonly tableOf: RulesDeps['tableOf']
  readonly records: RulesDeps['records']
  /** The memory for lines of events that are on their way to the log. */
  readonly room: Pick<ByteBudget, 'takeNow' | 'give'>
  /** Called for a graph that was deleted with its schema. */
  readonly graphGone: (graph: string) => Promise<void>
  readonly deletions: Pick<Deletions, 'setAside' | 'settle' | 'recordOf' | 'latest' | 'write'>
  readonly graphAside: GraphAside
}

/** Schemas: registered, edited, compared with their events, and followed as other processes change them. */
export function createSchemaEngine(given: SchemaEngineDeps) {
  const { world, names, registry, predictor, room, graphGone, deletions, graphAside, tableOf, records, currentModel } =
    given
  const { catalogue, log, clock, feeder, delivery, sharing, metrics, logger } = world
  const { guarded: clickhouse } = sharing
  const { changeSchemas: exclusively, agreed, check, isShared } = sharing
  const states = createStreamStates({ catalogue, logger })
  const rules = createRules({
    ...{ clock, clickhouse, feeder, metrics, logger, tableOf, records, arrivals: world.arrivals },
    processes: sharing,
    // A lease other than that of schema changes: an edit that has that one waits for events, which need their order's owner.
    owners: createOrderOwners({
      ...{ id: sharing.id, isShared, living: sharing.living, catalogue },
      exclusively: sharing.changeRuns,
    }),
    ...(world.rules && { own: world.rules }),
    ...(world.tasks && { tasks: world.tasks }),
  })
  const compiler = createSchemaCompiler({ states, log, clock, predictor, delivery, room, rules })
  const move = createMove({ clickhouse, catalogue, compiler, registry, isShared })
  const deps = {
    clickhouse,
    catalogue,
    registry,
    compiler,
    states,
    feeder,
    delivery,
    logger,
    names,
    exclusively,
    agreed,
    check,
    move,
    currentModel,
    rules,
    deletions,
    quiescing: createQuiescing({ clickhouse, registry, compiler, feeder, delivery, move, agreed, check }),
  }
  const edits = createSchemaEdits(deps)
  const views = createAnalystViews({ ...deps, atOnce: isShared })
  const schemas = createSchemas({ ...deps, edits, views, graphGone })
  const restorer = createSchemaRestorer({ ...deps, edits, views, graphs: graphAside })
  const following = createSchemaFollowing({ ...deps, edits })
  const reconcileSchema = createReconcileSchema({ clickhouse, catalogue, quiesce: edits.quiesce })
  const reconcile = createReconcile({
    ...deps,
    reconcileSchema,
    wasCutOff: sharing.wasCutOff,
    leaveCutOff: sharing.leaveCutOff,
    metrics,
  })
  const erase = createErase({ ...deps, edits })
  const doubts = createDoubts({ registry, feeder, reconcile, catalogue, logger })

  return {
    rules,
    schemas,
    restorer,
    edits,
    views,
    erase,
    reconcile,
    /** The progress of an edit that fills new aggregates, in this process or another. */
    editProgress: (name: string) => edits.progress(name) ?? following.progress(name),
    follower: {
      load: schemas.load,
      apply: following.apply,
      async repair() {
        for (const record of following.unready()) {
          edits.abandon(record.name)
          await schemas.end(record)
          following.ended(record.name)
        }
      },
      hasLeftOvers: () => following.unready().length > 0,
      isEdited: () => following.unready().some(({ state }) => schemaStates[state].events === 'wait'),
    },
    /** Begins to feed events into the schemas; called once the catalogue is read. */
    async open(): Promise<void> {
      const goneAt = await catalogue.goneAt()
      await feeder.resume((queue) => {
        if (graphOfQueue(queue) !== undefined) return 0
        return registry.mayFeed(queue) ? endOfFormer(goneAt, queue) : undefined
      })
      rules.start()
      await doubts.start(!isShared)
      if (isShared)
        views.renew().catch((error: unknown) => logger.warn({ err: error }, 'views for analysts not renewed'))
      void erase
        .clean()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'tables of an erasure not taken away, the next one does'),
        )
    },
    close(): void {
      doubts.stop()
      reconcile.stop()
      edits.stop()
      rules.stop()
    },
  }
}

/** The clocks of two processes differ by this at most. */
const clocks_us = 60 * 1e6

/** The time before which the events of a queue belong to a deleted stream of the same name. */
function endOfFormer(goneAt: ReadonlyMap<string, number>, queue: string): number {
  const [schema = ''] = queue.split('.')
  const at = lastGone(goneAt, schema, queue)
  return at > Date.now() * 1000 ? 0 : at - clocks_us
}

export type SchemaEngine = ReturnType<typeof createSchemaEngine>
