import { identifier, qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { createParams } from './condition.ts'
import {
  conditions,
  documentMembers,
  documentSettings,
  documentTuple,
  type EventPosition,
  jsonSettings,
  pageBounds,
} from './rows.ts'
import type { StreamSource } from './source.ts'

export type PlacesRequest = {
  readonly where?: Condition
  readonly after?: EventPosition
  /** So many events from one place to the next. */
  readonly apart: number
  readonly count: number
}

/**
 * Columns `pk` and `seq`, as text, of events that stand so many apart, newest first; fewer rows where there are fewer events. One
 * thread counts them: several would each count their own.
 */
export function compilePlaces(
  source: StreamSource,
  { apart, count, ...request }: PlacesRequest,
): SqlStatement<{ pk: string; seq: string }> {
  const params = createParams()
  const where = conditions(source, request, params).join(' AND ')
  const table = qualified(source.schema.name, source.stream.name)
  const offset = request.after?.seen ?? 0
  return {
    text: [
      'SELECT toString(_pk) AS pk, toString(_seq) AS seq FROM (SELECT _pk, _seq, rowNumberInAllBlocks() AS _place FROM',
      `(SELECT _pk, _seq FROM ${table} WHERE ${where} ORDER BY _pk DESC, _seq DESC LIMIT ${apart * count} OFFSET ${offset}))`,
      `WHERE _place % ${apart} = ${apart - 1} ORDER BY _place SETTINGS max_threads = 1`,
    ].join(' '),
    params: params.params,
  }
}

export type LinesRequest = {
  readonly where?: Condition
  readonly after?: EventPosition
  /** The last event, and all that have its numbers; absent: to the end. */
  readonly to?: EventPosition
  /** An answer beyond this is ClickHouse's error 396, one that takes much more to make is 241. */
  readonly maxBytes?: number
}

/** More than any table has. */
const all = '9223372036854775807'

/** The last time that ClickHouse writes, in microseconds: the end of 2299. */
const lastTime = '10413791999999999'

/**
 * One column, an event as an object in text with its time as ISO 8601 behind its `_pk`, newest first. An event that has a
 * member `_time` of its own shows that.
 */
export function compileLines(source: StreamSource, request: LinesRequest): SqlStatement {
  const time = `if(_pk > ${lastTime} OR (_rest != '' AND JSONHas(_rest, '_time')), NULL, fromUnixTimestamp64Micro(_pk, 'UTC'))`
  const tuple = documentTuple(source, { name: '_time', value: time, type: "Nullable(DateTime64(6, 'UTC'))" })
  const rest = "concat(substring(_document, 1, length(_document) - 1), ',', substring(_rest, 2))"
  const line = `if(_rest = '', toJSONString(CAST(${tuple})) AS _document, ${rest}) AS _line`
  return linesOf(source, line, documentSettings, request)
}

/**
 * The columns of the same lines, which `FORMAT JSONEachRow` writes at less cost than SQL makes a text of them. Error 395 where an
 * event has other members than those that are named, which come in the order of `documentMembers`.
 */
export function compileAlike(source: StreamSource, names: ReadonlySet<string>, request: LinesRequest): SqlStatement {
  const members = documentMembers(source).map(([name]) => ({ name, column: identifier(name) }))
  const others = members.map(({ name, column }) => (names.has(name) ? `isNull(${column})` : `isNotNull(${column})`))
  const differs = [`_pk > ${lastTime}`, "_rest != ''", ...others].join(' OR ')
  const own = members.filter(({ name }) => names.has(name)).map(({ column }) => column)
  const time = "fromUnixTimestamp64Micro(_pk, 'UTC') AS _time"
  const columns = ['_pk', time, `toInt64(1 + throwIf(${differs})) AS _v`, ...own].join(', ')
  return linesOf(source, columns, jsonSettings, request)
}

/** The error of `compileAlike`. */
export const isUnlike = ({ code }: { readonly code: number }): boolean => code === 395

function linesOf(
  source: StreamSource,
  columns: string,
  settings: string,
  { where, after, to, maxBytes }: LinesRequest,
): SqlStatement {
  const params = createParams()
  const terms = conditions(source, { ...(where && { where }), ...(after && { after }) }, params)
  if (to?.seq !== undefined) {
    const [pk, seq] = [params.add(to.pk, 'Int64'), params.add(to.seq, 'Int64')]
    terms.push(`_pk >= ${pk} AND (_pk > ${pk} OR _seq >= ${seq})`)
  }
  const offset = after?.seen ? ` LIMIT ${all} OFFSET ${after.seen}` : ''
  return {
    text: [
      `SELECT ${columns} FROM ${qualified(source.schema.name, source.stream.name)} WHERE ${terms.join(' AND ')}`,
      `ORDER BY _pk DESC, _seq DESC${offset}`,
      `SETTINGS ${[settings, isoTimes, pageBounds(maxBytes)].filter((each) => each !== '').join(', ')}`,
    ].join(' '),
    params: params.params,
  }
}

const isoTimes = "date_time_output_format = 'iso'"
