import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { columnType, storedAttributes } from '../../schema/columns.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { compileCondition, createParams, type Params } from './condition.ts'
import { eventPlaces, type StreamSource, windowCondition } from './source.ts'
import { type EventsTaken, takenConditions } from './taken.ts'

/**
 * The last event of the page before; without `seq` every event of that `_pk` has been seen. `seen`: how many rows of that
 * `seq` have been, since filters may bring one event into a stream on two ways; without it all.
 */
export type EventPosition = { readonly pk: string; readonly seq?: string; readonly seen?: number }

export type RowsRequest = {
  readonly where?: Condition
  readonly limit: number
  readonly after?: EventPosition
}

/** Columns `k` (`_pk`), `s` (`_seq`) and `v` (the document), all text, newest first. */
export function compileRows(source: StreamSource, request: RowsRequest): SqlStatement {
  const params = createParams()
  const where = conditions(source, request, params)
  return {
    text: documents(source, {
      where,
      limit: request.limit,
      offset: request.after?.seen ?? 0,
      order: '_pk DESC, _seq DESC',
      bounds: '',
    }),
    params: params.params,
  }
}

export type HistoryRequest = EventsTaken & {
  readonly limit: number
  readonly after?: Required<EventPosition>
  /** An answer beyond this is ClickHouse's error 396, one that takes much more to make is 241. */
  readonly maxBytes?: number
}

/** The same columns, oldest first. */
export function compileHistory(source: StreamSource, request: HistoryRequest): SqlStatement {
  const params = createParams()
  const { add } = params
  const where = takenConditions(source, request, params)
  if (request.after) {
    const [pk, seq] = [add(request.after.pk, 'Int64'), add(request.after.seq, 'Int64')]
    where.push(`_pk >= ${pk} AND (_pk > ${pk} OR _seq >= ${seq})`)
  }
  const { limit, maxBytes } = request
  const bounds = pageBounds(maxBytes)
  const offset = request.after?.seen ?? 0
  const ties = tiebreak(source)
  const text = documents(source, { where, limit, offset, order: '_pk ASC, _seq ASC', ties, bounds })
  return { text, params: params.params }
}

export type ArrivedRequest = {
  readonly where?: Condition
  /** The events that came behind this value of the clock, and up to the other. */
  readonly behind: number
  readonly through: number
  readonly limit: number
  /** The bound of a `HistoryRequest`. */
  readonly maxBytes?: number
}

/** The same columns, in the order in which the events came. */
export function compileArrived(source: StreamSource, request: ArrivedRequest): SqlStatement {
  const { limit, maxBytes } = request
  const params = createParams()
  const text = documents(source, {
    where: arrivedBetween(source, request, params),
    limit,
    offset: 0,
    order: '_seq ASC',
    ties: tiebreak(source),
    bounds: pageBounds(maxBytes),
  })
  return { text, params: params.params }
}

/**
 * Rows `s` (`_seq`) and `copies`, of the latest events at first: `limit` of them, or fewer with more copies. The inner question
 * holds no more numbers than it is to find: grouped at once, all events of the span would stand in memory.
 */
export function compileLatestArrived(source: StreamSource, request: Omit<ArrivedRequest, 'maxBytes'>): SqlStatement {
  const params = createParams()
  const where = arrivedBetween(source, request, params).join(' AND ')
  const table = qualified(source.schema.name, source.stream.name)
  const min = `SELECT min(_seq) FROM (SELECT _seq FROM ${table} WHERE ${where} ORDER BY _seq DESC LIMIT ${request.limit})`
  return {
    text: `SELECT toString(_seq) AS s, toUInt32(count()) AS copies FROM ${table} WHERE ${where} AND _seq >= (${min}) GROUP BY _seq ORDER BY _seq DESC LIMIT ${request.limit}`,
    params: params.params,
  }
}

/** One row, `first`: the least `_seq` of the stream's events in that span; 0 where there are none. */
export function compileFirstArrived(
  source: StreamSource,
  span: Pick<ArrivedRequest, 'behind' | 'through'>,
): SqlStatement {
  const params = createParams()
  const where = arrivedBetween(source, span, params)
  const table = qualified(source.schema.name, source.stream.name)
  return {
    text: `SELECT toString(min(_seq)) AS first FROM ${table} WHERE ${where.join(' AND ')}`,
    params: params.params,
  }
}

function arrivedBetween(
  source: StreamSource,
  { where, behind, through }: Pick<ArrivedRequest, 'where' | 'behind' | 'through'>,
  params: Params,
): string[] {
  const span = [`_seq > ${params.add(behind, 'Int64')}`, `_seq <= ${params.add(through, 'Int64')}`]
  return [...span, ...conditions(source, where ? { where } : {}, params)]
}

/** The settings of a page that may have so many bytes. */
export const pageBounds = (maxBytes: number | undefined): string =>
  maxBytes === undefined
    ? ''
    : `max_result_bytes = ${maxBytes}, result_overflow_mode = 'throw', max_memory_usage = ${16 * maxBytes}`

/** Filters may copy different attributes of one event: the columns behind the two numbers order its copies. */
const tiebreak = ({ stream }: StreamSource): string[] =>
  stream.kind === 'filter' || stream.kind === 'join'
    ? ['_rest', ...storedAttributes(stream).map(({ name }) => identifier(name))]
    : []

type DocumentsRequest = {
  readonly where: readonly string[]
  readonly limit: number
  readonly offset: number
  readonly order: '_pk DESC, _seq DESC' | '_pk ASC, _seq ASC' | '_seq ASC'
  /** Columns that order events of the same `_pk` and `_seq`. */
  readonly ties?: readonly string[]
  /** Settings that bound the answer. */
  readonly bounds: string
}

/** Aliases beside an attribute's column start with an underscore, as no attribute does: `document` may be one. */
function documents(source: StreamSource, request: DocumentsRequest): string {
  const { where, limit, offset, order, ties = [], bounds } = request
  const { schema, stream } = source
  const inner = [
    `SELECT _pk, _seq, _rest, toJSONString(CAST(${documentTuple(source)})) AS _document`,
    `FROM ${qualified(schema.name, stream.name)}`,
    `WHERE ${where.join(' AND ')}`,
    `ORDER BY ${[order, ...ties].join(', ')}`,
    `LIMIT ${limit}${offset === 0 ? '' : ` OFFSET ${offset}`}`,
  ].join(' ')
  return [
    'SELECT toString(_pk) AS k, toString(_seq) AS s,',
    "if(_rest = '', _document, concat(substring(_document, 1, length(_document) - 1), ',', substring(_rest, 2))) AS v",
    `FROM (${inner}) ORDER BY ${order}`,
    `SETTINGS ${[documentSettings, bounds].filter((settings) => settings !== '').join(', ')}`,
  ].join(' ')
}

export function compileCount(source: StreamSource, where?: Condition): SqlStatement {
  const params = createParams()
  const terms = conditions(source, { ...(where && { where }) }, params)
  const table = qualified(source.schema.name, source.stream.name)
  return {
    text: `SELECT _count AS count FROM (SELECT count() AS _count FROM ${table} WHERE ${terms.join(' AND ')})`,
    params: params.params,
  }
}

/** The events of several streams, each with the stream's place among them. */
export function compileCounts(sources: readonly StreamSource[]): SqlStatement {
  const parts = sources.map((source, place) => {
    const table = qualified(source.schema.name, source.stream.name)
    return `SELECT ${place} AS _place, count() AS _count FROM ${table} WHERE ${windowCondition(source)}`
  })
  return { text: `SELECT _place AS place, _count AS count FROM (${parts.join(' UNION ALL ')})`, params: {} }
}

const asObjects = 'output_format_json_named_tuples_as_objects = 1'
const asTheyAre = 'output_format_json_quote_64bit_integers = 0, output_format_json_escape_forward_slashes = 0'

/** Tuples with names become objects, 64-bit integers are written as they are. */
export const jsonSettings = `${asObjects}, ${asTheyAre}`

/** The same, and missing attributes are left out of the document. */
export const documentSettings = `${asObjects}, output_format_json_skip_null_value_in_named_tuples = 1, ${asTheyAre}`

/** A member of a document beside the event's own. */
type Member = { readonly name: string; readonly value: string; readonly type: string }

/** The names and types of a document's members that are columns, in their order. */
export function documentMembers({ stream, columns }: StreamSource): (readonly [name: string, type: string])[] {
  const declared = new Map(storedAttributes(stream).map(({ name, type }) => [name, columnType(type)]))
  return [...new Map([...declared, ...columns.all])].filter(([name]) => !name.includes('.'))
}

/**
 * `_pk`, `more`, `_v`, the attributes, and the values of attributes that were dropped since; a field of an OBJECT stands in the
 * rest, with its object. A member in the rest comes from there alone.
 */
export function documentTuple(source: StreamSource, ...more: readonly Member[]): string {
  const { stream, columns } = source
  const declared = new Set(storedAttributes(stream).map(({ name }) => name))
  const members = documentMembers(source)
  const value = (name: string): string =>
    columns.late.has(name) || !declared.has(name)
      ? `if(_rest != '' AND JSONHas(_rest, ${literal(name, 'String')}), NULL, ${identifier(name)})`
      : identifier(name)
  const values = ['_pk', ...more.map((member) => member.value), 'toInt64(1)', ...members.map(([name]) => value(name))]
  const added = more.map(({ name, type }) => `${name} ${type}`)
  const types = ['_pk Int64', ...added, '_v Int64', ...members.map(([name, type]) => `${identifier(name)} ${type}`)]
  return `tuple(${values.join(', ')}), ${literal(`Tuple(${types.join(', ')})`, 'String')}`
}

export function conditions(
  source: StreamSource,
  { where, after }: Pick<RowsRequest, 'where' | 'after'>,
  params: Params,
): string[] {
  const terms = [windowCondition(source)]
  if (where) terms.push(compileCondition(where, eventPlaces(source.stream, source.columns), params))
  if (after?.seq === undefined) {
    if (after) terms.push(`_pk < ${params.add(after.pk, 'Int64')}`)
  } else {
    const [pk, seq] = [params.add(after.pk, 'Int64'), params.add(after.seq, 'Int64')]
    terms.push(`_pk <= ${pk} AND (_pk < ${pk} OR _seq ${after.seen === undefined ? '<' : '<='} ${seq})`)
  }
  return terms
}
