import { withFreshness } from '../activities/analysts/freshness.ts'
import { createEngines } from '../activities/engines.ts'
import { createHealth } from '../activities/health/health.ts'
import { nobody } from '../activities/keys/caller.ts'
import { openAuth } from '../activities/keys/open-auth.ts'
import { openBuckets } from '../activities/objects/engine.ts'
import { modelBucket } from '../activities/objects/model-objects.ts'
import { createSavedEngine } from '../activities/saved/engine.ts'
import { withViews } from '../activities/schemas/analyst-views.ts'
import { openYamlThreads } from '../base/yaml-threads.ts'
import { refuseHalfRestored } from '../infra/backup/restore-backup.ts'
import type { Config } from '../infra/config.ts'
import { openDataFolder } from '../infra/data-folder/open.ts'
import { createStoreProbe } from '../infra/health/store-probe.ts'
import { bodyBytes, createBodyBudget } from '../infra/limits/body-budget.ts'
import type { Logger } from '../infra/logger.ts'
import { watchRunner } from '../infra/tracing/trace-analysts.ts'
import { type Decorators, openWorld, undecorated } from '../infra/world.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createAnalystAuth } from './analysts/auth.ts'
import { createReachOf } from './analysts/reach.ts'
import { type Analysts, openAnalysts } from './analysts/serve.ts'
import { createBrowsers } from './browsers/browsers.ts'
import { createApp } from './http/app.ts'
import { createAsk } from './http/ask.ts'
import { createHttpServer, type HttpServer } from './http/server.ts'
import { createRouters } from './routers.ts'

/**
 * Composes every part over `config.DATA_DIR`. `close` ends requests, feeds the events that the log holds, and closes in
 * reverse.
 */
export async function createService(
  config: Config,
  logger: Logger,
  decorators: Decorators = undecorated,
  http: HttpServer = createHttpServer(config),
) {
  await refuseHalfRestored(config.DATA_DIR)
  const dataFolder = openDataFolder(config, logger)
  let changed = (): void => {}
  const opening = openBuckets(config, () => changed()) // beside the rest
  opening.catch(() => {})
  const world = await openWorld(config, logger, decorators, dataFolder)
  const { delivery, metrics, sharing, shipping } = world
  const looked = world.notedParts?.open() // beside the rest
  // Objects in S3 are in no backup.
  if (shipping && config.S3_ENDPOINT === undefined) changed = world.changes.note
  const gate = await openAuth({ config, world })
  const bodies = createBodyBudget(bodyBytes(config))
  const engines = createEngines({ config, world, opened: await opening, countKeys: gate.keys.count })
  const { names, registry, deletions, schemas, tables, objects } = engines
  const { training, predictions, notifications, graphs, answers, live } = engines
  const ask = createAsk(world.queries, answers)
  const jobs = await createJobs({ config, world, audit: gate.audit, ...engines })
  let analysts: Analysts | undefined
  const health = createHealth({
    ...world,
    askBuckets: createStoreProbe(objects.has, modelBucket),
    askOrchestration: jobs.ask,
    unfinishedSchemas: () => [
      ...schemas.edits.unfinished.list(),
      ...schemas.reconcile.uncompared(),
      ...delivery.resuming().flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }])),
      ...deletions.unfinished(),
    ],
    unfinishedTables: tables.tables.unfinished,
    failingSources: engines.sources.failing,
    missingForSql: () => analysts?.missing?.(),
  })

  const reachOf = createReachOf((name) => {
    const holder = names.holder(name)
    return holder === 'database' ? 'db' : holder
  })
  const saved = createSavedEngine({
    ...{ config, world, answers, objects },
    registry,
    cursors: engines.opaqueCursors,
    analysts: () => analysts,
    reachOf: (places) => (places.length === 0 ? undefined : reachOf({ ...nobody, on: new Set(places) }, '').reach),
    isDatabase: names.isDatabase,
  })
  await sharing.start([
    schemas.follower,
    tables.follower,
    deletions.follower,
    saved.saved.follower,
    engines.hooks.hooks.follower,
    engines.sources.sources.follower,
  ])
  await looked
  await schemas.open()
  live.open()
  if (config.ROLE !== 'worker') await graphs.open()
  world.failFast()
  const browsers = createBrowsers({ config, limit: gate.limit })
  const atAnalysts = {
    ...{ logger, bodies, browsers, gate: createAnalystAuth({ ...gate, reachOf }) },
    ...(world.secrets.analyst !== undefined && {
      server: {
        clickhouse: world.clickhouse,
        password: world.secrets.analyst,
        databases: () => [...registry.all().map(({ schema }) => schema.name), ...tables.tables.databases()],
      },
    }),
  }
  analysts = await openAnalysts(config, atAnalysts, (runner) =>
    watchRunner(
      withFreshness(withViews(runner, schemas.views, graphs.graphs), {
        registry,
        feeder: world.feeder,
      }),
      metrics,
      world.tracing?.tracer,
    ),
  )
  await jobs.open()
  if (config.ROLE !== 'worker') {
    await engines.imports.open()
    engines.sources.open()
  }
  await notifications.open()
  saved.open(jobs.recurrences)
  if (world.hasLostLog) void schemas.reconcile.run()
  if (delivery.redelivers && config.ROLE !== 'worker') void schemas.reconcile.afterCut()
  const yaml = openYamlThreads()
  const routes = createRouters({
    config,
    world,
    ...engines,
    ...gate,
    saved,
    ask,
    jobs,
    health,
    analysts,
    reachOf,
    yaml,
  })
  shipping?.open()
  http.open(createApp({ routes, browsers, gate, bodies, logger, metrics, tracing: world.tracing }).callback())

  return {
    server: http.server,
    /** Where analysts ask, if anywhere. */
    analysts: analysts?.url,
    async close(): Promise<void> {
      health.stop()
      live.close()
      schemas.close()
      deletions.close()
      const answering = [saved, analysts, http, engines.imports, engines.sources, jobs, yaml]
      const engined = [notifications, predictions, training, tables, graphs, objects]
      for (const part of [...answering, ...engined, gate, world]) await part?.close()
    },
  }
}

export type Service = Awaited<ReturnType<typeof createService>>
