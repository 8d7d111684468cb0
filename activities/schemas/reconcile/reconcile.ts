import { setTimeout as sleep } from 'node:timers/promises'
import { Fault, fault } from '../../../base/faults.ts'
import { createMutex, type Exclusively } from '../../../base/mutex.ts'
import type { Delivery } from '../../../infra/log/delivery.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { reasonOf } from '../../../infra/unfinished.ts'
import { entityNames } from '../../../sql/schema/ddl/entities.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Rules } from '../../rules/rules.ts'
import type { ReconcileManner, ReconcileSchema, TableReport } from './reconcile-schema.ts'

export type ReconcileDeps = {
  readonly registry: Registry
  readonly reconcileSchema: ReconcileSchema
  readonly rules: Pick<Rules, 'refill'>
  readonly delivery: Pick<Delivery, 'drained' | 'resuming'>
  /** Waits until no schema is being changed. */
  readonly exclusively: Exclusively
  /** Whether a process before this one was cut off amid its work. */
  readonly wasCutOff: () => Promise<boolean>
  /** From then on this process will count as cut off itself, also where it stops as it should. */
  readonly leaveCutOff: () => void
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'reconcileRepaired'>
}

export type SchemaReport = {
  readonly schema: string
  readonly tables: readonly TableReport[]
  /** Why the schema was not compared to the end. */
  readonly error?: string
  /** A repair would have lowered counts, and was not asked to. */
  readonly isRefused?: true
}

/** Work that an earlier process may have left undone is no older. */
const recent_us = 3600 * 1e6
const [shortestPause_ms, longestPause_ms] = [5_000, 60_000]
/** How often it is looked whether a start has attached all consumers. */
const attaching_ms = 200
/** Schemas of which it is waited at a time until their tables have caught up; they are compared one at a time. */
const schemasAtOnce = 8
/** After this many failures an operator has to find out why. */
const maxFailures = 5
/** How often a schema is compared anew because it was edited meanwhile. */
const maxEdits = 3

/** Finds events that were delivered twice or applied to some tables only, and repairs the tables; one schema at a time. */
export function createReconcile(deps: ReconcileDeps) {
  const { registry, reconcileSchema, rules, delivery, wasCutOff, leaveCutOff, logger, metrics } = deps
  const oneAtATime = createMutex()
  let stopped = false

  async function one(schema: Schema, since_us?: number, manner?: ReconcileManner): Promise<SchemaReport> {
    if (stopped) throw fault('unavailable', 'weir stops')
    const tables = await reconcileSchema(schema, since_us, manner)
    const mended = tables.filter(({ repaired }) => repaired > 0)
    // References remember rows of events and of entities as they were.
    if (mended.length > 0) {
      await rules.refill(schema.name, [...new Set(mended.map(({ stream }) => stream)), ...entityNames(schema)])
    }
    for (const { stream, table, repaired } of mended) {
      metrics.reconcileRepaired.inc({ stream: `${schema.name}.${stream}` }, repaired)
      logger.warn({ schema: schema.name, stream, table, repaired }, 'table did not fit its events, repaired')
    }
    return { schema: schema.name, tables }
  }

  /** The schema as it is by now where it is another than the one that was compared. */
  const editedSince = (schema: Schema): Promise<Schema | undefined> =>
    deps
      .exclusively(async () => registry.find(schema.name)?.schema)
      .then((now) => (now === schema ? undefined : now))
      .catch(() => undefined)

  /** A comparison fails where an edit takes a table away that it reads: the schema is then compared as it is by now. */
  async function failSafe(
    schema: Schema,
    since_us?: number,
    manner?: ReconcileManner,
    edits = maxEdits,
  ): Promise<SchemaReport> {
    try {
      return await one(schema, since_us, manner)
    } catch (error) {
      const edited = stopped || edits === 0 ? undefined : await editedSince(schema)
      if (edited) return failSafe(edited, since_us, manner, edits - 1)
      if (!(error instanceof Fault)) logger.error({ err: error, schema: schema.name }, 'schema not reconciled')
      const isRefused = manner === 'repair' && error instanceof Fault && error.kind === 'conflict'
      return { schema: schema.name, tables: [], error: reasonOf(error), ...(isRefused && { isRefused: true as const }) }
    }
  }

  /** Schemas that are to be compared after a cut; why the last attempt failed, and how often comparing did. */
  type Waiting = { readonly reason?: string; readonly failures: number }
  const waiting = new Map<string, Waiting>()

  async function isCompared(schema: Schema, since_us?: number): Promise<boolean> {
    const { error } = await oneAtATime(() => failSafe(schema, since_us))
    if (error !== undefined && !stopped) logger.warn({ schema: schema.name, reason: error }, 'schema not reconciled')
    return error === undefined
  }

  /** Compares a schema once its tables hold all that the log holds now; throws where it is late, or fails. */
  async function attempt(schema: Schema, since_us: number): Promise<void> {
    await delivery.drained(schema)
    const { error } = await oneAtATime(() => failSafe(schema, since_us))
    if (error === undefined) waiting.delete(schema.name)
    else {
      waiting.set(schema.name, { failures: (waiting.get(schema.name)?.failures ?? 0) + 1 })
      throw new Error(error)
    }
  }

  async function attemptAll(names: string[], since_us: number): Promise<void> {
    const next = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined && !stopped; name = names.shift()) {
        const schema = registry.find(name)?.schema
        if (!schema) waiting.delete(name)
        else await attempt(schema, since_us).catch((error: unknown) => late(schema, error))
      }
    }
    await Promise.all(Array.from({ length: schemasAtOnce }, next))
  }

  function late({ name }: Schema, error: unknown): void {
    if (stopped) return
    const reason = reasonOf(error)
    if (waiting.get(name)?.reason !== reason) logger.warn({ schema: name, reason }, 'schema not reconciled, retrying')
    waiting.set(name, { failures: waiting.get(name)?.failures ?? 0, reason })
  }

  return {
    /** Compares every schema, or the one of that name. */
    run(name?: string, manner: ReconcileManner = 'force'): Promise<SchemaReport[]> {
      return oneAtATime(async () => {
        const schemas = name === undefined ? registry.all() : [registry.schema(name)]
        const reports: SchemaReport[] = []
        for (const { schema } of schemas) {
          const report = await failSafe(schema, undefined, manner)
          if (report.error === undefined && manner !== 'look') waiting.delete(schema.name)
          reports.push(report)
        }
        return reports
      })
    },

    /**
     * After a process was cut off: compares the keys that events of the last hour have touched, each schema once its tables have
     * caught up with the log. One that does not catch up holds up no other, and is tried again until it has.
     */
    async afterCut(): Promise<void> {
      const isNeeded = await wasCutOff().catch((error: unknown) => {
        logger.warn({ err: error }, 'unknown whether a process was cut off, reconciling')
        return true
      })
      if (!isNeeded) return
      logger.info('a process was cut off, reconciling the last hour')
      const since_us = Date.now() * 1000 - recent_us
      for (const { schema } of registry.all()) waiting.set(schema.name, { failures: 0 })
      // It would take the processor from the consumers that it waits for.
      while (!stopped && delivery.resuming().some(({ reason }) => reason === undefined)) {
        await sleep(attaching_ms, undefined, { ref: false })
      }
      for (let pause_ms = shortestPause_ms; !stopped; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
        const names = [...waiting].flatMap(([name, { failures }]) => (failures < maxFailures ? [name] : []))
        if (names.length === 0) return
        await attemptAll(names, since_us)
        if (waiting.size > 0) await sleep(pause_ms, undefined, { ref: false })
      }
    },

    /** Schemas that a crash may have left wrong and that could not be compared yet, and why. */
    uncompared: (): { name: string; reason: string }[] =>
      [...waiting].flatMap(([name, { reason }]) =>
        // One that was deleted while it was compared is forgotten at the next round.
        reason === undefined || !registry.find(name)
          ? []
          : [{ name, reason: `not compared with its events after a crash: ${reason}` }],
      ),

    /** Compares the keys that events from `since_us` on have touched; whether that came to its end. */
    compare: isCompared,

    /** Leaves schemas that are still to be compared to the next process. */
    stop(): void {
      stopped = true
      if (waiting.size > 0) leaveCutOff()
    },
  }
}

export type Reconcile = ReturnType<typeof createReconcile>
