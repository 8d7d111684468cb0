import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'

export type ProcessState = {
  readonly id: string
  /** The release of Weir that it runs. */
  readonly release: string
  /** Which values of the clock are this process's, out of `slots`. */
  readonly slot: number
  readonly slots: number
  /** The version of the catalogue up to which this process has followed. */
  readonly seen: number
  /** The greatest value of the clock that it had taken. */
  readonly reach: number
}

type Row = Omit<ProcessState, 'seen' | 'reach'> & { readonly seen: string; readonly reach: string }

/** A process without a heartbeat for this time counts as dead: no change waits for it. */
export const silence_ms = 8_000

/** A process is named after its log. One that has none of its own says so in its name. */
const markWithoutLog = 'no-log-'
export const nameWithoutLog = (): string => `${markWithoutLog}${randomUUID()}`
export const hasOwnLog = (id: string): boolean => !id.startsWith(markWithoutLog)

/** The condition of a row of `weir.processes` whose process lives. */
export const isLiving = `at > now64(3) - toIntervalMillisecond(${silence_ms})`

/** The processes on one ClickHouse, as they describe themselves there. */
export function createProcesses(clickhouse: ClickHouse) {
  const write = (row: Record<string, string | number>): Promise<void> =>
    clickhouse.insert({ table: '`weir`.`processes`', rows: Buffer.from(`${JSON.stringify(row)}\n`) })

  /** A process that died may have gone on after its last heartbeat, until now at the latest. */
  const reach = `reach + if(is_gone = 0 AND NOT ${isLiving}, greatest(0, dateDiff('microsecond', at, now64(6))), 0)`

  return {
    tell: ({ id, release, slot, slots, seen, reach }: ProcessState): Promise<void> =>
      write({ id, release, slot, slots, seen: String(seen), reach: String(reach), is_gone: 0 }),
    leave: (id: string, reach: number): Promise<void> => write({ id, reach: String(reach), is_gone: 1 }),
    /** The processes that count as dead and have not left. */
    async dead(): Promise<{ id: string; reach: number }[]> {
      const text = `SELECT id, toString(${reach}) AS reached FROM weir.processes FINAL WHERE is_gone = 0 AND NOT ${isLiving}`
      const rows = await clickhouse.rows<{ id: string; reached: string }>({ text, params: {} })
      return rows.map(({ id, reached }) => ({ id, reach: Number(reached) }))
    },
    /** The greatest value of the clock that any process may have taken, processes that are gone included. */
    async reach(): Promise<number> {
      const text = `SELECT toString(max(${reach})) AS reached FROM weir.processes FINAL`
      const [row] = await clickhouse.rows<{ reached: string }>({ text, params: {} })
      return Number(row?.reached ?? 0)
    },
    async living(): Promise<ProcessState[]> {
      const rows = await clickhouse.rows<Row>({
        text: [
          'SELECT id, release, slot, slots, toString(seen) AS seen, toString(reach) AS reach FROM weir.processes FINAL',
          `WHERE is_gone = 0 AND ${isLiving} ORDER BY id`,
        ].join(' '),
        params: {},
      })
      return rows.map((row) => ({ ...row, seen: Number(row.seen), reach: Number(row.reach) }))
    },
  }
}

export type Processes = ReturnType<typeof createProcesses>
