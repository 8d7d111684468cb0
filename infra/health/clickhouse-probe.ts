import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { createProbe } from './probe.ts'

export type ClickHouseState = {
  readonly status: 'up' | 'down'
  readonly rejected_events: number
  readonly reason?: string
}

const patience_ms = 2_000

/** Asks ClickHouse how it does. */
export const createClickHouseProbe = (clickhouse: ClickHouse) =>
  createProbe<ClickHouseState>({
    async ask() {
      const [row] = await clickhouse.rows<{ rejected: number }>({
        text: "SELECT toUInt64(sum(total_rows)) AS rejected FROM system.tables WHERE endsWith(name, '__rejected')",
        params: {},
      })
      return { status: 'up', rejected_events: Number(row?.rejected ?? 0) }
    },
    failed: (reason) => ({ status: 'down', rejected_events: 0, reason }),
    patience_ms,
    late: { status: 'down', rejected_events: 0, reason: `no answer within ${patience_ms} ms` },
  })
