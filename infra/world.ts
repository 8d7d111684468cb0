import { resolve } from 'node:path'
import { machineMemory } from '../base/memory.ts'
import { createBackups } from './backup/backups.ts'
import { createChanges } from './backup/changes.ts'
import { openBackupPlace, s3AccessOf } from './backup/open-place.ts'
import { readProgress } from './backup/progress.ts'
import { createShipping } from './backup/shipping.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createDeletionCatalogue } from './catalogue/deletions.ts'
import { createDoorCatalogue } from './catalogue/doors.ts'
import { createSavedCatalogue } from './catalogue/saved.ts'
import { createTableCatalogue } from './catalogue/tables.ts'
import type { ClickHouse } from './clickhouse/clickhouse.ts'
import { migrate, refuseOtherTables } from './clickhouse/migrate.ts'
import { openClickHouse } from './clickhouse/open.ts'
import { createQueries } from './clickhouse/queries.ts'
import type { QueryLimits } from './clickhouse/query-limits.ts'
import { setRetentions } from './clickhouse/retention.ts'
import { secondsAhead } from './clock.ts'
import type { Config } from './config.ts'
import { createNotedParts } from './data-folder/noted-parts.ts'
import { type DataFolder, openDataFolder } from './data-folder/open.ts'
import { createArrivals } from './log/arrivals.ts'
import { openLog } from './log/open.ts'
import type { Feeder } from './log/port.ts'
import type { Logger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { createLeases, migrating } from './processes/leases.ts'
import { nameWithoutLog } from './processes/processes.ts'
import { waitForOtherReleases } from './processes/releases.ts'
import { createAlone, createShared } from './processes/sharing.ts'
import { createVersions } from './processes/versions.ts'
import { openTracing } from './tracing/open.ts'
import { traceClickHouse } from './tracing/trace-clickhouse.ts'
import { release } from './version.ts'

/** Decorators of the connections of the service, by which tests let one fail. */
export type Decorators = { readonly clickhouse: (connection: ClickHouse) => ClickHouse }

const now_us = (): number => Date.now() * 1000
/** The log's note of how the latest backup ended. */
const progressNote = 'backup'

/** Reserved values reach a second ahead after a start. */
const loggedAhead_s = 60

export const undecorated: Decorators = { clickhouse: (connection) => connection }

/**
 * Opens the service's foundations over a folder that may be used, in this order: ClickHouse, its own tables, the log, the place among the processes.
 */
export async function openWorld(
  config: Config,
  logger: Logger,
  decorators: Decorators,
  dataFolder: DataFolder = openDataFolder(config, logger),
) {
  const tracing = await openTracing(config, logger)
  const opened = await openClickHouse(config, logger, tracing)
  const asked = decorators.clickhouse(opened.clickhouse)
  const connection = tracing ? traceClickHouse(asked, tracing.tracer) : asked
  const changes = createChanges()
  const clickhouse = changes.noting(connection)
  const isShared = config.CLICKHOUSE_URL !== undefined
  await refuseOtherTables(connection)
  await dataFolder.meet(connection)
  if (isShared) await waitForOtherReleases(connection, release(), logger)
  await migrate(connection, isShared ? migrating(connection) : undefined)
  await setRetentions(connection, config, logger)
  const metrics = createMetrics()
  metrics.watchDisk(config.DATA_DIR)
  const notedParts = isShared
    ? undefined
    : createNotedParts({
        clickhouse: connection,
        folder: resolve(config.DATA_DIR, 'clickhouse'),
        logger,
        found: (parts) => metrics.lostParts.set(parts),
      })
  const openedLog = await openLog(config, logger, tracing)
  const { log, clock, waitingBytes, trouble, rules, tasks } = openedLog
  await dataFolder.settle(connection)
  const ahead_s = Math.round(secondsAhead(clock))
  if (ahead_s > loggedAhead_s)
    logger.warn({ ahead_s }, "events get times of the future: the computer's clock was ahead once, see docs/operate.md")
  const backups = createBackups({
    config,
    clickhouse,
    still: opened.still,
    copyLog: openedLog.copy,
    now_us,
    logger,
    ended(progress) {
      if (progress.state === 'done') metrics.backupSuccess.set((progress.started ?? 0) / 1e6)
      openedLog.notes?.put(progressNote, JSON.stringify(progress)).catch(() => {}) // A full disk.
    },
    before: readProgress(openedLog.notes?.get(progressNote)),
  })
  await backups.open()
  if (backups.progress().state === 'done') metrics.backupSuccess.set((backups.progress().started ?? 0) / 1e6)
  const versions = createVersions(clock)
  const unguarded = createCatalogue(clickhouse, clock.next, versions.next)
  const id = openedLog.id ?? nameWithoutLog()
  const sharing = isShared
    ? createShared({ id, clickhouse, catalogue: unguarded, versions, clock, logger })
    : createAlone({ clickhouse, catalogue: unguarded })
  const { guarded, write } = sharing
  const catalogue = {
    ...createCatalogue(guarded, clock.next, versions.next, write),
    // A pivot is no change of a schema: an event may bring one at any time.
    putPivot: unguarded.putPivot,
    putHorizon: unguarded.putHorizon,
  }
  const { feeder: ownFeeder, delivery } = openedLog.deliver({
    // Events are shipped by the log.
    clickhouse: connection,
    catalogue: unguarded,
    logger,
    metrics,
    versions,
    leases: isShared ? createLeases({ clickhouse, id }) : undefined,
  })
  const feeder: Feeder = {
    ...ownFeeder,
    async forget(queue) {
      await ownFeeder.forget(queue)
      metrics.forgetStream(queue)
    },
  }
  /**
   * Secrets that all processes of the service share, so that each accepts the cursors and links that another has handed
   * out.
   */
  const secrets = await sharing.join(async () => ({
    cursors: await unguarded.secret('cursor'),
    downloads: await unguarded.secret('downloads'),
    ...(isShared && { analyst: await unguarded.secret('analyst') }),
    tokens: await unguarded.secret('tokens'),
  }))

  const shipping = await openShipping()
  async function openShipping() {
    const { shipping: shipped, id: service } = openedLog
    if (config.BACKUP_TO === undefined || !shipped || service === undefined) return undefined
    changes.onReshape(shipped.reshape)
    return createShipping({
      place: await openBackupPlace(config.BACKUP_TO, s3AccessOf(config)),
      service,
      log: shipped,
      backups,
      changes,
      every_ms: config.BACKUP_EVERY_S * 1000,
      keep: config.BACKUP_KEEP,
      metrics,
      logger,
      now_us,
    })
  }

  return {
    clickhouse,
    queries: createQueries(clickhouse, limitsOf(config, opened.queries)),
    metrics,
    logger,
    log,
    clock,
    arrivals: createArrivals(clock),
    /** The state of rules; absent where the log keeps none. */
    ...(rules && { rules }),
    /** The tasks that keep it instead, where other processes share the log. */
    ...(tasks && { tasks }),
    waitingBytes,
    trouble,
    versions,
    catalogue,
    tableCatalogue: createTableCatalogue(guarded, versions.next, write),
    deletionCatalogue: createDeletionCatalogue(guarded, versions.next, write),
    savedCatalogue: createSavedCatalogue(guarded, versions.next, write),
    hookCatalogue: createDoorCatalogue('hooks', guarded, versions.next, write),
    sourceCatalogue: createDoorCatalogue('sources', guarded, versions.next, write),
    feeder,
    delivery,
    sharing,
    secrets,
    backups,
    /** Notes what is not of the log. */
    changes,
    shipping,
    tracing,
    /** Tells which parts of tables are gone; absent where ClickHouse is a server. */
    notedParts,
    /** The log of before is lost: batches that were half done are in some tables only. */
    hasLostLog: dataFolder.hasLostLog(),
    /** The start is over: from now on a statement fails at once where ClickHouse is away. */
    failFast: opened.failFast,
    async close(): Promise<void> {
      await sharing.stop()
      await backups.close()
      await feeder.close()
      await shipping?.close()
      await openedLog.close()
      await notedParts?.close()
      await clickhouse.close()
      await tracing?.close()
    },
  }
}

const megabyte = 1024 * 1024

/** A server knows best how much of its memory a query may take. */
function limitsOf({ CLICKHOUSE_URL, MAX_QUERY_S, MAX_QUERY_ROWS, MAX_QUERY_MB }: Config, max: number): QueryLimits {
  const third = CLICKHOUSE_URL === undefined ? Math.floor(machineMemory() / 3) : undefined
  return {
    max,
    time_s: MAX_QUERY_S,
    rows: MAX_QUERY_ROWS,
    bytes: MAX_QUERY_MB === undefined ? third : MAX_QUERY_MB * megabyte,
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
