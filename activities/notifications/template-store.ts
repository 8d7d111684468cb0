import { parseJson, writeJson } from '../../base/json.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Notification } from '../../sql/notification/decode.ts'

/** A template as it was from a moment on: every change of it is a version, and a match goes by the one of its moment. */
export type TemplateVersion = {
  readonly notifid: number
  /** Microseconds since 1970, by the clock that numbers events. */
  readonly at: number
  /** When the template came to be; one that was removed and registered again has a later one. */
  readonly registered: number
  /** 1 active, 0 paused, -1 removed. */
  readonly state: -1 | 0 | 1
  readonly secret: string
  /** The endpoints that have answered 410, and get nothing until the template is registered again or made active. */
  readonly endpointsOff: readonly string[]
  readonly notification: Notification
}

type Row = {
  readonly id: number
  readonly changed: number
  readonly since: number
  readonly state: number
  readonly secret: string
  readonly off: string
  readonly body: string
}

/** A notification holds members of its client, whose integers keep their digits. */
export const writeNotification = (notification: Notification): string => writeJson({ ...notification })
// The other function wrote it.
const readNotification = (body: string) => parseJson(body, 'the template') as unknown as Notification

/** Matches wait for their turn for moments: none goes by an older version. */
const maxVersions = 20

/** Versions of templates in ClickHouse. */
export function createTemplateStore(clickhouse: ClickHouse) {
  return {
    /** The versions since a moment, oldest first. */
    async since(at: number): Promise<TemplateVersion[]> {
      const rows = await clickhouse.rows<Row>({
        text: [
          'SELECT toFloat64(notifid) AS id, toFloat64(at) AS changed, toFloat64(registered) AS since, state, secret, endpoints_off AS off, body',
          'FROM weir.notification_templates WHERE at > {at:Int64}',
          `ORDER BY at DESC LIMIT ${maxVersions} BY notifid`,
        ].join(' '),
        params: { at },
      })
      return rows.reverse().map(
        ({ id, changed, since, state, secret, off, body }): TemplateVersion => ({
          notifid: id,
          at: changed,
          registered: since,
          state: state < 0 ? -1 : state === 0 ? 0 : 1,
          secret,
          endpointsOff: JSON.parse(off),
          notification: readNotification(body),
        }),
      )
    },

    put: (versions: readonly TemplateVersion[]): Promise<void> =>
      clickhouse.insert({
        table: '`weir`.`notification_templates`',
        rows: Buffer.from(
          versions
            .map(({ notification, endpointsOff, ...version }) =>
              JSON.stringify({
                ...version,
                endpoints_off: JSON.stringify(endpointsOff),
                body: writeNotification(notification),
              }),
            )
            .map((line) => `${line}\n`)
            .join(''),
        ),
        token: `templates ${versions[0]?.at} ${versions.length}`,
      }),
  }
}

export type TemplateStore = ReturnType<typeof createTemplateStore>
