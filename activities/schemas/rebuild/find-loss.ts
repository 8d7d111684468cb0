import { randomBytes } from 'node:crypto'
import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileEntityLosses,
  compileOld,
  copyForLoss,
  type EntityLoss,
  entitySources,
} from '../../../sql/schema/ddl/edit/expired-data.ts'
import { queueName } from '../../../sql/schema/names.ts'
import { latestOf } from '../../../sql/schema/reconcile/check.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import { takeAway } from './drop-rebuilds.ts'
import type { RebuildDeps } from './rebuild.ts'

export type LossDeps = Pick<RebuildDeps, 'clickhouse' | 'quiesce'> & {
  readonly catalogue: Pick<Catalogue, 'completeSince' | 'erased'>
}

/** From when on a stream surely has all its events, in microseconds; undefined where none has ever expired. */
export async function keptFrom(
  catalogue: Pick<Catalogue, 'completeSince'>,
  schema: Schema,
  { name, window }: Stream,
): Promise<number | undefined> {
  const since_us = await catalogue.completeSince(queueName(schema.name, name))
  return latestOf(since_us, window === 0 ? undefined : (Date.now() - window * 1000) * 1000)
}

/** Whether aggregates hold values that a rebuild would lose: they outlive the events that brought it. */
export async function holdsExpired(
  { clickhouse, quiesce, catalogue }: LossDeps,
  schema: Schema,
  stream: Stream,
): Promise<boolean> {
  const cutoff_us = await keptFrom(catalogue, schema, stream)
  if (cutoff_us === undefined) return false
  for (const statement of compileOld(schema, stream, cutoff_us)) {
    if ((await clickhouse.rows(statement)).length > 0) return true
  }
  const erased = (await catalogue.erased(schema.name)).get(stream.name)?.counts
  const loss = { schema, stream, sources: entitySources(schema, stream), erased, cutoff_us }
  return entitiesLose(clickhouse, (work) => quiesce(schema.name, work), loss)
}

export type PossibleLoss = Omit<EntityLoss, 'token'> & {
  /** Older events have expired, whether they are still there or not. */
  readonly cutoff_us: number
}

/** Whether entities have counted more than the events show; `quiesced` runs its work while no event of the schema is on its way. */
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
