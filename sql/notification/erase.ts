import { literal } from '../literal.ts'
import { erasedPlaces } from '../schema/ddl/erase.ts'
import { matchSource } from '../schema/ddl/matches.ts'
import { matchesTable } from '../schema/ddl/notices.ts'
import { notificationsOfRule } from '../schema/rule-outputs.ts'
import type { Schema, Stream } from '../schema/schema.ts'

/** The events of an erasure in matches that no round has handled, and in sends: the counts stay, each event is `{}`. */
export function eraseNotified(schema: Schema, streams: readonly Stream[], token: string): string[] {
  const ofViews = streams.flatMap(({ notices }) => notices.map(({ notification }) => notification))
  const ofRules = notificationsOfRules(schema, streams)
  const ids = [...new Set([...ofViews, ...ofRules])]
  if (ids.length === 0) return []
  const among = (of: readonly number[]): string => of.map((id) => literal(id, 'Int64')).join(', ')
  const places = erasedPlaces(token)
  const later = [...new Set(streams.flatMap(laterBy))].map((after_us) => ['_pk', ` - ${after_us}`] as const)
  /** Matches of rules have places of their own; `_jpk1` is the place of the other event of a row. */
  const tellsOf = (...path: readonly string[]): string =>
    [['_pk', ''] as const, ['_jpk1', ''] as const, ...later]
      .map(
        ([name, less]) =>
          `JSONExtractInt(${[...path, literal(name, 'String')].join(', ')})${less} IN (SELECT _pk FROM (${places}))`,
      )
      .join(' OR ')
  return [
    [
      `ALTER TABLE ${matchesTable} UPDATE _event = '{}' WHERE _schema = ${literal(schema.name, 'String')}`,
      `AND _seq IN (SELECT _seq FROM (${places})) SETTINGS mutations_sync = 2`,
    ].join(' '),
    ...(ofRules.length === 0
      ? []
      : [
          [
            `ALTER TABLE ${matchesTable} UPDATE _event = '{}' WHERE _source = ${matchSource(schema.name)}`,
            `AND _notifid IN (${among(ofRules)}) AND (${tellsOf('_event')}) SETTINGS mutations_sync = 2`,
          ].join(' '),
        ]),
    [
      'ALTER TABLE weir.notification_log',
      // Counts stand behind the event, which may hold such a text itself: the last one is the payload's own.
      `UPDATE body = replaceRegexpOne(body, '(?s)"notif_event":.*,"count":(\\\\d+),"dur":', '"notif_event":{},"count":\\\\1,"dur":')`,
      `WHERE kind = 'send' AND notifid IN (${among(ids)})`,
      ofRules.length === 0
        ? `AND (JSONExtractInt(body, 'notif_event', '_pk') IN (SELECT _pk FROM (${places}))`
        : `AND (${tellsOf('body', "'notif_event'")}`,
      `OR arrayExists(event -> ${ofRules.length === 0 ? `JSONExtractInt(event, '_pk') IN (SELECT _pk FROM (${places}))` : tellsOf('event')}, JSONExtractArrayRaw(body, 'notif_events')))`,
      'SETTINGS mutations_sync = 2',
    ].join(' '),
  ]
}

/** Notifications of the rules whose matches may show events of these streams: of rules in them, and of those with them as partner. */
function notificationsOfRules(schema: Schema, streams: readonly Stream[]): number[] {
  const names = new Set(streams.map(({ name }) => name))
  const notified = schema.streams.flatMap(({ name, rules, movingFilters, groupBys, entities }) => [
    ...(names.has(name) ? movingFilters : []).flatMap(({ notification }) => notification ?? []),
    ...(names.has(name) ? [...groupBys, ...entities] : []).flatMap(({ session }) => session?.notification ?? []),
    ...rules
      .filter(({ partner }) => names.has(name) || (partner !== undefined && names.has(partner)))
      .flatMap(notificationsOfRule),
  ])
  return [...new Set(notified)]
}

/**
 * The match of an event that found no partner, or of a session, has a `_pk` that is so much greater than the event's, or that of the
 * session's last one, in microseconds.
 */
function laterBy({ rules, groupBys, entities }: Stream): number[] {
  return [
    ...rules.flatMap(({ absent }) => (absent?.notification === undefined ? [] : [absent.after_us])),
    ...[...groupBys, ...entities].flatMap(({ session }) =>
      session?.notification === undefined ? [] : [session.gap_us],
    ),
  ]
}
