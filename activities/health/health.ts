import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { type Clock, secondsAhead } from '../../infra/clock.ts'
import { createClickHouseProbe } from '../../infra/health/clickhouse-probe.ts'
import type { StoreProbe } from '../../infra/health/store-probe.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { OrchestrationPart } from '../../infra/orchestration/orchestrator.ts'

type Unfinished = { readonly name: string; readonly reason: string }

export type HealthDeps = {
  readonly clickhouse: ClickHouse
  readonly feeder: Feeder
  /** Bytes that wait in the log. */
  readonly waitingBytes: () => number
  readonly metrics: Metrics
  readonly clock: Pick<Clock, 'last'>
  readonly askBuckets: StoreProbe
  readonly askOrchestration: () => Promise<OrchestrationPart>
  /** Schemas that something is left to do of, and tables. */
  readonly unfinishedSchemas: () => readonly Unfinished[]
  readonly unfinishedTables: () => readonly Unfinished[]
}

/** How each part does: the facts that probes, metrics and a person at night want to know. */
export function createHealth({
  clickhouse,
  feeder,
  waitingBytes,
  metrics,
  clock,
  askBuckets,
  askOrchestration,
  unfinishedSchemas,
  unfinishedTables,
}: HealthDeps) {
  let stopping = false

  const lag_ms = (): number => {
    const oldest = feeder.oldest_us()
    return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest / 1000)
  }

  const askClickHouse = createClickHouseProbe(clickhouse)
  const history = createHealthHistory()

  return {
    stop: (): void => {
      stopping = true
    },
    /** The events that wait in the log. */
    delivery: () => ({ waiting_bytes: waitingBytes(), lag_ms: Math.round(lag_ms()) }),
    observe: (): void => {
      metrics.logBytes.set(waitingBytes())
      metrics.logLag.set(lag_ms() / 1000)
      metrics.clockAhead.set(secondsAhead(clock))
    },
    async report() {
      const [clickhouse, buckets, orchestration] = await Promise.all([
        askClickHouse(),
        askBuckets(),
        askOrchestration(),
      ])
      const failures = feeder.failures()
      const log = {
        status: failures.length === 0 ? 'up' : 'failing',
        waiting_bytes: waitingBytes(),
        lag_ms: Math.round(lag_ms()),
        ...(failures.length > 0 && { failures }),
      }
      const failing = unfinishedSchemas().map(({ name, reason }) => ({ schema: name, reason }))
      const schemas = { status: failing.length === 0 ? 'up' : 'failing', ...(failing.length > 0 && { failing }) }
      const halfMade = unfinishedTables().map(({ name, reason }) => ({ table: name, reason }))
      const tables = { ...(halfMade.length > 0 && { tables: { status: 'failing', failing: halfMade } }) }
      const ready = !stopping && clickhouse.status === 'up'
      const parts = { clickhouse, log, buckets, orchestration, schemas, ...tables }
      const shown = Object.entries(parts).map(([name, part]) => [
        name,
        { ...part, ...history(name, { status: part.status, reason: reasonOf(part) }) },
      ])
      return {
        status: ready ? 'ready' : stopping ? 'stopping' : 'not ready',
        parts: Object.fromEntries(shown) as typeof parts,
      }
    },
  }
}

type Part = {
  readonly reason?: string
  readonly failures?: readonly { readonly reason: string }[]
  readonly failing?: readonly { readonly reason: string }[]
}

const reasonOf = ({ reason, failures, failing }: Part): string | undefined =>
  reason ?? failures?.[0]?.reason ?? failing?.[0]?.reason

export type Health = ReturnType<typeof createHealth>

/** The history of a part beside its status; times are microseconds since 1970. */
export type History = {
  /** When this process first saw an ill part so. */
  readonly since?: number
  /** It stays when the part is well again. */
  readonly last_error?: { readonly ts: number; readonly reason: string }
}

type PartHealth = { readonly status: string; readonly reason?: string | undefined }
type Known = { readonly status: string; readonly since: number; readonly last_error?: History['last_error'] }

/** Remembers the reports of this process on each part. */
export function createHealthHistory(now_us: () => number = () => Date.now() * 1000) {
  const parts = new Map<string, Known>()

  return (part: string, { status, reason }: PartHealth): History => {
    const before = parts.get(part)
    const now = now_us()
    const since = before?.status === status ? before.since : now
    const last_error = reason === undefined ? before?.last_error : { ts: now, reason }
    parts.set(part, { status, since, ...(last_error && { last_error }) })
    return { ...(status !== 'up' && { since }), ...(last_error && { last_error }) }
  }
}
