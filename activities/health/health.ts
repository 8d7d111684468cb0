import type { Shipping } from '../../infra/backup/shipping.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { type Clock, secondsAhead } from '../../infra/clock.ts'
import { createClickHouseProbe } from '../../infra/health/clickhouse-probe.ts'
import type { StoreProbe } from '../../infra/health/store-probe.ts'
import type { Delivery } from '../../infra/log/delivery.ts'
import type { OpenedLog } from '../../infra/log/opened.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { OrchestrationPart } from '../../infra/orchestration/orchestrator.ts'

type Unfinished = { readonly name: string; readonly reason: string }

export type HealthDeps = {
  readonly clickhouse: ClickHouse
  readonly feeder: Feeder
  /** Bytes that wait in the log. */
  readonly waitingBytes: () => number
  /** Why the log does not do its work at the moment. */
  readonly trouble: OpenedLog['trouble']
  readonly delivery: Pick<Delivery, 'resuming'>
  readonly metrics: Metrics
  readonly clock: Pick<Clock, 'last'>
  readonly askBuckets: StoreProbe
  readonly askOrchestration: () => Promise<OrchestrationPart>
  /** Schemas that something is left to do of, and tables. */
  readonly unfinishedSchemas: () => readonly Unfinished[]
  readonly unfinishedTables: () => readonly Unfinished[]
  /** Topics of others that this process reads, and whose brokers or registry are away. */
  readonly failingSources?: () => readonly Unfinished[]
  /** The reason why a ClickHouse server does not answer analysts' SQL; undefined where it does. */
  readonly missingForSql?: () => string | undefined
  /** Absent where no backups are shipped. */
  readonly shipping?: Pick<Shipping, 'status'> | undefined
}

/** How each part does: the facts that probes, metrics and a person at night want to know. */
export function createHealth({
  clickhouse,
  feeder,
  waitingBytes,
  trouble,
  delivery,
  metrics,
  clock,
  askBuckets,
  askOrchestration,
  unfinishedSchemas,
  unfinishedTables,
  failingSources = () => [],
  missingForSql = () => undefined,
  shipping,
}: HealthDeps) {
  let stopping = false

  const askClickHouse = createClickHouseProbe(clickhouse)
  const history = createHealthHistory()

  return {
    stop: (): void => {
      stopping = true
    },
    /** The events that wait in the log. */
    delivery: () => ({ waiting_bytes: waitingBytes(), lag_ms: Math.round(feeder.lag_ms()) }),
    observe: (): void => {
      metrics.logBytes.set(waitingBytes())
      metrics.logLag.set(feeder.lag_ms() / 1000)
      metrics.clockAhead.set(secondsAhead(clock))
    },
    /** The health of all parts. The service is ready where it `takes` events, or `answers` queries, as the caller asks. */
    async report(asked: 'takes' | 'answers' = 'takes') {
      const [clickhouse, buckets, orchestration, ill] = await Promise.all([
        askClickHouse(),
        askBuckets(),
        askOrchestration(),
        trouble(),
      ])
      const failures = feeder.failures()
      const resuming = delivery.resuming().filter(({ reason }) => reason === undefined)
      const log = {
        status: failures.length === 0 && ill.takes === undefined && ill.answers === undefined ? 'up' : 'failing',
        takes: ill.takes === undefined,
        answers: ill.answers === undefined && resuming.length === 0,
        waiting_bytes: waitingBytes(),
        lag_ms: Math.round(feeder.lag_ms()),
        ...(failures.length > 0 && { failures }),
        ...((ill.takes ?? ill.answers)
          ? { reason: ill.takes ?? ill.answers }
          : resuming.length > 0 && { reason: attaching(resuming.length) }),
      }
      const failing = unfinishedSchemas().map(({ name, reason }) => ({ schema: name, reason }))
      const schemas = {
        status: failing.length === 0 ? 'up' : 'failing',
        takes: true,
        answers: failing.length === 0,
        ...(failing.length > 0 && { failing }),
      }
      const halfMade = unfinishedTables().map(({ name, reason }) => ({ table: name, reason }))
      const tables = halfMade.length > 0 && {
        tables: { status: 'failing', takes: true, answers: false, failing: halfMade },
      }
      const away = failingSources().map(({ name, reason }) => ({ source: name, reason }))
      const backup = shipping?.status()
      const missing = missingForSql()
      const parts = {
        clickhouse: { takes: true, answers: clickhouse.status === 'up', ...clickhouse },
        log,
        buckets: { takes: true, answers: isThere(buckets), ...buckets },
        orchestration: { takes: true, answers: isThere(orchestration), ...orchestration },
        schemas,
        ...tables,
        ...(away.length > 0 && { sources: { status: 'failing', takes: true, answers: true, failing: away } }),
        ...(missing !== undefined && { sql: { status: 'failing', takes: true, answers: false, reason: missing } }),
        ...(backup && { backup: { takes: true, answers: true, ...backup } }),
      }
      const shown = Object.entries(parts).map(([name, part]) => [name, { ...part, ...history(name, healthOf(part)) }])
      // Calls on objects and on background work alone need the other parts.
      const does = {
        takes: !stopping && log.takes,
        answers: !stopping && log.answers && parts.clickhouse.answers,
      }
      return {
        status: does[asked] ? 'ready' : stopping ? 'stopping' : 'not ready',
        ...does,
        parts: Object.fromEntries(shown) as typeof parts,
      }
    },
  }
}

const attaching = (schemas: number): string =>
  `events wait for the consumers of ${schemas} ${schemas === 1 ? 'schema' : 'schemas'}, which this start attaches`

const isThere = ({ status }: { readonly status: string }): boolean => status === 'up' || status === 'slow'

type Part = {
  readonly status: string
  readonly takes: boolean
  readonly answers: boolean
  readonly reason?: string
  readonly failures?: readonly { readonly reason: string }[]
  readonly failing?: readonly { readonly reason: string }[]
}

const reasonOf = ({ reason, failures, failing }: Part): string | undefined =>
  reason ?? failures?.[0]?.reason ?? failing?.[0]?.reason

/** A part that waits for nothing but its turn is well: why it does not answer yet is no error. */
function healthOf(part: Part): PartHealth {
  const { status, takes, answers } = part
  return { status, state: `${status} ${takes} ${answers}`, reason: status === 'up' ? undefined : reasonOf(part) }
}

export type Health = ReturnType<typeof createHealth>

/** The history of a part beside its status; times are microseconds since 1970. */
export type History = {
  /** When this process first saw an ill part so. */
  readonly since?: number
  /** It stays when the part is well again. */
  readonly last_error?: { readonly ts: number; readonly reason: string }
}

/** `state`: the status and all that is told beside it; the status alone where absent. */
type PartHealth = { readonly status: string; readonly state?: string; readonly reason?: string | undefined }
type Known = { readonly state: string; readonly since: number; readonly last_error?: History['last_error'] }

const isWell: readonly string[] = ['up', 'up true true']

/** Remembers the reports of this process on each part. */
export function createHealthHistory(now_us: () => number = () => Date.now() * 1000) {
  const parts = new Map<string, Known>()

  return (part: string, { status, state = status, reason }: PartHealth): History => {
    const before = parts.get(part)
    const now = now_us()
    const since = before?.state === state ? before.since : now
    const last_error = reason === undefined ? before?.last_error : { ts: now, reason }
    parts.set(part, { state, since, ...(last_error && { last_error }) })
    return { ...(!isWell.includes(state) && { since }), ...(last_error && { last_error }) }
  }
}
