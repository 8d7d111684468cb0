import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Delivery, DeliveryKey, DeliveryResult, DeliveryRetry } from './delivery/delivery.ts'
import type { Tally } from './gather.ts'
import type { MatchKey } from './match-reader.ts'
import type { OutboxPlace } from './outbox.ts'

/** All that a round makes: one insert of one block, which is there whole or not at all. */
export type Round = {
  readonly number: number
  readonly holder: string
  readonly handled: readonly MatchKey[]
  /** How far the outbox is taken; absent where the round took nothing of it. */
  readonly taken?: OutboxPlace
  readonly tallies: ReadonlyMap<number, Tally>
  readonly sends: readonly { readonly notifid: number; readonly ts: number; readonly payload: string }[]
  readonly deliveries: readonly DeliveryResult[]
}

type DeliveryRow = {
  readonly id: number
  readonly ts: string
  readonly place: number
  readonly version: number
  readonly endpoint: string
  readonly priority: number
  readonly next: string
  readonly body: string
}

/** A delivery as it stands in the log. */
export type Told = Pick<DeliveryResult, 'delivery' | 'state' | 'status' | 'error'>

/** Deliveries are tried for a day; deliveries of older sends are over. */
const tried_us = 25 * 3_600 * 1_000_000

/** The tries that are asked for which one look takes up. */
const maxRetries = 1_000

const line = (row: Readonly<Record<string, unknown>>): string => `${JSON.stringify(row)}\n`

function deliveryLine({ delivery, state, status, error, nextTry, answers }: DeliveryResult): string {
  const { notifid, ts, place, version, endpoint, priority, tries } = delivery
  const body = JSON.stringify({ state, tries, status, error })
  const row = line({ kind: 'delivery', notifid, ts, place, version, endpoint, priority, next_try: nextTry ?? 0, body })
  return answers === undefined ? row : row + retryLine(delivery, answers, 0)
}

/** The latest row of a delivery says whether a try is asked for (`next_try` is the moment) or was made (0). */
const retryLine = ({ notifid, ts, place }: DeliveryKey, version: number, next_try: number): string =>
  line({ kind: 'retry', notifid, ts, place, version, next_try })

const deliveryOf = ({ id, ts, place, version, endpoint, priority, next, body }: DeliveryRow): Delivery => ({
  notifid: id,
  ts: Number(ts),
  place,
  version,
  endpoint,
  priority,
  nextTry: Number(next),
  tries: (JSON.parse(body) as { tries: number }).tries,
})

const deliveryColumns =
  'toFloat64(notifid) AS id, toString(ts) AS ts, toFloat64(place) AS place, toFloat64(version) AS version, endpoint, priority, toString(next_try) AS next, body'

/** The sends, and how far each is delivered: one table, so that rows that belong together are written together. */
export function createLogStore(clickhouse: ClickHouse) {
  const insert = (lines: string, token?: string): Promise<void> =>
    clickhouse.insert({
      table: '`weir`.`notification_log`',
      rows: Buffer.from(lines),
      ...(token !== undefined && { token }),
    })

  /** Newest first. */
  async function found(
    which: string,
    params: Readonly<Record<string, number>> = {},
    limit = maxRetries,
  ): Promise<Told[]> {
    const rows = await clickhouse.rows<DeliveryRow>({
      text: [
        `SELECT ${deliveryColumns} FROM weir.notification_log AS log FINAL`,
        `WHERE kind = 'delivery' AND ${which} ORDER BY log.ts DESC, log.place LIMIT ${limit}`,
      ].join(' '),
      params,
    })
    return rows.map((row) => ({ delivery: deliveryOf(row), ...(JSON.parse(row.body) as Omit<Told, 'delivery'>) }))
  }

  async function lastRound(): Promise<{ number: number; holder: string }> {
    const [row] = await clickhouse.rows<{ number: number; holder: string }>({
      text: "SELECT toFloat64(version) AS number, body AS holder FROM weir.notification_log FINAL WHERE kind = 'round'",
      params: {},
    })
    return row ?? { number: 0, holder: '' }
  }

  return {
    lastRound,

    /**
     * ClickHouse takes the first of two rounds of one number: so a process that was held up, and has lost its lease
     * without knowing, writes nothing. A repeat by the same process changes nothing.
     */
    commit: ({ number, holder, handled, taken, tallies, sends, deliveries }: Round): Promise<void> =>
      insert(
        [
          line({ kind: 'round', version: number, body: holder, handled }),
          ...(taken ? [line({ kind: 'taken', version: number, body: JSON.stringify(taken) })] : []),
          ...[...tallies].map(([notifid, tally]) =>
            line({ kind: 'state', notifid, version: number, body: JSON.stringify(tally) }),
          ),
          ...sends.map(({ notifid, ts, payload }) => line({ kind: 'send', notifid, ts, body: payload })),
          ...deliveries.map(deliveryLine),
        ].join(''),
        `round ${number}`,
      ),

    /** How far the outbox is taken. */
    async taken(): Promise<OutboxPlace> {
      const [row] = await clickhouse.rows<{ body: string }>({
        text: "SELECT body FROM weir.notification_log FINAL WHERE kind = 'taken'",
        params: {},
      })
      return row ? JSON.parse(row.body) : { number: 0, place: 0 }
    },

    async tallies(): Promise<Map<number, Tally>> {
      const rows = await clickhouse.rows<{ id: number; body: string }>({
        text: "SELECT toFloat64(notifid) AS id, body FROM weir.notification_log FINAL WHERE kind = 'state'",
        params: {},
      })
      return new Map(rows.map(({ id, body }) => [id, JSON.parse(body)]))
    },

    putResults: (results: readonly DeliveryResult[]): Promise<void> => insert(results.map(deliveryLine).join('')),

    /**
     * Asks for a try of a delivery at once: the process that delivers finds it, also where the clock of this one is behind
     * that of the process that made the try before.
     */
    async askRetry({ notifid, ts, place }: DeliveryKey, asked_us: number): Promise<void> {
      const [last] = await clickhouse.rows<{ version: number }>({
        text: [
          'SELECT toFloat64(version) AS version FROM weir.notification_log FINAL',
          "WHERE kind = 'retry' AND notifid = {notifid:Int64} AND ts = {ts:Int64} AND place = {place:Int64}",
        ].join(' '),
        params: { notifid, ts, place },
      })
      const asked = Math.max(asked_us, (last?.version ?? 0) + 1)
      await insert(retryLine({ notifid, ts, place }, asked, asked))
    },

    /** Ends tries that were asked for and have nothing to do any more. */
    endRetries: (retries: readonly DeliveryRetry[]): Promise<void> =>
      insert(retries.map((retry) => retryLine(retry, retry.asked + 1, 0)).join('')),

    /** The tries that are asked for and were not made yet; of one notification or of all. */
    async retries(notifid?: number): Promise<DeliveryRetry[]> {
      const rows = await clickhouse.rows<{ id: number; ts: string; place: number; asked: string }>({
        text: [
          'SELECT toFloat64(notifid) AS id, toString(ts) AS ts, toFloat64(place) AS place, toString(next_try) AS asked',
          "FROM weir.notification_log FINAL WHERE kind = 'retry' AND next_try > 0",
          notifid === undefined ? '' : 'AND notifid = {notifid:Int64}',
          `ORDER BY next_try LIMIT ${maxRetries}`,
        ].join(' '),
        params: notifid === undefined ? {} : { notifid },
      })
      return rows.map(({ id, ts, place, asked }) => ({ notifid: id, ts: Number(ts), place, asked: Number(asked) }))
    },

    /** Deliveries by their names. */
    named: (keys: readonly DeliveryKey[]): Promise<Told[]> =>
      found(`(notifid, log.ts, log.place) IN (${keys.map(({ notifid, ts, place }) => `(${notifid},${ts},${place})`)})`),

    ofSend: (notifid: number, ts: number): Promise<Told[]> =>
      found('notifid = {notifid:Int64} AND log.ts = {ts:Int64}', { notifid, ts }),

    /** Pending deliveries, at most `ofEach` of each endpoint, in the order in which they are due. */
    async pending(now_us: number, ofEach: number, endpoint?: string): Promise<Delivery[]> {
      const rows = await clickhouse.rows<DeliveryRow>({
        text: [
          `SELECT ${deliveryColumns} FROM weir.notification_log AS log FINAL`,
          "WHERE kind = 'delivery' AND next_try > 0 AND log.ts > {since:Int64}",
          endpoint === undefined ? '' : 'AND endpoint = {endpoint:String}',
          `ORDER BY next_try, priority, log.ts LIMIT ${ofEach} BY endpoint`,
        ].join(' '),
        params: { since: now_us - tried_us, ...(endpoint !== undefined && { endpoint }) },
      })
      return rows.map(deliveryOf)
    },

    async payload({ notifid, ts }: Pick<Delivery, 'notifid' | 'ts'>): Promise<string | undefined> {
      const [row] = await clickhouse.rows<{ body: string }>({
        text: "SELECT body FROM weir.notification_log WHERE kind = 'send' AND notifid = {notifid:Int64} AND ts = {ts:Int64} LIMIT 1",
        params: { notifid, ts },
      })
      return row?.body
    },

    /** Newest first. */
    deliveries: (notifid: number, since: number, limit: number): Promise<Told[]> =>
      found('notifid = {notifid:Int64} AND log.ts >= {since:Int64}', { notifid, since }, limit),

    /** How many were sent in all, since `day_us`, and in the day before. */
    async counts(day_us: number): Promise<{ total: number; day: number; before: number }> {
      const [row] = await clickhouse.rows<{ total: number; day: number; before: number }>({
        text: [
          'SELECT toFloat64(count()) AS total, toFloat64(countIf(ts >= {day:Int64})) AS day,',
          'toFloat64(countIf(ts >= {before:Int64} AND ts < {day:Int64})) AS before',
          "FROM weir.notification_log WHERE kind = 'send'",
        ].join(' '),
        params: { day: day_us, before: day_us - 86_400_000_000 },
      })
      return row ?? { total: 0, day: 0, before: 0 }
    },
  }
}

export type LogStore = ReturnType<typeof createLogStore>
