import type { ClickHouse } from '../clickhouse/clickhouse.ts'

export type ProcessState = {
  readonly id: string
  /** Which values of the clock are this process's, out of `slots`. */
  readonly slot: number
  readonly slots: number
  /** The version of the catalogue up to which this process has followed. */
  readonly seen: number
}

type Row = { readonly id: string; readonly slot: number; readonly slots: number; readonly seen: string }

/** A process that has said nothing for so long counts as dead: no change waits for it. */
export const silence_ms = 8_000

/** The processes on one ClickHouse, as they tell of themselves there. */
export function createProcesses(clickhouse: ClickHouse) {
  const write = (row: Record<string, string | number>): Promise<void> =>
    clickhouse.insert({ table: '`weir`.`processes`', rows: Buffer.from(`${JSON.stringify(row)}\n`) })

  return {
    tell: ({ id, slot, slots, seen }: ProcessState): Promise<void> =>
      write({ id, slot, slots, seen: String(seen), is_gone: 0 }),
    leave: (id: string): Promise<void> => write({ id, is_gone: 1 }),
    /** Those that count as dead and have not left. */
    async dead(): Promise<string[]> {
      const text = `SELECT id FROM weir.processes FINAL WHERE is_gone = 0 AND at <= now64(3) - toIntervalMillisecond(${silence_ms})`
      return (await clickhouse.rows<{ id: string }>({ text, params: {} })).map(({ id }) => id)
    },
    async living(): Promise<ProcessState[]> {
      const rows = await clickhouse.rows<Row>({
        text: [
          'SELECT id, slot, slots, toString(seen) AS seen FROM weir.processes FINAL',
          `WHERE is_gone = 0 AND at > now64(3) - toIntervalMillisecond(${silence_ms}) ORDER BY id`,
        ].join(' '),
        params: {},
      })
      return rows.map((row) => ({ ...row, seen: Number(row.seen) }))
    },
  }
}

export type Processes = ReturnType<typeof createProcesses>
