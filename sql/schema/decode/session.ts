import { anything, text } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Reference } from '../check/notes.ts'
import { findTarget } from '../find-stream.ts'
import type { AttributeType, Session, Statistics } from '../schema.ts'
import { kindsOfSession, type SessionValue, sessionRow } from '../sessions.ts'
import { notification } from '../values.ts'
import type { Draft, Drafts } from './draft.ts'
import { seconds, secondsOnWire } from './seconds.ts'

/** The members of an entry of `gpby` or `enty` that say of sessions. */
export const sessionOnWire = {
  session: secondsOnWire
    .optional()
    .meta({ description: 'seconds without an event of its key after which a session of the key is closed' }),
  smax: secondsOnWire
    .optional()
    .meta({ description: 'seconds that a session is long at most; absent or 0: a day, or as long as session' }),
  ostm: text
    .optional()
    .meta({ description: 'the stream of type 3 that gets a row of each session, once it is closed' }),
  notf: notification,
}

/** A session as it was sent, before the attributes are known that its row has. */
export type SentSession = {
  readonly object: WireObject
  readonly draft: Draft
  readonly session: Session | undefined
  readonly to: Draft | undefined
  /** The names of the key's parts, and the attributes that give them. */
  readonly keys: readonly { readonly name: string; readonly inputs: readonly string[] }[]
  readonly values: readonly SessionValue[]
}

const day_s = 86_400

/** The session of an entry; undefined where the entry has none. `member` is where its statistics are named. */
export function readSession(
  object: WireObject,
  drafts: Drafts,
  statistics: Statistics | undefined,
  member: 'stat' | 'opid',
): Pick<SentSession, 'session' | 'to'> | undefined {
  if (!object.has('session')) {
    for (const each of ['smax', 'ostm', 'notf']) if (object.has(each)) object.note(each, 'does nothing without session')
    return undefined
  }
  const gap_us = seconds(object, 'session')
  const longest_us = seconds(object, 'smax', Math.max(day_s, (gap_us ?? 0) / 1e6))
  const target = object.has('ostm') ? object.take('ostm', text) : undefined
  const notified = object.take('notf', sessionOnWire.notf)
  if (notified !== undefined)
    object.refer('notf', (path) => ({ kind: 'notification', path, notifid: notified }) satisfies Reference)
  if (!object.has('ostm') && object.take('notf', anything) === undefined)
    object.fail('ostm', 'is missing; its sessions need ostm, notf or both')
  const other = statistics?.kinds.find((kind) => !kindsOfSession.includes(kind))
  if (other !== undefined)
    object.fail(
      member,
      `${other} has no sessions: ${kindsOfSession.join(', ')} have; give ${other} an entry of its own`,
    )
  return {
    session:
      gap_us === undefined || longest_us === undefined
        ? undefined
        : {
            gap_us,
            longest_us,
            ...(target !== undefined && { target }),
            ...(notified !== undefined && { notification: notified }),
          },
    to: target === undefined ? undefined : findTarget(drafts, target, 'join', object, 'ostm'),
  }
}

/** The attributes of the session's row, as far as the types are known by now. */
function rowOf({ draft, keys, values }: SentSession) {
  const typeOf = (name: string): AttributeType | undefined => draft.attributes.get(name)?.type
  const typed = keys.flatMap(({ name, inputs }) => {
    const type = inputs.length > 1 ? 'STRING' : typeOf(inputs[0] ?? name)
    return type ? [{ name, type }] : []
  })
  const counted = values.flatMap((value) => {
    const type = typeOf(value.input)
    return type ? [{ ...value, type }] : []
  })
  return typed.length === keys.length && counted.length === values.length ? sessionRow(typed, counted) : []
}

/** The stream that gets the rows has their attributes, those that it lacks with their types. */
export function addSessionRow(sent: SentSession): void {
  const { to } = sent
  for (const attribute of to ? rowOf(sent) : []) {
    to?.brought.add(attribute.name)
    if (!to?.attributes.has(attribute.name)) to?.attributes.set(attribute.name, attribute)
  }
}

/** Each name of a row is that of one value, and has one type in the stream that gets the rows. */
export function checkSessionRow(sent: SentSession): void {
  const { object, to } = sent
  const names = new Set<string>()
  for (const { name, type } of rowOf(sent)) {
    if (names.has(name))
      object.fail(
        'session',
        `its row would have ${quoted(name)} twice: as a part of the key, and as a member of the row`,
      )
    names.add(name)
    const there = to?.attributes.get(name)
    if (there && there.type !== type)
      object.fail('ostm', `${quoted(name)} is ${type} in a row of the session and ${there.type} in ${to?.name}`)
  }
}
