import { randomUUID } from 'node:crypto'
import { realTime, type Time } from '../../base/time.ts'
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

type Row = Omit<ProcessState, 'seen' | 'reach'> & {
  readonly seen: string
  readonly reach: string
  /** The time of the heartbeat. */
  readonly sign: string
  /** The heartbeat is later than ClickHouse's clock, which was set back since. */
  readonly isAhead: number
}

/** A process without a heartbeat for this time counts as dead: no change waits for it. */
export const silence_ms = 8_000

/** A process is named after its log. One that has none of its own says so in its name. */
const markWithoutLog = 'no-log-'
export const nameWithoutLog = (): string => `${markWithoutLog}${randomUUID()}`
export const hasOwnLog = (id: string): boolean => !id.startsWith(markWithoutLog)

/** The condition of a row of `weir.processes` whose process lives. */
export const isLiving = `at > now64(3) - toIntervalMillisecond(${silence_ms})`

/** The processes on one ClickHouse, as they describe themselves there. */
export function createProcesses(clickhouse: ClickHouse, time: Pick<Time, 'now'> = realTime) {
  /** A heartbeat is later than the one before, also where ClickHouse's clock was set back in between: the latest row counts. */
  const at =
    'greatest(now64(3), (SELECT max(at) + toIntervalMillisecond(1) FROM weir.processes WHERE id = {id:String}))'
  /** Heartbeats ahead of ClickHouse's clock, and since when this process has seen none after them. */
  const watched = new Map<string, { readonly sign: string; readonly since: number }>()

  function isSilent({ id, sign, isAhead }: Row): boolean {
    const known = watched.get(id)
    if (isAhead === 0) watched.delete(id)
    else if (known?.sign !== sign) watched.set(id, { sign, since: time.now() })
    else return time.now() - known.since > silence_ms
    return false
  }

  /** A process that died may have gone on after its last heartbeat, until now at the latest. */
  const reach = `reach + if(is_gone = 0 AND NOT ${isLiving}, greatest(0, dateDiff('microsecond', at, now64(6))), 0)`

  return {
    tell: ({ id, release, slot, slots, seen, reach }: ProcessState): Promise<void> =>
      clickhouse.run({
        text: [
          'INSERT INTO weir.processes (id, release, slot, slots, seen, reach, is_gone, at)',
          `SELECT {id:String}, {release:String}, {slot:UInt64}, {slots:UInt64}, {seen:UInt64}, {reach:UInt64}, 0, ${at}`,
        ].join(' '),
        params: { id, release, slot, slots, seen: String(seen), reach: String(reach) },
      }),
    leave: (id: string, reach: number): Promise<void> =>
      clickhouse.run({
        text: `INSERT INTO weir.processes (id, reach, is_gone, at) SELECT {id:String}, {reach:UInt64}, 1, ${at}`,
        params: { id, reach: String(reach) },
      }),
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
          'SELECT id, release, slot, slots, toString(seen) AS seen, toString(reach) AS reach, toString(at) AS sign,',
          'toUInt8(at > now64(3)) AS isAhead FROM weir.processes FINAL',
          `WHERE is_gone = 0 AND ${isLiving} ORDER BY id`,
        ].join(' '),
        params: {},
      })
      return rows
        .filter((row) => !isSilent(row))
        .map(({ sign: _, isAhead: __, ...row }) => ({ ...row, seen: Number(row.seen), reach: Number(row.reach) }))
    },
  }
}

export type Processes = ReturnType<typeof createProcesses>
