import { setTimeout as after } from 'node:timers/promises'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'

export type ClickHouseState = {
  readonly status: 'up' | 'down'
  readonly rejected_events: number
  readonly reason?: string
}

const patience_ms = 2_000

/** Asks ClickHouse how it does: one question at a time; one that does not answer within two seconds is down. */
export function createClickHouseProbe(clickhouse: ClickHouse) {
  let asking: Promise<ClickHouseState> | undefined

  async function ask(): Promise<ClickHouseState> {
    try {
      const [row] = await clickhouse.rows<{ rejected: number }>({
        text: "SELECT toUInt64(sum(total_rows)) AS rejected FROM system.tables WHERE endsWith(name, '__rejected')",
        params: {},
      })
      return { status: 'up', rejected_events: Number(row?.rejected ?? 0) }
    } catch (error) {
      return { status: 'down', rejected_events: 0, reason: error instanceof Error ? error.message : String(error) }
    } finally {
      asking = undefined
    }
  }

  const late = { status: 'down', rejected_events: 0, reason: `no answer within ${patience_ms} ms` } as const

  return (): Promise<ClickHouseState> => {
    asking ??= ask()
    return Promise.race([asking, after(patience_ms, late, { ref: false })])
  }
}
