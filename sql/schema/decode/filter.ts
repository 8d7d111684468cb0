import { z } from 'zod'
import { anything, text, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Reference } from '../check/notes.ts'
import { findTarget } from '../find-stream.ts'
import type { Filter, MovingFilter, Notice } from '../schema.ts'
import { clientName, notification } from '../values.ts'
import { computedOnWire } from './computed.ts'
import { plainCondition } from './condition.ts'
import { checkDerivedComputed, type DerivedComputed, readDerivedComputed } from './derived-computed.ts'
import { type Attributes, type Draft, type Drafts, findAttribute, takenOver, withFields } from './draft.ts'
import { decodeQuery, queryOnWire } from './query.ts'

/** An entry of `fltr`. `fqry.name` is the query, or its JSON as a text. */
export const filterOnWire = z
  .object({
    name: clientName.optional(),
    ostm: text.optional(),
    fatr: texts.default([]),
    fqry: queryOnWire,
    catr: z.array(computedOnWire).optional().meta({ description: 'computed over the event, and added to its copy' }),
    notf: notification,
  })
  .meta({ id: 'Filter' })
const { shape } = filterOnWire

/** An entry of `fltr` as it was sent, before the attributes are known that it reads. */
export type SentFilter = {
  readonly object: WireObject
  readonly draft: Draft
  readonly target: string | undefined
  readonly to: Draft | undefined
  /** `fatr` */
  readonly chosen: readonly string[]
  readonly derived: DerivedComputed
}

const hasNotification = (object: WireObject): boolean => object.take('notf', anything) !== undefined

function readFilter(object: WireObject, draft: Draft, drafts: Drafts): SentFilter {
  object.only(shape)
  // A filter with a notification needs no target; an empty one is as good as none, since some clients send it.
  const target =
    object.has('ostm') || !hasNotification(object) ? object.take('ostm', text) : object.take('ostm', shape.ostm)
  const named = target === '' && hasNotification(object) ? undefined : target
  const to = named === undefined ? undefined : findTarget(drafts, named, 'filter', object, 'ostm')
  const derived = readDerivedComputed(object)
  if (named === undefined && derived.computed.size > 0)
    object.note('catr', 'does nothing without ostm: there is no copy')
  return { object, draft, target: named, to, chosen: object.take('fatr', shape.fatr) ?? [], derived }
}

/** `fltr` */
export const readFilters = (draft: Draft, drafts: Drafts): readonly SentFilter[] =>
  draft.kind === 'entity' ? [] : draft.object.list('fltr').map((object) => readFilter(object, draft, drafts))

/** In the order of the stream; an OBJECT brings its fields. Without names: all of the stream. */
const copiedNames = ({ chosen }: SentFilter, attributes: Attributes): readonly string[] =>
  chosen.length === 0 ? [...attributes.keys()] : withFields(chosen, attributes)

/** The target has the attributes that are copied to it, and those that are computed for it. */
export function copyAttributes(filter: SentFilter): void {
  const { draft, to, derived } = filter
  if (to === undefined) return
  for (const name of copiedNames(filter, draft.attributes)) {
    to.brought.add(name)
    if (!to.attributes.has(name)) to.attributes.set(name, takenOver(name, draft.attributes.get(name)))
  }
  for (const [name, attribute] of derived.attributes) {
    to.brought.add(name)
    if (!to.attributes.has(name)) to.attributes.set(name, attribute)
  }
}

/** An attribute that the target declares keeps its own statistic, and is of the same type. */
function checkTypes(filter: SentFilter, names: readonly string[]): void {
  const { object, draft, to, derived } = filter
  const check = (name: string, from: Attributes, where: string) => {
    const [source, there] = [from.get(name), to?.attributes.get(name)]
    if (source && there && source.type !== there.type)
      object.fail('ostm', `${quoted(name)} is ${source.type} in ${where} and ${there.type} in ${to?.name}`)
  }
  for (const name of names) if (!derived.attributes.has(name)) check(name, draft.attributes, draft.name)
  for (const name of derived.attributes.keys()) check(name, derived.attributes, 'catr')
}

/** An entry of `fltr`: a target to which it copies, a notification that it matches, or both. */
export type DecodedFilter = {
  readonly name: string
  readonly object: WireObject
  readonly filter?: Filter
  readonly notice?: Notice
  readonly moving?: MovingFilter
}

/** An entry of `fltr`, once all attributes of all streams are known. */
export function decodeFilter(filter: SentFilter, drafts: Drafts): DecodedFilter | undefined {
  const { object, draft, target, chosen, derived } = filter
  for (const [index, name] of chosen.entries()) {
    if (name !== '_pk') findAttribute(draft, name, object, `fatr[${index}]`)
  }
  const attributes = copiedNames(filter, draft.attributes)
  checkTypes(filter, attributes)
  const notified = object.take('notf', shape.notf)
  if (notified !== undefined)
    object.refer('notf', (path) => ({ kind: 'notification', path, notifid: notified }) satisfies Reference)
  const name = object.take('name', shape.name.default(target ?? `notice_${notified}`))
  const found = decodeQuery(object, { draft, drafts })
  const computed = checkDerivedComputed(draft, object, derived, draft.attributes)
  if (name === undefined || found === undefined) return undefined
  const condition = plainCondition(found)
  const aim = {
    ...(target !== undefined && { target }),
    ...(notified !== undefined && { notification: notified }),
  }
  if (condition === undefined) return { name, object, moving: { name, condition: found, attributes, computed, ...aim } }
  return {
    name,
    object,
    ...(target !== undefined && {
      filter: { name, condition, attributes, target, ...(computed.length > 0 && { computed }) },
    }),
    ...(notified !== undefined && { notice: { name, condition, notification: notified } }),
  }
}
