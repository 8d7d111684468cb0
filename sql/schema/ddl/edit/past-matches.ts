/** The copies of kept events that a new filter makes, in runs. */
import { qualified } from '../../../identifier.ts'
import { literal } from '../../../literal.ts'
import { rowAlias } from '../../columns.ts'
import { feedView, inputTable, pastTable } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import { matches, selectMatches } from '../filters.ts'
import { pastRows } from './past-events.ts'
import type { FreshFilter } from './schema-diff.ts'

/** Bounds of a run of kept events, in the order of `pastOrder`: after the one, up to the other with all that equal it. */
export type PastRun = { readonly after?: PastPosition | undefined; readonly upTo: PastPosition }
export type PastPosition = readonly [string, string]

/** Where watermarks are kept a feed passes over rows that come out of the order of its positions. */
const pastOrder = (schema: Schema): readonly [string, string] =>
  schema.redelivered ? [`${rowAlias}._lane`, `${rowAlias}._position`] : [`${rowAlias}._pk`, `${rowAlias}._seq`]

const behind = (
  [first, second]: readonly [string, string],
  after: PastPosition | undefined,
  or: '>' | '<=',
): string => {
  if (after === undefined) return 'true'
  const [a, b] = after.map((position) => literal(position, first.endsWith('_lane') ? 'UInt64' : 'Int64'))
  return or === '>'
    ? `(${first} > ${a} OR (${first} = ${a} AND ${second} > ${b}))`
    : `(${first} < ${a} OR (${first} = ${a} AND ${second} <= ${b}))`
}

/** The end of the run of `rows` kept events that begins behind `after`, as `first` and `second`; none at the end. */
export function nextPast(schema: Schema, stream: Stream, after: PastPosition | undefined, rows: number): string {
  const order = pastOrder(schema)
  const [first, second] = order
  return [
    'SELECT toString(tupleElement(end, 1)) AS first, toString(tupleElement(end, 2)) AS second',
    `FROM (SELECT max((a, b)) AS end, count() AS events FROM (SELECT ${first} AS a, ${second} AS b`,
    `FROM ${qualified(schema.name, pastTable(stream.name))} AS ${rowAlias}`,
    `WHERE ${behind(order, after, '>')} ORDER BY a, b LIMIT ${rows})) WHERE events > 0`,
  ].join(' ')
}

/** The kept events of a run that match and that no earlier filter has copied, as rows of the target's Null table. */
export function pastMatches(schema: Schema, { stream, filter, beside }: FreshFilter, { after, upTo }: PastRun): string {
  const order = pastOrder(schema)
  const run = `${behind(order, after, '>')} AND ${behind(order, upTo, '<=')}`
  const { text } = selectMatches(schema, stream, filter, {
    from: pastRows(schema, stream),
    feed: `${feedView(inputTable(filter.target), stream.name)} past ${filter.name}`,
  })
  return [
    text,
    `AND ${run}`,
    ...(beside ? [`AND NOT (${isHeld(schema, { stream, filter, beside }, run)})`] : []),
    `ORDER BY ${order.join(', ')}`,
    'SETTINGS max_threads = 1, output_format_json_quote_64bit_integers = 0, output_format_json_escape_forward_slashes = 0',
  ].join('\n')
}

/**
 * Whether the target, as it was when the edit began to stand, has more copies of an event than those that the filters
 * beside this one account for: one that went copied it.
 */
function isHeld({ name }: Schema, { stream, filter, beside }: Required<FreshFilter>, run: string): string {
  const held = (times: number): string =>
    [
      `(${rowAlias}._pk, ${rowAlias}._seq) GLOBAL IN (SELECT _pk, _seq FROM ${qualified(name, pastTable(filter.target))}`,
      `WHERE _pk GLOBAL IN (SELECT _pk FROM ${qualified(name, pastTable(stream.name))} AS ${rowAlias} WHERE ${run})`,
      `GROUP BY _pk, _seq HAVING count() > ${times})`,
    ].join(' ')
  if (beside.length === 0) return held(0)
  const matching = beside.map((other) => `if(${matches(stream, other)}, 1, 0)`).join(' + ')
  return [...beside, filter].map((_, times) => `(${matching} = ${times} AND ${held(times)})`).join(' OR ')
}
