import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createCatalogue } from '../infra/catalogue.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../infra/clickhouse/embedded.ts'
import { createClickHouseFeed } from '../infra/clickhouse/feed.ts'
import { migrate } from '../infra/clickhouse/migrate.ts'
import type { Config } from '../infra/config.ts'
import { createFeeder } from '../infra/feeder.ts'
import { createLmdbLog } from '../infra/log/lmdb-log.ts'
import type { Logger } from '../infra/logger.ts'
import { createMetrics } from '../infra/metrics.ts'
import { createApp } from './app.ts'
import { sliceRoutes } from './routes/bucket-slices.ts'
import { bucketRoutes } from './routes/buckets.ts'
import { graphRoutes } from './routes/graphs.ts'
import { healthRoutes } from './routes/health.ts'
import { objectRoutes } from './routes/objects.ts'
import { queryRoutes } from './routes/queries.ts'
import { streamDataRoutes } from './routes/stream-data.ts'
import { streamRoutes } from './routes/streams.ts'
import { createCursors } from './services/cursors.ts'
import { createGraphQueries } from './services/graph-queries.ts'
import { createHealth } from './services/health.ts'
import { openObjectStore } from './services/object-store.ts'
import { createRebuilds } from './services/rebuilds.ts'
import { createRegistered } from './services/registered.ts'
import { createRegistry } from './services/registry.ts'
import { createSchemaEdits } from './services/schema-edits.ts'
import { createTurns } from './services/schema-turns.ts'
import { createSchemas } from './services/schemas.ts'
import { createStorageNames } from './services/storage-names.ts'
import { createStoreProbe } from './services/store-probe.ts'
import { createStreamQueries } from './services/stream-queries.ts'
import { createStreamUpload } from './services/stream-upload.ts'
import { createTablePart } from './tables.ts'

const megabyte = 1024 * 1024
/** An object of any size may take hours over a slow line; what stalls is cut long before. */
const longestRequest_ms = 24 * 3600 * 1000
/** Longer than load balancers keep a connection, so that no request meets one that is being closed. */
const idleConnection_ms = 75_000

/** What stands between the service and a part of it; tests let a part fail. */
export type Parts = { readonly clickhouse: (part: ClickHouse) => ClickHouse }

const asTheyAre: Parts = { clickhouse: (part) => part }

/** Composes every part over `config.DATA_DIR`. `close` ends requests, feeds what the log holds, and closes in reverse. */
export async function createService(config: Config, logger: Logger, parts: Parts = asTheyAre) {
  const opening = openObjectStore(config) // beside the rest
  opening.catch(() => {})
  const clickhouse = parts.clickhouse(
    createEmbeddedClickHouse({ path: join(config.DATA_DIR, 'clickhouse'), cacheMb: config.CACHE_MB }),
  )
  await migrate(clickhouse)
  const metrics = createMetrics()
  const { log, source, clock } = createLmdbLog({
    path: join(config.DATA_DIR, 'log'),
    maxBytes: config.MAX_LOG_MB * megabyte,
  })
  const feeder = createFeeder({ log, source, feed: createClickHouseFeed(clickhouse), logger, metrics })
  const catalogue = createCatalogue(clickhouse, clock.next)
  const registry = createRegistry()
  const predict = () => undefined
  const registered = createRegistered({ catalogue, log, clock, logger, predict })
  const inTurn = createTurns()
  const edits = createSchemaEdits({ clickhouse, catalogue, registry, registered, feeder, logger, inTurn })
  const names = createStorageNames()
  const schemas = createSchemas({ clickhouse, catalogue, registry, registered, edits, feeder, names, logger, inTurn })
  const rebuilds = createRebuilds({ clickhouse, registry, edits, logger })
  await schemas.load()
  await feeder.resume(new Set(registry.queues()))
  const cursors = createCursors(await catalogue.secret('cursor'))
  const queries = createStreamQueries({ clickhouse, feeder, cursors })
  const graphs = createGraphQueries({ clickhouse, feeder })
  const store = await opening
  const tablePart = await createTablePart({
    clickhouse,
    clock,
    cursors,
    names,
    logger,
    cacheMb: config.CACHE_MB,
    bodyLimit: config.MAX_BODY_MB * megabyte,
  })
  const upload = createStreamUpload({ clickhouse, feeder, clock, objects: store.objects })
  const health = createHealth({ clickhouse, feeder, source, metrics, askBuckets: createStoreProbe(store.has) })
  const bodyLimit = config.MAX_BODY_MB * megabyte
  const routers = [
    streamRoutes({ registry, schemas, edits, rebuilds, queries, feeder, metrics, bodyLimit }),
    queryRoutes({ registry, streams: queries, tables: tablePart.statements, bodyLimit }),
    ...tablePart.routers,
    graphRoutes({ registry, graphs, bodyLimit }),
    streamDataRoutes({ registry, upload, bodyLimit }),
    sliceRoutes({ store, bodyLimit }),
    objectRoutes({ store, logger }),
    bucketRoutes({ store, bodyLimit, logger }),
    healthRoutes({ health, metrics }),
  ]
  const server: Server = createServer(
    { requestTimeout: longestRequest_ms, keepAliveTimeout: idleConnection_ms },
    createApp({ routers, logger, metrics }).callback(),
  )

  return {
    server,
    async close(): Promise<void> {
      health.stop()
      edits.stop()
      await closeServer(server)
      await tablePart.close()
      await feeder.close()
      await log.close()
      await store.close()
      await clickhouse.close()
    },
  }
}

export type Service = Awaited<ReturnType<typeof createService>>

/** Ends requests that are under way, three seconds long; then cuts what is left. Who sends more is told to go. */
async function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.closeAllConnections(), 3_000)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}
