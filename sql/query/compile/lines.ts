import { qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { createParams } from './condition.ts'
import { conditions, documentSettings, documentTuple, type EventPosition, pageBounds } from './rows.ts'
import type { StreamSource } from './source.ts'

export type PlaceRequest = {
  readonly where?: Condition
  readonly after?: EventPosition
  /** So many events further on. */
  readonly behind: number
}

/** Columns `pk` and `seq`, as text, of one event; no row where there are fewer events. */
export function compilePlace(
  source: StreamSource,
  { behind, ...request }: PlaceRequest,
): SqlStatement<{ pk: string; seq: string }> {
  const params = createParams()
  const where = conditions(source, request, params).join(' AND ')
  const table = qualified(source.schema.name, source.stream.name)
  const offset = (request.after?.seen ?? 0) + behind - 1
  return {
    text: `SELECT toString(_pk) AS pk, toString(_seq) AS seq FROM ${table} WHERE ${where} ORDER BY _pk DESC, _seq DESC LIMIT 1 OFFSET ${offset}`,
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
export function compileLines(source: StreamSource, { where, after, to, maxBytes }: LinesRequest): SqlStatement {
  const params = createParams()
  const terms = conditions(source, { ...(where && { where }), ...(after && { after }) }, params)
  if (to?.seq !== undefined) {
    const [pk, seq] = [params.add(to.pk, 'Int64'), params.add(to.seq, 'Int64')]
    terms.push(`_pk >= ${pk} AND (_pk > ${pk} OR _seq >= ${seq})`)
  }
  const time = `if(_pk > ${lastTime} OR (_rest != '' AND JSONHas(_rest, '_time')), NULL, fromUnixTimestamp64Micro(_pk, 'UTC'))`
  const tuple = documentTuple(source, { name: '_time', value: time, type: "Nullable(DateTime64(6, 'UTC'))" })
  const rest = "concat(substring(_document, 1, length(_document) - 1), ',', substring(_rest, 2))"
  const offset = after?.seen ? ` LIMIT ${all} OFFSET ${after.seen}` : ''
  return {
    text: [
      `SELECT if(_rest = '', toJSONString(CAST(${tuple})) AS _document, ${rest}) AS _line`,
      `FROM ${qualified(source.schema.name, source.stream.name)} WHERE ${terms.join(' AND ')}`,
      `ORDER BY _pk DESC, _seq DESC${offset}`,
      `SETTINGS ${[documentSettings, isoTimes, pageBounds(maxBytes)].filter((each) => each !== '').join(', ')}`,
    ].join(' '),
    params: params.params,
  }
}

const isoTimes = "date_time_output_format = 'iso'"
