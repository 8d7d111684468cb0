import { randomBytes } from 'node:crypto'
import { runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileEntityLosses,
  compileOld,
  copyForLoss,
  entitySources,
} from '../../../sql/schema/ddl/edit/expired-data.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import type { RebuildDeps } from './deps.ts'
import { takeAway } from './drop-rebuilds.ts'

/** Whether aggregates hold what a rebuild would lose: they outlive the events that brought it. */
export async function holdsExpired(
  { clickhouse, quiesce }: Pick<RebuildDeps, 'clickhouse' | 'quiesce'>,
  schema: Schema,
  stream: Stream,
): Promise<boolean> {
  if (stream.window === 0) return false
  const cutoff_us = (Date.now() - stream.window * 1000) * 1000
  for (const statement of compileOld(schema, stream, cutoff_us)) {
    if ((await clickhouse.rows(statement)).length > 0) return true
  }
  if (entitySources(schema, stream).length === 0) return false
  const token = randomBytes(6).toString('hex')
  try {
    await quiesce(schema.name, async () => {
      await runAll(clickhouse, copyForLoss(schema, stream, token))
    })
    for (const statement of compileEntityLosses(schema, stream, token, cutoff_us)) {
      const [row] = await clickhouse.rows<{ lost: number }>(statement)
      if (Number(row?.lost) === 1) return true
    }
    return false
  } finally {
    await takeAway(clickhouse, token)
  }
}
