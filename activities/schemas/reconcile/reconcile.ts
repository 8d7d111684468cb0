import { setTimeout as after } from 'node:timers/promises'
import type { SchemaRecord } from '../../../infra/catalogue/catalogue.ts'
import { Fault, fault } from '../../../infra/faults.ts'
import type { Delivery } from '../../../infra/log/delivery.ts'
import type { Begun, Feeder } from '../../../infra/log/embedded/feeder.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { createMutex } from '../../../infra/mutex.ts'
import { reasonOf } from '../../../infra/unfinished.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Registry } from '../registry.ts'
import type { ReconcileSchema, TableReport } from './reconcile-schema.ts'

export type ReconcileDeps = {
  readonly registry: Registry
  readonly reconcileSchema: ReconcileSchema
  readonly delivery: Pick<Delivery, 'drained'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  /** Whether a process before this one was cut off amid its work. */
  readonly wasCutOff: () => Promise<boolean>
  /** Schemas that have another version in the catalogue than they had at that time, in microseconds since 1970. */
  readonly changedSince: (since_us: number) => Promise<readonly SchemaRecord[]>
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
/** By which the clocks of processes may differ. */
const clocks_us = 60 * 1e6
/** Then it is for an operator to find out why. */
const mostFailures = 5

/** Finds what was delivered twice or applied to some tables only, and puts it in order; one schema at a time. */
export function createReconcile(deps: ReconcileDeps) {
  const { registry, reconcileSchema, delivery, feeder, wasCutOff, changedSince, logger, metrics } = deps
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

  /** Whether all that this process was acknowledged of a schema is in its tables. */
  const hasCome = (schema: Schema): Promise<boolean> =>
    feeder.caughtUp(queueNames(schema)).then(
      () => true,
      () => false,
    )

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

    /**
     * After batches were cut off that are repeated now: what another process has built into a schema meanwhile, out of the
     * events that were there, has those of such a batch twice. Compares what was changed since then, once it is whole.
     */
    async afterRepeats(begun: readonly Begun[]): Promise<void> {
      const since_us = Math.min(...begun.map(({ first_us }) => first_us)) - clocks_us
      const names = new Set(begun.map(({ queue }) => queue.slice(0, queue.indexOf('.'))))
      for (let failures = 0; names.size > 0 && failures < mostFailures && !stopped; ) {
        const changed = await changedSince(since_us).catch(() => undefined)
        for (const name of changed ? [...names] : []) {
          const state = changed?.find((each) => each.name === name)?.state ?? 'gone'
          const schema = registry.find(name)?.schema
          if (state === 'gone' || state === 'dropping') names.delete(name)
          else if (state === 'ready' && schema && (await hasCome(schema))) {
            logger.info({ schema: name }, 'schema was changed while a batch of its events was cut off, reconciling')
            if (await isCompared(schema)) names.delete(name)
            else failures++
          }
        }
        if (names.size > 0) await after(pause_ms, undefined, { ref: false })
      }
    },

    stop(): void {
      stopped = true
    },
  }
}

export type Reconcile = ReturnType<typeof createReconcile>
