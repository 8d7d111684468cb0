import { randomBytes } from 'node:crypto'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileEntityLosses,
  compileOld,
  copyForLoss,
  type EntityLoss,
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
  const loss = { schema, stream, sources: entitySources(schema, stream), cutoff_us }
  return entitiesLose(clickhouse, (work) => quiesce(schema.name, work), loss)
}

export type PossibleLoss = Omit<EntityLoss, 'token'> & {
  /** Older events have expired, whether they are still there or not. */
  readonly cutoff_us: number
}

/** Whether entities have counted more than the events tell; `quiesced` runs its work while no event of the schema is on its way. */
export async function entitiesLose(
  clickhouse: ClickHouse,
  quiesced: (work: () => Promise<void>) => Promise<void>,
  { cutoff_us, ...possible }: PossibleLoss,
): Promise<boolean> {
  if (possible.sources.length === 0) return false
  const loss = { ...possible, token: randomBytes(6).toString('hex') }
  try {
    await quiesced(() => runAll(clickhouse, copyForLoss(loss)))
    for (const statement of compileEntityLosses(loss, cutoff_us)) {
      const [row] = await clickhouse.rows<{ lost: number }>(statement)
      if (Number(row?.lost) === 1) return true
    }
    return false
  } finally {
    await takeAway(clickhouse, loss.token)
  }
}
