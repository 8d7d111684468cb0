import { literal } from '../literal.ts'
import { erasedPlaces } from '../schema/ddl/erase.ts'
import { matchesTable } from '../schema/ddl/notices.ts'
import type { Schema, Stream } from '../schema/schema.ts'

/** The events of an erasure in matches that no round has handled, and in sends: the counts stay, each event is `{}`. */
export function eraseNotified(schema: Schema, streams: readonly Stream[], token: string): string[] {
  const ids = new Set(streams.flatMap(({ notices }) => notices.map(({ notification }) => notification)))
  if (ids.size === 0) return []
  const among = [...ids].map((id) => literal(id, 'Int64')).join(', ')
  const places = erasedPlaces(token)
  return [
    [
      `ALTER TABLE ${matchesTable} UPDATE _event = '{}' WHERE _schema = ${literal(schema.name, 'String')}`,
      `AND _seq IN (SELECT _seq FROM (${places})) SETTINGS mutations_sync = 2`,
    ].join(' '),
    [
      'ALTER TABLE weir.notification_log',
      // Counts stand behind the event, which may hold such a text itself: the last one is the payload's own.
      `UPDATE body = replaceRegexpOne(body, '(?s)"notif_event":.*,"count":(\\\\d+),"dur":', '"notif_event":{},"count":\\\\1,"dur":')`,
      `WHERE kind = 'send' AND notifid IN (${among})`,
      `AND JSONExtractInt(body, 'notif_event', '_pk') IN (SELECT _pk FROM (${places})) SETTINGS mutations_sync = 2`,
    ].join(' '),
  ]
}
