import type { Audit } from '../activities/audit/audit.ts'
import type { Engines } from '../activities/engines.ts'
import { createFigures } from '../activities/health/figures.ts'
import type { Health } from '../activities/health/health.ts'
import type { KeyEngine } from '../activities/keys/engine.ts'
import { createModelMisfits } from '../activities/models/model-misfits.ts'
import { createAbsentReferences } from '../activities/queries/absent-references.ts'
import type { SavedEngine } from '../activities/saved/engine.ts'
import { createModelPlaces } from '../activities/training/places.ts'
import type { YamlThreads } from '../base/yaml-threads.ts'
import type { Config } from '../infra/config.ts'
import type { RateLimit } from '../infra/limits/rate-limit.ts'
import type { World } from '../infra/world.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { ReachOf } from './analysts/reach.ts'
import type { Analysts } from './analysts/serve.ts'
import { sqlRoutes } from './analysts/sql-routes.ts'
import { createAudited } from './auth/audited.ts'
import { createCount } from './auth/identify.ts'
import { createLiveClients } from './auth/live-clients.ts'
import type { Routes } from './auth/routes.ts'
import { createAdmit } from './capture/admit.ts'
import { captureRoutes } from './capture/routes.ts'
import { findPage } from './console/files.ts'
import { consoleRoutes } from './console/routes.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { graphAlgorithmRoutes } from './graphs/algorithm-routes.ts'
import { graphRoutes } from './graphs/routes.ts'
import { hookRoutes } from './hooks/routes.ts'
import type { Ask } from './http/ask.ts'
import { answerFaults } from './http/errors.ts'
import { importRoutes } from './imports/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { algorithmRoutes } from './models/algorithms.ts'
import { predictionRoutes } from './models/prediction-routes.ts'
import { modelRoutes } from './models/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { bucketRoutes } from './objects/bucket-routes.ts'
import { objectRoutes } from './objects/object-routes.ts'
import { sliceRoutes } from './objects/slice-routes.ts'
import { backupRoutes } from './operation/backups.ts'
import { documentationRoutes } from './operation/documentation.ts'
import { healthRoutes } from './operation/health.ts'
import { reconcileRoutes } from './operation/reconcile.ts'
import { rootRoutes } from './operation/root.ts'
import { queryRoutes } from './queries/routes.ts'
import { savedRoutes } from './saved/routes.ts'
import { scheduleRoutes } from './saved/schedule-routes.ts'
import { watchRoutes } from './saved/watch-routes.ts'
import { schemaRoutes } from './schemas/routes.ts'
import { sourceRoutes } from './sources/routes.ts'
import { streamDataRoutes } from './streams/data-routes.ts'
import { liveRoutes } from './streams/live-routes.ts'
import { streamRoutes } from './streams/routes.ts'
import { tableRoutes } from './tables/routes.ts'

export type Routed = Engines & {
  readonly config: Config
  readonly world: World
  readonly ask: Ask
  readonly saved: SavedEngine
  readonly jobs: Jobs
  readonly health: Health
  readonly keys: KeyEngine
  readonly limit: RateLimit | undefined
  readonly audit: Audit
  /** Absent with a ClickHouse server, which has a port of its own. */
  readonly analysts: Analysts | undefined
  readonly reachOf: ReachOf
  readonly yaml: YamlThreads
}

const megabyte = 1024 * 1024

/** The calls that this process answers: a worker its probes, the others all. */
export function createRouters(parts: Routed): Routes[] {
  const { config, world, names, registry, deletions, schemas, tables, objects, ask, accept } = parts
  const { refusedEvents, jobs, audit } = parts
  const { logger, metrics } = world
  const { rebuilds } = jobs
  const bodyLimit = config.MAX_BODY_MB * megabyte
  // Where workers train, they know.
  const whyScriptsAreOff = async () => (config.ROLE === 'api' ? undefined : parts.training.whyScriptsAreOff())
  const changing = createAudited(audit)
  const orchestrationAway = async () => {
    const orchestration = await jobs.ask()
    return orchestration.status === 'up' ? {} : { orchestration }
  }
  const figures = createFigures({ config, metrics, health: parts.health })
  const clientOf = createLiveClients(parts.keys)
  const count = createCount(parts.limit)
  const documentation = documentationRoutes(() => all.flatMap(({ list }) => list), parts.saved.saved.list)
  // A worker answers no call that the page makes.
  const readPage = config.ROLE === 'worker' ? undefined : findPage()
  const probes = [rootRoutes(config, readPage), healthRoutes({ health: parts.health, figures, metrics }), documentation]
  const all: Routes[] = config.ROLE === 'worker' ? probes : [...served(), ...probes]
  return all

  function served(): Routes[] {
    const places = createModelPlaces(parts.models.trainings)
    const misfits = createModelMisfits({ registry, current: parts.models.current, logger })
    return [
      streamRoutes({
        ...{ registry, rebuilds, ask, accept, refusedEvents, sends: parts.notifications.lists, deletions, changing },
        editProgress: schemas.editProgress,
        rules: schemas.rules,
        misfits,
        unscored: parts.predictions.unscored,
        bodyLimit,
      }),
      deletionRoutes({ deletions, registry, edits: schemas.edits, buckets: objects.buckets, changing, bodyLimit }),
      schemaRoutes({
        registry,
        schemas: schemas.schemas,
        edits: schemas.edits,
        templates: parts.notifications.templates,
        noteAbsent: createAbsentReferences({ templates: parts.notifications.templates, models: parts.models, logger }),
        rebuilds,
        dependents: parts.saved.dependents,
        ask,
        changing,
        yaml: parts.yaml,
        feeding: { hooks: parts.hooks.hooks.feeding, sources: parts.sources.sources.feeding },
        bodyLimit,
      }),
      queryRoutes({
        ...{ ask, live: parts.live, clientOf, logger, erasures: jobs.erasures, changing },
        isDatabase: names.isDatabase,
        analystsPort: parts.analysts?.port,
        lines: parts.answers.statements.lines,
        cursors: parts.opaqueCursors,
        bodyLimit,
      }),
      sqlRoutes({ runner: parts.analysts?.runner, reachOf: parts.reachOf, bodyLimit, logger }),
      notificationRoutes({ ...parts.notifications, changing, bodyLimit }),
      tableRoutes({
        ...tables,
        dependents: parts.saved.dependents,
        registry,
        ask,
        changing,
        cacheMb: config.CACHE_MB,
        bodyLimit,
      }),
      graphRoutes({
        dependents: parts.saved.dependents,
        ...{ registry, graphs: parts.graphs.graphs, ask, changing, logger, bodyLimit },
        cursors: parts.opaqueCursors,
      }),
      graphAlgorithmRoutes({ algorithms: jobs.graphAlgorithms, bodyLimit }),
      reconcileRoutes({ reconcile: schemas.reconcile, bodyLimit }),
      liveRoutes({ registry, live: parts.live, clientOf }),
      streamDataRoutes({ registry, upload: jobs.upload, places, bodyLimit }),
      sliceRoutes({ store: objects, bodyLimit }),
      objectRoutes({ store: objects, logger }),
      algorithmRoutes({ whyScriptsAreOff }),
      predictionRoutes({ predictions: parts.predictions, files: jobs.filePredictions, places, bodyLimit }),
      modelRoutes({
        config,
        models: parts.models.models,
        trainings: jobs.trainings,
        places,
        misfits,
        changing,
        whyScriptsAreOff,
        bodyLimit,
        logger,
      }),
      bucketRoutes({ store: objects, dependents: parts.saved.dependents, changing, bodyLimit, logger }),
      backupRoutes({ backups: world.backups, shipping: world.shipping, changing, logger }),
      consoleRoutes({ readPage, keys: parts.keys }),
      keyRoutes({
        ...{ audit, changing, bodyLimit, saved: parts.saved.saved },
        keys: parts.keys.keys,
        tokens: parts.keys.tokens,
        isRequired: parts.keys.isRequired,
      }),
      savedRoutes({
        ...parts.saved,
        ...{ live: parts.live, clientOf, changing, bodyLimit, logger },
        absentTemplates: parts.notifications.templates.absent,
        isKeyed: parts.keys.isRequired,
      }),
      watchRoutes({ ...parts.saved, away: orchestrationAway, changing, bodyLimit }),
      scheduleRoutes({ ...parts.saved, away: orchestrationAway, changing, bodyLimit }),
      hookRoutes({ ...parts.hooks, registry, changing, bodyLimit }),
      captureRoutes({ ...parts.capture, admit: createAdmit({ keys: parts.keys, registry, count }), bodyLimit }),
      importRoutes({ imports: parts.imports, changing, bodyLimit }),
      sourceRoutes({ sources: parts.sources, changing, bodyLimit }),
      mcpRoutes({
        faults: answerFaults(logger, metrics),
        routesOfAll: () => all,
        bodyLimit,
        count,
      }),
    ]
  }
}
