/** Matches of notifications that the rules of a schema make: a part of the log, and the view that takes its lines. */
import { qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { rowAlias } from '../columns.ts'
import { hasMatches, hasQueue } from '../made.ts'
import { inputTable, matchesName, matchesQueue, noticeView } from '../names.ts'
import type { Attribute, Schema, Stream } from '../schema.ts'
import { matchesTable, matchWatermarks } from './notices.ts'
import { laneOf, unseen } from './watermark.ts'

const column = (name: string, type: Attribute['type']): Attribute => ({
  name,
  type,
  granularity: 60,
  primaryKey: false,
})

/** The lines of matches, as though a stream's: `_event` is the text of the JSON that the notification shows. */
const matchesStream: Stream = {
  name: matchesName,
  kind: 'join',
  window: 0,
  inputs: [],
  attributes: [column('_notifid', 'LONG'), column('_event', 'STRING')],
  computed: [],
  groupBys: [],
  entities: [],
  relations: [],
  nodes: [],
  filters: [],
  notices: [],
  movingFilters: [],
  references: [],
  rules: [],
  isMade: true,
}

/** The lines of matches of a schema, where its rules make any. */
export const matchesOf = (schema: Schema): Stream[] => (hasMatches(schema) ? [matchesStream] : [])

/** Everything with a part of the log: streams, and matches. */
export const queueStreams = (schema: Schema): Stream[] => [...schema.streams.filter(hasQueue), ...matchesOf(schema)]

export const matchesView = noticeView(matchesName, 0)

/** The view that carries the lines to the matches of all schemas. */
export function createMatchesFeed(schema: Schema): string {
  const feed = `${schema.name}.${matchesView}`
  const input = qualified(schema.name, inputTable(matchesName))
  const selected = [
    `${matchSource(schema.name)} AS _source`,
    '_seq',
    `assumeNotNull(${rowAlias}._notifid) AS _notifid`,
    `${literal(schema.name, 'String')} AS _schema`,
    `assumeNotNull(${rowAlias}._event) AS _event`,
    ...(schema.redelivered ? [`${laneOf(feed, `${rowAlias}.`)} AS _lane`, '_position'] : []),
  ]
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, matchesView)}`,
    'TO weir.notification_matches AS SELECT',
    selected.map((each) => `  ${each}`).join(',\n'),
    `FROM ${schema.redelivered ? unseen(input, matchesTable, laneOf(feed), matchWatermarks) : input} AS ${rowAlias}`,
  ].join('\n')
}

/** The source of the matches that a schema's rules make. */
export const matchSource = (schema: string): string => `sipHash64(${literal(matchesQueue(schema), 'String')})`
