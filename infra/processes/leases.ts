import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../base/faults.ts'
import { createMutex, type Exclusively } from '../../base/mutex.ts'
import { moveUnlessOver, type States } from '../../base/states.ts'
import { realTime, type Time } from '../../base/time.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import { type ClickHouse, ClickHouseError } from '../clickhouse/clickhouse.ts'

export type LeasesDeps = {
  readonly clickhouse: ClickHouse
  /** This process. */
  readonly id: string
  readonly time?: Pick<Time, 'now'>
}

/**
 * A lease that this process has. Once it may have passed to another process it is lost for good: `check` and `write` throw
 * a fault `unavailable` from then on.
 */
export type Lease = {
  /** Greater than those of all that had it before. */
  readonly number: number
  isHeld(): boolean
  check(): void
  /** Runs an `INSERT ... SELECT` of constants, which ClickHouse itself refuses once the lease is another process's. */
  write(insertion: SqlStatement): Promise<void>
  end(): Promise<void>
}

/**
 * The states of a lease in the process that took it.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | held | The process has given a sign of life within the last ten seconds, and no newer number is known. | Ten seconds without one, or a write that ClickHouse refuses for its number, lose it; `end` ends it. | A lease without an end: the next holder waits until fifteen seconds are past and the DDL is over. |
 * | lost | Another process may have the lease: nothing is written under it any more. | - | The same. |
 * | ended | The end is written: the next holder takes over at once. | - | Nothing. |
 */
const leaseStates: States<'held' | 'lost' | 'ended'> = { held: ['lost', 'ended'], lost: [], ended: [] }

/** `lose`: the next holder is to know that this one did not come to its end. */
type HeldLease = Lease & { lose(): void }
type Last = {
  readonly number: string
  readonly holder: string
  readonly ended: number
  /** The number of other processes that wait for it. */
  readonly wanted: number
  /** Time since the holder's last sign of life. */
  readonly age_ms: number
  /** The sign is later than ClickHouse's clock, which was set back since. */
  readonly isAhead: number
  /** The number of its signs of life. */
  readonly signs: number
}
/** The lease, or the holder that keeps it. */
type Attempt = { readonly lease: Lease } | { readonly lease?: undefined; readonly before: Last | undefined }

const renewal_ms = 2_000
/** Without a sign of life for this long, a holder has lost its lease. Its own clock takes it from itself earlier. */
const patience_ms = 15_000
const ownPatience_ms = 10_000
const pause_ms = 100
/** For this time the last holder lets waiting processes go first; they ask every `pause_ms`. */
const courtesy_ms = 300
const longestWait_ms = 30_000
/** ClickHouse's code of the exception that `throwIf` throws. */
const refused = 395

/**
 * Leases that several processes on one ClickHouse take one after the other, numbered from 1. A lease is taken by an
 * insert whose deduplication token is its number: ClickHouse keeps one of the rows that compete, and the row names its
 * holder. A process that finds the lease taken notes that it is wanted, and its holder then gives way before it takes
 * the next one.
 *
 * The number is a fencing token (Kleppmann, "How to do distributed locking", 2016) for the catalogue: each insert asks
 * in its own statement whether the number is still the newest. DDL cannot ask that. So a process that takes a lease
 * that was not given back waits until the DDL is over that ClickHouse runs for its last holder; a statement of that
 * holder's that is still on its way through the network, for more than the five seconds between the two patiences,
 * would run all the same.
 */
export function createLeases({ clickhouse, id, time = realTime }: LeasesDeps) {
  const write = (subject: string, number: string, step: string, token?: string): Promise<void> =>
    clickhouse.insert({
      table: '`weir`.`leases`',
      rows: Buffer.from(`${JSON.stringify({ subject, number, holder: id, step })}\n`),
      ...(token !== undefined && { token }),
    })

  async function last(subject: string): Promise<Last | undefined> {
    const [row] = await clickhouse.rows<Last>({
      text: [
        "SELECT toString(leases.number) AS number, anyIf(holder, step = 'taken') AS holder, countIf(step = 'ended') AS ended,",
        "toUInt32(countIf(step = 'wanted')) AS wanted,",
        "toUInt32(greatest(0, dateDiff('millisecond', maxIf(at, step != 'wanted'), now64(3)))) AS age_ms,",
        "toUInt8(maxIf(at, step != 'wanted') > now64(3)) AS isAhead, toUInt32(countIf(step = 'alive')) AS signs",
        'FROM weir.leases WHERE subject = {subject:String} GROUP BY leases.number ORDER BY leases.number DESC LIMIT 1',
      ].join(' '),
      params: { subject },
    })
    return row
  }

  /** Holders whose age ClickHouse's clock does not tell: since when this process has seen no new sign of them. */
  const watched = new Map<string, Pick<Last, 'number' | 'signs'> & { readonly since: number }>()

  function isSilent(subject: string, { number, signs, isAhead, age_ms }: Last): boolean {
    const known = watched.get(subject)
    if (isAhead === 0) {
      watched.delete(subject)
      return age_ms > patience_ms
    }
    if (known?.number === number && known.signs === signs) return time.now() - known.since > patience_ms
    watched.set(subject, { number, signs, since: time.now() })
    return false
  }

  const isFree = (subject: string, lease: Last | undefined): boolean =>
    lease === undefined || lease.ended > 0 || lease.holder === id || isSilent(subject, lease)

  /** No lease where another process has it, or where this one `givesWay` to processes that wait. */
  async function attempt(subject: string, givesWay: boolean): Promise<Attempt> {
    const before = await last(subject)
    if (!isFree(subject, before) || (givesWay && before?.holder === id && before.wanted > 0)) return { before }
    const number = String(BigInt(before?.number ?? 0) + 1n)
    const sent_ms = time.now()
    await write(subject, number, 'taken', `lease ${subject} ${number}`)
    const now = await last(subject)
    if (now?.number !== number || now.holder !== id) return { before: now }
    const lease = held(subject, number, sent_ms)
    if (before?.ended === 0) await ddlIsOver(sent_ms, lease)
    return { lease }
  }

  /** Resolves once ClickHouse runs no DDL that began before `since`, which the last holder may have left. */
  async function ddlIsOver(since: number, lease: HeldLease): Promise<void> {
    const text =
      "SELECT toUInt32(count()) AS running FROM system.processes WHERE query_kind IN ('Create', 'Drop', 'Rename') AND elapsed > {seconds:Float64}"
    try {
      for (;;) {
        const seconds = (time.now() - since) / 1000
        const [row] = await clickhouse.rows<{ running: number }>({ text, params: { seconds } })
        lease.check()
        if (row === undefined || row.running === 0) return
        if (seconds * 1000 > longestWait_ms)
          throw fault('unavailable', 'a change that was cut off is still at work in ClickHouse; try again')
        await sleep(pause_ms)
      }
    } catch (error) {
      lease.lose()
      throw error
    }
  }

  function held(subject: string, number: string, taken: number): HeldLease {
    let renewed = taken
    const mine: { state: keyof typeof leaseStates } = { state: 'held' }
    const lose = (): void => moveUnlessOver(leaseStates, mine, 'lost', `the lease of ${subject}`)
    const isHeld = (): boolean => {
      if (time.now() - renewed > ownPatience_ms) lose()
      return mine.state === 'held'
    }
    const check = (): void => {
      if (isHeld()) return
      throw fault('unavailable', 'the change was cut off from ClickHouse and has lost its lease; try again')
    }
    const isNewest = `throwIf((SELECT max(number) FROM weir.leases WHERE subject = '${subject}') != ${number}) = 0`
    async function fenced({ text, params }: SqlStatement): Promise<void> {
      check()
      try {
        await clickhouse.run({ text: `${text} WHERE ${isNewest}`, params })
      } catch (error) {
        if (error instanceof ClickHouseError && error.code === refused) lose()
        check()
        throw error
      }
    }
    const alive = {
      text: 'INSERT INTO weir.leases (subject, number, holder, step) SELECT {subject:String}, {number:UInt64}, {id:String}, {step:String}',
      params: { subject, number, id, step: 'alive' },
    }
    const timer = setInterval(() => {
      const sent_ms = time.now()
      // A process that was held up too long renews nothing: another one may have taken the lease meanwhile.
      if (!isHeld()) return
      fenced(alive).then(
        () => {
          if (isHeld()) renewed = sent_ms
        },
        () => {},
      )
    }, renewal_ms)
    timer.unref()
    return {
      number: Number(number),
      isHeld,
      check,
      write: fenced,
      lose() {
        lose()
        clearInterval(timer)
      },
      async end() {
        clearInterval(timer)
        // Where it is lost the next holder has to know that this one did not come to its end.
        if (!isHeld()) return
        await write(subject, number, 'ended')
        moveUnlessOver(leaseStates, mine, 'ended', `the lease of ${subject}`)
      },
    }
  }

  /** Waits for the lease; a fault `unavailable` where another process keeps it for longer than thirty seconds. */
  async function take(subject: string): Promise<Lease> {
    const end = time.now() + longestWait_ms
    let wanted: string | undefined
    for (let givesWay = true; ; givesWay = false) {
      const found = await attempt(subject, givesWay)
      if (found.lease) return found.lease
      if (time.now() > end) {
        throw fault('unavailable', `another process has been changing ${subject} for a while; try again`)
      }
      const isOwn = found.before?.holder === id
      if (found.before && !isOwn && found.before.number !== wanted) {
        wanted = found.before.number
        await write(subject, wanted, 'wanted')
      }
      await sleep(isOwn ? courtesy_ms : pause_ms)
    }
  }

  return {
    /** Undefined where another process has the lease. */
    tryTake: async (subject: string): Promise<Lease | undefined> => (await attempt(subject, false)).lease,
    take,
    /** A mutex over all processes. */
    mutex(subject: string): Exclusively {
      const local = createMutex()
      return (work) =>
        local(async () => {
          const lease = await take(subject)
          try {
            return await work()
          } finally {
            await lease.end()
          }
        })
    },
    isHeldElsewhere: async (subject: string): Promise<boolean> => !isFree(subject, await last(subject)),
  }
}

/** Before a process has its place among the others. */
export const migrating = (clickhouse: ClickHouse): Exclusively =>
  createLeases({ clickhouse, id: randomUUID() }).mutex('migrations')

export type Leases = ReturnType<typeof createLeases>
