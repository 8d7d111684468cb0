import { createBeginRebuild } from './begin-rebuild.ts'
import type { RebuildDeps } from './deps.ts'
import { dropRebuilds } from './drop-rebuilds.ts'
import { createFillAggregate } from './fill-aggregate.ts'
import { createSwapAggregates } from './swap-aggregates.ts'

/** The steps of a rebuild, each of which may be repeated at any time. */
export const createRebuildActivities = (deps: RebuildDeps) => ({
  beginRebuild: createBeginRebuild(deps),
  fillAggregate: createFillAggregate(deps),
  swapAggregates: createSwapAggregates(deps),
  abandonRebuild: ({ schema, stream }: { readonly schema: string; readonly stream: string }): Promise<void> =>
    dropRebuilds(deps.clickhouse, schema, stream),
})

export type RebuildActivities = ReturnType<typeof createRebuildActivities>
