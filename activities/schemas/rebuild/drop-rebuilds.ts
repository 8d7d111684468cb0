import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileRebuildFeeds,
  compileRebuilds,
  dropRebuild,
  dropRebuildFeed,
  killRebuild,
} from '../../../sql/schema/ddl/edit/rebuild.ts'

/** Takes away the tables that rebuilds of a stream have made beside its aggregates, or those of all streams of a schema. */
export async function dropRebuilds(clickhouse: ClickHouse, schema: string, stream?: string): Promise<void> {
  for (const { token } of await clickhouse.rows<{ token: string }>(compileRebuilds(schema, stream))) {
    await clickhouse.run(killRebuild(token))
    await takeAway(clickhouse, token)
  }
}

/** The feeds go first: an event may be on its way. */
export async function takeAway(clickhouse: ClickHouse, token: string): Promise<void> {
  for (const { name } of await clickhouse.rows<{ name: string }>(compileRebuildFeeds(token))) {
    await clickhouse.run(dropRebuildFeed(token, name))
  }
  await clickhouse.run(dropRebuild(token))
}
