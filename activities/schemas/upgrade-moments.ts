import type { SchemaRecord } from '../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { reasonOf } from '../../infra/unfinished.ts'
import { compileOldMoments, upgradeMoments } from '../../sql/schema/ddl/upgrade-moments.ts'
import type { AnalystViews } from './analyst-views.ts'
import type { SchemaCompiler } from './compile-schema.ts'

const halfChanged = 'it is left half-changed: start once more with the version before, then upgrade to this one'

export type MomentsUpgradeDeps = {
  readonly clickhouse: ClickHouse
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly views: Pick<AnalystViews, 'of'>
  readonly logger: Logger
}

/**
 * Brings the moments of schemas that an earlier version made into the form of this one, and ends what a crash cut off.
 * Runs with the catalogue's lease; processes of the earlier version must have ended. Answers the schemas that could not be
 * brought into it, and why: they keep no other from being served.
 */
export async function upgradeAllMoments(
  deps: MomentsUpgradeDeps,
  records: readonly SchemaRecord[],
): Promise<ReadonlyMap<string, string>> {
  const { clickhouse, compiler, views, logger } = deps
  const failed = new Map<string, string>()
  const old = await clickhouse.rows<{ schema: string; view: string }>(compileOldMoments)
  for (const { name, body, state } of records) {
    const feeds = old.filter(({ schema }) => schema === name)
    if (feeds.length === 0 || state === 'gone' || state === 'dropping') continue
    logger.info({ schema: name }, 'schema of an earlier version, bringing its moments up to date')
    try {
      if (state !== 'ready') throw new Error(halfChanged)
      const schema = compiler.decode(body)
      await runAll(clickhouse, upgradeMoments(schema, new Set(feeds.map(({ view }) => view)), views.of(schema)))
    } catch (error) {
      logger.error({ err: error, schema: name }, 'moments of a schema not brought up to date, it is not served')
      failed.set(name, reasonOf(error))
    }
  }
  return failed
}
