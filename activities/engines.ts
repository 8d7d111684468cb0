import { createMutex } from '../base/mutex.ts'
import type { Config } from '../infra/config.ts'
import { createLineBudget } from '../infra/limits/body-budget.ts'
import type { World } from '../infra/world.ts'
import { createCaptureEngine } from './capture/engine.ts'
import { createGraphEngine } from './graphs/engine.ts'
import { createHookEngine } from './hooks/engine.ts'
import { createImportEngine } from './imports/engine.ts'
import { createAccept } from './ingest/accept.ts'
import { createRefusedEvents } from './ingest/refused-events.ts'
import { createLiveEngine } from './live/engine.ts'
import { createModelEngine } from './models/engine.ts'
import { createNotificationEngine } from './notifications/engine.ts'
import { createObjectEngine, type OpenedBuckets } from './objects/engine.ts'
import { createCursors } from './pages/cursors.ts'
import { createOpaqueCursors } from './pages/opaque-cursors.ts'
import { createPredictionEngine } from './prediction/engine.ts'
import { createAnswers } from './queries/answers.ts'
import { createRegistry } from './registry/registry.ts'
import { createRecordMemory } from './rules/references/record-memory.ts'
import { createSchemaEngine } from './schemas/engine.ts'
import { createStorageNames } from './schemas/storage-names.ts'
import { createSourceEngine } from './sources/engine.ts'
import { createTableEngine } from './tables/engine.ts'
import { createTrainingEngine } from './training/engine.ts'
import { createDeletions } from './undo/deletions.ts'

export type EnginesDeps = {
  readonly config: Config
  readonly world: World
  readonly opened: OpenedBuckets
  readonly countKeys: () => Promise<number>
}

/** The engines of Weir, one a noun, and the two doors that all of them share: one for events, one for queries. */
export function createEngines({ config, world, opened, countKeys }: EnginesDeps) {
  const { feeder, metrics, secrets, sharing, logger } = world
  const names = createStorageNames()
  const registry = createRegistry()
  // The one loop: a thing's engine sets it aside through `deletions`, which bring it back through the thing's engine.
  const deletions = createDeletions({
    catalogue: world.deletionCatalogue,
    restorers: () => ({
      schema: schemas.restorer,
      stream: schemas.edits.streamRemover,
      graph: graphs.graphs.restorer,
      table: tables.tables.restorer,
      bucket: objects.restorer,
    }),
    logger,
  })
  const changeBuckets = sharing.isShared ? sharing.changeTables : createMutex()
  const objects = createObjectEngine({ opened, secret: secrets.downloads, deletions, exclusively: changeBuckets })
  const graphs = createGraphEngine({ config, world, registry, deletions })
  const models = createModelEngine({ world, objects })
  const predictions = createPredictionEngine({ config, world, registry, objects, models })
  const training = createTrainingEngine({
    ...{ config, world, objects, registry, models },
    table: (database, name) => tables.tables.find(database, name).table,
  })
  const records = createRecordMemory({ isShared: sharing.isShared })
  const tables = createTableEngine({ world, names, deletions, remembered: records })
  const schemas = createSchemaEngine({
    world,
    names,
    registry,
    predictor: predictions.ofEvents,
    currentModel: models.current.of,
    tableOf: (database, table) =>
      tables.tables.has(database, table) ? tables.tables.find(database, table).table : undefined,
    records,
    room: createLineBudget(config),
    graphGone: graphs.graphs.gone,
    deletions,
    graphAside: graphs.graphs,
  })
  const notifications = createNotificationEngine({ config, world, registry })
  const refusedEvents = createRefusedEvents()
  const live = createLiveEngine({ config, world, registry })
  const accept = createAccept({ registry, feeder, arrivals: world.arrivals, refusedEvents, metrics })
  const hooks = createHookEngine({ config, world, registry, accept, refusedEvents })
  const capture = createCaptureEngine({
    ...{ registry, accept, refusedEvents, metrics },
    bodyLimit: config.MAX_BODY_MB * 1024 * 1024,
  })
  const imports = createImportEngine({ config, world, registry, objects, accept })
  const sources = createSourceEngine({ config, world, registry, accept, refusedEvents })
  const answers = createAnswers({
    registry,
    tables,
    graphs: graphs.graphs,
    feeder,
    cursors: createCursors(secrets.cursors),
    accept,
    metrics,
    config,
    catalogue: world.catalogue,
    countBuckets: async () => (await objects.buckets.list()).length,
    countKeys,
  })
  return {
    names,
    registry,
    deletions,
    schemas,
    tables,
    objects,
    models,
    training,
    predictions,
    notifications,
    graphs,
    accept,
    refusedEvents,
    hooks,
    capture,
    imports,
    sources,
    answers,
    opaqueCursors: createOpaqueCursors(secrets.cursors),
    live,
  }
}

export type Engines = ReturnType<typeof createEngines>
