import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { LogSource } from '../../infra/log/event-log.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { StoreProbe } from './store-probe.ts'

export type HealthDeps = {
  readonly clickhouse: ClickHouse
  readonly feeder: Feeder
  readonly source: LogSource
  readonly metrics: Metrics
  readonly askBuckets: StoreProbe
}

/** How each part does: what probes, metrics and a person at night want to know. */
export function createHealth({ clickhouse, feeder, source, metrics, askBuckets }: HealthDeps) {
  let stopping = false

  const lag_ms = (): number => {
    const oldest = feeder.oldest_us()
    return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest / 1000)
  }

  async function askClickHouse(): Promise<{ status: 'up' | 'down'; rejected_events: number; reason?: string }> {
    try {
      const [row] = await clickhouse.rows<{ rejected: number }>({
        text: "SELECT toUInt64(sum(total_rows)) AS rejected FROM system.tables WHERE endsWith(name, '__rejected')",
        params: {},
      })
      return { status: 'up', rejected_events: Number(row?.rejected ?? 0) }
    } catch (error) {
      return { status: 'down', rejected_events: 0, reason: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    stop: (): void => {
      stopping = true
    },
    observe: (): void => {
      metrics.logBytes.set(source.bytes())
      metrics.logLag.set(lag_ms() / 1000)
    },
    async report() {
      const [clickhouse, buckets] = await Promise.all([askClickHouse(), askBuckets()])
      const failures = feeder.failures()
      const log = {
        status: failures.length === 0 ? 'up' : 'failing',
        waiting_bytes: source.bytes(),
        lag_ms: Math.round(lag_ms()),
        ...(failures.length > 0 && { failures }),
      }
      const ready = !stopping && clickhouse.status === 'up'
      return { status: ready ? 'ready' : stopping ? 'stopping' : 'not ready', parts: { clickhouse, log, buckets } }
    },
  }
}

export type Health = ReturnType<typeof createHealth>
