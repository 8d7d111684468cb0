import { runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileRebuildTables,
  compileSwapped,
  rebuildTargets,
  swapTarget,
} from '../../../sql/schema/ddl/edit/rebuild.ts'
import type { RebuildDeps, RebuildRequest } from './deps.ts'
import { takeAway } from './drop-rebuilds.ts'
import { streamIn } from './stream-in.ts'

/**
 * Puts the new aggregates in place of the old ones, all while no event is on its way; false where an edit has taken the
 * rebuild away. What a crash has cut off is gone on with: the tables themselves tell which are in place.
 */
export const createSwapAggregates =
  ({ clickhouse, quiesce }: RebuildDeps) =>
  async ({ schema: name, stream, token }: RebuildRequest): Promise<boolean> => {
    const isDone = await quiesce(name, async (schema) => {
      const targets = rebuildTargets(schema, streamIn(schema, stream))
      const places = new Set((await clickhouse.rows<{ at: string }>(compileSwapped(token))).map(({ at }) => at))
      const waiting = targets.flatMap((target, index) =>
        places.has(`${target.database}.${target.table}`) ? [] : [{ target, index }],
      )
      const rows = await clickhouse.rows<{ name: string }>(compileRebuildTables(token))
      const tables = new Set(rows.map(({ name }) => name))
      // Without its feed a table lacks what came since that was taken away: the process that did so may have been cut off.
      if (waiting.some(({ index }) => !tables.has(`t${index}_fill`) || !tables.has(`t${index}_feed`))) return false
      for (const { target, index } of waiting) {
        await runAll(clickhouse, swapTarget(target, { token, index }))
      }
      return true
    })
    if (isDone) await takeAway(clickhouse, token)
    return isDone
  }
