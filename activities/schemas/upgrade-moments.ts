import type { SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { compileOldMoments, upgradeMoments } from '../../sql/schema/ddl/upgrade-moments.ts'
import type { AnalystViews } from './analyst-views.ts'
import type { SchemaCompiler } from './compile-schema.ts'

export type MomentsUpgradeDeps = {
  readonly clickhouse: ClickHouse
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly views: Pick<AnalystViews, 'of'>
  readonly logger: Logger
}

/**
 * Brings the moments of schemas that an earlier version made into the form of this one, and ends what a crash cut off.
 * Runs with the catalogue's lease; processes of the earlier version must have ended.
 */
export async function upgradeAllMoments(deps: MomentsUpgradeDeps, records: readonly SchemaRecord[]): Promise<void> {
  const { clickhouse, compiler, views, logger } = deps
  const old = await clickhouse.rows<{ schema: string; view: string }>(compileOldMoments)
  for (const { name, body, state } of records) {
    const feeds = old.filter(({ schema }) => schema === name)
    if (feeds.length === 0 || state === 'gone' || state === 'dropping') continue
    if (state !== 'ready') {
      throw new Error(
        `schema ${name} is left half-changed: start once more with the version before, then upgrade to this one`,
      )
    }
    logger.info({ schema: name }, 'schema of an earlier version, bringing its moments up to date')
    const schema = compiler.decode(body)
    await runAll(clickhouse, upgradeMoments(schema, new Set(feeds.map(({ view }) => view)), views.of(schema)))
  }
}
