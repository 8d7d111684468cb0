import { matchesTable } from '../schema/ddl/notices.ts'
import type { SqlStatement } from '../statement.ts'

/** The keys of the matches that were handled and may still be there: the last round says which. */
const handled =
  "SELECT tupleElement(one, 1), tupleElement(one, 2) FROM (SELECT arrayJoin(handled) AS one FROM weir.notification_log FINAL WHERE kind = 'round')"

/** Columns `source`, `seq`, `id` and `event`. A batch that is repeated after a power cut may bring a match once more. */
export const compileMatches = (limit: number): SqlStatement => ({
  text: [
    'SELECT toString(_source) AS source, toString(_seq) AS seq, toFloat64(_notifid) AS id, _event AS event',
    `FROM ${matchesTable} WHERE (_source, _seq) GLOBAL NOT IN (${handled})`,
    `ORDER BY _seq, _source LIMIT 1 BY _seq, _source LIMIT ${limit}`,
  ].join(' '),
  params: {},
})

/** Columns `source` and `seq`: the handled matches that are there. */
export const compileHandled: SqlStatement = {
  text: `SELECT toString(_source) AS source, toString(_seq) AS seq FROM ${matchesTable} WHERE (_source, _seq) GLOBAL IN (${handled})`,
  params: {},
}

/** The last match of each lane stays: a log that delivers again is compared with its position. */
export const cleanMatches = [
  `ALTER TABLE ${matchesTable} DELETE WHERE (_source, _seq) IN (${handled})`,
  `AND (_position = 0 OR (_lane, _position) NOT IN (SELECT _lane, max(_position) FROM ${matchesTable} GROUP BY _lane))`,
  'SETTINGS mutations_sync = 2',
].join(' ')
