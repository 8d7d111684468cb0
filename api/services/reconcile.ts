import { Fault, fault } from '../../infra/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import type { ReconcileSchema, TableReport } from './reconcile-schema.ts'
import type { Registry } from './registry.ts'
import { createTurns } from './schema-turns.ts'
import { reasonOf } from './unfinished.ts'

export type ReconcileDeps = {
  readonly registry: Registry
  readonly reconcileSchema: ReconcileSchema
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'reconcileRepaired'>
}

export type SchemaReport = {
  readonly schema: string
  readonly tables: readonly TableReport[]
  /** Why the schema was not compared to the end. */
  readonly error?: string
}

/** What an earlier process may have left undone is no older. */
const recent_us = 3600 * 1e6

/** Finds what was delivered twice or applied to some tables only, and puts it in order; one schema at a time. */
export function createReconcile({ registry, reconcileSchema, logger, metrics }: ReconcileDeps) {
  const inTurn = createTurns()
  let stopped = false

  async function one(schema: Schema, since_us?: number): Promise<SchemaReport> {
    if (stopped) throw fault('unavailable', 'weir stops')
    const tables = await reconcileSchema(schema, since_us)
    for (const { stream, table, repaired } of tables.filter(({ repaired }) => repaired > 0)) {
      metrics.reconcileRepaired.inc({ stream: `${schema.name}.${stream}` }, repaired)
      logger.warn({ schema: schema.name, stream, table, repaired }, 'table did not fit its events, repaired')
    }
    return { schema: schema.name, tables }
  }

  async function failSafe(schema: Schema, since_us?: number): Promise<SchemaReport> {
    try {
      return await one(schema, since_us)
    } catch (error) {
      if (!(error instanceof Fault)) logger.error({ err: error, schema: schema.name }, 'schema not reconciled')
      return { schema: schema.name, tables: [], error: reasonOf(error) }
    }
  }

  const all = (since_us?: number): Promise<SchemaReport[]> =>
    inTurn(async () => {
      const reports: SchemaReport[] = []
      for (const { schema } of registry.all()) reports.push(await failSafe(schema, since_us))
      return reports
    })

  return {
    /** Compares every schema, or the one of that name. */
    async run(name?: string): Promise<SchemaReport[]> {
      if (name === undefined) return all()
      const { schema } = registry.schema(name)
      return inTurn(async () => [await failSafe(schema)])
    },

    /** Compares what events of the last hour have touched. */
    async recent(): Promise<void> {
      for (const { schema, error } of await all(Date.now() * 1000 - recent_us)) {
        if (error !== undefined && !stopped)
          logger.warn({ schema, reason: error }, 'schema not reconciled after the start')
      }
    },

    stop(): void {
      stopped = true
    },
  }
}

export type Reconcile = ReturnType<typeof createReconcile>
