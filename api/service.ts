import { randomUUID } from 'node:crypto'
import { createCatalogue } from '../infra/catalogue.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import { migrate } from '../infra/clickhouse/migrate.ts'
import { openClickHouse } from '../infra/clickhouse/open.ts'
import type { Config } from '../infra/config.ts'
import { openLog } from '../infra/log/open-log.ts'
import type { Logger } from '../infra/logger.ts'
import { createMetrics } from '../infra/metrics.ts'
import { createVersions } from '../infra/processes/versions.ts'
import { createTableCatalogue } from '../infra/table-catalogue.ts'
import { openAnalystsPort } from './analysts/serve.ts'
import { createApp } from './app.ts'
import { createDoor, type Door } from './door.ts'
import { createOrchestration } from './orchestration.ts'
import { sliceRoutes } from './routes/bucket-slices.ts'
import { bucketRoutes } from './routes/buckets.ts'
import { graphRoutes } from './routes/graphs.ts'
import { healthRoutes } from './routes/health.ts'
import { objectRoutes } from './routes/objects.ts'
import { queryRoutes } from './routes/queries.ts'
import { reconcileRoutes } from './routes/reconcile.ts'
import { streamDataRoutes } from './routes/stream-data.ts'
import { streamRoutes } from './routes/streams.ts'
import { createAnalystViews, withViews } from './services/analyst-views.ts'
import { createCursors } from './services/cursors.ts'
import { createFollowed } from './services/followed.ts'
import { createGraphQueries } from './services/graph-queries.ts'
import { createHealth } from './services/health.ts'
import { openObjectStore } from './services/object-store.ts'
import { createRebuilds } from './services/rebuilds.ts'
import { createReconcile } from './services/reconcile.ts'
import { createReconcileSchema } from './services/reconcile-schema.ts'
import { createRegistered } from './services/registered.ts'
import { createRegistry } from './services/registry.ts'
import { createSchemaEdits } from './services/schema-edits.ts'
import { createSchemaFollowing } from './services/schema-following.ts'
import { createSchemas } from './services/schemas.ts'
import { createAlone, createShared } from './services/sharing.ts'
import { createStillness } from './services/stillness.ts'
import { createStorageNames } from './services/storage-names.ts'
import { createStoreProbe } from './services/store-probe.ts'
import { createStreamQueries } from './services/stream-queries.ts'
import { createStreamUpload } from './services/stream-upload.ts'
import { createTablePart } from './tables.ts'

const megabyte = 1024 * 1024

/** What stands between the service and a part of it; tests let a part fail. */
export type Parts = { readonly clickhouse: (part: ClickHouse) => ClickHouse }

const asTheyAre: Parts = { clickhouse: (part) => part }

/** Composes every part over `config.DATA_DIR`. `close` ends requests, feeds what the log holds, and closes in reverse. */
export async function createService(
  config: Config,
  logger: Logger,
  parts: Parts = asTheyAre,
  door: Door = createDoor(),
) {
  const opening = openObjectStore(config) // beside the rest
  opening.catch(() => {})
  const opened = await openClickHouse(config, logger)
  const clickhouse = parts.clickhouse(opened.clickhouse)
  await migrate(clickhouse)
  const metrics = createMetrics()
  const openedLog = await openLog(config, logger)
  const { log, clock } = openedLog
  const isShared = config.CLICKHOUSE_URL !== undefined
  const versions = createVersions(clock)
  const catalogue = createCatalogue(clickhouse, clock.next, versions.next)
  const tableCatalogue = createTableCatalogue(clickhouse, versions.next)
  const { feeder, delivery } = openedLog.deliver({ clickhouse, catalogue, logger, metrics })
  const registry = createRegistry()
  const predict = () => undefined
  const registered = createRegistered({ catalogue, log, clock, logger, predict, delivery })
  const names = createStorageNames()
  const followed = createFollowed({
    load: async () => {
      await schemas.load()
      await tablePart.load()
    },
    schemas: () => schemas,
    edits: () => edits,
    tables: () => tablePart,
    tableCatalogue,
    following: () => following,
  })
  const sharing = isShared
    ? createShared({ id: openedLog.id ?? randomUUID(), clickhouse, catalogue, versions, clock, logger, followed })
    : createAlone(followed)
  const { agreed, schemasInTurn: inTurn } = sharing
  const changing = {
    clickhouse: sharing.guarded(clickhouse),
    catalogue,
    registry,
    registered,
    feeder,
    delivery,
    logger,
    inTurn,
    agreed,
    isShared,
  }
  const edits = createSchemaEdits(changing)
  const views = createAnalystViews({ ...changing, atOnce: isShared })
  const schemas = createSchemas({ ...changing, edits, names, views })
  const following = createSchemaFollowing({ catalogue, registry, registered, edits, feeder, delivery, names })
  const cursors = createCursors(await sharing.join(() => catalogue.secret('cursor')))
  const queries = createStreamQueries({ clickhouse, feeder, cursors })
  const graphs = createGraphQueries({ clickhouse, feeder })
  const store = await opening
  const orchestration = await createOrchestration({
    config,
    clickhouse,
    now_us: versions.next,
    registry,
    edits,
    objects: store.objects,
    logger,
  })
  const { orchestrator } = orchestration
  const rebuilds = createRebuilds({ clickhouse, registry, edits, orchestrator })
  const still = createStillness({ edits, inTurn })
  const reconcileSchema = createReconcileSchema({ clickhouse: changing.clickhouse, still })
  const reconcile = createReconcile({ registry, reconcileSchema, delivery, logger, metrics })
  const tablePart = createTablePart({
    clickhouse,
    clock,
    catalogue: tableCatalogue,
    inTurn: sharing.tablesInTurn,
    isShared,
    agreed,
    cursors,
    names,
    countBuckets: async () => (await store.buckets.list()).length,
    logger,
    cacheMb: config.CACHE_MB,
    bodyLimit: config.MAX_BODY_MB * megabyte,
  })
  await sharing.start()
  await feeder.resume(registry.mayFeed)
  const upload = createStreamUpload({ feeder, clock, orchestrator })
  const health = createHealth({
    clickhouse,
    feeder,
    waitingBytes: openedLog.waitingBytes,
    metrics,
    askBuckets: createStoreProbe(store.has),
    askOrchestration: orchestrator.ask,
    unfinished: edits.unfinished.list,
  })
  const bodyLimit = config.MAX_BODY_MB * megabyte
  const probes = healthRoutes({ health, metrics })
  const routers = [
    streamRoutes({ registry, schemas, edits, rebuilds, queries, feeder, metrics, bodyLimit }),
    queryRoutes({ registry, streams: queries, tables: tablePart.statements, bodyLimit }),
    ...tablePart.routers,
    graphRoutes({ registry, graphs, bodyLimit }),
    reconcileRoutes({ reconcile, bodyLimit }),
    streamDataRoutes({ registry, upload, bodyLimit }),
    sliceRoutes({ store, bodyLimit }),
    objectRoutes({ store, logger }),
    bucketRoutes({ store, bodyLimit, logger }),
    probes,
  ]
  opened.hurry()
  const analysts = await openAnalystsPort(config, logger, (runner) => withViews(runner, views))
  await orchestration.start()
  if (delivery.redelivers && config.ROLE !== 'worker') void reconcile.recent()
  door.open(createApp({ routers: config.ROLE === 'worker' ? [probes] : routers, logger, metrics }).callback())

  return {
    server: door.server,
    /** Where analysts ask, if anywhere. */
    analysts: analysts?.url,
    async close(): Promise<void> {
      health.stop()
      reconcile.stop()
      edits.stop()
      await analysts?.close()
      await door.close()
      await orchestration.close()
      await tablePart.close()
      await sharing.stop()
      await feeder.close()
      await openedLog.close()
      await store.close()
      await clickhouse.close()
    },
  }
}

export type Service = Awaited<ReturnType<typeof createService>>
