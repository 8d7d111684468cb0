import { qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { compileCondition, createParams } from '../../query/compile/condition.ts'
import { bind } from '../../statement.ts'
import { rowAlias, storedAttributes } from '../columns.ts'
import { inputTable, noticeView } from '../names.ts'
import type { Notice, Schema, Stream } from '../schema.ts'
import { rowPlaces } from './filters.ts'
import { jsonOf } from './graph/feed.ts'
import { laneOf, unseen } from './watermark.ts'

export const matchesTable = '`weir`.`notification_matches`'
export const matchWatermarks = 'maxMap(map(_lane, _position))'

/** The comment of inserts that bring a stream events of the past: they match no notification a second time. */
export const pastComment = 'weir past'

/** An event as queries show it. A field of an OBJECT stands in the rest, with its object. */
function eventText(stream: Stream): string {
  const members = storedAttributes(stream)
    .filter(({ name }) => !name.includes('.'))
    .map(({ name }) => jsonOf(stream, name, `,${JSON.stringify(name)}:`))
  const rest = `${rowAlias}._rest`
  return [
    `concat('{"_pk":', toString(${rowAlias}._pk), ',"_v":1'`,
    ...members,
    `if(${rest} IN ('', '{}'), '}', concat(',', substring(${rest}, 2))))`,
  ].join(', ')
}

/**
 * The view that writes down each event that passes a filter with `notf`. Aliases start with an underscore, as no
 * attribute does: conditions mean the attributes.
 */
export function createNoticeFeed(schema: Schema, stream: Stream, notice: Notice, number: number): string {
  const view = noticeView(stream.name, number)
  const feed = `${schema.name}.${view}`
  const input = qualified(schema.name, inputTable(stream.name))
  const params = createParams()
  const condition = compileCondition(notice.condition, rowPlaces(stream), params)
  const lane = laneOf(feed, `${rowAlias}.`)
  const selected = [
    `sipHash64(${literal(feed, 'String')}) AS _source`,
    '_seq',
    `${literal(notice.notification, 'Int64')} AS _notifid`,
    `${literal(schema.name, 'String')} AS _schema`,
    `${eventText(stream)} AS _event`,
    ...(schema.redelivered ? [`${lane} AS _lane`, '_position'] : []),
  ]
  const text = [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, view)}`,
    'TO weir.notification_matches AS SELECT',
    selected.map((column) => `  ${column}`).join(',\n'),
    `FROM ${schema.redelivered ? unseen(input, matchesTable, laneOf(feed), matchWatermarks) : input} AS ${rowAlias}`,
    `WHERE ${condition} AND getSetting('log_comment') != ${literal(pastComment, 'String')}`,
  ].join('\n')
  return bind({ text, params: params.params })
}
