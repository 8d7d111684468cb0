import { isObject, parseJson, writeJson } from '../../base/json.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { sendId } from './payload.ts'

/** The place of a send among those that watches and schedules of saved questions have made. */
export type OutboxPlace = { readonly number: number; readonly place: number }

/** A send that is made of no match: its text is its maker's. */
export type OutboxSend = OutboxPlace & {
  readonly notifid: number
  /** The text that is delivered, for the moment of the send. */
  readonly payloadAt: (ts: number, name: string) => string
}

type Row = { readonly number: number; readonly place: number; readonly id: number; readonly body: string }

/** Alertmanager's receivers know its members alone. */
function payloadOf(body: string, notifid: number, name: string, ts: number): string {
  const send = parseJson(body, 'a send')
  if (!isObject(send) || !isObject(send.payload)) throw new Error('a send of the outbox is no object')
  return writeJson(
    send.format === 'alertmanager' ? send.payload : { id: sendId(notifid, ts), ts, notifid, name, ...send.payload },
  )
}

/** The sends that watches of saved questions have made, in their order, as `weir.saved_log` has them. */
export function createOutbox(clickhouse: ClickHouse) {
  return {
    async next({ number, place }: OutboxPlace, limit: number): Promise<OutboxSend[]> {
      const rows = await clickhouse.rows<Row>({
        text: [
          'SELECT toFloat64(log.number) AS number, toFloat64(log.place) AS place, toFloat64(notifid) AS id, body',
          "FROM weir.saved_log AS log WHERE kind = 'send' AND name = '' AND part = '' AND log.number >= {number:UInt64}",
          'AND (log.number > {number:UInt64} OR log.place > {place:Int64})',
          `ORDER BY log.number, log.place LIMIT 1 BY log.number, log.place LIMIT ${limit}`,
        ].join(' '),
        params: { number, place },
      })
      return rows.map(({ id, body, ...row }) => ({
        ...row,
        notifid: id,
        payloadAt: (ts, name) => payloadOf(body, id, name, ts),
      }))
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
