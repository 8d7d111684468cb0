import { setTimeout as after } from 'node:timers/promises'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { fault } from '../faults.ts'

export type TurnsDeps = {
  readonly clickhouse: ClickHouse
  /** This process. */
  readonly id: string
}

/** A turn that this process has. `check` throws a fault `unavailable` where it may have passed to another process. */
export type Turn = { check(): void; end(): Promise<void> }

type Last = { readonly number: string; readonly holder: string; readonly ended: number; readonly age_ms: number }

const renewal_ms = 2_000
/** Without a sign of life for this long, a holder has lost its turn. Its own clock takes it from itself earlier. */
const patience_ms = 15_000
const ownPatience_ms = 10_000
const pause_ms = 100
const longestWait_ms = 30_000

/**
 * Turns that several processes on one ClickHouse take one after the other, numbered from 1. A turn is taken by an insert
 * whose deduplication token is its number: ClickHouse keeps one of those that try, and the row tells whose it was.
 *
 * A lease, no lock: a holder that is held up between `check` and its statement for longer than five seconds could still
 * run that one statement in another's turn.
 */
export function createLeases({ clickhouse, id }: TurnsDeps) {
  const write = (subject: string, number: string, step: string, token?: string): Promise<void> =>
    clickhouse.insert({
      table: '`weir`.`turns`',
      rows: Buffer.from(`${JSON.stringify({ subject, number, holder: id, step })}\n`),
      ...(token !== undefined && { token }),
    })

  async function last(subject: string): Promise<Last | undefined> {
    const [row] = await clickhouse.rows<Last>({
      text: [
        "SELECT toString(turns.number) AS number, anyIf(holder, step = 'taken') AS holder, countIf(step = 'ended') AS ended,",
        "toUInt32(greatest(0, dateDiff('millisecond', max(at), now64(3)))) AS age_ms",
        'FROM weir.turns WHERE subject = {subject:String} GROUP BY turns.number ORDER BY turns.number DESC LIMIT 1',
      ].join(' '),
      params: { subject },
    })
    return row
  }

  const isFree = (turn: Last | undefined): boolean =>
    turn === undefined || turn.ended > 0 || turn.holder === id || turn.age_ms > patience_ms

  /** Undefined where another process has the turn. */
  async function tryTake(subject: string): Promise<Turn | undefined> {
    const before = await last(subject)
    if (!isFree(before)) return undefined
    const number = String(BigInt(before?.number ?? 0) + 1n)
    const asked = performance.now()
    await write(subject, number, 'taken', `turn ${subject} ${number}`)
    const now = await last(subject)
    return now?.number === number && now.holder === id ? held(subject, number, asked) : undefined
  }

  function held(subject: string, number: string, taken: number): Turn {
    let renewed = taken
    const timer = setInterval(() => {
      const asked = performance.now()
      write(subject, number, 'alive').then(
        () => {
          renewed = asked
        },
        () => {},
      )
    }, renewal_ms)
    timer.unref()
    return {
      check() {
        if (performance.now() - renewed <= ownPatience_ms) return
        throw fault('unavailable', 'the change was cut off from ClickHouse and has lost its turn; try again')
      },
      async end() {
        clearInterval(timer)
        await write(subject, number, 'ended')
      },
    }
  }

  return {
    tryTake,
    /** Waits for the turn; a fault `unavailable` where another process keeps it for longer than thirty seconds. */
    async take(subject: string): Promise<Turn> {
      const end = performance.now() + longestWait_ms
      for (;;) {
        const turn = await tryTake(subject)
        if (turn) return turn
        if (performance.now() > end) {
          throw fault('unavailable', `another process has been changing ${subject} for a while; try again`)
        }
        await after(pause_ms)
      }
    },
    isHeldElsewhere: async (subject: string): Promise<boolean> => !isFree(await last(subject)),
  }
}

export type Leases = ReturnType<typeof createLeases>
