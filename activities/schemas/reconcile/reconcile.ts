import { setTimeout as after } from 'node:timers/promises'
import { Fault, fault } from '../../../infra/faults.ts'
import type { Delivery } from '../../../infra/log/delivery.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { createMutex } from '../../../infra/mutex.ts'
import { reasonOf } from '../../../infra/unfinished.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Registry } from '../registry.ts'
import type { ReconcileSchema, TableReport } from './reconcile-schema.ts'

export type ReconcileDeps = {
  readonly registry: Registry
  readonly reconcileSchema: ReconcileSchema
  readonly delivery: Pick<Delivery, 'drained'>
  /** Whether a process before this one was cut off amid its work. */
  readonly wasCutOff: () => Promise<boolean>
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
const pause_ms = 5_000

/** Finds what was delivered twice or applied to some tables only, and puts it in order; one schema at a time. */
export function createReconcile(deps: ReconcileDeps) {
  const { registry, reconcileSchema, delivery, wasCutOff, logger, metrics } = deps
  const exclusively = createMutex()
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

  /** Waits until the tables hold all that the log holds now; false where it stops first. */
  async function hasCaughtUp(schema: Schema): Promise<boolean> {
    while (!stopped) {
      try {
        await delivery.drained(schema)
        return true
      } catch (error) {
        logger.debug({ err: error, schema: schema.name }, 'not caught up yet')
        await after(pause_ms, undefined, { ref: false })
      }
    }
    return false
  }

  async function isCompared(schema: Schema, since_us?: number): Promise<boolean> {
    const { error } = await exclusively(() => failSafe(schema, since_us))
    if (error !== undefined && !stopped) logger.warn({ schema: schema.name, reason: error }, 'schema not reconciled')
    return error === undefined
  }

  return {
    /** Compares every schema, or the one of that name. */
    run(name?: string): Promise<SchemaReport[]> {
      return exclusively(async () => {
        const schemas = name === undefined ? registry.all() : [registry.schema(name)]
        const reports: SchemaReport[] = []
        for (const { schema } of schemas) reports.push(await failSafe(schema))
        return reports
      })
    },

    /**
     * After a process was cut off: compares what events of the last hour have touched, once the tables have caught up
     * with the log.
     */
    async afterCut(): Promise<void> {
      const isNeeded = await wasCutOff().catch((error: unknown) => {
        logger.warn({ err: error }, 'unknown whether a process was cut off, reconciling')
        return true
      })
      if (!isNeeded) return
      logger.info('a process was cut off, reconciling the last hour')
      const since_us = Date.now() * 1000 - recent_us
      for (const { schema } of registry.all()) {
        if (!(await hasCaughtUp(schema))) return
        await isCompared(schema, since_us)
      }
    },

    /** Compares what events from `since_us` on have touched; whether that came to its end. */
    compare: isCompared,

    stop(): void {
      stopped = true
    },
  }
}

export type Reconcile = ReturnType<typeof createReconcile>
