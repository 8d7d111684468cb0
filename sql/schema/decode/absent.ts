import { z } from 'zod'
import { anything, text } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Reference } from '../check/notes.ts'
import { findTarget } from '../find-stream.ts'
import type { Absence } from '../schema.ts'
import { notification } from '../values.ts'
import { type Draft, type Drafts, takenOver, withFields } from './draft.ts'
import { seconds, secondsOnWire } from './seconds.ts'

/** `absent` of a join or a pattern. */
export const absentOnWire = z
  .object({
    after: secondsOnWire
      .optional()
      .meta({ description: 'seconds in which a partner may come; absent or 0: as many as tloc' }),
    ostm: text
      .optional()
      .meta({ description: 'the stream of type 3 that gets a row of iatr, with _pk later by after' }),
    notf: notification,
  })
  .meta({
    id: 'Absent',
    description: 'what is told of an event of this stream that has found no partner, and that none has found',
  })

/** `absent` as it was sent, before the attributes are known that its rows have. */
export type SentAbsence = {
  readonly object: WireObject
  readonly absence: Absence | undefined
  readonly to: Draft | undefined
}

/** `distance_us`: how far the two events of the rule are apart at most. */
export function readAbsent(rule: WireObject, distance_us: number, drafts: Drafts): SentAbsence | undefined {
  if (rule.take('absent', anything) === undefined) return undefined
  const object = rule.object('absent')
  if (object === undefined) return undefined
  object.only(absentOnWire.shape)
  const after_us = seconds(object, 'after', distance_us / 1e6)
  const target = object.has('ostm') ? object.take('ostm', text) : undefined
  const notified = object.take('notf', absentOnWire.shape.notf)
  if (notified !== undefined)
    object.refer('notf', (path) => ({ kind: 'notification', path, notifid: notified }) satisfies Reference)
  if (!object.has('ostm') && object.take('notf', anything) === undefined)
    object.fail('ostm', 'is missing; absent needs ostm, notf or both')
  return {
    object,
    absence:
      after_us === undefined
        ? undefined
        : {
            after_us,
            ...(target !== undefined && { target }),
            ...(notified !== undefined && { notification: notified }),
          },
    to: target === undefined ? undefined : findTarget(drafts, target, 'join', object, 'ostm'),
  }
}

/** The stream that gets the rows has the attributes `inputs` of the rule's own stream, those that it lacks with their types. */
export function addAbsentRow({ to }: SentAbsence, inputs: readonly string[], { attributes }: Draft): void {
  if (to === undefined) return
  for (const name of withFields(inputs, attributes)) {
    to.brought.add(name)
    if (!to.attributes.has(name)) to.attributes.set(name, takenOver(name, attributes.get(name)))
  }
}

/** A name has one type in the stream that gets the rows. */
export function checkAbsentRow(
  { object, to }: SentAbsence,
  inputs: readonly string[],
  { attributes, name: of }: Draft,
): void {
  for (const name of to ? withFields(inputs, attributes) : []) {
    const [own, there] = [attributes.get(name), to?.attributes.get(name)]
    if (own && there && own.type !== there.type)
      object.fail('ostm', `${quoted(name)} is ${own.type} in ${of} and ${there.type} in ${to?.name}`)
  }
}
