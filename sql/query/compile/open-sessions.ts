/** Sessions that are open, by the events that are stored: those that came behind the last session of their key that is closed. */
import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { attributeOf, columnType, rowAlias, valueOf } from '../../schema/columns.ts'
import type { Schema, Stream } from '../../schema/schema.ts'
import { type SessionKey, type StreamSession, sessionsOf } from '../../schema/sessions.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Comparison, Condition } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { compileCondition, createParams, type Place } from './condition.ts'
import { escapedValue } from './group-key.ts'
import { jsonSettings } from './rows.ts'
import { type EventColumns, noColumns, windowCondition } from './source.ts'

type Target = { readonly schema: Schema; readonly stream: Stream; readonly columns: EventColumns }

/** `since`: by stream, the `_seq` from which on its events are in sessions, where that is not the first. */
type TargetNow = Target & { readonly now_us: number; readonly since: ReadonlyMap<string, number> }

/** The sessions whose rows go into a stream, each with the stream of its events. */
type Fed = { readonly from: Stream; readonly of: StreamSession }

export const fedBy = ({ schema, stream }: Pick<Target, 'schema' | 'stream'>): Fed[] =>
  schema.streams.flatMap((from) =>
    sessionsOf(from).flatMap((of) => (of.session.target === stream.name ? [{ from, of }] : [])),
  )

/** A question for open sessions, which `where open = 1` asks; `rest` is the condition beside that. */
export type OpenQuestion = { readonly rest?: Condition }

/** Undefined where the condition asks for stored rows. */
export function openQuestion(
  target: Pick<Target, 'schema' | 'stream'>,
  where: Condition | undefined,
): OpenQuestion | undefined {
  if (where === undefined || attributeOf(target.stream, 'open') !== undefined || fedBy(target).length === 0)
    return undefined
  const terms: readonly Condition[] = where.kind === 'and' ? where.terms : [where]
  const found = terms.find((term): term is Comparison => term.kind === 'compare' && term.path.toLowerCase() === 'open')
  if (found === undefined) return undefined
  const { operator, value } = found
  const isYes = value.kind === 'boolean' ? value.value : value.kind === 'number' && Number(value.text) === 1
  if (operator !== '=' || !isYes)
    throw new PlacedRefusal(
      found.at,
      'open asks for the sessions that are open: write open = 1; without it rows are of closed ones',
    )
  const rest = terms.filter((term) => term !== found)
  const [only, ...more] = rest
  return only === undefined ? {} : { rest: more.length === 0 ? only : { kind: 'and', terms: rest } }
}

/** The turn that closes a session comes so much later than its time is over, at most. */
const lateness_us = 3_000_000

const partName = (index: number): string => `_k${index}`

/**
 * Rows `v`, JSON objects of the key, `from`, `to`, `cnt` and `open`, the latest first. A session is behind the last one of its key that
 * is closed, and its last event came at most as long ago as silence closes it.
 */
export function compileOpenSessions(target: TargetNow, question: OpenQuestion, limit: number): SqlStatement {
  const { text, params } = openRows(target, question)
  return { text: `SELECT v FROM (${text}) ORDER BY _to DESC, v LIMIT ${limit} SETTINGS ${jsonSettings}`, params }
}

/** One row, `count`. */
export function compileOpenCount(target: TargetNow, question: OpenQuestion): SqlStatement {
  const { text, params } = openRows(target, question)
  return { text: `SELECT count() AS count FROM (${text})`, params }
}

function openRows(target: TargetNow, { rest }: OpenQuestion): SqlStatement {
  const params = createParams()
  const all = fedBy(target).map((fed) => {
    const members = [
      ...fed.of.keys.map(({ name, type }, index) => ({ name, type: columnType(type), sql: partName(index) })),
      ...['from', 'to'].map((name) => ({ name, type: 'Int64', sql: `_${name}` })),
      { name: 'cnt', type: 'UInt64', sql: '_cnt' },
      { name: 'open', type: 'Bool', sql: 'true' },
    ]
    const type = `Tuple(${members.map((each) => `${identifier(each.name)} ${each.type}`).join(', ')})`
    const places = new Map<string, Place>([
      ...fed.of.keys.map(({ name, type }, index): [string, Place] => [name, placeOf(partName(index), type)]),
      ...['from', 'to', 'cnt'].map((name): [string, Place] => [
        name,
        { kind: 'column', sql: `_${name}`, type: 'LONG' },
      ]),
    ])
    const where = rest
      ? compileCondition(
          rest,
          (path, comparison) => {
            const place = places.get(path)
            if (place) return place
            throw new PlacedRefusal(
              comparison.at,
              `${path} is none of an open session; known are ${[...places.keys()].join(', ')}`,
            )
          },
          params,
        )
      : 'true'
    const tuple = `tuple(${members.map(({ sql }) => sql).join(', ')})`
    return [
      `SELECT toJSONString(CAST(${tuple}, ${literal(type, 'String')})) AS v, _to`,
      `FROM (${sessionsSql(target, fed)}) WHERE ${where}`,
    ].join(' ')
  })
  return { text: all.join(' UNION ALL '), params: params.params }
}

const placeOf = (sql: string, type: SessionKey['type']): Place => ({
  kind: 'column',
  sql,
  type: type === 'OBJECT' ? 'STRING' : type,
})

function sessionsSql(target: TargetNow, { from, of }: Fed): string {
  const { schema, stream, now_us } = target
  const { gap_us, longest_us } = of.session
  const parts = of.keys.map((_, index) => partName(index))
  const keys = of.keys.map(({ inputs }, index) => {
    const values = inputs.map((input) => {
      const attribute = attributeOf(from, input)
      if (attribute === undefined) throw new Error(`${from.name} has no ${input}`)
      return valueOf(attribute)
    })
    const value = values.length === 1 ? (values[0] ?? '') : `concat(${values.map(escapedValue).join(", ':', ")})`
    return `${value} AS ${parts[index]}`
  })
  const [only] = of.values
  const input = only && only.name === undefined ? attributeOf(from, only.input) : undefined
  const counted = input ? valueOf(input) : '1'
  const since = Math.max(0, now_us - longest_us - 2 * gap_us - lateness_us, target.since.get(from.name) ?? 0)
  const events = [
    `SELECT ${keys.join(', ')}, ${rowAlias}._pk AS _time, ${rowAlias}._seq AS _came, ${counted} AS _value`,
    `FROM ${qualified(schema.name, from.name)} AS ${rowAlias}`,
    `WHERE ${windowCondition({ schema, stream: from, columns: noColumns, now_us })} AND ${rowAlias}._seq >= ${since}`,
  ].join(' ')
  const closed = [
    `SELECT ${of.keys.map(({ name }, index) => `${identifier(name)} AS ${parts[index]}`).join(', ')}, max(${identifier('to')}) AS _closed`,
    `FROM ${qualified(schema.name, stream.name)} WHERE ${windowCondition({ schema, stream, columns: noColumns, now_us })}`,
    `GROUP BY ${parts.join(', ')}`,
  ].join(' ')
  return [
    `SELECT ${parts.map((part) => `_event.${part} AS ${part}`).join(', ')}, min(_event._time) AS _from, max(_event._time) AS _to, count(_event._value) AS _cnt`,
    `FROM (${events}) AS _event LEFT ANY JOIN (${closed}) AS _row`,
    `ON ${parts.map((part) => `_event.${part} = _row.${part}`).join(' AND ')}`,
    `WHERE ${parts.map((part) => `_event.${part} IS NOT NULL`).join(' AND ')} AND _event._time > ifNull(_row._closed, -1)`,
    `GROUP BY ${parts.map((part) => `_event.${part}`).join(', ')} HAVING max(_event._came) >= ${now_us - gap_us - lateness_us}`,
  ].join(' ')
}
