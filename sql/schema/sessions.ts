/** Sessions of a stream, said at its group-bys and entities, and the attributes of their rows. */
import type { Attribute, AttributeType, Session, StatisticKind, Statistics, Stream } from './schema.ts'
import { membersOf, typeOfMember } from './statistics.ts'

/** Statistics that a session keeps. */
export const kindsOfSession: readonly StatisticKind[] = ['COUNT', 'UCOUNT', 'RSTAT', 'QUANTILES', 'LAST', 'FIRST']

/** A part of the key: the name that it has in the rows, and the attributes of the event that give it. */
export type SessionKey = { readonly name: string; readonly type: AttributeType; readonly inputs: readonly string[] }

/** Statistics over an attribute of the session's events; in the row under `name`, or beside the key where there is none. */
export type SessionValue = { readonly name?: string; readonly input: string; readonly statistics: Statistics }

export type StreamSession = {
  readonly session: Session
  readonly keys: readonly SessionKey[]
  readonly values: readonly SessionValue[]
}

/** The sessions that a stream's events are of. */
export function sessionsOf({ attributes, groupBys, entities }: Stream): StreamSession[] {
  const typeOf = (name: string): AttributeType => attributes.find((each) => each.name === name)?.type ?? 'STRING'
  return [
    ...groupBys.flatMap(({ session, pattern, input, statistics }) =>
      session
        ? {
            session,
            keys: pattern.map((name) => ({ name, type: typeOf(name), inputs: [name] })),
            values: [{ input, statistics }],
          }
        : [],
    ),
    ...entities.flatMap(({ session, keys, results, inputs, statistics }) =>
      session
        ? {
            session,
            keys,
            values: results.map((name, index) => ({ name, input: inputs[index] ?? '', statistics })),
          }
        : [],
    ),
  ]
}

/** Whether a stream has sessions that it had not, or that were others: those begin with the events that come from now on. */
export function bringsSessions(before: Stream, after: Stream): boolean {
  const known = new Set(sessionsOf(before).map(meaningOf))
  return sessionsOf(after).some((each) => !known.has(meaningOf(each)))
}

const meaningOf = ({ session: { gap_us, longest_us }, keys, values }: StreamSession): string =>
  JSON.stringify([gap_us, longest_us, keys, values])

/** The members of a value object of these statistics. */
export const sessionMembers = (statistics: Statistics): string[] =>
  Object.keys(membersOf({ result: 'value', input: { name: 'value', type: 'DOUBLE' }, statistics }))

const attributeOf = (name: string, type: AttributeType): Attribute => ({
  name,
  type,
  granularity: 60,
  primaryKey: false,
})

/**
 * The attributes of a session's row: the key, its first and last time, and its statistics. The statistics of a
 * group-by stand by themselves; those of an entity are an object each, beside the number of the session's events.
 */
export function sessionRow(
  keys: readonly Pick<SessionKey, 'name' | 'type'>[],
  values: readonly (SessionValue & { readonly type: AttributeType })[],
): Attribute[] {
  return [
    ...keys.map(({ name, type }) => attributeOf(name, type)),
    attributeOf('from', 'LONG'),
    attributeOf('to', 'LONG'),
    ...(values.some(({ name }) => name === undefined) ? [] : [attributeOf('cnt', 'LONG')]),
    ...values.flatMap(({ name, statistics, type }) => [
      ...(name === undefined ? [] : [attributeOf(name, 'OBJECT')]),
      ...sessionMembers(statistics).map((member) =>
        attributeOf(name === undefined ? member : `${name}.${member}`, typeOfMember(member, type)),
      ),
    ]),
  ]
}
