import type Router from '@koa/router'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../infra/clock.ts'
import type { Logger } from '../infra/logger.ts'
import { createNotificationStore } from '../infra/notification-store.ts'
import type { TableCatalogue } from '../infra/table-catalogue.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { tableRoutes } from './routes/tables.ts'
import type { Cursors } from './services/cursors.ts'
import { createNotifications } from './services/notifications.ts'
import { createRecords } from './services/records.ts'
import type { InTurn } from './services/schema-turns.ts'
import type { StorageNames } from './services/storage-names.ts'
import { createTableIndexes } from './services/table-indexes.ts'
import { createTableQueries } from './services/table-queries.ts'
import { createTableStatements } from './services/table-statements.ts'
import { createTableStatistics } from './services/table-statistics.ts'
import { createTables } from './services/tables.ts'

export type TablePartDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly catalogue: TableCatalogue
  readonly inTurn: InTurn
  readonly isShared: boolean
  readonly agreed: () => Promise<void>
  readonly cursors: Cursors
  readonly names: StorageNames
  readonly countBuckets: () => Promise<number>
  readonly logger: Logger
  readonly cacheMb: number
  readonly bodyLimit: number
}

/** Composes tables and notifications: the half of the service that knows no streams. */
export function createTablePart({
  clickhouse,
  clock,
  catalogue,
  inTurn,
  isShared,
  agreed,
  cursors,
  names,
  countBuckets,
  logger,
  cacheMb,
  bodyLimit,
}: TablePartDeps) {
  const tables = createTables({ clickhouse, catalogue, names, clock, logger, inTurn, isShared, agreed })
  const indexes = createTableIndexes({ clickhouse, catalogue, tables, logger, agreed })
  const records = createRecords(clickhouse)
  const statistics = createTableStatistics({ clickhouse, countBuckets })
  const notifications = createNotifications({
    clickhouse,
    store: createNotificationStore(clickhouse, clock.next),
    cursors,
  })
  const queries = createTableQueries({ clickhouse, cursors })
  const routers: readonly Router[] = [
    notificationRoutes({ notifications, bodyLimit }),
    tableRoutes({ tables, indexes, records, statistics, cacheMb, bodyLimit }),
  ]
  return {
    routers,
    statements: createTableStatements({ tables, indexes, records, queries, notifications }),
    /** Reads the catalogue; undoes or ends what a crash left half-done. */
    async load(): Promise<void> {
      await tables.load()
      await indexes.load()
    },
    follow: tables.follow,
    /** Ends the writes that are under way. */
    close: tables.close,
  }
}

export type TablePart = ReturnType<typeof createTablePart>
