import { migrate, refuseOtherTables } from '../infra/clickhouse/migrate.ts'
import { openClickHouse } from '../infra/clickhouse/open.ts'
import { readConfig } from '../infra/config.ts'
import { createLogger } from '../infra/logger.ts'
import { migrating } from '../infra/processes/leases.ts'

/**
 * Brings ClickHouse's static objects up to date and ends: to run once before processes of a new version start. Every
 * start does the same, and each file is safe to repeat.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const { clickhouse } = await openClickHouse(config, logger)
  try {
    await refuseOtherTables(clickhouse)
    await migrate(clickhouse, config.CLICKHOUSE_URL === undefined ? undefined : migrating(clickhouse))
    logger.info('ClickHouse is up to date')
  } finally {
    await clickhouse.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`weir cannot migrate: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
